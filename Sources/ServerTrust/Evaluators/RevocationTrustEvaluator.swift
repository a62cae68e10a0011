// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Asks whether certificates were withdrawn, with Alamofire's options.
///
/// ```swift
/// RevocationTrustEvaluator()                                            // best effort, OCSP and CRLs, the whole path
/// RevocationTrustEvaluator(options: [.ocsp, .requirePositiveResponse])   // what OCSP doesn't vouch for is refused
/// ```
/// It judges by what the trust object carries (``Trust/staple``, ``Trust/revocationData``); who fetches more asks
/// `revocationNeeds(of:after:)` what. A trust object that asks for more itself is evaluated in its own way, too: this evaluator
/// can only make the answer stricter.
public struct RevocationTrustEvaluator: BuiltInTrustEvaluator {
    /// How it is checked. Of neither ``ocsp`` nor ``crl`` means both.
    public struct Options: OptionSet, Sendable, Hashable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// OCSP responses count.
        public static let ocsp = Options(rawValue: 1)
        /// CRLs count.
        public static let crl = Options(rawValue: 2)
        /// Of two good answers the CRL's is told, and CRLs are fetched first. By default it is OCSP.
        public static let preferCRL = Options(rawValue: 4)
        /// What can't be checked is refused. By default it counts as good.
        public static let requirePositiveResponse = Options(rawValue: 8)
        /// Nothing is fetched: staples, caches and what is at hand have to do.
        public static let networkAccessDisabled = Options(rawValue: 16)
        /// OCSP and CRLs.
        public static let any: Options = [.ocsp, .crl]
    }

    public let options: Options
    /// Which certificates of the path are judged.
    public let scope: RevocationRules.Scope
    /// Whether the leaf has to be valid for the name that was asked for.
    public let validateHost: Bool

    /// - Parameters:
    ///   - options: best effort with OCSP and CRLs unless given.
    ///   - scope: the whole path but the anchor unless given.
    ///   - validateHost: false accepts every server of the world with a valid certificate; the verdict says that identity was not
    ///     checked.
    public init(
        options: Options = .any, scope: RevocationRules.Scope = .path, validateHost: Bool = true
    ) {
        self.options = options
        self.scope = scope
        self.validateHost = validateHost
    }

    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {}

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome { EvaluatorOutcome() }
    public var isRepeatable: Bool { true }

    func variants(of trust: Trust) -> [Trust]? {
        let given = validateHost ? trust : trust.withoutIdentity
        var asked = given
        asked.revocation = options.contains(.requirePositiveResponse) ? .required : .bestEffort
        asked.revocationRules.usesOCSP = options.contains(.ocsp) || options.isDisjoint(with: .any)
        asked.revocationRules.usesCRLs = options.contains(.crl) || options.isDisjoint(with: .any)
        asked.revocationRules.prefersCRLs = options.contains(.preferCRL)
        asked.revocationRules.scope = scope
        if options.contains(.networkAccessDisabled) { asked.allowsRevocationFetching = false }
        return trust.settings.revocation == .off ? [asked] : [asked, given]
    }
}
