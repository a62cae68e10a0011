// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import PKIX
import ServerTrust

/// The reason why the client didn't send a request or follow a redirect.
///
/// Other errors have other types: `TrustRefusal` for a refused server, `ConnectionFailure` for a connection that ends
/// without a verdict, and async-http-client's `HTTPClientError` on an established connection.
public struct TrustedHTTPError: TrustError, Hashable {
    /// The machine-readable kind of error.
    public let code: ErrorCode
    /// The URL, without user and password. Nil for errors about a configuration.
    public let url: String?
    /// A human-readable detail. Its wording may change.
    package let detail: String

    package init(_ code: ErrorCode, url: String? = nil, detail: String = "") {
        self.code = code
        self.url = url.map(withoutUserInformation)
        self.detail = detail
    }

    /// Creates the error for a URL that the client can't send a request to.
    init(unusable error: RequestTargetError, url: String) {
        switch error {
        case .malformed: self.init(.requestMalformedURL, url: url, detail: error.description(for: url))
        case .unsupportedScheme:
            let isSocket = ["http+unix:", "https+unix:", "unix:"].contains { url.lowercased().hasPrefix($0) }
            self.init(
                .requestUnsupportedScheme, url: url,
                detail: isSocket ? "add the host and its socket to TrustedHTTPConfiguration.unixSockets" : "")
        case .userInformation: self.init(.requestUserInURL, url: url)
        }
    }

    public var message: String {
        (url.map { "\($0): " } ?? "") + code.name + (detail.isEmpty ? "" : " (\(detail))")
    }
}

/// The codes of ``TrustedHTTPError``.
extension ErrorCode {
    /// The TLS configuration turns verification off.
    package static let tlsVerificationTurnedOff = ErrorCode("tlsVerificationTurnedOff")
    /// The URL can't be parsed, or it doesn't name a host.
    package static let requestMalformedURL = ErrorCode("requestMalformedURL")
    /// The scheme is neither `https` nor `http`.
    package static let requestUnsupportedScheme = ErrorCode("requestUnsupportedScheme")
    /// The scheme is `http`, and the host isn't among the hosts that you allow in the clear.
    public static let requestPlainHTTPRefused = ErrorCode("requestPlainHTTPRefused")
    /// The URL names a user. Attackers use such URLs to mislead readers: `https://bank.example@attacker.example/`.
    package static let requestUserInURL = ErrorCode("requestUserInURL")
    /// The method or a header field of the request contains a character that isn't allowed, such as a line break. The
    /// client sent nothing.
    package static let requestMalformed = ErrorCode("requestMalformed")
    /// The response breaks HTTP in a way that makes it unusable: its status isn't a number from 100 to 599 (RFC 9110 §
    /// 15), it is 101 without a request to upgrade, or it has no final status before its body or its end. The detail
    /// names the status.
    public static let responseMalformed = ErrorCode("responseMalformed")
    /// The request sets a TLS configuration. This client uses one configuration for all requests.
    package static let requestTLSConfiguration = ErrorCode("requestTLSConfiguration")
    /// The redirect goes from `https` to `http`.
    public static let redirectToPlainHTTP = ErrorCode("redirectToPlainHTTP")
    /// The redirect's `location` can't be parsed, or it doesn't name a host.
    package static let redirectMalformed = ErrorCode("redirectMalformed")
    /// The server sent more redirects than allowed.
    public static let redirectLimitExceeded = ErrorCode("redirectLimitExceeded")
    /// The redirects form a cycle.
    public static let redirectCycle = ErrorCode("redirectCycle")
    /// The decoded body exceeds the limit of `TrustedHTTPConfiguration.decompression`. The detail names the limit.
    public static let decompressionLimitExceeded = ErrorCode("decompressionLimitExceeded")
    /// The client was shut down.
    public static let clientShutDown = ErrorCode("clientShutDown")
    /// You can't replace the rules of the shared client. Create another client for other rules.
    package static let clientShared = ErrorCode("clientShared")
    /// The settings contain a key that the rule doesn't use.
    package static let trustSettingUnused = ErrorCode("trustSettingUnused")
    /// The kind of proxy in the environment or in a configuration isn't supported, or its address can't be parsed.
    package static let proxyUnsupported = ErrorCode("proxyUnsupported")
}

#endif
