// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import FoundationNetworking
import GRPCCore
import NIOCore
import NIOHTTP1
import NIOSSL
import PKIX

/// The end of a request.
enum Outcome: Sendable {
    case answer(Answer)
    case failure(any Error)
    /// The call didn't return, although its task was canceled.
    case hang

    /// The kind of outcome, for the histogram.
    var kind: String {
        switch self {
        case .answer(let answer): "\(answer.status)"
        case .failure(let error): Self.kind(of: error)
        case .hang: "hang"
        }
    }

    /// Whether the outcome is a response with a valid status, or an error of a known type.
    var isKnown: Bool {
        switch self {
        case .answer(let answer): (100...599).contains(answer.status)
        case .failure(let error): Self.isKnown(error)
        case .hang: false
        }
    }

    private static func kind(of error: any Error) -> String {
        switch error {
        case let error as any TrustError: "\(type(of: error)).\(error.code.name)"
        case let error as HTTPClientError: "HTTPClientError.\(error.shortDescription)"
        case let error as RPCError: "RPCError.\(error.code)"
        case let error as URLError: "URLError.\(error.errorCode)"
        case let error as IOError: "IOError.\(error.errnoCode)"
        case is NIOSSLError, is BoringSSLError, is HTTPParserError, is ChannelError:
            "\(type(of: error)).\("\(error)".name)"
        default: "\(String(reflecting: type(of: error)))"
        }
    }

    /// The modules of errors that callers can expect, in addition to this package's.
    private static let modules = [
        "NIOHTTP1.", "NIOHTTP2.", "NIOHPACK.", "NIOSSL.", "NIOCore.", "NIOPosix.", "NIOHTTPCompression.",
        "NIOWebSocket.", "NIOSOCKS.",
    ]

    private static func isKnown(_ error: any Error) -> Bool {
        switch error {
        case is any TrustError, is HTTPClientError, is RPCError, is URLError, is IOError, is ChannelError,
            is CancellationError:
            return true
        default:
            let name = String(reflecting: type(of: error))
            return modules.contains { name.hasPrefix($0) }
        }
    }
}

extension String {
    /// The text up to the first detail.
    fileprivate var name: String { String(prefix { $0 != "(" && $0 != ":" }) }
}

/// Runs an operation with a limit.
/// - Parameters:
///   - limit: the time until the task is canceled.
///   - grace: the time from there until the call counts as hanging.
/// - Returns: the outcome, and whether the task was canceled.
func bounded(
    _ limit: Duration, grace: Duration, _ operation: @escaping @Sendable () async throws -> Answer
) async -> (outcome: Outcome, isLate: Bool) {
    let task = Task { try await operation() }
    let waiting = Locked<CheckedContinuation<Outcome, Never>?>(nil)
    let isLate = Locked(false)
    @Sendable func finish(_ outcome: Outcome) {
        waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }?.resume(returning: outcome)
    }
    let timer = Task {
        guard (try? await Task.sleep(for: limit)) != nil else { return }
        isLate.withLock { $0 = true }
        task.cancel()
        guard (try? await Task.sleep(for: grace)) != nil else { return }
        finish(.hang)
    }
    let outcome = await withCheckedContinuation { continuation in
        waiting.withLock { $0 = continuation }
        Task {
            switch await task.result {
            case .success(let answer): finish(.answer(answer))
            case .failure(let error): finish(.failure(error))
            }
        }
    }
    timer.cancel()
    return (outcome, isLate.withLock { $0 })
}
