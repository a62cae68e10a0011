// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustLists

/// The settings of an evaluation: everything that decides whether a peer is trusted, beside its certificates and the host.
///
/// ```swift
/// var settings = TrustSettings()
/// settings.anchors = .system(adding: [ourRoot])
/// settings.revocation = .bestEffort
/// ```
/// A ``Trust`` has them for one connection, a ``ServerTrustConfiguration`` for every connection of a client. Both give access to
/// each setting by its name: `trust.anchors` is `trust.settings.anchors`.
///
/// Defaults: the rules of the public web, server authentication, the leaf valid for the connection's host, the system's anchors, the
/// machine's clock, no revocation checks, no network, no exceptions.
public struct TrustSettings: Sendable {
    /// The name that the leaf is compared with (RFC 9525 § 2); the connection's host by default.
    public var identity = ReferenceIdentity.connectedHost

    /// Profile, purpose, strictness, certificate policies and budget; the rules of the public web for a TLS server by default.
    public var policy = ValidationPolicy()

    /// The anchors that a path has to end in; the system's by default.
    public var anchors = TrustAnchors.system

    /// Further candidates for path building, such as an intermediate that the server doesn't send; none by default. They gain no trust
    /// by it.
    public var intermediates: [Certificate] = []

    /// The date of the evaluation; the machine's clock by default.
    public var verifyDate = VerifyDate.now

    /// The revocation check; `RevocationPolicy.off` by default, with which only evidence at hand refuses. A host's rule may ask for a check
    /// as well (``RevocationTrustEvaluator``).
    ///
    /// Compare `revocation.mode`, not the policy, to find out whether certificates are checked.
    public var revocation = RevocationPolicy.off

    /// CRLs and OCSP responses that are at hand, beside the staple; none by default.
    public var revocationData = RevocationData()

    /// The certificates and keys that no path may contain; nil by default, for none. They are refused with
    /// `certificateDenied`, anchors and pinned leaves included, whatever the revocation setting, exceptions, the
    /// host's rule or a client's delegate say; another path without them still counts.
    public var denied: DeniedList?

    /// The transparency check; nil by default, for none. A host's rule may ask for it as well (``TransparencyTrustEvaluator``).
    public var transparency: TransparencySettings?

    /// The source of missing issuers and revocation data for evaluations that may use the network: those of clients, and
    /// ``ServerTrustConfiguration/evaluate(_:host:)``; nil by default, for none. ``Trust/evaluate()`` does not use it.
    public var fetching: (any EvidenceSource)?

    /// Exceptions that a user agreed to; none by default. They apply to the host and the leaf that they name, until they expire, and
    /// are ignored for others.
    public var exceptions: TrustExceptions?

    /// The memory of verified signatures; shared by the whole program by default. nil to verify each signature every time.
    public var signatureMemory: SignatureMemory? = .shared

    /// The operating system's evaluator, which replaces the engine where trust ends in the system's anchors; nil for the engine.
    package var systemEvaluator: (any SystemEvaluator)?

    /// The defaults.
    public init() {}
}

extension TrustSettings {
    /// Whether paths are validated in the same way under both, apart from certificates, date and evidence.
    func validatesPaths(as other: TrustSettings) -> Bool {
        identity == other.identity && anchors.isSame(as: other.anchors) && revocation == other.revocation
            && transparency == other.transparency && denied == other.denied
    }

    /// Whether both lead to the same verdict on the same certificates, apart from date and memory of signatures.
    func leadToSameVerdict(as other: TrustSettings) -> Bool {
        validatesPaths(as: other) && policy == other.policy && intermediates == other.intermediates
            && revocationData == other.revocationData && exceptions == other.exceptions
    }
}
