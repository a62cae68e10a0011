// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import NIOPosix
import PKIX
import ServerTrust
import ServerTrustNIO

/// The retries of one request, including its redirects.
struct RetryBudget {
    private let retries: TrustedHTTPConfiguration.Retries
    private let timer: RetryTimer
    private let deadline: NIODeadline
    private let isBodyReplayable: Bool
    private var spent = 0

    init(_ configuration: TrustedHTTPConfiguration, deadline: NIODeadline, isBodyReplayable: Bool) {
        self.retries = configuration.retries
        self.timer = configuration.retryTimer
        self.deadline = deadline
        self.isBodyReplayable = isBodyReplayable
    }

    /// Returns the time to wait before the request is sent again after a response. Nil to return the response.
    mutating func spend(on response: HTTPClientResponse, to request: HTTPClientRequest) -> Duration? {
        guard spent < retries.maximum, retries.statuses.contains(Int(response.status.code)) else { return nil }
        return spend(request, retryAfter: RetryAfter.seconds(now: .now()) { response.headers[$0] })
    }

    /// Returns the time to wait before the request is sent again after an error. Nil to throw the error.
    mutating func spend(on error: any Error, of request: HTTPClientRequest) -> Duration? {
        guard spent < retries.maximum, Self.isTemporary(error) else { return nil }
        return spend(request, retryAfter: nil)
    }

    private mutating func spend(_ request: HTTPClientRequest, retryAfter: Int?) -> Duration? {
        guard retries.methods.contains(request.method.rawValue),
            isBodyReplayable || request.body?.canBeSentAgain ?? true,
            let wait = retries.wait(before: spent + 1, retryAfter: retryAfter, random: timer.random())
        else { return nil }
        guard .now() + TimeAmount(clamping: wait) < deadline else { return nil }
        spent += 1
        return wait
    }

    func sleep(_ wait: Duration) async throws { try await timer.sleep(wait) }

    /// Whether an error is about the connection, and says nothing about the server's identity.
    static func isTemporary(_ error: any Error) -> Bool {
        switch error {
        case let error as ConnectionFailure: temporaryCodes.contains(error.code)
        case let error as HTTPClientError:
            [.connectTimeout, .remoteConnectionClosed, .readTimeout, .writeTimeout].contains(error)
        case is NIOConnectionError, is HTTP2ConnectionError: true
        default: UnansweredRequest.isLoss(error)
        }
    }

    private static let temporaryCodes: Set<ErrorCode> = [
        .connectionNameLookupTimedOut, .connectionNameServerFailed, .connectionUnreachable, .connectionTimedOut,
        .connectionProxyFailed, .connectionProxyTimedOut, .connectionEvaluationTimedOut, .connectionClosed,
    ]
}

#endif
