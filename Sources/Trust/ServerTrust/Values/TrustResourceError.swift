// SPDX-License-Identifier: Apache-2.0

import TrustSupport

/// The error of a resource that could not be obtained.
public struct TrustResourceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason of the error. The set grows; names don't change.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The stable name.
        public let name: String

        package init(name: String) { self.name = name }

        /// Returns the transport's reason under its own name: `timedOut`, `unreachable`, `forbiddenAddress`, …
        package static func fetch(_ reason: TrustFetchError.Reason) -> Reason { Reason(name: reason.rawValue) }

        /// The fetch, or the whole evaluation, took too long.
        package static let timedOut = fetch(.timedOut)
        /// Every evaluation that requested it has ended or was cancelled.
        package static let cancelled = fetch(.cancelled)
        /// It failed recently and is not requested again yet.
        package static let backingOff = Reason(name: "backingOff")
        /// The response is not a certificate, CRL or OCSP response, as its kind requires.
        package static let malformed = Reason(name: "malformed")
        /// The resource has expired, or isn't valid yet.
        package static let outOfDate = Reason(name: "outOfDate")
        /// The resource is older than an earlier one: a replay, or a server that lags behind.
        package static let olderThanKnown = Reason(name: "olderThanKnown")
        /// The network may not be used for it, and no cache has it.
        package static let notCached = Reason(name: "notCached")
        /// The resource was evaluated and refused, for example because of its signer.
        package static let refused = Reason(name: "refused")

        /// The name.
        public var description: String { name }
    }

    /// The reason.
    public let reason: Reason
    /// The address of the resource, without user and password.
    public let url: String
    /// Details for people; the wording may change.
    package let detail: String

    /// Creates an error.
    package init(_ reason: Reason, url: String, detail: String = "") {
        self.reason = reason
        self.url = withoutUserInformation(url)
        self.detail = detail
    }

    package init(_ error: TrustFetchError) { self.init(.fetch(error.reason), url: error.url, detail: error.detail) }

    /// One line for people; its wording may change.
    public var description: String { "\(url): \(reason.name)\(detail.isEmpty ? "" : " (\(detail))")" }
}

extension TrustResourceError.Reason: Codable {
    /// Decodes a name.
    public init(from decoder: any Decoder) throws {
        self.init(name: try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
