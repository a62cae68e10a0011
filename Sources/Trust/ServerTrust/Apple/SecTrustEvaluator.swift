// SPDX-License-Identifier: Apache-2.0

// Only this file calls Apple's Security framework. It is type-checked on Linux against declared stubs and run with them
// (`Tests/External/apple`), but was never run on an Apple system. All decisions are in `SystemEvaluation.swift`, which
// is tested. The file uses functions of CoreFoundation instead of bridging casts (`as? [SecCertificate]`), because
// Linux has the same declarations.
#if canImport(Darwin)
import CoreFoundation
import PKIX
import Security

/// An evaluator that passes the chain of a `SecTrust` to the operating system (`SecTrustEvaluateWithError`).
struct SecTrustEvaluator: SystemEvaluator {
    /// Sendable because the object is used only under the lock below, so two threads of this package never use it
    /// at once. Any thread may call its functions. Callers must not use the object meanwhile.
    private struct Box: @unchecked Sendable {
        let secTrust: SecTrust
    }

    private let box: Locked<Box>

    init(_ secTrust: SecTrust) { self.box = Locked(Box(secTrust: secTrust)) }

    func evaluate(_ request: SystemEvaluationRequest) -> SystemEvaluationResponse {
        box.withLock { Self.evaluate($0.secTrust, request) }
    }

    /// Evaluates the object. Sets policies and date every time, so that an earlier request has no effect.
    private static func evaluate(_ secTrust: SecTrust, _ request: SystemEvaluationRequest)
        -> SystemEvaluationResponse
    {
        guard let policies = policies(request) else { return .unavailable("no policy object could be made") }
        // The parameter is one policy or an array of policies. An array passed as an object is an NSArray, which is
        // a CFArray.
        var status = SecTrustSetPolicies(secTrust, policies as AnyObject)
        guard status == errSecSuccess else { return .unavailable("SecTrustSetPolicies: OSStatus \(status)") }
        let seconds = CFAbsoluteTime(request.date.secondsSinceEpoch) - kCFAbsoluteTimeIntervalSince1970
        guard let date = CFDateCreate(nil, seconds) else { return .unavailable("no date object could be made") }
        status = SecTrustSetVerifyDate(secTrust, date)
        guard status == errSecSuccess else { return .unavailable("SecTrustSetVerifyDate: OSStatus \(status)") }
        var error: CFError?
        let isTrusted = SecTrustEvaluateWithError(secTrust, &error)
        var result = SecTrustResultType.invalid
        status = SecTrustGetTrustResult(secTrust, &result)
        guard status == errSecSuccess else { return .unavailable("SecTrustGetTrustResult: OSStatus \(status)") }
        let finding = SystemFinding(
            resultType: result.rawValue, path: chain(of: secTrust), checked: checks(of: secTrust))
        guard !isTrusted else { return .trusted(finding) }
        guard let error else { return .unavailable("SecTrustEvaluateWithError: refused without an error") }
        return .refused(finding, status: Int32(truncatingIfNeeded: CFErrorGetCode(error)))
    }

    /// Returns policies for server authentication with the name and, if requested, for revocation. Returns nil if
    /// the system can't create one of them, because a policy without the name would accept any name.
    private static func policies(_ request: SystemEvaluationRequest) -> [SecPolicy]? {
        var name: CFString?
        if let reference = request.name {
            name = CFStringCreateWithCString(nil, reference.description, CFStringBuiltInEncodings.UTF8.rawValue)
            guard name != nil else { return nil }
        }
        let tls = SecPolicyCreateSSL(true, name)
        // By default, the system knows many revoked certificates, and occasionally requests the status of others.
        guard let revocation = request.revocation else { return [tls] }
        guard let policy = SecPolicyCreateRevocation(flags(revocation)) else { return nil }
        return [tls, policy]
    }

    /// Returns the framework's flags for a revocation policy.
    private static func flags(_ revocation: SystemRevocation) -> CFOptionFlags {
        let names: [(SystemRevocation, CFOptionFlags)] = [
            (.ocsp, kSecRevocationOCSPMethod), (.crl, kSecRevocationCRLMethod),
            (.preferCRL, kSecRevocationPreferCRL),
            (.requirePositiveResponse, kSecRevocationRequirePositiveResponse),
            (.networkAccessDisabled, kSecRevocationNetworkAccessDisabled),
        ]
        return names.reduce(0) { revocation.contains($1.0) ? $0 | $1.1 : $0 }
    }

    /// Returns the chain in DER, leaf first. Empty if the system returns none.
    ///
    /// If the object hasn't been evaluated, this call makes the system evaluate it with its current settings.
    static func chain(of secTrust: SecTrust) -> [[UInt8]] {
        guard let certificates = SecTrustCopyCertificateChain(secTrust) else { return [] }
        return withExtendedLifetime(certificates) {
            (0..<CFArrayGetCount(certificates)).map { index in
                guard let pointer = CFArrayGetValueAtIndex(certificates, index) else { return [] }
                let certificate = Unmanaged<SecCertificate>.fromOpaque(pointer).takeUnretainedValue()
                let data = SecCertificateCopyData(certificate)
                return withExtendedLifetime(data) {
                    [UInt8](UnsafeBufferPointer(start: CFDataGetBytePtr(data), count: CFDataGetLength(data)))
                }
            }
        }
    }

    /// Returns the checks that the system reports as done with a good result. A missing value means the same as
    /// false: not checked.
    private static func checks(of secTrust: SecTrust) -> [TrustCheck] {
        guard let details = SecTrustCopyResult(secTrust) else { return [] }
        func isTrue(_ key: CFString) -> Bool {
            withExtendedLifetime((details, key)) {
                guard let value = CFDictionaryGetValue(details, Unmanaged.passUnretained(key).toOpaque()) else {
                    return false
                }
                return CFEqual(Unmanaged<AnyObject>.fromOpaque(value).takeUnretainedValue(), kCFBooleanTrue)
            }
        }
        var checks: [TrustCheck] = []
        if isTrue(kSecTrustRevocationChecked) { checks.append(.revocation) }
        if isTrue(kSecTrustCertificateTransparency) { checks.append(.certificateTransparency) }
        return checks
    }
}
#endif
