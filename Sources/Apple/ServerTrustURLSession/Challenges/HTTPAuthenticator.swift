// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)

import Foundation
import FoundationNetworking
import NIOHTTP1
import PKIX
import ServerTrust
import ServerTrustNIO

/// The authentication of one task with servers or with proxies that require it (RFC 9110 § 11): Basic and Digest.
struct HTTPAuthenticator {
    /// The largest number of answers to challenges in one task. It stops a server that rejects every answer, or a
    /// delegate that never gives up. The task then delivers the 401.
    static let maximumAttempts = 8

    /// The outcome of a 401.
    enum Outcome {
        /// Send the request again: ``authorization(for:_:)`` returns the header.
        case retry
        /// Deliver the 401 as the response.
        case deliver
    }

    private let session: CredentialMemory
    /// The credentials of `Persistence.none`, for redirects and new nonces. For proxies, this is the session's
    /// memory, because the tunnels of all tasks use one nonce.
    private let own: CredentialMemory
    private let storage: URLCredentialStorage?
    /// Whether the challenges are those of proxies.
    private let isForProxies: Bool

    private struct Attempt {
        let space: CredentialMemory.Space
        let credential: PasswordCredential
        /// Whether the credential answered a challenge in this task, by the delegate or by default handling, rather
        /// than being sent without a challenge.
        let isAnswer: Bool
        let isKept: Bool
    }
    private var last: Attempt?
    private var attempts = 0
    private var failures: [CredentialMemory.Space: Int] = [:]
    private var failed: Set<PasswordCredential> = []
    private var rejected: Set<CredentialMemory.Space> = []

    init(session: CredentialMemory, storage: URLCredentialStorage?, isForProxies: Bool = false) {
        self.session = session
        self.own = isForProxies ? session : CredentialMemory()
        self.storage = storage
        self.isForProxies = isForProxies
    }

    // MARK: - Sending

    /// Returns the header for a request: for a new answer to a challenge, or for a space with stored credentials.
    mutating func authorization(for url: URL, _ request: DigestRequest) -> String? {
        for memory in [own, session] {
            guard let space = memory.space(for: url), let entry = memory.entry(for: space) else { continue }
            guard let text = memory.authorization(for: space, request) else { continue }
            if last?.space != space || last?.credential != entry.credential {
                last = Attempt(space: space, credential: entry.credential, isAnswer: false, isKept: false)
            }
            return text
        }
        last = nil
        return nil
    }

    /// Returns the authorization for a proxy's tunnels: for a new answer to a challenge, or from the session's
    /// memory. With Digest, it computes a value for each tunnel.
    /// - Parameter url: the address of the proxy.
    mutating func tunnelAuthorization(for url: URL) -> ConnectionProxy.Authorization? {
        guard let space = session.space(for: url), let entry = session.entry(for: space) else {
            last = nil
            return nil
        }
        let (user, password) = (entry.credential.user, entry.credential.password)
        if last?.space != space || last?.credential != entry.credential {
            last = Attempt(space: space, credential: entry.credential, isAnswer: false, isKept: true)
        }
        guard case .digest = entry.offer else { return .basic(user: user, password: password) }
        let id = [space.scheme, space.realm, user, password]
        return .init(
            .computed(
                .init(id: id) { [session] target in
                    session.authorization(for: space, DigestRequest(tunnelTo: target))
                }))
    }

    /// Returns the credential that ``authorization(for:_:)`` would use, or nil.
    func credential(for url: URL) -> PasswordCredential? {
        for memory in [own, session] {
            if let space = memory.space(for: url), let entry = memory.entry(for: space) { return entry.credential }
        }
        return nil
    }

    /// Records that the credentials were right, after a response that isn't a 401.
    /// - Parameter info: the value of `Authentication-Info`.
    mutating func succeeded(info: String?) {
        guard let last else { return }
        if last.isAnswer, last.isKept, let entry = own.entry(for: last.space) {
            session.set(entry, for: last.space)
        }
        if isForProxies, last.isAnswer, !last.isKept { session.remove(last.credential, for: last.space) }
        if let nonce = info.flatMap({ HTTPChallenge.parameters(in: $0)["nextnonce"] }) {
            own.setNextNonce(nonce, for: last.space)
            session.setNextNonce(nonce, for: last.space)
        }
    }

