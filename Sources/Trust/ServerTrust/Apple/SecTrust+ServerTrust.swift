// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import PKIX
import Security

/// The engine that validates the path of a `SecTrust`.
public enum TrustEngine: String, Sendable, Hashable, CaseIterable {
    /// The operating system's engine (`SecTrustEvaluateWithError`), as in an app without this package. It uses the
    /// system's anchors, the user's settings, Certificate Transparency, the system's own revocation rules, and
    /// Apple's requirements for certificates.
    case system
    /// This package's engine, with the same results as on Linux.
    case own
}

extension Trust {
    /// Creates the trust object for a `SecTrust`, such as the one of a server trust challenge.
    ///
    /// ```swift
    /// let trust = Trust(secTrust, host: try Hostname(challenge.protectionSpace.host))
    /// let verdict = manager.evaluate(trust)
    /// ```
    ///
    /// With ``TrustEngine/system``, the system evaluates the certificates, and this package compares pins with the
    /// path that the system validated. Then:
    /// - ``TrustSettings/identity``, ``TrustSettings/verifyDate`` and ``TrustSettings/revocation`` are passed to
    ///   the system. Revocation is passed as `kSecRevocation…` flags for OCSP, CRLs, preference and network access.
    ///   These settings replace the policies and the date of the `SecTrust`. Its anchors, exceptions and OCSP
    ///   responses stay.
    /// - The system can't apply a ``TrustSettings/policy`` other than the default one,
    ///   ``TrustSettings/revocationData``, revocation checks with neither OCSP nor CRLs, or other dates in
    ///   ``TrustSettings/revocation``. With any of them, the verdict is ``TrustResultType/otherError`` with
    ///   `PKIX.TrustFailure.Code.systemEvaluationUnavailable`.
    /// - ``TrustSettings/intermediates`` are not passed to the system, and it checks the whole path for revocation,
    ///   whatever the scope. Both can only refuse more servers, and the verdict contains a warning.
    /// - If the trust object or a rule sets ``TrustSettings/anchors``, this package's engine evaluates instead, and
    ///   those anchors replace the system's. The same is true of evaluators that relax the checks of a pinned
    ///   certificate.
    /// - Exceptions cover failures that this package's engine also finds in the certificates: an expired
    ///   certificate, another name, an unknown root. If only the system refuses the certificates, the failure is
    ///   fatal (`PKIX.TrustFailure.Code.systemRefused`).
    /// - ``TrustVerdict/checked`` contains revocation and Certificate Transparency if the system reports them. A
    ///   ``VerdictMemory`` doesn't remember the verdict.
    ///
    /// With ``TrustEngine/own`` and ``TrustAnchors/system``, macOS uses the anchors of `/etc/ssl/cert.pem`, without
    /// the user's and the administrator's keychains. iOS, tvOS, watchOS and visionOS have no such file. There, set
    /// ``TrustSettings/anchors``, or no server is trusted (``PKIX/TrustFailure/Code/systemAnchorsUnavailable``).
    ///
    /// The system derives the presented chain from the server's certificates (`SecTrustCopyCertificateChain`),
    /// because it has no public interface for the certificates themselves. It leaves out unrelated certificates and
    /// adds missing intermediates, perhaps from the network. So this initializer may block, and so may evaluation.
    /// Don't call either on the main thread.
    ///
    /// Type-checked and tested on Linux with stubs. Not run on an Apple system.
    ///
    /// Not checked: whether `secTrust` was created for `host`.
    /// - Parameters:
    ///   - secTrust: the object. Evaluation changes it, so don't use it until the verdict is returned.
    ///   - host: the host that the connection goes to.
    ///   - engine: the engine that validates the path.
    public init(_ secTrust: SecTrust, host: Hostname, using engine: TrustEngine = .system) {
        self.init(presentedChain: PresentedChain(der: SecTrustEvaluator.chain(of: secTrust)), host: host)
        if engine == .system { self.systemEvaluator = SecTrustEvaluator(secTrust) }
    }
}

extension ServerTrustManager {
    /// Evaluates the certificates by the rule for the host and emits events for the verdict.
    /// ``Trust/init(_:host:using:)`` describes the differences between the engines.
    public func evaluate(
        _ secTrust: SecTrust, host: Hostname, using engine: TrustEngine = .system
    ) -> TrustVerdict {
        evaluate(Trust(secTrust, host: host, using: engine))
    }

    /// Evaluates the certificates and returns the verdict if the server is trusted.
    /// - Throws: ``TrustRefusal`` with the verdict if the server isn't trusted.
    @discardableResult
    public func requireTrust(
        _ secTrust: SecTrust, host: Hostname, using engine: TrustEngine = .system
    ) throws(TrustRefusal) -> TrustVerdict {
        try requireTrust(Trust(secTrust, host: host, using: engine))
    }
}

extension TrustEvaluator {
    /// Evaluates the certificates with this evaluator's requirements. See ``Trust/init(_:host:using:)``.
    public func evaluate(
        _ secTrust: SecTrust, host: Hostname, using engine: TrustEngine = .system
    ) -> TrustVerdict {
        evaluate(Trust(secTrust, host: host, using: engine))
    }

    /// Evaluates the certificates and returns the verdict if the server is trusted.
    /// - Throws: ``TrustRefusal`` with the verdict if the server isn't trusted.
    @discardableResult
    public func requireTrust(
        _ secTrust: SecTrust, host: Hostname, using engine: TrustEngine = .system
    ) throws(TrustRefusal) -> TrustVerdict {
        try requireTrust(Trust(secTrust, host: host, using: engine))
    }
}
#endif
