// SPDX-License-Identifier: Apache-2.0

/// Why a resource can't be had.
public struct TrustResourceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What stood in the way. The set grows; the names stay.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        public let name: String

        package init(name: String) { self.name = name }

        /// What the transport says, under its own name: `timedOut`, `unreachable`, `forbiddenAddress`, …
        public static func fetch(_ reason: TrustFetchError.Reason) -> Reason { Reason(name: reason.rawValue) }

        /// The fetch, or the whole evaluation, took too long.
        public static let timedOut = fetch(.timedOut)
        /// Nobody wants it any more.
        public static let cancelled = fetch(.cancelled)
        /// It failed a moment ago and isn't asked for again yet.
        public static let backingOff = Reason(name: "backingOff")
        /// What came isn't what it should be: no certificate, no CRL, no OCSP response.
        public static let malformed = Reason(name: "malformed")
        /// What came has run out, or isn't valid yet.
        public static let outOfDate = Reason(name: "outOfDate")
        /// What came is older than what was seen before: a replay, or a server behind its fellows.
        public static let olderThanKnown = Reason(name: "olderThanKnown")
        /// The network isn't to be used for it, and no cache has it.
        public static let notCached = Reason(name: "notCached")
        /// What came was evaluated and refused: signed by somebody else, say.
        public static let refused = Reason(name: "refused")

        public var description: String { name }
    }

    public let reason: Reason
    /// The address that it was about.
    public let url: String
    /// For people; wording may change.
    public let detail: String

    public init(_ reason: Reason, url: String, detail: String = "") {
        self.reason = reason
        self.url = url
        self.detail = detail
    }

    package init(_ error: TrustFetchError) { self.init(.fetch(error.reason), url: error.url, detail: error.detail) }

    public var description: String { "\(url): \(reason.name)\(detail.isEmpty ? "" : " (\(detail))")" }
}

extension TrustResourceError.Reason: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(name: try decoder.singleValueContainer().decode(String.self))
    }

    /// The name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
