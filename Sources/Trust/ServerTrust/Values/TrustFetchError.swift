// SPDX-License-Identifier: Apache-2.0

import TrustSupport

/// The error of a fetch without a result.
public struct TrustFetchError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason of the error. The set is complete.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// The address is not `http` or `https`, or can't be parsed.
        case unsupportedAddress
        /// The address is one that the app has not permitted: loopback, link-local, private.
        case forbiddenAddress
        /// No connection could be established, because of DNS, TCP or TLS.
        case unreachable
        /// The response has another status than 200.
        case status
        /// The response is larger than the limit.
        case tooLarge
        /// The response is another redirect after the largest number of redirects.
        case tooManyRedirects
        /// The fetch took too long.
        case timedOut
        /// The fetch was cancelled.
        case cancelled
        /// The server violated HTTP, or ended the response early.
        case protocolViolation
    }

    /// The reason.
    public let reason: Reason
    /// The address of the failed request, the last one after redirects; without user and password.
    public let url: String
    /// Details for people; the wording may change.
    package let detail: String

    /// Creates an error.
    public init(_ reason: Reason, url: String, detail: String = "") {
        self.reason = reason
        self.url = withoutUserInformation(url)
        self.detail = detail
    }

    /// One line for people; its wording may change.
    public var description: String { "\(url): \(reason.rawValue)\(detail.isEmpty ? "" : " (\(detail))")" }
}
