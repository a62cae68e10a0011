// SPDX-License-Identifier: Apache-2.0

// The only calls of Apple's Security framework. This file is type-checked on Linux against declared stubs and run over them
// (`Tests/External/apple`); it was never run on an Apple system. All decisions are in `SystemEvaluation.swift`, which is
// tested. The file uses functions of CoreFoundation in place of bridging casts (`as? [SecCertificate]`), because the same
// declarations exist on Linux.
#if canImport(Darwin)
    import CoreFoundation
    import PKIX
    import Security

    /// The chain in a `SecTrust`, evaluated by the operating system (`SecTrustEvaluateWithError`).
    struct SecTrustEvaluator: SystemEvaluator {
        /// Proof of sendability: the object is used only under the lock below, so never by two threads of this package at once; its
        /// functions may be called from any thread. Callers are required not to use it meanwhile.
        private struct Box: @unchecked Sendable {
            let secTrust: SecTrust
        }

        private let box: Locked<Box>

        init(_ secTrust: SecTrust) { self.box = Locked(Box(secTrust: secTrust)) }

        func evaluate(_ request: SystemEvaluationRequest) -> SystemEvaluationResponse {
            box.withLock { Self.evaluate($0.secTrust, request) }
        }

        /// Evaluates. Policies and date are set every time, so that an earlier request has no effect.
        private static func evaluate(_ secTrust: SecTrust, _ request: SystemEvaluationRequest)
            -> SystemEvaluationResponse
        {
            guard let policies = policies(request) else { return .unavailable("no policy object could be made") }
            // The parameter is one policy or an array of them. An array as an object is an NSArray, which is a CFArray.
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

        /// Returns policies for server authentication with the name and, if requested, for revocation; nil if one can't be created,
        /// because a policy without the name would accept any name.
        private static func policies(_ request: SystemEvaluationRequest) -> [SecPolicy]? {
            var name: CFString?
            if let reference = request.name {
                name = CFStringCreateWithCString(nil, reference.description, CFStringBuiltInEncodings.UTF8.rawValue)
                guard name != nil else { return nil }
            }
            let tls = SecPolicyCreateSSL(true, name)
            // The system's default: it knows many revoked certificates, and requests the status of others occasionally.
            guard let revocation = request.revocation else { return [tls] }
            guard let policy = SecPolicyCreateRevocation(flags(revocation)) else { return nil }
            return [tls, policy]
        }

        /// Returns the flags by the framework's own names.
        private static func flags(_ revocation: SystemRevocation) -> CFOptionFlags {
            let names: [(SystemRevocation, CFOptionFlags)] = [
                (.ocsp, kSecRevocationOCSPMethod), (.crl, kSecRevocationCRLMethod),
                (.preferCRL, kSecRevocationPreferCRL),
                (.requirePositiveResponse, kSecRevocationRequirePositiveResponse),
                (.networkAccessDisabled, kSecRevocationNetworkAccessDisabled),
            ]
            return names.reduce(0) { revocation.contains($1.0) ? $0 | $1.1 : $0 }
        }

        /// Returns the chain in DER, leaf first; empty if the system returns none.
        ///
        /// Before an evaluation, this call makes the system evaluate with the settings of the object.
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

        /// Returns the checks that the system reports as done with a good result. An absent value means the same as false: not checked.
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
