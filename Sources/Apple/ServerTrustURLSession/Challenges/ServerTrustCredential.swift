// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)

import Foundation
import FoundationNetworking
import Logging
import PKIX
import SecurityCompatibility
import ServerTrust

extension SecTrust {
    /// Creates the trust object of a challenge: the chain that a server presented for a host, with the
    /// configuration's settings.
    convenience init(_ presentedChain: PresentedChain, host: Hostname, _ configuration: ServerTrustConfiguration) {
        let trust = configuration.trust(presentedChain: presentedChain, host: host)
        let manager = configuration.manager
        let found = Locked<TrustVerdict?>(nil)
        self.init(challenge: trust) {
            if let known = found.withLock({ $0 }) { return known }
            // Don't call this under the lock: the app's evaluators may read this object, or wait for a thread that
            // reads it.
            let verdict = manager.evaluateSilently(trust)
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

/// The prefixes that distinguish this package's credentials from passwords. The credentials are `URLCredential`s,
/// because an initializer can't return a subclass, and `URLCredential` only stores text. Each prefix contains a
/// space and a line feed, which a typed password doesn't contain.
enum CredentialText {
    static let trust = "servertrust\n trust "
    static let identity = "servertrust\n identity "

    /// Whether the credential is a password that can be sent to a server.
    static func isPassword(_ credential: URLCredential) -> Bool {
        guard let password = credential.password else { return false }
        return !password.hasPrefix("servertrust\n ")
    }
}

extension URLCredential {
    /// Accepts the server that presented `trust`, if the rule for its host leaves that to a delegate.
    ///
    /// You can't override a rule that denies the host, has pins or an evaluator other than
    /// ``/ServerTrust/DefaultTrustEvaluator``, or requires revocation. The server has to meet that rule in any
    /// case. Under default evaluation, recoverable failures are excused (`TrustVerdict.excused`,
    /// `TrustVerdict.isAcceptedByDelegate`, `TrustEvent.acceptedByDelegate`). Fatal failures never are.
    ///
    /// The credential only answers the challenge that `trust` comes from.
    public convenience init(trust: SecTrust) {
        self.init(user: "", password: CredentialText.trust + trust.secret, persistence: .none)
    }

    /// Creates a credential that answers a client certificate challenge.
    ///
    /// This initializer doesn't check or change the identity.
    /// ``URLCredential/init(identity:certificates:persistence:)`` takes a `SecIdentity`. The private key is in this
    /// process's memory, and `password` returns it.
    /// - Parameters:
    ///   - certificateChainPEM: the leaf first, then the path to the server's anchor. You can leave out the anchor.
    ///   - privateKeyPEM: the leaf's key, unencrypted. Whether it belongs to the leaf is checked when the session
    ///     uses it.
    ///   - persistence: with `.none`, the credential is for this challenge only. With any other value, the session
    ///     proposes it in later challenges of the same host and port.
    public convenience init(
        certificateChainPEM: String, privateKeyPEM: String, persistence: URLCredential.Persistence
    ) {
        self.init(
            user: "", password: CredentialText.identity + privateKeyPEM + "\u{0}" + certificateChainPEM,
            persistence: persistence)
    }

    /// Creates a credential that answers a client certificate challenge.
    /// - Parameters:
    ///   - identity: the leaf and its key, such as the identity that `SecPKCS12Import` returns.
    ///   - certificates: an array of `SecCertificate`: the certificates between the leaf and the server's anchor.
    ///     Elements of other types are left out.
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

    /// The key and chain of a client identity, in PEM, or nil for any other credential.
    var clientIdentity: (key: String, chain: String)? {
        guard let password, password.hasPrefix(CredentialText.identity) else { return nil }
        let parts = password.dropFirst(CredentialText.identity.count).split(separator: "\u{0}", maxSplits: 1)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
}

extension URLProtectionSpace {
    /// The chain that the server presented, or nil if the challenge isn't about a server's trust
    /// (`authenticationMethod == NSURLAuthenticationMethodServerTrust`).
    ///
    /// A session without a server trust policy never sends its delegate a challenge about the server. For its other
    /// challenges this property is nil. The first time in a process, reading it logs a warning.
    public var serverTrust: SecTrust? {
        if !(self is SessionProtectionSpace) { UncoveredSession.report() }
        return (self as? ServerTrustProtectionSpace)?.trust
    }
}

/// The authentication method of a challenge about a server's trust.
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

/// The authentication method of a challenge for a client certificate.
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

/// Reports sessions without a server trust policy whose delegates nevertheless answer challenges about servers.
///
/// On Linux, Foundation's own sessions never ask a delegate about a server. Such a delegate looks like a check but
/// isn't one.
enum UncoveredSession {
    private static let hasLogged = Locked(false)

    /// Whether this process has logged a warning.
    static var isReported: Bool { hasLogged.withLock { $0 } }

    /// Logs a warning, once per process.
    static func report() {
        let isFirst = hasLogged.withLock { hasLogged in
            defer { hasLogged = true }
            return !hasLogged
        }
        guard isFirst else { return }
        Logger(label: "ServerTrustURLSession").warning(
            "\(ServerTrustConfigurationWarning.sessionWithoutPolicy.description)")
    }
}

#endif
