// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
    import PKIX
    import Security

    /// Who validates the path of a `SecTrust`.
    public enum TrustEngine: String, Sendable, Hashable, CaseIterable {
        /// The operating system (`SecTrustEvaluateWithError`), as an app without this package has it: the system's anchors and the
        /// user's settings, certificate transparency, revocation as the system sees fit, Apple's requirements for certificates.
        case system
        /// This package's engine: the same answer as on Linux.
        case own
    }

    extension Trust {
        /// The trust object for a `SecTrust`, such as the one of a server trust challenge.
        ///
        /// ```swift
        /// let trust = Trust(secTrust, host: try Hostname(challenge.protectionSpace.host))
        /// let verdict = manager.verdict(on: trust)
        /// ```
        ///
        /// With ``TrustEngine/system`` the system evaluates, and pins are compared with the path that it has validated. Then:
        /// - ``identity``, ``verifyDate`` and ``revocation`` are handed on to the system. Policies and date that were set in the
        ///   `SecTrust` before are replaced; anchors, exceptions and OCSP responses that were set in it stay.
        /// - A ``policy`` other than the default one, and ``revocationData``, the system can't be given: the verdict is
        ///   ``TrustResultType/otherError`` with ``TrustFailure/Code/systemEvaluationUnavailable``. ``intermediates`` are not used.
        /// - ``anchors`` that are named, by the trust object or by a rule, are the own engine's: they are all that counts then.
        ///   So are the evaluators that relax something about a pinned certificate.
        /// - Exceptions cover what the engine can see in the certificates as well: expired, another name, an unknown root. What
        ///   the system alone refuses is fatal (``TrustFailure/Code/systemRefused``).
        /// - ``TrustVerdict/checked`` has revocation and certificate transparency if the system says so. A ``VerdictMemory`` doesn't
        ///   remember the verdict.
        ///
        /// With ``TrustEngine/own`` and ``TrustAnchors/system``, macOS has the anchors of `/etc/ssl/cert.pem`, without the user's and
        /// the administrator's keychains. iOS, tvOS, watchOS and visionOS have no such file: nothing is trusted
        /// (``TrustFailure/Code/systemAnchorsUnavailable``) unless anchors are named.
        ///
        /// The presented chain is the one the system makes of what the server sent (`SecTrustCopyCertificateChain`, there is no
        /// public way to the other): strangers are left out and missing intermediates filled in, perhaps from the network. So this
        /// may block, as evaluating may: not for the main thread.
        ///
        /// Type-checked and rehearsed on Linux over stubs; not run on an Apple system.
        ///
        /// Not checked: whether `secTrust` was made for `host`.
        /// - Parameters:
        ///   - secTrust: is changed by evaluating; leave it alone until the verdict is there.
        ///   - host: the host that the connection goes to.
        ///   - engine: who validates the path.
        public init(_ secTrust: SecTrust, host: Hostname, using engine: TrustEngine = .system) {
            self.init(presentedChain: PresentedChain(der: SecTrustEvaluator.chain(of: secTrust)), host: host)
            if engine == .system { self.systemEvaluator = SecTrustEvaluator(secTrust) }
        }
    }

    extension ServerTrustManager {
        /// Evaluates by the rule for the host, and tells what happened. See ``Trust/init(_:host:using:)``, also for what differs
        /// between the engines.
        public func verdict(
            on secTrust: SecTrust, host: Hostname, using engine: TrustEngine = .system
        ) -> TrustVerdict {
            verdict(on: Trust(secTrust, host: host, using: engine))
        }

        /// The verdict, which says that the server is to be trusted.
        /// - Throws: ``TrustRefusal`` with the verdict otherwise.
        @discardableResult
        public func evaluate(
            _ secTrust: SecTrust, host: Hostname, using engine: TrustEngine = .system
        ) throws(TrustRefusal) -> TrustVerdict {
            try evaluate(Trust(secTrust, host: host, using: engine))
        }
    }

    extension TrustEvaluator {
        /// Evaluates with this evaluator's demands. See ``Trust/init(_:host:using:)``.
        public func verdict(
            on secTrust: SecTrust, host: Hostname, using engine: TrustEngine = .system
        ) -> TrustVerdict {
            verdict(on: Trust(secTrust, host: host, using: engine))
        }

        /// The verdict, which says that the server is to be trusted.
        /// - Throws: ``TrustRefusal`` with the verdict otherwise.
        @discardableResult
        public func evaluate(
            _ secTrust: SecTrust, host: Hostname, using engine: TrustEngine = .system
        ) throws(TrustRefusal) -> TrustVerdict {
            try evaluate(Trust(secTrust, host: host, using: engine))
        }
    }
#endif
