// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import PKIX
    import Security

    /// The engine that validates the path of a `SecTrust`.
    public enum TrustEngine: String, Sendable, Hashable, CaseIterable {
        /// The operating system (`SecTrustEvaluateWithError`), as in an app without this package: the system's anchors and the
        /// user's settings, certificate transparency, revocation by the system's own rules, Apple's requirements for certificates.
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
        /// With ``TrustEngine/system`` the system evaluates, and pins are compared with the path that it has validated. Then:
        /// - ``TrustSettings/identity``, ``TrustSettings/verifyDate`` and ``TrustSettings/revocation`` are passed to the system, the last with OCSP, CRLs, preference and
        ///   network access as `kSecRevocation…`. They replace the policies and date of the `SecTrust`; its anchors, exceptions and
        ///   OCSP responses stay.
        /// - A ``TrustSettings/policy`` other than the default one, ``TrustSettings/revocationData``, and for revocation checks neither OCSP
        ///   nor CRLs, and other dates in ``TrustSettings/revocation`` can't be passed to the system: the verdict is
        ///   ``TrustResultType/otherError`` with `PKIX.TrustFailure.Code.systemEvaluationUnavailable`.
        /// - ``TrustSettings/intermediates`` are not passed on, and revocation is checked for the whole path in any scope. Both can only refuse
        ///   more servers; the verdict has a warning.
        /// - This package's engine evaluates if the trust object or a rule names ``TrustSettings/anchors``, which then replace the system's. The same
        ///   is true of evaluators that relax the checks of a pinned certificate.
        /// - Exceptions cover failures that the engine also finds in the certificates: an expired certificate, another name, an unknown
        ///   root. A refusal by the system alone is fatal (`PKIX.TrustFailure.Code.systemRefused`).
        /// - ``TrustVerdict/checked`` has revocation and certificate transparency if the system reports them. A ``VerdictMemory``
        ///   doesn't remember the verdict.
        ///
        /// With ``TrustEngine/own`` and ``TrustAnchors/system``, macOS has the anchors of `/etc/ssl/cert.pem`, without the user's and
        /// the administrator's keychains. iOS, tvOS, watchOS and visionOS have no such file: no server is trusted
        /// (``PKIX/TrustFailure/Code/systemAnchorsUnavailable``) unless anchors are named.
        ///
        /// The presented chain is the one that the system derives from the server's certificates (`SecTrustCopyCertificateChain`; the
        /// certificates themselves have no public interface): unrelated certificates are left out, and missing intermediates are added,
        /// perhaps from the network. So this initializer may block, as evaluation may: don't call it on the main thread.
        ///
        /// Type-checked and tested on Linux with stubs; not run on an Apple system.
        ///
        /// Not checked: whether `secTrust` was created for `host`.
        /// - Parameters:
        ///   - secTrust: the object, which evaluation changes; don't use it until the verdict is returned.
        ///   - host: the host that the connection goes to.
        ///   - engine: the engine that validates the path.
        public init(_ secTrust: SecTrust, host: Hostname, using engine: TrustEngine = .system) {
            self.init(presentedChain: PresentedChain(der: SecTrustEvaluator.chain(of: secTrust)), host: host)
            if engine == .system { self.systemEvaluator = SecTrustEvaluator(secTrust) }
        }
    }

    extension ServerTrustManager {
        /// Evaluates by the rule for the host, and emits the verdict as events. See ``Trust/init(_:host:using:)``, also for the
        /// differences between the engines.
        public func evaluate(
            _ secTrust: SecTrust, host: Hostname, using engine: TrustEngine = .system
        ) -> TrustVerdict {
            evaluate(Trust(secTrust, host: host, using: engine))
        }

        /// Evaluates, and returns the verdict on a trusted server.
        /// - Throws: ``TrustRefusal`` with the verdict on a server that is not trusted.
        @discardableResult
        public func requireTrust(
            _ secTrust: SecTrust, host: Hostname, using engine: TrustEngine = .system
        ) throws(TrustRefusal) -> TrustVerdict {
            try requireTrust(Trust(secTrust, host: host, using: engine))
        }
    }

    extension TrustEvaluator {
        /// Evaluates with this evaluator's requirements. See ``Trust/init(_:host:using:)``.
        public func evaluate(
            _ secTrust: SecTrust, host: Hostname, using engine: TrustEngine = .system
        ) -> TrustVerdict {
            evaluate(Trust(secTrust, host: host, using: engine))
        }

        /// Evaluates, and returns the verdict on a trusted server.
        /// - Throws: ``TrustRefusal`` with the verdict on a server that is not trusted.
        @discardableResult
        public func requireTrust(
            _ secTrust: SecTrust, host: Hostname, using engine: TrustEngine = .system
        ) throws(TrustRefusal) -> TrustVerdict {
            try requireTrust(Trust(secTrust, host: host, using: engine))
        }
    }
#endif
