// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ServerTrust

/// The error of a request that got no byte of a response. It goes from a connection to the loop that repeats the request; callers
/// get ``error``.
struct UnansweredRequest: Error {
    /// The fate of a request, as far as the connection shows it.
    enum Fate: Equatable {
        /// The connection ended before a byte of the request was sent.
        case unsent
        /// The server didn't process the request (RFC 9113 § 6.8, § 8.7).
        /// - Parameter servesOthers: whether it processed another request on this connection.
        case refused(servesOthers: Bool)
        /// The connection had been used before, and ended. The server may have processed the request.
        case lost
    }

    let fate: Fate
    /// The error of the connection.
    let error: any Error

    init(_ fate: Fate, _ error: any Error) {
        self.fate = fate
        self.error = error
    }

    /// Whether an error says only that the connection ended.
    static func isLoss(_ error: any Error) -> Bool {
        error is IOError || error is ChannelError || error as? HTTPClientError == .remoteConnectionClosed
    }
}

/// The repeats that are left for one request. The server controls how many are asked for.
///
/// Each cause of repeats has a limit:
/// * A server that refuses a request and serves another one makes progress, as one does that takes ten requests on each connection: each
///   refusal is paid for with a request that was served. Of 50 requests at once, the last one is refused four times there. A refused
///   request hasn't failed (RFC 9113 § 8.7), so this isn't the repeat of a failed repeat.
/// * A server that refuses a request and serves no other is asked once more.
/// * A request that a server may have processed is repeated once, and only if it is idempotent (RFC 9110 § 9.2.2).
struct RepeatBudget {
    private var afterProgress = 20
    private var afterRefusal = 1
    private var unsent = 3
    private var afterLoss = 1

    /// - Returns: the reason to report; nil if the request isn't repeated.
    mutating func spend(on fate: UnansweredRequest.Fate, _ method: HTTPMethod) -> RepeatedRequest.Reason? {
        switch fate {
        case .unsent: Self.take(&unsent) ? .notProcessed : nil
        case .refused(servesOthers: true): Self.take(&afterProgress) ? .notProcessed : nil
        case .refused(servesOthers: false): Self.take(&afterRefusal) ? .notProcessed : nil
        case .lost: method.isIdempotent && Self.take(&afterLoss) ? .connectionLost : nil
        }
    }

    private static func take(_ count: inout Int) -> Bool {
        count -= 1
        return count >= 0
    }
}

extension HTTPMethod {
    /// Whether RFC 9110 § 9.2.2 defines the method as idempotent.
    fileprivate var isIdempotent: Bool {
        switch self {
        case .GET, .HEAD, .OPTIONS, .TRACE, .PUT, .DELETE: true
        default: false
        }
    }
}
