// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import ServerTrust

extension TrustedHTTPConfiguration {
    /// When to send a request again after a response or an error that is likely temporary.
    ///
    /// ```swift
    /// configuration.retries = .upTo(3)
    /// ```
    /// The client retries after a response with one of ``statuses``, and after a connection that can't be made, is lost
    /// or takes too long. It never retries:
    /// * after `TrustRefusal`, or any other error about the server's identity;
    /// * a request with a streamed body, which it can't read again;
    /// * beyond the deadline of the request. If the time isn't enough for the wait, the client returns the response, or
    ///   throws the error, immediately.
    ///
    /// Before each retry, the client waits for a random time between zero and a limit, which doubles with each retry
    /// (full jitter). If the response has `Retry-After` (RFC 9110 § 10.2.3), the client waits for that time in addition.
    /// Each retry evaluates the server and chooses cookies like a new request. A response to a retried request isn't in
    /// the final response's history.
    ///
    /// Independent of this setting, the client repeats requests that the server didn't process. See
    /// ``TrustedHTTPClient``.
    public struct Retries: Sendable, Hashable {
        /// The largest number of retries of a request, including its redirects. With 0, the client never retries.
        public var maximum: Int
        /// The methods to retry, in upper case. The default are the idempotent methods (RFC 9110 § 9.2.2): `GET`,
        /// `HEAD`, `OPTIONS`, `TRACE`, `PUT` and `DELETE`.
        public var methods: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]
        /// The statuses to retry. The default are 408, 429, 500, 502, 503 and 504.
        public var statuses: Set<Int> = [408, 429, 500, 502, 503, 504]
        /// The limit of the random time before the first retry. The default is 500 milliseconds.
        public var delay = Duration.milliseconds(500)
        /// The largest limit of the random time. The default is 30 seconds.
        public var maximumDelay = Duration.seconds(30)
        /// The longest `Retry-After` to wait for. The default is 60 seconds. If a server asks for more, the client
        /// returns the response.
        public var maximumRetryAfter = Duration.seconds(60)

        /// Never retries.
        public static let off = Retries(maximum: 0)
        /// Retries at most `maximum` times, with the defaults of all other properties.
        public static func upTo(_ maximum: Int) -> Retries { Retries(maximum: maximum) }

        private init(maximum: Int) { self.maximum = maximum }
    }
}

/// The clock and the randomness of retries.
package struct RetryTimer: Sendable {
    /// Returns a number from 0 to 1.
    package var random: @Sendable () -> Double = { .random(in: 0...1) }
    package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    package init() {}
}

extension TrustedHTTPConfiguration.Retries {
    /// Returns the time to wait before a retry.
    /// - Parameters:
    ///   - number: the number of the retry, from 1.
    ///   - retryAfter: the server's `Retry-After` in seconds, or nil for none.
    ///   - random: a number from 0 to 1.
    /// - Returns: nil if the server asks for a longer time than allowed.
    package func wait(before number: Int, retryAfter: Int?, random: Double) -> Duration? {
        let required = Duration.seconds(retryAfter ?? 0)
        guard retryAfter == nil || required <= maximumRetryAfter else { return nil }
        let limit = ExponentialBackOff(initial: max(delay, .zero), maximum: max(maximumDelay, .zero))
            .nominalDelay(afterFailures: number)
        return required + limit * min(max(random, 0), 1)
    }
}

#endif
