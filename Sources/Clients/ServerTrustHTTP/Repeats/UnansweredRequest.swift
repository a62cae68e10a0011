// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ServerTrust

/// The error of a request that received no part of a response.
///
/// A connection throws it to the loop that repeats the request. Callers receive ``error``.
struct UnansweredRequest: Error {
    /// The progress of a request when its connection ended.
    enum Fate: Equatable {
        /// The connection ended before a byte of the request was sent.
        case unsent
        /// The server didn't process the request (RFC 9113 § 6.8, § 8.7).
        /// - Parameter servesOthers: whether it processed another request on this connection.
        case refused(servesOthers: Bool)
        /// The connection was a reused one and ended. The server may have processed the request.
        case lost
    }

    let fate: Fate
    /// The connection's error.
    let error: any Error

    init(_ fate: Fate, _ error: any Error) {
        self.fate = fate
        self.error = error
    }

    /// Whether an error only says that the connection ended.
    static func isLoss(_ error: any Error) -> Bool {
        error is IOError || error is ChannelError || error as? HTTPClientError == .remoteConnectionClosed
    }
}

/// The remaining repeats of one request. There is a limit because servers control the number of repeats.
///
/// Each cause has its own limit:
/// * A server that refuses a request but serves another one makes progress. An example is a server that serves ten
///   requests on each connection. With each refusal, it has also served requests: of 50 simultaneous requests, it
///   refuses the last one four times. A refused request hasn't failed (RFC 9113 § 8.7), so repeating it again doesn't
///   repeat a failed request.
/// * If a server refuses a request and has served no other request on the connection, the client repeats the request
///   once.
/// * If a server may have processed a request, the client repeats it once, and only if it is idempotent (RFC 9110 §
///   9.2.2).
struct RepeatBudget {
    private var afterProgress = 20
    private var afterRefusal = 1
    private var unsent = 3
    private var afterLoss = 1

    /// - Returns: the reason to report. Nil if the client must not repeat the request.
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

#endif
