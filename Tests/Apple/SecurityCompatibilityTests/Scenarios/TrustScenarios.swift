// SPDX-License-Identifier: Apache-2.0

// Except for the imports, this file only uses the API of Apple's frameworks. It is compiled on Linux unchanged, and
// against stubs of Apple's declarations (Tests/External/apple).
import Foundation

#if canImport(Darwin)
import Security
#else
import SecurityCompatibility
#endif

/// The scenarios of Apple's Technical Note TN2232, "HTTPS Server Trust Evaluation".
enum TrustScenarios {
    struct Outcome: Equatable {
        var isTrusted: Bool
        var code: Int?
        var result: SecTrustResultType
    }

    /// Returns a trust object like that of a server challenge: the server's certificates and the name of the
    /// connection.
    static func trust(_ certificates: [Data], host: String?) -> SecTrust? {
        let chain = certificates.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
        guard chain.count == certificates.count else { return nil }
        let policy = SecPolicyCreateSSL(true, host.map { $0 as CFString })
        var trust: SecTrust?
        guard SecTrustCreateWithCertificates(chain as CFArray, policy, &trust) == errSecSuccess else { return nil }
        return trust
    }

    /// Evaluates the trust with the defaults.
    static func evaluate(_ trust: SecTrust) -> Outcome {
        var error: CFError?
        let isTrusted = SecTrustEvaluateWithError(trust, &error)
        if let error { precondition(CFErrorGetDomain(error) as String == NSOSStatusErrorDomain) }
        var result = SecTrustResultType.invalid
        SecTrustGetTrustResult(trust, &result)
        return Outcome(isTrusted: isTrusted, code: error.map { CFErrorGetCode($0) }, result: result)
    }

