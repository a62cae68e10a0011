// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import FoundationNetworking
import ServerTrust
import PKIX

/// A user and a password.
struct PasswordCredential: Sendable, Hashable {
    let user: String
    let password: String
}

extension PasswordCredential {
    /// Returns nil for a credential without a user or a password, and for one that isn't a password
    /// (``CredentialText``).
    init?(_ credential: URLCredential?) {
        guard let credential, CredentialText.isPassword(credential), let user = credential.user,
            let password = credential.password
        else { return nil }
        self.init(user: user, password: password)
    }
}

/// The credentials that servers have accepted, for the lifetime of a session or task. Nothing is written to disk:
/// `URLCredential.Persistence.permanent` counts as `.forSession`.
final class CredentialMemory: Sendable {
    /// The protection space of a credential (RFC 9110 § 11.5).
    struct Space: Sendable, Hashable {
        let origin: Origin
        let scheme: String
        let realm: String

        init(_ origin: Origin, _ offer: AuthenticationOffer) {
            self.origin = origin
            self.scheme = offer.scheme
            self.realm = offer.realm ?? ""
        }
    }

    struct Entry: Sendable {
        let credential: PasswordCredential
        var offer: AuthenticationOffer
        /// The number of times that the Digest nonce was used.
        var count: UInt32 = 0
        /// The folder below which the client sends the credential without a challenge (RFC 7617 § 2.2). For Digest
        /// it is the whole origin.
        let folder: String

        init(_ credential: PasswordCredential, _ offer: AuthenticationOffer, at url: URL) {
            self.credential = credential
            self.offer = offer
            let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? "/"
            switch offer {
            case .basic: self.folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) + "/"
            case .digest, .ntlm, .negotiate: self.folder = "/"
            }
        }
    }

    private struct State {
        var passwords: [Space: Entry] = [:]
        var identities: [ConnectionKey: (key: String, chain: String)] = [:]
        var certificates: [ConnectionKey: Set<String>] = [:]
    }
    private let state = Locked(State())

    func set(_ entry: Entry, for space: Space) { state.withLock { $0.passwords[space] = entry } }

    func entry(for space: Space) -> Entry? { state.withLock { $0.passwords[space] } }

    /// Removes the credential, unless another one was stored meanwhile.
    func remove(_ credential: PasswordCredential, for space: Space) {
        state.withLock { if $0.passwords[space]?.credential == credential { $0.passwords[space] = nil } }
    }

    /// Stores the nonce that a server sent for the next request (RFC 7616 § 3.5).
    func setNextNonce(_ nonce: String, for space: Space) {
        state.withLock { state in
            guard case .digest(let challenge) = state.passwords[space]?.offer else { return }
            state.passwords[space]?.offer = .digest(challenge.with(nonce: nonce))
            state.passwords[space]?.count = 0
        }
    }

    /// Returns the space whose credentials the client can send without a challenge. The nearest folder has
    /// precedence.
    func space(for url: URL) -> Space? {
        guard state.withLock({ !$0.passwords.isEmpty }) else { return nil }
        let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? "/"
        let target = path.isEmpty ? "/" : path
        guard let origin = Origin(url: url.absoluteString) else { return nil }
        return state.withLock { state in
            state.passwords.filter { $0.key.origin == origin && target.hasPrefix($0.value.folder) }
                .max { $0.value.folder.utf8.count < $1.value.folder.utf8.count }?.key
        }
    }

    /// Returns the header for a request, after counting a use of the nonce.
    /// - Returns: nil if no credential is stored for the space, or if it can't be sent (``DigestChallenge``).
    func authorization(for space: Space, _ request: DigestRequest) -> String? {
        let entry: Entry? = state.withLock { state in
            state.passwords[space]?.count &+= 1
            return state.passwords[space]
        }
        guard let entry else { return nil }
        switch entry.offer {
        case .basic:
            return BasicCredentials.authorization(
                user: entry.credential.user, password: entry.credential.password)
        case .digest(let challenge):
            return challenge.authorization(
                user: entry.credential.user, password: entry.credential.password, request: request,
                count: entry.count, clientNonce: Self.clientNonce())
        case .ntlm, .negotiate: return nil
        }
    }

    private static func clientNonce() -> String {
        var generator = SystemRandomNumberGenerator()
        return String(generator.next(), radix: 16) + String(generator.next(), radix: 16)
    }

    // MARK: - Client identities

    func setIdentity(_ identity: (key: String, chain: String), for server: ConnectionKey) {
        state.withLock { $0.identities[server] = identity }
    }

    /// Returns the different answers to a server's requests for a certificate: chains in PEM, or an empty text
    /// where no certificate was sent. At most two are stored. Empty if the server hasn't requested a certificate.
    func certificates(for server: ConnectionKey) -> Set<String> {
        state.withLock { $0.certificates[server] ?? [] }
    }

    /// - Parameter chain: the chain in PEM, or an empty text if no certificate was sent.
    func recordCertificate(_ chain: String, for server: ConnectionKey) {
        state.withLock {
            if $0.certificates[server]?.count ?? 0 < 2 { $0.certificates[server, default: []].insert(chain) }
        }
    }

    func identity(for server: ConnectionKey) -> (key: String, chain: String)? {
        state.withLock { $0.identities[server] }
    }
}
#endif
