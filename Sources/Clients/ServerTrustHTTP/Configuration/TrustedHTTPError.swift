// SPDX-License-Identifier: Apache-2.0

import HTTPRules
import TrustSupport

/// The reason why a request wasn't sent, or a redirect not followed.
///
/// A refused server is a `TrustRefusal`; a connection that didn't come to a verdict is a `ConnectionFailure`; errors
/// on a connection that is up are async-http-client's `HTTPClientError`.
public struct TrustedHTTPError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors; raw values are stable.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// The URL can't be read, or its host is none.
        case malformedURL
        /// Neither `https` nor `http`.
        case unsupportedScheme
        /// `http`, and the host isn't among those that may be asked in the clear.
        case plainHTTPRefused
        /// The URL names a user. Such URLs are made to be misread: `https://bank.example@attacker.example/`.
        case userInRequestURL
        /// The method or a header field of the request has a character that it can't have, such as a line break. Nothing was sent.
        case malformedRequest
        /// The request has a TLS configuration of its own. This client has one for all.
        case tlsConfigurationInRequest
        /// The redirect leads from `https` to `http`.
        case redirectToPlainHTTP
        /// The redirect's `location` can't be read, or its host is none.
        case malformedRedirect
        /// More redirects than allowed.
        case tooManyRedirects
        /// The redirects lead in a circle.
        case redirectCycle
        /// The client was shut down.
        case shutDown
        /// The rules of the shared client can't be replaced: make a client with rules of its own.
        case sharedClient
        /// The proxy that the environment or a configuration names is of a kind that isn't supported, or its address can't be read.
        case proxyUnsupported
        /// The configuration turns verification off (`.none`), and this client is there to evaluate.
        case verificationTurnedOff
        /// The configuration names trust roots, which are not used here: name them in `ServerTrustConfiguration.anchors`. Dropped,
        /// servers would be held against the system's anchors in the place of a private CA's.
        case namedTrustRoots
    }

    /// The kind of error.
    public let reason: Reason
    /// The URL that it was about, without user and password; nil for a configuration.
    public let url: String?
    /// For people; wording may change.
    package let detail: String

    package init(_ reason: Reason, url: String? = nil, detail: String = "") {
        self.reason = reason
        self.url = url.map(withoutUserInformation)
        self.detail = detail
    }

    /// The error for a URL that no request can be sent to.
    init(unusable error: RequestTargetError, url: String) {
        switch error {
        case .malformed: self.init(.malformedURL, url: url, detail: error.description(for: url))
        case .unsupportedScheme:
            let isSocket = ["http+unix:", "https+unix:", "unix:"].contains { url.lowercased().hasPrefix($0) }
            self.init(
                .unsupportedScheme, url: url,
                detail: isSocket ? "give a host its socket in TrustedHTTPConfiguration.unixSockets" : "")
        case .userInformation: self.init(.userInRequestURL, url: url)
        }
    }

    public var description: String {
        (url.map { "\($0): " } ?? "") + reason.rawValue + (detail.isEmpty ? "" : " (\(detail))")
    }
}
