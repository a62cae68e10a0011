// SPDX-License-Identifier: Apache-2.0

/// Why nothing came.
public struct TrustFetchError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// No `http` or `https` address, or one that can't be read.
        case unsupportedAddress
        /// An address that the app has not allowed: loopback, link-local, private.
        case forbiddenAddress
        /// No connection: DNS, TCP or TLS.
        case unreachable
        /// Another status than 200.
        case status
        case tooLarge
        case tooManyRedirects
        case timedOut
        case cancelled
        /// The server broke HTTP, or ended in the middle.
        case protocolViolation
    }

    public let reason: Reason
    /// The address that it was about, the last one after redirects.
    public let url: String
    /// For people; wording may change.
    public let detail: String

    public init(_ reason: Reason, url: String, detail: String = "") {
        self.reason = reason
        self.url = url
        self.detail = detail
    }

    public var description: String { "\(url): \(reason.rawValue)\(detail.isEmpty ? "" : " (\(detail))")" }
}
