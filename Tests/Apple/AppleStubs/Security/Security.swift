// SPDX-License-Identifier: Apache-2.0

// The symbols of Apple's Security framework that Sources/Trust/ServerTrust/Apple uses, with their Swift signatures.
// They are for type-checking on Linux and for a rehearsal (Tests/External/apple), and aren't a target of the package.
//
// The signatures come from Apple's documentation for Swift (macOS 13, iOS 16 and later). They have never been compared
// with an SDK. The types are classes without `Sendable`, which is the stricter assumption. CoreFoundation needs no
// stub: Swift's Foundation on Linux contains a module made from the same headers, and its functions really run.
@_exported import CoreFoundation

public typealias OSStatus = Int32

public final class SecTrust {
    /// The answers that the stub returns in the rehearsal.
    public struct Script {
        public var certificates: [[UInt8]] = []
        /// The error code, or nil to trust.
        public var error: Int?
        public var result = SecTrustResultType.unspecified
        public var trueDetails: [CFString] = []
        public var falseDetails: [CFString] = []
        public var statusOfPolicies: OSStatus = errSecSuccess
        public init() {}
    }
    public var script: Script
    /// Keeps the certificates alive, because an array without callbacks doesn't.
    let certificates: [SecCertificate]
    public internal(set) var policies: [SecPolicy] = []
    public internal(set) var date: CFAbsoluteTime?

    public init(_ script: Script) {
        self.script = script
        self.certificates = script.certificates.map(SecCertificate.init)
    }
}

public final class SecPolicy {
    public let text: String
    init(_ text: String) { self.text = text }
}

public final class SecCertificate {
    let der: [UInt8]
    init(der: [UInt8]) { self.der = der }
}

public var errSecSuccess: OSStatus { 0 }

/// `CF_ENUM(uint32_t)`; `confirm` (2) is deprecated.
public enum SecTrustResultType: UInt32, Sendable {
    case invalid = 0
    case proceed = 1
    case confirm = 2
    case deny = 3
    case unspecified = 4
    case recoverableTrustFailure = 5
    case fatalTrustFailure = 6
    case otherError = 7
}

// MARK: - SecTrust.h

public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    trust.policies = policies as? [SecPolicy] ?? []
    return trust.script.statusOfPolicies
}

public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus {
    trust.date = CFDateGetAbsoluteTime(verifyDate)
    return errSecSuccess
}

public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    guard let code = trust.script.error else { return true }
    error?.pointee = CFErrorCreate(nil, string("NSOSStatusErrorDomain"), code, nil)
    return false
}

public func SecTrustGetTrustResult(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    result.pointee = trust.script.result
    return errSecSuccess
}

public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
    guard !trust.certificates.isEmpty else { return nil }
    var pointers = trust.certificates.map { UnsafeRawPointer?(Unmanaged.passUnretained($0).toOpaque()) }
    return CFArrayCreate(nil, &pointers, pointers.count, nil)
}

public func SecTrustCopyResult(_ trust: SecTrust) -> CFDictionary? {
    func pointer(_ object: AnyObject) -> UnsafeRawPointer? {
        UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }
    guard let yes = kCFBooleanTrue, let no = kCFBooleanFalse else { return nil }
    var keys = (trust.script.trueDetails + trust.script.falseDetails).map { pointer($0) }
    var values = trust.script.trueDetails.map { _ in pointer(yes) } + trust.script.falseDetails.map { _ in pointer(no) }
    return withUnsafePointer(to: kCFTypeDictionaryKeyCallBacks) { keyCallBacks in
        withUnsafePointer(to: kCFTypeDictionaryValueCallBacks) { valueCallBacks in
            CFDictionaryCreate(nil, &keys, &values, keys.count, keyCallBacks, valueCallBacks)
        }
    }
}

/// These are constants on Apple platforms.
public var kSecTrustRevocationChecked: CFString { string("TrustRevocationChecked") }
public var kSecTrustCertificateTransparency: CFString { string("TrustCertificateTransparency") }

// MARK: - SecPolicy.h

public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    SecPolicy("\(server ? "server" : "client") \(hostname.map(text) ?? "any")")
}

public func SecPolicyCreateRevocation(_ revocationFlags: CFOptionFlags) -> SecPolicy? {
    SecPolicy("revocation \(revocationFlags)")
}

public var kSecRevocationOCSPMethod: CFOptionFlags { 1 }
public var kSecRevocationCRLMethod: CFOptionFlags { 2 }
public var kSecRevocationPreferCRL: CFOptionFlags { 4 }
public var kSecRevocationRequirePositiveResponse: CFOptionFlags { 8 }
public var kSecRevocationNetworkAccessDisabled: CFOptionFlags { 16 }

// MARK: - SecCertificate.h

public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData {
    guard let data = CFDataCreate(nil, certificate.der, certificate.der.count) else { fatalError("no data") }
    return data
}

// MARK: - The stub's own

private func string(_ text: String) -> CFString {
    guard let string = CFStringCreateWithCString(nil, text, CFStringBuiltInEncodings.UTF8.rawValue) else {
        fatalError("no string")
    }
    return string
}

private func text(_ string: CFString) -> String {
    var bytes = [CChar](repeating: 0, count: 1024)
    guard CFStringGetCString(string, &bytes, bytes.count, CFStringBuiltInEncodings.UTF8.rawValue) else { return "?" }
    return bytes.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
}
