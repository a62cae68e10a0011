// SPDX-License-Identifier: Apache-2.0

// The only calls of Apple's Security framework. This file is type-checked on Linux against declared stubs and run over them
// (`Scripts/typecheck-apple.sh`); it was never run on an Apple system. What decides anything stands in
// `SystemEvaluation.swift`, which is tested. Functions of CoreFoundation rather than bridging casts (`as? [SecCertificate]`),
// because the same declarations exist on Linux.
#if canImport(Security)
    import CoreFoundation
    import PKIX
    import Security

    /// The chain in a `SecTrust`, evaluated by the operating system (`SecTrustEvaluateWithError`).
    struct SecTrustEvaluator: SystemEvaluator {
        /// Proof of sendability: the object is used only under the lock below, so never by two threads of this package at once; its
        /// functions may be called from any thread. Whoever handed it over is told to leave it alone meanwhile.
        private struct Box: @unchecked Sendable {
            let secTrust: SecTrust
        }

        private let box: Locked<Box>

        init(_ secTrust: SecTrust) { self.box = Locked(Box(secTrust: secTrust)) }

        func evaluate(_ question: SystemQuestion) -> SystemAnswer {
            box.withLock { Self.evaluate($0.secTrust, question) }
        }

        /// Policies and date are set every time, whatever was set before: an earlier question must leave nothing behind.
        private static func evaluate(_ secTrust: SecTrust, _ question: SystemQuestion) -> SystemAnswer {
            guard let policies = policies(question) else { return .unavailable("no policy object could be made") }
            // One policy or an array of them. An array as an object is an NSArray, which is a CFArray.
            var status = SecTrustSetPolicies(secTrust, policies as AnyObject)
            guard status == errSecSuccess else { return .unavailable("SecTrustSetPolicies: OSStatus \(status)") }
            let seconds = CFAbsoluteTime(question.date.secondsSinceEpoch) - kCFAbsoluteTimeIntervalSince1970
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

        /// Server authentication for the name, and revocation if it was asked for; nil if one can't be made, for without the name
        /// any name would do.
        private static func policies(_ question: SystemQuestion) -> [SecPolicy]? {
            var name: CFString?
            if let reference = question.name {
                name = CFStringCreateWithCString(nil, reference.description, CFStringBuiltInEncodings.UTF8.rawValue)
                guard name != nil else { return nil }
            }
            let tls = SecPolicyCreateSSL(true, name)
            let flags: CFOptionFlags
            switch question.revocation {
            // The system does what it always does: it knows many withdrawn certificates, and asks about others now and then.
            case .off: return [tls]
            case .bestEffort: flags = kSecRevocationUseAnyAvailableMethod
            case .required: flags = kSecRevocationUseAnyAvailableMethod | kSecRevocationRequirePositiveResponse
            }
            guard let revocation = SecPolicyCreateRevocation(flags) else { return nil }
            return [tls, revocation]
        }

        /// DER, leaf first; empty if the system tells none.
        ///
        /// Before an evaluation the system evaluates for it, by what is set in the object.
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

        /// What the system says it has checked, with a good result: absent and false mean the same here, not checked.
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