    /// Expects a name other than the connection's, as for a development server or a name behind a proxy.
    static func override(_ trust: SecTrust, name: String) -> OSStatus {
        SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, name as CFString))
    }

    /// Adds the intermediate that the server should have sent, in a new object with the same policies.
    static func adding(intermediate: Data, to trust: SecTrust) -> SecTrust? {
        guard let intermediate = SecCertificateCreateWithData(kCFAllocatorDefault, intermediate as CFData),
            let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
        else { return nil }
        var policies: CFArray?
        guard SecTrustCopyPolicies(trust, &policies) == errSecSuccess, let policies else { return nil }
        var result: SecTrust?
        SecTrustCreateWithCertificates((chain + [intermediate]) as CFArray, policies, &result)
        return result
    }

    /// Returns whether the server has one specific certificate that the app knows.
    static func isServer(of trust: SecTrust, _ expected: Data) -> Bool {
        guard let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate], let leaf = chain.first else {
            return false
        }
        return SecCertificateCopyData(leaf) as Data == expected
    }

    /// Sets the app's own certificate authority, in addition to the system's authorities or instead of them.
    static func customAuthority(_ trust: SecTrust, _ roots: [Data], only: Bool) -> OSStatus {
        let anchors = roots.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
        let status = SecTrustSetAnchorCertificates(trust, anchors as CFArray)
        guard status == errSecSuccess else { return status }
        return SecTrustSetAnchorCertificatesOnly(trust, only)
    }

    static func customAuthorities(of trust: SecTrust) -> [Data]? {
        var anchors: CFArray?
        SecTrustCopyCustomAnchorCertificates(trust, &anchors)
        return (anchors as? [SecCertificate])?.map { SecCertificateCopyData($0) as Data }
    }

    /// Returns the exceptions that the user agrees to. The app stores them.
    static func exceptions(for trust: SecTrust) -> Data? { SecTrustCopyExceptions(trust) as Data? }

    static func apply(exceptions: Data?, to trust: SecTrust) -> Bool {
        SecTrustSetExceptions(trust, exceptions.map { $0 as CFData })
    }

    /// Checks revocation in addition to the server policy.
    static func checkRevocation(
        _ trust: SecTrust, host: String, _ flags: CFOptionFlags, responses: [Data] = []
    ) -> OSStatus {
        guard let revocation = SecPolicyCreateRevocation(flags) else { return errSecParam }
        let policies = [SecPolicyCreateSSL(true, host as CFString), revocation]
        let status = SecTrustSetPolicies(trust, policies as CFArray)
        guard status == errSecSuccess else { return status }
        guard let first = responses.first else { return SecTrustSetOCSPResponse(trust, nil) }
        return responses.count == 1
            ? SecTrustSetOCSPResponse(trust, first as CFData)
            : SecTrustSetOCSPResponse(trust, responses.map { $0 as CFData } as CFArray)
    }

    static func setDate(_ trust: SecTrust, _ date: Date) -> OSStatus {
        SecTrustSetVerifyDate(trust, CFDateCreate(nil, date.timeIntervalSinceReferenceDate))
    }

    static func date(of trust: SecTrust) -> Date {
        Date(timeIntervalSinceReferenceDate: SecTrustGetVerifyTime(trust))
    }

    /// Forbids network access, so that the evaluation uses only available evidence.
    static func forbidNetwork(_ trust: SecTrust) -> Bool {
        SecTrustSetNetworkFetchAllowed(trust, false)
        var isAllowed: DarwinBoolean = true
        SecTrustGetNetworkFetchAllowed(trust, &isAllowed)
        return !isAllowed.boolValue
    }

    /// Evaluates on a thread other than the main thread.
    static func evaluateLater(
        _ trust: SecTrust, on queue: DispatchQueue, _ completion: @escaping (Bool, Int?) -> Void
    ) -> OSStatus {
        SecTrustEvaluateAsyncWithError(trust, queue) { _, isTrusted, error in
            completion(isTrusted, error.map { CFErrorGetCode($0) })
        }
    }

    /// Returns human-readable messages about an evaluation.
    static func failures(of trust: SecTrust) -> [String] {
        let properties = SecTrustCopyProperties(trust) as? [[String: Any]] ?? []
        return properties.compactMap { $0[kSecPropertyTypeError as String] as? String }
    }

    static func details(of trust: SecTrust) -> (result: UInt32?, date: Date?, isRevocationChecked: Bool?) {
        let details = SecTrustCopyResult(trust) as? [String: Any] ?? [:]
        return (
            (details[kSecTrustResultValue as String] as? NSNumber)?.uint32Value,
            details[kSecTrustEvaluationDate as String] as? Date,
            details[kSecTrustRevocationChecked as String] as? Bool
        )
    }

    /// Returns the identifiers and names of the policies that an evaluation uses.
    static func policies(of trust: SecTrust) -> [String] {
        var policies: CFArray?
        guard SecTrustCopyPolicies(trust, &policies) == errSecSuccess else { return [] }
        return (policies as? [SecPolicy] ?? []).map { policy in
            let properties = SecPolicyCopyProperties(policy) as? [String: Any] ?? [:]
            let identifier = properties[kSecPolicyOid as String] as? String ?? ""
            guard let name = properties[kSecPolicyName as String] as? String else { return identifier }
            return "\(identifier) \(name)"
        }
    }

    /// Validates only the path, for certificates that don't belong to a server.
    static func isPathValid(_ certificates: [Data], root: Data, at date: Date) -> Bool {
        let chain = certificates.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
        guard let root = SecCertificateCreateWithData(nil, root as CFData) else { return false }
        var trust: SecTrust?
        guard SecTrustCreateWithCertificates(chain as CFArray, SecPolicyCreateBasicX509(), &trust) == errSecSuccess,
            let trust
        else { return false }
        SecTrustSetAnchorCertificates(trust, [root] as CFArray)
        SecTrustSetVerifyDate(trust, date as CFDate)
        return SecTrustEvaluateWithError(trust, nil)
    }
}

/// The functions that older code uses.
protocol OlderTrustFunctions {
    func evaluate(_ trust: SecTrust) -> SecTrustResultType
    func evaluateLater(_ trust: SecTrust, _ completion: @escaping (SecTrustResultType) -> Void) -> OSStatus
    func certificates(of trust: SecTrust) -> [Data]
    func key(of trust: SecTrust) -> SecKey?
}

struct OlderTrustScenarios: OlderTrustFunctions {
    @available(*, deprecated)
    func evaluate(_ trust: SecTrust) -> SecTrustResultType {
        var result = SecTrustResultType.invalid
        guard SecTrustEvaluate(trust, &result) == errSecSuccess else { return .otherError }
        return result
    }

    @available(*, deprecated)
    func evaluateLater(_ trust: SecTrust, _ completion: @escaping (SecTrustResultType) -> Void) -> OSStatus {
        SecTrustEvaluateAsync(trust, DispatchQueue(label: "trust")) { _, result in completion(result) }
    }

    @available(*, deprecated)
    func certificates(of trust: SecTrust) -> [Data] {
        (0..<SecTrustGetCertificateCount(trust)).compactMap { index in
            SecTrustGetCertificateAtIndex(trust, index).map { SecCertificateCopyData($0) as Data }
        }
    }

    @available(*, deprecated)
    func key(of trust: SecTrust) -> SecKey? { SecTrustCopyPublicKey(trust) }
}
