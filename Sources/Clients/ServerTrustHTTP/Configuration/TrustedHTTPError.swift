// SPDX-License-Identifier: Apache-2.0

import HTTPRules
import PKIX
import TrustSupport

/// The reason why a request wasn't sent, or a redirect not followed.
///
/// A refused server is a `TrustRefusal`; a connection that didn't come to a verdict is a `ConnectionFailure`; errors
/// on a connection that is up are async-http-client's `HTTPClientError`.
public struct TrustedHTTPError: TrustError, Hashable {
    /// The kind of error, for programs.
    public let code: ErrorCode
    /// The URL that it was about, without user and password; nil for a configuration.
    public let url: String?
    /// For people; wording may change.
    package let detail: String

    package init(_ code: ErrorCode, url: String? = nil, detail: String = "") {
        self.code = code
        self.url = url.map(withoutUserInformation)
        self.detail = detail
    }

    /// The error for a URL that no request can be sent to.
    init(unusable error: RequestTargetError, url: String) {
        switch error {
        case .malformed: self.init(.requestMalformedURL, url: url, detail: error.description(for: url))
        case .unsupportedScheme:
            let isSocket = ["http+unix:", "https+unix:", "unix:"].contains { url.lowercased().hasPrefix($0) }
            self.init(
                .requestUnsupportedScheme, url: url,
                detail: isSocket ? "give a host its socket in TrustedHTTPConfiguration.unixSockets" : "")
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
    /// The URL can't be read, or doesn't name a host.
    package static let requestMalformedURL = ErrorCode("requestMalformedURL")
    /// Neither `https` nor `http`.
    package static let requestUnsupportedScheme = ErrorCode("requestUnsupportedScheme")
    /// `http`, and the host isn't among those that may be asked in the clear.
    public static let requestPlainHTTPRefused = ErrorCode("requestPlainHTTPRefused")
    /// The URL names a user. Such URLs are made to be misread: `https://bank.example@attacker.example/`.
    package static let requestUserInURL = ErrorCode("requestUserInURL")
    /// The method or a header field of the request has a character that it can't have, such as a line break. Nothing was sent.
    package static let requestMalformed = ErrorCode("requestMalformed")
    /// The request sets a TLS configuration. This client uses one configuration for all requests.
    package static let requestTLSConfiguration = ErrorCode("requestTLSConfiguration")
    /// The redirect leads from `https` to `http`.
    public static let redirectToPlainHTTP = ErrorCode("redirectToPlainHTTP")
    /// The redirect's `location` can't be read, or doesn't name a host.
    package static let redirectMalformed = ErrorCode("redirectMalformed")
    /// More redirects than allowed.
    public static let redirectLimitExceeded = ErrorCode("redirectLimitExceeded")
    /// The redirects lead in a circle.
    public static let redirectCycle = ErrorCode("redirectCycle")
    /// The client was shut down.
    public static let clientShutDown = ErrorCode("clientShutDown")
    /// The rules of the shared client can't be replaced. Create another client for other rules.
    package static let clientShared = ErrorCode("clientShared")
    /// A setting of a rule that the rule doesn't use.
    package static let trustSettingUnused = ErrorCode("trustSettingUnused")
    /// The proxy that the environment or a configuration names is of a kind that isn't supported, or its address can't be read.
    package static let proxyUnsupported = ErrorCode("proxyUnsupported")
}
