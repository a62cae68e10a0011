// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import Foundation
import PKIX
import ServerTrust

#if canImport(FoundationNetworking) && !SERVERTRUST_APPLE_STUBS
import FoundationNetworking
#endif

/// The keys that this package's `URLError`s add to Foundation's keys in `userInfo`.
public enum ServerTrustErrorKey {
    /// The `TrustVerdict` on a refused server, which `URLError.serverTrustVerdict` returns.
    public static let verdict = "ServerTrustVerdict"
    /// The certificates of the best candidate path that the server presented or the anchors contain, leaf first:
    /// `[Data]`, one DER certificate each. Empty if no certificate could be parsed.
    public static let peerChain = "ServerTrustPeerChain"
    /// The OSStatus that Secure Transport uses for the failure, under CFNetwork's key: `NSNumber`.
    public static let secureTransportStatus = "_kCFStreamErrorCodeKey"
    /// The feature that the session doesn't support: ``ServerTrustUnsupported``.
    public static let unsupported = "ServerTrustUnsupported"
}

/// A feature that a session with a policy refuses because it can't support it under the policy. Nothing was sent.
public struct ServerTrustUnsupported: Sendable, Hashable, CustomStringConvertible {
    /// A stable identifier.
    public let name: String
    /// A description for people. The wording may change.
    public let description: String

    init(_ name: String, _ description: String) {
        self.name = name
        self.description = description
    }

    /// WebSocket tasks aren't supported.
    public static let webSocket = ServerTrustUnsupported(
        "webSocket", "WebSocket tasks aren't supported; use TrustedWebSocketClient")
    /// The delegate chose `.becomeDownload` or `.becomeStream` for a response. Foundation ends the data
    /// task only together with `didCompleteWithError`, which a delegate would take for the end of the other task.
    public static let disposition = ServerTrustUnsupported(
        "disposition", "a data task can't become a download or a stream; create a download task")
    /// `http` and `ws` have no server certificate to evaluate.
    static let cleartext = ServerTrustUnsupported("cleartext", "the address has no TLS; expected https")
    /// A scheme other than `https`, `http` and `ws`.
    static let scheme = ServerTrustUnsupported("scheme", "the address is not https")
    /// `connectionProxyDictionary` contains a key or a value that isn't supported, such as a script that selects
    /// proxies.
    public static let proxy = ServerTrustUnsupported(
        "proxy", "connectionProxyDictionary has an entry that isn't supported; expected an HTTP or SOCKS proxy")
    /// The environment names a proxy for `https` (`https_proxy`, `HTTPS_PROXY`, `all_proxy` or `ALL_PROXY`) that isn't
    /// supported, and `no_proxy` or `NO_PROXY` doesn't name the host.
    public static let proxyEnvironment = ServerTrustUnsupported(
        "proxyEnvironment",
        "the environment names a proxy for https that isn't supported; expected http, https, socks5 or socks5h, or no_proxy with the host"
    )
    /// The delegate chose NTLM, which isn't supported.
    public static let ntlm = ServerTrustUnsupported(
        "ntlm", "NTLM authentication isn't supported; reject its protection space to get the next challenge")
    /// The delegate chose Negotiate, which isn't supported.
    public static let negotiate = ServerTrustUnsupported(
        "negotiate", "Negotiate authentication isn't supported; reject its protection space to get the next challenge")
    /// The credential doesn't fit the challenge.
    static let credential = ServerTrustUnsupported(
        "credential", "the credential doesn't fit the challenge; expected a user without a colon, and a password")
    /// The server only accepts Digest with `qop=auth-int`, but the body isn't known before it is sent.
    static let digestOverStream = ServerTrustUnsupported(
        "digestOverStream",
        "the server requires a digest of the body, but the body is a stream; expected data or a file")
    /// The delegate may have a challenge method that can't be called: its class only conforms to Foundation's
    /// protocols, or it inherits its conformance to this package's protocols from a class without the method.
    public static let delegate = ServerTrustUnsupported(
        "delegate",
        "the delegate may have an async challenge method that the session can't call; expected a class that conforms to the protocols of ServerTrustURLSession"
    )
    /// Returns the feature for a Foundation property that this package reads but that this version of Foundation no
    /// longer has.
    static func foundation(_ property: String) -> ServerTrustUnsupported {
        ServerTrustUnsupported(
            "foundation", "this version of Foundation doesn't store \"\(property)\" as expected")
    }
}

