// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluator that checks certificates for revocation, with Alamofire's options.
///
/// ```swift
/// RevocationTrustEvaluator()                                            // best effort, OCSP and CRLs, the whole path
/// RevocationTrustEvaluator(options: [.ocsp, .requirePositiveResponse])   // refuses certificates without a good OCSP response
/// ```
/// The evidence is that of the trust object (``PresentedChain/staple``, ``TrustSettings/revocationData``); ``Trust/evaluate(fetching:)`` and
/// clients with ``TrustSettings/fetching`` obtain more. **Best effort without evidence and without a source of it checks nothing**: a
/// revoked server is trusted. Such a verdict has ``TrustVerdict/revocationGaps`` and a warning, the event
/// ``TrustEvent/revocationNotChecked(_:)`` is emitted, and the client's ``ServerTrustConfiguration/warnings`` has it beforehand. If the trust object's own settings require a revocation check, it takes place as well: this evaluator can only make the
/// evaluation stricter.
public struct RevocationTrustEvaluator: BuiltInTrustEvaluator {
    /// The options of a revocation check. Neither ``ocsp`` nor ``crl`` means both.
    public struct Options: OptionSet, Sendable, Hashable {
        /// The options as bits.
        public let rawValue: Int
        /// Creates options from bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// OCSP responses count.
        public static let ocsp = Options(rawValue: 1)
        /// CRLs count.
        public static let crl = Options(rawValue: 2)
        /// If both give a good answer, the CRL's is reported, and CRLs are fetched first. By default it is OCSP.
        public static let preferCRL = Options(rawValue: 4)
        /// Certificates that can't be checked are refused. By default they count as good.
        public static let requirePositiveResponse = Options(rawValue: 8)
        /// Nothing is fetched: staples, caches and the trust object's data are used. Without any of these, best effort checks nothing,
        /// and the verdict has ``RevocationGap/fetchingNotAllowed``.
        public static let networkAccessDisabled = Options(rawValue: 16)
        /// OCSP and CRLs.
        public static let any: Options = [.ocsp, .crl]
    }

    /// The options of the check.
    package let options: Options
    /// The certificates of the path that are checked.
    package let scope: RevocationRules.Scope
    /// The name in place of the trust object's; nil to keep that.
    private let identity: ReferenceIdentity?

    /// Creates an evaluator.
    /// - Parameters:
    ///   - options: the options; best effort with OCSP and CRLs by default.
    ///   - scope: the certificates to check; the whole path but the anchor by default.
    ///   - validateHost: false accepts every server with a valid certificate for any name; the verdict then has the identity as
    ///     not checked.
    public init(
        options: Options = .any, scope: RevocationRules.Scope = .path, validateHost: Bool = true
    ) {
        self.options = options
        self.scope = scope
        self.identity = validateHost ? nil : .insecurelyAnyName
    }

    /// Creates an evaluator for a server that is known by another name than the connection's host.
    /// - Parameters:
    ///   - options: the options; best effort with OCSP and CRLs by default.
    ///   - scope: the certificates to check; the whole path but the anchor by default.
    ///   - name: the name that the leaf has to be valid for, in place of the connection's host and of
    ///     ``TrustSettings/identity``.
    public init(options: Options = .any, scope: RevocationRules.Scope = .path, expecting name: Hostname) {
        self.options = options
        self.scope = scope
        self.identity = .name(name)
    }

    /// Accepts every path; the check itself is part of the evaluation.
    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {}

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome { EvaluatorOutcome() }
    /// True: the result depends on the path and the evidence alone.
    public var isRepeatable: Bool { true }

    func variants(of trust: Trust) -> [Trust]? {
        let given = trust.identified(by: identity)
        var checked = given
        checked.settings.setRevocation(options)
        checked.settings.revocationRules.scope = scope
        return trust.settings.revocation == .off ? [checked] : [checked, given]
    }
}

extension TrustSettings {
    /// Sets everything that options say about revocation; the scope stays.
    package mutating func setRevocation(_ options: RevocationTrustEvaluator.Options) {
        revocation = options.contains(.requirePositiveResponse) ? .required : .bestEffort
        revocationRules.usesOCSP = options.contains(.ocsp) || options.isDisjoint(with: .any)
        revocationRules.usesCRLs = options.contains(.crl) || options.isDisjoint(with: .any)
        revocationRules.prefersCRLs = options.contains(.preferCRL)
        if options.contains(.networkAccessDisabled) { allowsRevocationFetching = false }
    }
}
