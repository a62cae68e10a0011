// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import FoundationNetworking
import NIOCore
import NIOHTTP1
import NIOSSL
import PKIX
import ServerTrustHTTP
import SessionDelegates

/// The metrics of one task, for the delegates that may have a method for them.
final class TaskMetrics: Sendable {
    private typealias Values = SessionDelegates.URLSessionTaskTransactionMetrics.Values

    private struct State {
        var transactions: [Values] = []
        var redirects = 0
        var isDelivered = false
    }

    private let session: URLSession
    private let task: URLSessionTask
    /// The task's own delegate and the session's, as far as they exist, in this order.
    private let delegates: [any SessionDelegates.URLSessionTaskDelegate]
    /// The start of the task on both clocks. All dates follow from one clock, so their order is right even if the
    /// system's time changes.
    private let start = (date: Date(), time: NIODeadline.now())
    private let state = Locked(State())

    /// Returns nil if no delegate has a method for metrics. Collecting them would be useless.
    init?(_ task: URLSessionTask, _ internals: URLSessionTaskInternals) {
        let shared = internals.session.foundationDelegate as? any SessionDelegates.URLSessionTaskDelegate
        delegates = [internals.ownDelegate, shared].compactMap(\.self).filter { !MetricsMethods.isMissing(in: $0) }
        guard !delegates.isEmpty else { return nil }
        session = internals.session
        self.task = task
    }

    private func date(_ time: NIODeadline = .now()) -> Date {
        start.date.addingTimeInterval(Double((time - start.time).nanoseconds) / 1e9)
    }

    /// Changes a transaction.
    /// - Parameter index: the ``current`` index at an earlier time, or nil for the last transaction.
    private func update(_ index: Int? = nil, _ change: (inout Values) -> Void) {
        state.withLock { state in
            let index = index ?? state.transactions.count - 1
            guard state.transactions.indices.contains(index) else { return }
            change(&state.transactions[index])
        }
    }

    // MARK: - From the exchange

    /// Starts a transaction. The other methods change the last transaction.
    func begin(_ request: URLRequest) {
        var values = Values(request)
        values.fetchStartDate = date()
        state.withLock { [values] in $0.transactions.append(values) }
    }

    /// The index of the last transaction.
    var current: Int { state.withLock { $0.transactions.count - 1 } }

    /// Records that the request goes to the network.
    func load(throughProxy isProxied: Bool) {
        update { values in
            values.resourceFetchType = .networkLoad
            values.isProxyConnection = isProxied
        }
    }

    /// Removes the last transaction, because the server received no request.
    func dropLast() { state.withLock { _ = $0.transactions.popLast() } }

    /// Records that the HTTP client took bytes of the body.
    func send(_ total: Int64, of index: Int?) {
        update(index) { values in
            values.sent = total
            values.requestEndDate = date()
        }
    }

    /// Records that the head of a response arrived over a connection.
    func respond(_ use: TrustedHTTPResponse) {
        let version = use.response.version
        update { values in
            let ready = date(use.established)
            values.isReusedConnection = use.isReused || values.fetchStartDate.map { ready < $0 } ?? false
            values.connectEndDate = values.isReusedConnection ? nil : ready
            values.requestStartDate = use.sent.map { date($0) }
            // Without a body, the request ends with its head.
            values.requestEndDate = [values.requestStartDate, values.requestEndDate].compactMap(\.self).max()
            values.responseStartDate = date()
            values.networkProtocolName = version == .http2 ? "h2" : "http/\(version.major).\(version.minor)"
            values.remote = (use.remoteAddress?.ipAddress, use.remoteAddress?.port)
            values.local = (use.localAddress?.ipAddress, use.localAddress?.port)
            values.tlsVersion =
                switch use.tlsVersion {
                case .tlsv12: .TLSv12
                case .tlsv13: .TLSv13
                // The client offers no older version.
                default: nil
                }
        }
    }

    /// Records a response.
    func respond(_ response: URLResponse) {
        update { values in
            values.response = response
            values.responseStartDate = values.responseStartDate ?? date()
        }
    }

    /// Records that the response comes from the cache.
    func respond(_ cached: CachedURLResponse) {
        update { $0.resourceFetchType = .localCache }
        respond(cached.response)
        receive(cached.data.count)
        complete()
    }

    /// Counts bytes of the response.
    func receive(_ count: Int) { update { $0.received += Int64(count) } }

    /// Records that the response is complete.
    func complete() { update { $0.responseEndDate = date() } }

    func countRedirect() { state.withLock { $0.redirects += 1 } }

    // MARK: - To the delegate

    /// Adds the delegate's call to its queue, once. Call this method on the task's own queue, before Foundation adds
    /// the call for the end of the task.
    func deliver() {
        let collected = state.withLock { state -> State? in
            guard !state.isDelivered else { return nil }
            state.isDelivered = true
            return state
        }
        guard let collected else { return }
        let interval = DateInterval(start: start.date, end: date())
        session.delegateQueue.addOperation { [self] in
            let metrics = SessionDelegates.URLSessionTaskMetrics(
                collected.transactions.map { SessionDelegates.URLSessionTaskTransactionMetrics($0) },
                taskInterval: interval, redirectCount: collected.redirects)
            for delegate in delegates {
                delegate.urlSession(session, task: task, didFinishCollecting: metrics)
                if !MetricsMethods.isMissing(in: delegate) { return }
            }
        }
    }
}
#endif