    // MARK: - Being asked

    /// Finds an answer to a 401, or to the 407 of a proxy.
    /// - Parameters:
    ///   - fields: the values of `WWW-Authenticate` or `Proxy-Authenticate`.
    ///   - response: the 401 or 407, for the delegate.
    ///   - proxyURL: the address of the proxy. Nil for a server.
    /// - Throws: `URLError` if the delegate cancels, or chooses something that isn't supported.
    mutating func answer(
        _ fields: [String], _ response: HTTPURLResponse, to request: DigestRequest, _ proxy: DelegateProxy,
        of proxyURL: URL? = nil
    ) async throws -> Outcome {
        let failingURL = proxy.url
        let url = proxyURL ?? proxy.url
        guard let origin = Origin(url: url.absoluteString) else { return .deliver }
        let offers = AuthenticationOffer.offers(in: HTTPChallenge.challenges(in: fields))
        attempts += 1
        guard attempts <= Self.maximumAttempts else { return .deliver }
        if let last {
            let again = offers.first { CredentialMemory.Space(origin, $0) == last.space }
            if case .digest(let challenge) = again, challenge.isStale {
                own.set(CredentialMemory.Entry(last.credential, .digest(challenge), at: url), for: last.space)
                return .retry
            }
            own.remove(last.credential, for: last.space)
            session.remove(last.credential, for: last.space)
            failed.insert(last.credential)
            if last.isAnswer { failures[last.space, default: 0] += 1 }
            self.last = nil
        }
        var isDefault = false
        for offer in offers {
            let space = CredentialMemory.Space(origin, offer)
            guard !rejected.contains(space) else { continue }
            let proposed = offer.canSign(request) ? proposal(for: space, offer, url) : nil
            if isDefault {
                if let proposed, use(proposed, isKept: isForProxies, for: offer, space, url) { return .retry }
                continue
            }
            let challenge = URLAuthenticationChallenge(
                protectionSpace: protectionSpace(offer, url),
                proposedCredential: proposed.map {
                    URLCredential(user: $0.user, password: $0.password, persistence: .forSession)
                },
                previousFailureCount: failures[space] ?? 0, failureResponse: response, error: nil,
                sender: InertChallengeSender())
            let answer =
                offer.isSupported
                ? await proxy.requestChallenge(challenge) : await proxy.connectionChallenge(challenge)
            switch answer {
            case .use(nil): return .deliver
            case .use(let credential):
                switch offer {
                case .ntlm: throw SessionError.unsupported(.ntlm, at: failingURL)
                case .negotiate: throw SessionError.unsupported(.negotiate, at: failingURL)
                case .basic, .digest: break
                }
                if case .digest(let digest) = offer, !digest.canSign(request) {
                    throw SessionError.unsupported(.digestOverStream, at: failingURL)
                }
                let isKept = credential?.persistence != URLCredential.Persistence.none
                guard let password = PasswordCredential(credential),
                    use(password, isKept: isKept, for: offer, space, url)
                else { throw SessionError.unsupported(.credential, at: failingURL) }
                return .retry
            case .cancel: throw SessionError.make(.cancelled, at: failingURL, "the delegate canceled the challenge")
            case .reject: rejected.insert(space)
            case .defaultHandling:
                if let proposed, use(proposed, isKept: isForProxies, for: offer, space, url) { return .retry }
                // The delegate isn't called again, but another scheme may have a credential.
                isDefault = true
            }
        }
        return .deliver
    }

    private mutating func use(
        _ credential: PasswordCredential, isKept: Bool, for offer: AuthenticationOffer,
        _ space: CredentialMemory.Space, _ url: URL
    ) -> Bool {
        guard offer.isSupported else { return false }
        if case .basic = offer,
            BasicCredentials.authorization(user: credential.user, password: credential.password) == nil
        {
            return false
        }
        own.set(CredentialMemory.Entry(credential, offer, at: url), for: space)
        last = Attempt(space: space, credential: credential, isAnswer: true, isKept: isKept)
        return true
    }

