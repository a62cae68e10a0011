// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import PKIX
    import SecurityCompatibility
    import ServerTrust

    extension SecTrust {
        /// Creates the trust object of a challenge: the chain that a server presented for a host, with the configuration's settings.
        convenience init(_ presentedChain: PresentedChain, host: Hostname, _ configuration: ServerTrustConfiguration) {
            let trust = configuration.trust(presentedChain: presentedChain, host: host)
            let manager = configuration.manager
            let found = Locked<TrustVerdict?>(nil)
            self.init(challenge: trust) {
                if let known = found.withLock({ $0 }) { return known }
                // Not under the lock: evaluators of the app may read this object, or wait for a thread that does.
                let verdict = manager.remembered(trust)
                return found.withLock { found in
                    let first = found ?? verdict
                    found = first
                    return first
                }
            }
        }

        /// Whether the credential was made for this object.
        func isAccepted(by credential: URLCredential?) -> Bool {
            credential?.password == CredentialText.trust + secret
        }
    }

    /// Credentials of this package are `URLCredential`s, which can't be subclassed by an initializer and have room for a text. These
    /// beginnings distinguish them from passwords; a space and a line feed are in none that a person types.
    enum CredentialText {
        static let trust = "servertrust\n trust "
        static let identity = "servertrust\n identity "

        /// Whether it is a password, to be sent to a server.
        static func isPassword(_ credential: URLCredential) -> Bool {
            guard let password = credential.password else { return false }
            return !password.hasPrefix("servertrust\n ")
        }
    }

    extension URLCredential {
        /// Accepts the server that presented `trust`, as far as the rule for its host leaves that to a delegate.
        ///
        /// A rule that denies the host, has pins or another evaluator than ``/ServerTrust/DefaultTrustEvaluator``, or requires
        /// revocation stands: the server has to meet it all the same. Under default evaluation, recoverable failures are excused
        /// (`TrustVerdict.excused`, `TrustVerdict.isAcceptedByDelegate`, `TrustEvent.acceptedByDelegate`), fatal ones never.
        ///
        /// It answers the challenge that `trust` comes from and no other.
        public convenience init(trust: SecTrust) {
            self.init(user: "", password: CredentialText.trust + trust.secret, persistence: .none)
        }

        /// Answers a client certificate challenge.
        ///
        /// The identity is given as it is; ``URLCredential/init(identity:certificates:persistence:)`` takes a `SecIdentity`. The private
        /// key is in this process's memory, readable through `password`.
        /// - Parameters:
        ///   - certificateChainPEM: the leaf first, then the path to the server's anchor; the anchor may be left out.
        ///   - privateKeyPEM: the leaf's key, unencrypted. That they belong together is checked when they are used.
        ///   - persistence: `.none` for this challenge, anything else for the session: later challenges of the same host and
        ///     port propose it.
        public convenience init(
            certificateChainPEM: String, privateKeyPEM: String, persistence: URLCredential.Persistence
        ) {
            self.init(
                user: "", password: CredentialText.identity + privateKeyPEM + "\u{0}" + certificateChainPEM,
                persistence: persistence)
        }

        /// Answers a client certificate challenge.
        /// - Parameters:
        ///   - identity: the leaf and its key, such as the one of `SecPKCS12Import`.
        ///   - certificates: an array of `SecCertificate`: the certificates between the leaf and the server's anchor. Elements of other
        ///     types are left out.
        ///   - persistence: as in ``URLCredential/init(certificateChainPEM:privateKeyPEM:persistence:)``.
        public convenience init(
            identity: SecIdentity, certificates: [Any]?, persistence: URLCredential.Persistence
        ) {
            let others = (certificates ?? []).compactMap { $0 as? SecCertificate }.filter { $0 != identity.certificate }
            let chain = ([identity.certificate] + others).map {
                PEM.encode($0.certificate.der, label: "CERTIFICATE")
            }
            self.init(
                certificateChainPEM: chain.joined(), privateKeyPEM: identity.privateKeyPEM, persistence: persistence)
        }

        /// Key and chain of a client's identity, in PEM; nil for any other credential.
        var clientIdentity: (key: String, chain: String)? {
            guard let password, password.hasPrefix(CredentialText.identity) else { return nil }
            let parts = password.dropFirst(CredentialText.identity.count).split(separator: "\u{0}", maxSplits: 1)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
    }

    extension URLProtectionSpace {
        /// The chain that the server presented; nil unless the challenge is about that
        /// (`authenticationMethod == NSURLAuthenticationMethodServerTrust`).
        ///
        /// A session without a server trust policy never asks a delegate about its server. Its other challenges end up here with nil, and
        /// the first of them in a process is logged as a warning.
        public var serverTrust: SecTrust? {
            if !(self is SessionProtectionSpace) { UncoveredSession.report() }
            return (self as? ServerTrustProtectionSpace)?.trust
        }
    }

    /// The method of a challenge about the trust in a server.
    public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

    /// The method of a challenge for a client certificate.
    public let NSURLAuthenticationMethodClientCertificate = "NSURLAuthenticationMethodClientCertificate"

    /// A protection space of a session with a server trust policy.
    class SessionProtectionSpace: URLProtectionSpace, @unchecked Sendable {}

    /// A protection space with the chain that a server presented.
    final class ServerTrustProtectionSpace: SessionProtectionSpace, @unchecked Sendable {
        // Proof of sendability: constant, and sendable itself.
        let trust: SecTrust

        init(_ trust: SecTrust, host: String, port: Int) {
            self.trust = trust
            super.init(
                host: host, port: port, protocol: "https", realm: nil,
                authenticationMethod: NSURLAuthenticationMethodServerTrust)
        }
    }
#endif