extension URLError {
    /// The verdict on the refused server, or nil for any other error.
    public var serverTrustVerdict: TrustVerdict? { userInfo[ServerTrustErrorKey.verdict] as? TrustVerdict }

    /// The feature that the session doesn't support, or nil for any other error.
    public var serverTrustUnsupported: ServerTrustUnsupported? {
        userInfo[ServerTrustErrorKey.unsupported] as? ServerTrustUnsupported
    }

    /// Creates the error for a refused server, with a code from -1200 to -1204, never -999.
    /// - Parameters:
    ///   - verdict: a verdict that refuses the server.
    ///   - url: the failing address.
    ///   - errorNumbers: how to choose the code. The default is `.byMeaning`.
    public init(refused verdict: TrustVerdict, at url: URL?, errorNumbers: ServerTrustErrorNumbers = .byMeaning) {
        let numbers = errorNumbers.numbers(for: verdict.failures)
        let code = numbers.flatMap { Code(rawValue: $0.urlErrorCode) } ?? .secureConnectionFailed
        var info: [String: Any] = [
            ServerTrustErrorKey.verdict: verdict,
            ServerTrustErrorKey.peerChain: verdict.path.map { Data($0.der) },
            NSLocalizedDescriptionKey: verdict.headline?.message ?? "the server isn't trusted",
        ]
        if let numbers {
            info[ServerTrustErrorKey.secureTransportStatus] = NSNumber(value: numbers.secureTransportStatus)
        }
        self = SessionError.make(code, at: url, info)
    }
}

/// The errors that end tasks.
enum SessionError {
    /// - Parameter info: `userInfo` entries in addition to the failing address.
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

    /// - Parameter detail: text for people that follows the description.
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

    /// Returns the address without user and password, because a printed error shows all of its `userInfo`. Returns nil
    /// if they can't be removed.
    private static func withoutUser(_ url: URL) -> URL? {
        guard url.user != nil || url.password != nil else { return url }
        var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        components?.user = nil
        components?.password = nil
        return components?.url
    }

    /// The value of `NSURLErrorFailingURLStringErrorKey`, which Foundation on Linux has deprecated.
    private static let failingURLStringKey = "NSErrorFailingURLStringKey"
}

/// The numbering of the `URLError` for a refused server.
public enum ServerTrustErrorNumbers: Sendable, Hashable, CaseIterable {
    /// The documented meaning of the headline failure: -1201 and -1204 for dates, -1203 for an unknown CA, -1202 for
    /// everything else, including pins.
    case byMeaning
    /// The numbers that Apple's software was reported to use: -1202 for every certificate failure, and -1200 if the
    /// path contains none of the pinned keys or certificates, as App Transport Security does for `NSPinnedDomains`. Use
    /// it for error handling that was written on Apple platforms. `AppleErrorNumbers.asReported` lists the sources.
    ///
    /// Not reproduced: -999, which a delegate gets when it cancels the challenge itself.
    case asReported

    /// Returns the numbers for failures, most specific first, or nil if there are no failures.
    func numbers(for failures: [TrustFailure]) -> AppleErrorNumbers? {
        switch self {
        case .byMeaning: AppleErrorNumbers.headline(of: failures)
        case .asReported: AppleErrorNumbers.namedByApple(among: failures)?.code.appleErrorNumbers.asReported
        }
    }
}

#endif