    /// Returns the first credential for a space that hasn't failed: from the session's memory, then the URL, then
    /// the configuration's storage.
    private func proposal(
        for space: CredentialMemory.Space, _ offer: AuthenticationOffer, _ url: URL
    ) -> PasswordCredential? {
        var candidates = [session.entry(for: space)?.credential]
        if let user = url.user?.removingPercentEncoding, let password = url.password?.removingPercentEncoding {
            candidates.append(PasswordCredential(user: user, password: password))
        }
        if let storage { candidates += stored(in: storage, for: protectionSpace(offer, url)) }
        return candidates.compactMap(\.self).first { !failed.contains($0) }
    }

    /// Returns the default credential first, then the others sorted by name. On Linux, Foundation finds a space
    /// only by object identity, not by its properties, so this method compares all of them.
    private func stored(
        in storage: URLCredentialStorage, for space: URLProtectionSpace
    ) -> [PasswordCredential?] {
        storage.allCredentials.filter { entry in
            entry.key.host.asciiLowercased == space.host.asciiLowercased && entry.key.port == space.port
                && entry.key.realm == space.realm && entry.key.authenticationMethod == space.authenticationMethod
                && entry.key.isProxy() == isForProxies
        }.flatMap { entry in
            [storage.defaultCredential(for: entry.key)] + entry.value.sorted { $0.key < $1.key }.map(\.value)
        }.map { PasswordCredential($0) }
    }

    private func protectionSpace(_ offer: AuthenticationOffer, _ url: URL) -> URLProtectionSpace {
        let method =
            switch offer {
            case .basic: NSURLAuthenticationMethodHTTPBasic
            case .digest: NSURLAuthenticationMethodHTTPDigest
            case .ntlm: NSURLAuthenticationMethodNTLM
            case .negotiate: NSURLAuthenticationMethodNegotiate
            }
        guard !isForProxies else {
            // As on Apple platforms, this is the type of a proxy for `https`, whatever the proxy itself speaks.
            return SessionProtectionSpace(
                proxyHost: url.host ?? "", port: url.port ?? 443, type: NSURLProtectionSpaceHTTPSProxy,
                realm: offer.realm, authenticationMethod: method)
        }
        return SessionProtectionSpace(
            host: url.host ?? "", port: url.port ?? 443, protocol: "https", realm: offer.realm,
            authenticationMethod: method)
    }
}

// The authentication of one task with HTTP proxies that require it (407).
//
// The credentials have a separate memory, so they are never sent to a server. They are used for every server behind the
// proxy, and replace those of the configuration.
extension HTTPAuthenticator {
    /// Returns a proxy with the credentials that the task or the session knows for it.
    mutating func authorized(_ proxy: ConnectionProxy?) -> ConnectionProxy? {
        guard let proxy, let url = Self.url(of: proxy),
            let authorization = tunnelAuthorization(for: url)
        else { return proxy }
        return proxy.with(authorization)
    }

    /// Finds an answer to a proxy that requires credentials.
    /// - Parameter challenges: the values of `Proxy-Authenticate`.
    /// - Returns: whether to send the request again.
    /// - Throws: `URLError` if the delegate cancels, or chooses something that isn't supported.
    mutating func answer(
        _ challenges: [String], of tunnel: ConnectionProxy, _ proxy: DelegateProxy
    ) async throws -> Bool {
        let fields = challenges.map { ("Proxy-Authenticate", $0) }
        guard let url = Self.url(of: tunnel), let origin = Origin(url: proxy.url.absoluteString),
            let response = ResponseHead.response(407, HTTPHeaders(fields), at: proxy.url)
        else { return false }
        let request = DigestRequest(tunnelTo: "\(origin.host):\(origin.port)")
        return try await answer(challenges, response, to: request, proxy, of: url) == .retry
    }

    /// The address of an HTTP proxy.
    private static func url(of proxy: ConnectionProxy) -> URL? {
        proxy.kind == .socks5 ? nil : URL(string: "\(proxy)/")
    }
}

#endif
