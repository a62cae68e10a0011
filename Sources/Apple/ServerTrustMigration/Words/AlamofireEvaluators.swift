// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

// Alamofire's spellings of evaluators. See AlamofireManager.swift. The bodies of unavailable initializers throw,
// because they must never be reached.

extension TrustEvaluator where Self == DefaultTrustEvaluator {
    /// The evaluator without further requirements.
    @available(*, deprecated, message: "write DefaultTrustEvaluator()")
    public static var `default`: DefaultTrustEvaluator { DefaultTrustEvaluator() }
}

extension DisabledTrustEvaluator {
    /// Alamofire's spelling, which hides the danger.
    @available(*, unavailable, message: "write DisabledTrustEvaluator.insecurelyTrustingAnyServer")
    public init() { self = .insecurelyTrustingAnyServer }
}

/// Alamofire's former name of ``DisabledTrustEvaluator``.
@available(*, unavailable, renamed: "DisabledTrustEvaluator.insecurelyTrustingAnyServer")
public typealias DisabledEvaluator = DisabledTrustEvaluator

extension TrustEvaluator where Self == CompositeTrustEvaluator {
    /// Creates an evaluator that combines several evaluators.
    @available(*, deprecated, message: "write CompositeTrustEvaluator(evaluators:)")
    public static func composite(
        evaluators: [any TrustEvaluator]
    ) throws(TrustEvaluatorError) -> CompositeTrustEvaluator {
        try CompositeTrustEvaluator(evaluators: evaluators)
    }
}

// MARK: - Pinned certificates

extension PinnedCertificatesTrustEvaluator {
    /// Alamofire's parameters. The label in
    /// ``init(certificates:acceptSelfSigned:performDefaultValidation:validateHost:)`` is `acceptSelfSigned`.
    @available(
        *, unavailable, renamed: "init(certificates:acceptSelfSigned:performDefaultValidation:validateHost:)",
        message: "acceptSelfSigned makes the certificates the only anchors"
    )
    public init(
        certificates: [Certificate], acceptSelfSignedCertificates: Bool, performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) throws(TrustEvaluatorError) { try self.init(certificates: []) }

    /// Alamofire's parameters without certificates.
    @available(
        *, unavailable,
        message: "pass certificates and acceptSelfSigned; Bundle.main.certificates() returns the program's"
    )
    public init(
        acceptSelfSignedCertificates: Bool, performDefaultValidation: Bool = true, validateHost: Bool = true
    ) throws(TrustEvaluatorError) { try self.init(certificates: []) }

    /// Alamofire's parameters without certificates.
    @available(*, unavailable, message: "pass certificates; Bundle.main.certificates() returns the program's")
    public init(
        performDefaultValidation: Bool = true, validateHost: Bool = true
    ) throws(TrustEvaluatorError) { try self.init(certificates: []) }
}

extension TrustEvaluator where Self == PinnedCertificatesTrustEvaluator {
    /// Alamofire's evaluator without certificates.
    @available(
        *, unavailable, message: "write PinnedCertificatesTrustEvaluator(certificates: Bundle.main.certificates())"
    )
    public static var pinnedCertificates: Self {
        get throws(TrustEvaluatorError) { try Self(certificates: []) }
    }

    /// Creates an evaluator that requires one of these certificates.
    @available(*, deprecated, message: "write PinnedCertificatesTrustEvaluator(certificates:)")
    public static func pinnedCertificates(
        certificates: [Certificate], performDefaultValidation: Bool = true, validateHost: Bool = true
    ) throws(TrustEvaluatorError) -> Self {
        try Self(
            certificates: certificates, performDefaultValidation: performDefaultValidation, validateHost: validateHost)
    }

    /// Alamofire's parameters.
    @available(*, unavailable, message: "write PinnedCertificatesTrustEvaluator(certificates:acceptSelfSigned:)")
    public static func pinnedCertificates(
        certificates: [Certificate], acceptSelfSignedCertificates: Bool, performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) throws(TrustEvaluatorError) -> Self { try Self(certificates: []) }

    /// Alamofire's parameters without certificates.
    @available(*, unavailable, message: "write PinnedCertificatesTrustEvaluator(certificates:acceptSelfSigned:)")
    public static func pinnedCertificates(
        acceptSelfSignedCertificates: Bool, performDefaultValidation: Bool = true, validateHost: Bool = true
    ) throws(TrustEvaluatorError) -> Self { try Self(certificates: []) }

    /// Alamofire's parameters without certificates.
    @available(
        *, unavailable, message: "write PinnedCertificatesTrustEvaluator(certificates: Bundle.main.certificates())"
    )
    public static func pinnedCertificates(
        performDefaultValidation: Bool = true, validateHost: Bool = true
    ) throws(TrustEvaluatorError) -> Self { try Self(certificates: []) }
}

// MARK: - Public keys

extension PublicKeysTrustEvaluator {
    /// Alamofire's parameters without keys.
    @available(*, unavailable, message: "pass keys; Bundle.main.publicKeys() returns the program's")
    public init(
        performDefaultValidation: Bool = true, validateHost: Bool = true
    ) throws(TrustEvaluatorError) { try self.init(keys: []) }
}

extension TrustEvaluator where Self == PublicKeysTrustEvaluator {
    /// Alamofire's evaluator without keys.
    @available(*, unavailable, message: "write PublicKeysTrustEvaluator(keys: Bundle.main.publicKeys())")
    public static var publicKeys: Self {
        get throws(TrustEvaluatorError) { try Self(keys: []) }
    }

    /// Creates an evaluator that requires one of these keys.
    @available(*, deprecated, message: "write PublicKeysTrustEvaluator(keys:)")
    public static func publicKeys(
        keys: [SubjectPublicKeyInfo], performDefaultValidation: Bool = true, validateHost: Bool = true
    ) throws(TrustEvaluatorError) -> Self {
        try Self(keys: keys, performDefaultValidation: performDefaultValidation, validateHost: validateHost)
    }

    /// Alamofire's parameters without keys.
    @available(*, unavailable, message: "write PublicKeysTrustEvaluator(keys: Bundle.main.publicKeys())")
    public static func publicKeys(
        performDefaultValidation: Bool = true, validateHost: Bool = true
    ) throws(TrustEvaluatorError) -> Self { try Self(keys: []) }
}
