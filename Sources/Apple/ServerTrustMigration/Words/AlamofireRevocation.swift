// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

// Alamofire's spellings of a revocation check, which forward to a `RevocationPolicy`. See AlamofireManager.swift.

extension RevocationTrustEvaluator {
    /// Alamofire's options of a revocation check. With neither `ocsp` nor `crl`, both apply.
    @available(*, deprecated, renamed: "RevocationPolicy")
    public struct Options: OptionSet, Sendable {
        /// The options as bits, with the values of the Security framework.
        public let rawValue: Int
        /// Creates options from bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Uses OCSP responses: `RevocationPolicy.Sources.ocsp`.
        public static let ocsp = Options(rawValue: 1)
        /// Uses CRLs: `RevocationPolicy.Sources.crls`.
        public static let crl = Options(rawValue: 2)
        /// Uses CRLs first: `RevocationPolicy.prefersCRLs`.
        public static let preferCRL = Options(rawValue: 4)
        /// Refuses certificates that can't be checked: `RevocationPolicy.required`.
        public static let requirePositiveResponse = Options(rawValue: 8)
        /// Fetches nothing: `RevocationPolicy.fetching` is false.
        public static let networkAccessDisabled = Options(rawValue: 16)
        /// Uses OCSP responses and CRLs.
        public static let any: Options = [.ocsp, .crl]

        /// The policy with the same meaning.
        fileprivate var policy: RevocationPolicy {
            var sources: RevocationPolicy.Sources = []
            if contains(.ocsp) || isDisjoint(with: .any) { sources.insert(.ocsp) }
            if contains(.crl) || isDisjoint(with: .any) { sources.insert(.crls) }
            return RevocationPolicy(
                contains(.requirePositiveResponse) ? .required : .bestEffort, sources: sources,
                prefersCRLs: contains(.preferCRL), fetching: !contains(.networkAccessDisabled))
        }
    }

    /// Creates an evaluator with Alamofire's parameters. The path is validated whatever the value of
    /// `performDefaultValidation`.
    @available(*, deprecated, message: "write RevocationTrustEvaluator(_:validateHost:); the path is always validated")
    public init(performDefaultValidation: Bool, validateHost: Bool = true, options: Options = .any) {
        self.init(options.policy, validateHost: validateHost)
    }

    /// Creates an evaluator with Alamofire's options.
    @available(*, deprecated, renamed: "init(_:validateHost:)")
    public init(validateHost: Bool = true, options: Options) { self.init(options.policy, validateHost: validateHost) }
}

extension TrustEvaluator where Self == RevocationTrustEvaluator {
    /// The evaluator with best effort.
    @available(*, deprecated, message: "write RevocationTrustEvaluator()")
    public static var revocationChecking: Self { Self() }

    /// Creates an evaluator with Alamofire's parameters. The path is validated whatever the value of
    /// `performDefaultValidation`.
    @available(*, deprecated, message: "write RevocationTrustEvaluator(_:validateHost:); the path is always validated")
    public static func revocationChecking(
        performDefaultValidation: Bool = true, validateHost: Bool = true,
        options: RevocationTrustEvaluator.Options = .any
    ) -> Self {
        Self(performDefaultValidation: performDefaultValidation, validateHost: validateHost, options: options)
    }
}
