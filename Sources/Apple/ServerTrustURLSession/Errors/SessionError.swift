// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

#if canImport(FoundationNetworking) && !SERVERTRUST_APPLE_STUBS
    import FoundationNetworking
#endif

/// The keys in the `userInfo` of this package's `URLError`s beside Foundation's own keys.
public enum ServerTrustErrorKey {
    /// The `TrustVerdict` on a refused server. `URLError.serverTrustVerdict` reads it.
    public static let verdict = "ServerTrustVerdict"
    /// The certificates of the best candidate path, leaf first, as far as the server presented them or the anchors have them:
    /// `[Data]`, one certificate in DER each. Empty if nothing could be read.
    public static let peerChain = "ServerTrustPeerChain"
    /// The OSStatus that Secure Transport has for it, as CFNetwork hands it on: `NSNumber`.
    public static let secureTransportStatus = "_kCFStreamErrorCodeKey"
    /// The feature that the session doesn't support: ``ServerTrustUnsupported``.
    public static let unsupported = "ServerTrustUnsupported"
}

/// A feature that a session with a policy refuses, because it can't be offered under the policy. Nothing has been sent.
public struct ServerTrustUnsupported: Sendable, Hashable, CustomStringConvertible {
    /// Stable.
    public let name: String
    /// For people; wording may change.
    public let description: String

    init(_ name: String, _ description: String) {
        self.name = name
        self.description = description
    }

    /// Web sockets are not carried.
    public static let webSocket = ServerTrustUnsupported("webSocket", "web socket tasks can't be carried")
    /// `http` and `ws`: there is no server to trust.
    package static let cleartext = ServerTrustUnsupported("cleartext", "the address has no TLS; expected https")
    /// Any other scheme than `https`.
    package static let scheme = ServerTrustUnsupported("scheme", "the address is not https")
    /// `connectionProxyDictionary` has a key or a value that isn't supported, such as a script that selects proxies.
    public static let proxy = ServerTrustUnsupported(
        "proxy", "connectionProxyDictionary has an entry that isn't supported; expected an HTTP or a SOCKS proxy")
    /// The environment names a proxy for `https` (`https_proxy`, `HTTPS_PROXY`, `all_proxy` or `ALL_PROXY`) that isn't supported, and
    /// `no_proxy` or `NO_PROXY` doesn't name the host.
    public static let proxyEnvironment = ServerTrustUnsupported(
        "proxyEnvironment",
        "the environment names a proxy for https that isn't supported; expected http, socks5 or socks5h, or no_proxy with the host"
    )
    /// The scheme was chosen by the delegate, and is not implemented.
    public static let ntlm = ServerTrustUnsupported(
        "ntlm", "NTLM authentication is not supported; reject its protection space to be asked for the next")
    /// The scheme was chosen by the delegate, and is not implemented.
    public static let negotiate = ServerTrustUnsupported(
        "negotiate", "Negotiate authentication is not supported; reject its protection space to be asked for the next")
    /// A credential that doesn't fit the challenge.
    package static let credential = ServerTrustUnsupported(
        "credential", "the credential does not fit the challenge; expected a user without a colon and a password")
    /// Digest with `qop=auth-int` alone, and a body that isn't known before it is sent.
    package static let digestOverStream = ServerTrustUnsupported(
        "digestOverStream",
        "the server wants the body under its digest, and the body is a stream; expected data or a file")
    /// The delegate may have a method for challenges that can't be called: its class conforms to Foundation's protocols alone, or inherits its
    /// conformance to this package's from a class without the method.
    public static let delegate = ServerTrustUnsupported(
        "delegate",
        "the delegate may have an async method for challenges that nothing can call; expected a class that conforms to the protocols of ServerTrustURLSession"
    )
    /// A property of Foundation's that this package reads is no longer there.
    static func foundation(_ property: String) -> ServerTrustUnsupported {
        ServerTrustUnsupported(
            "foundation", "this version of Foundation keeps \"\(property)\" in another way than expected")
    }
}

extension URLError {
    /// The verdict on the server that was refused; nil for every other error.
    public var serverTrustVerdict: TrustVerdict? { userInfo[ServerTrustErrorKey.verdict] as? TrustVerdict }

    /// The feature that the session doesn't support; nil for every other error.
    public var serverTrustUnsupported: ServerTrustUnsupported? {
        userInfo[ServerTrustErrorKey.unsupported] as? ServerTrustUnsupported
    }

    /// The error for a refused server, -1200 to -1204, never -999.
    /// - Parameters:
    ///   - verdict: the verdict, which is a refusal.
    ///   - url: the failing address.
    ///   - errorNumbers: the choice of the code; by the meaning of the headline unless given.
    public init(refused verdict: TrustVerdict, at url: URL?, errorNumbers: ServerTrustErrorNumbers = .byMeaning) {
        let numbers = errorNumbers.numbers(for: verdict.failures)
        let code = numbers.flatMap { Code(rawValue: $0.urlErrorCode) } ?? .secureConnectionFailed
        var info: [String: Any] = [
            ServerTrustErrorKey.verdict: verdict,
            ServerTrustErrorKey.peerChain: verdict.path.map { Data($0.der) },
            NSLocalizedDescriptionKey: verdict.headline?.message ?? "the server is not trusted",
        ]
        if let numbers {
            info[ServerTrustErrorKey.secureTransportStatus] = NSNumber(value: numbers.secureTransportStatus)
        }
        self = SessionError.make(code, at: url, info)
    }
}

/// The errors that tasks end with.
enum SessionError {
    /// - Parameter info: beside the failing address.
    static func make(_ code: URLError.Code, at url: URL?, _ info: [String: Any] = [:]) -> URLError {
        var info = info
        if let url = url.flatMap(withoutUser) {
            info[NSURLErrorFailingURLErrorKey] = url
            info[failingURLStringKey] = url.absoluteString
        }
        return URLError(code, userInfo: info)
    }

    static func make(_ code: URLError.Code, at url: URL?, _ text: String) -> URLError {
        make(code, at: url, [NSLocalizedDescriptionKey: text])
    }

    /// - Parameter detail: for people, behind the description.
    static func unsupported(_ what: ServerTrustUnsupported, at url: URL?, _ detail: String = "") -> URLError {
        let code: URLError.Code =
            switch what {
            case .cleartext: .appTransportSecurityRequiresSecureConnection
            case .ntlm, .negotiate, .credential, .digestOverStream: .userAuthenticationRequired
            default: .unsupportedURL
            }
        let text = what.description + (detail.isEmpty ? "" : " (\(detail))")
        return make(code, at: url, [ServerTrustErrorKey.unsupported: what, NSLocalizedDescriptionKey: text])
    }

    /// The address without user and password: an error is printed with all of its `userInfo`. Nil for one that can't be changed.
    private static func withoutUser(_ url: URL) -> URL? {
        guard url.user != nil || url.password != nil else { return url }
        var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        components?.user = nil
        components?.password = nil
        return components?.url
    }

    /// `NSURLErrorFailingURLStringErrorKey`, which Foundation on Linux has deprecated.
    private static let failingURLStringKey = "NSErrorFailingURLStringKey"
}
