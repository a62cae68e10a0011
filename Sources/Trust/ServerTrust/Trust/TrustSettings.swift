// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The settings of an evaluation: everything except the certificates and the host that decides whether a peer is
/// trusted.
///
/// ```swift
/// var settings = TrustSettings()
/// settings.anchors = .system(adding: [ourRoot])
/// settings.revocation = .bestEffort
/// ```
/// A ``Trust`` has settings for one connection, a ``ServerTrustConfiguration`` for every connection of a client. Both
/// make each setting a property: `trust.anchors` is `trust.settings.anchors`.
///
/// Defaults: the rules of the public web, server authentication, the leaf valid for the connection's host, the system's
/// anchors, the machine's clock, no revocation checks, no network, no exceptions.
public struct TrustSettings: Sendable {
    /// The name that the leaf is compared with (RFC 9525 § 2). The connection's host by default.
    public var identity = ReferenceIdentity.connectedHost

    /// Profile, purpose, strictness, certificate policies and budget. By default, the rules of the public web for a TLS
    /// server.
    public var policy = ValidationPolicy()

    /// The anchors: a path must end in one of them. The system's anchors by default.
    public var anchors = TrustAnchors.system

    /// Additional candidates for path building, such as an intermediate that the server doesn't send. None by default.
    /// Listing a certificate here doesn't make it trusted.
    public var intermediates: [Certificate] = []

    /// The date of the evaluation. The machine's clock by default.
    public var verifyDate = VerifyDate.now

    /// The revocation check. `RevocationPolicy.off` by default. With `off`, evidence that you supply or the server
    /// staples can still refuse a path. A host's rule may turn on a check too (``RevocationTrustEvaluator``).
    ///
    /// To find out whether certificates are checked, compare `revocation.mode`, not the policy.
    public var revocation = RevocationPolicy.off

    /// CRLs, OCSP responses and filters that you supply in addition to the staple. None by default.
    public var revocationData = RevocationData()

    /// The certificates and keys that no path may contain, or nil (the default) for none. The evaluation refuses them
    /// with `certificateDenied`, including anchors and pinned leaves. No revocation setting, exception, host rule or
    /// client delegate overrides this. The server is still trusted if another path doesn't contain them.
    public var denied: DeniedList?

    /// The transparency check, or nil (the default) for none. A host's rule may turn on a check too
    /// (``TransparencyTrustEvaluator``).
    public var transparency: TransparencySettings?

    /// The source of missing issuers and revocation data, or nil (the default) for none. Clients and
    /// ``ServerTrustConfiguration/evaluate(_:host:)`` use it, because they may use the network. ``Trust/evaluate()``
    /// doesn't.
    public var fetching: (any EvidenceSource)?

    /// Exceptions that a user agreed to. None by default. They apply to the host and the leaf that they name until they
    /// expire, and to no other host or leaf.
    public var exceptions: TrustExceptions?

    /// The memory of verified signatures. By default, the whole program shares one. Set nil to verify each signature
    /// every time.
    public var signatureMemory: SignatureMemory? = .shared

    /// The operating system's evaluator, or nil for the engine. It replaces the engine if the anchors are the system's.
    package var systemEvaluator: (any SystemEvaluator)?

    /// Creates the default settings.
    public init() {}
}

extension TrustSettings {
    /// Whether paths are validated in the same way with both, apart from certificates, date and evidence.
    func validatesPaths(as other: TrustSettings) -> Bool {
        identity == other.identity && anchors.isSame(as: other.anchors) && revocation == other.revocation
            && transparency == other.transparency && denied == other.denied
    }

    /// Whether both produce the same verdict for the same certificates, apart from date and memory of signatures.
    func leadToSameVerdict(as other: TrustSettings) -> Bool {
        validatesPaths(as: other) && policy == other.policy && intermediates == other.intermediates
            && revocationData == other.revocationData && exceptions == other.exceptions
    }
}
