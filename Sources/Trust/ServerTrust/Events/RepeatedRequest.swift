// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A request that a client of this package sends again. See ``TrustEvent/requestRepeated(_:)``.
public struct RepeatedRequest: Sendable, Hashable {
    /// The reason why a client repeats a request. The raw values are stable.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// The server didn't process the request (RFC 9113 § 6.8, § 8.7), or the connection ended before the client
        /// sent the request.
        case notProcessed
        /// The connection had been used before, and ended before the first byte of a response. The request is
        /// idempotent (RFC 9110 § 9.2.2).
        case connectionLost
    }

    /// The host of the request.
    public let host: Hostname
    /// The reason why the client repeats the request.
    public let reason: Reason

    package init(host: Hostname, reason: Reason) {
        self.host = host
        self.reason = reason
    }
}
