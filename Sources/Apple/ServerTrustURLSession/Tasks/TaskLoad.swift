// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)

import Dispatch
import Foundation
import FoundationNetworking
import PKIX

/// A running task. It runs the exchange outside Foundation's queues and delivers its events on the right queue.
///
/// Foundation's `client` may only be called on the task's own queue. So events wait in ``Deliveries``, until
/// `startLoading` is called again on that queue and takes them. Foundation also calls it when the task is resumed.
final class TaskLoad: Sendable {
    /// An event for Foundation.
    enum Event: Sendable {
        case response(URLResponse)
        /// The expected size of the body in bytes, or -1.
        case expected(Int64)
        /// The size of a piece of the body.
        case received(Int)
        /// The number of bytes of the request's body that were sent so far, and the expected one, or -1.
        case sent(Int64, expected: Int64)
        case data(Data)
        case end(Deliveries.End)
    }

    private struct State {
        var deliveries: Deliveries
        var progress = TaskProgress()
        var isWaking = false
        var isCancelled = false
        var work: Task<Void, Never>?

        /// Whether the caller has to wake the task.
        mutating func needsWaking() -> Bool {
            guard !isCancelled, !isWaking, deliveries.isReady || progress.isWorthReporting else { return false }
            isWaking = true
            return true
        }
    }

    private let task: URLSessionTask
    /// The queue on which the delegate gets the body, or nil if the delegate doesn't get it.
    private let delegateQueue: OperationQueue?
    /// The stream that gets the body instead of a delegate.
    private let stream: ByteStream?
    /// The queue on which the owner of a download gets its file.
    private let fileQueue: OperationQueue?
    private let metrics: TaskMetrics?
    private let window = DeliveryWindow()
    private let state: Locked<State>
    /// The task's own queue.
    private let taskQueue: DispatchQueue?
    /// The object that owns this one. Only used on the task's own queue, like all of its methods.
    nonisolated(unsafe) private weak let urlProtocol: URLProtocol?

    /// Starts the exchange. Call this initializer on the task's own queue.
    init(_ task: URLSessionTask, of urlProtocol: URLProtocol) {
        self.task = task
        self.urlProtocol = urlProtocol
        let internals = Result { try URLSessionTaskInternals(task) }
        let known = try? internals.get()
        // With the main queue, a main thread that waits for the result would stop instead.
        if let known, !known.returnsFile, known.session.delegateQueue !== OperationQueue.main {
            TaskMembers.resumesOnTaskQueue.update(task) { $0 = false }
        }
        self.delegateQueue = known.flatMap { $0.deliversToDelegate ? $0.session.delegateQueue : nil }
        self.fileQueue = known.flatMap { $0.returnsFile ? $0.session.delegateQueue : nil }
        let sessionState = known.flatMap {
            ($0.session.configuration as? any TrustedSessionConfiguration)?.state
        }
        self.metrics = known.flatMap { TaskMetrics(task, $0) }
        self.stream = sessionState?.takeStream(for: task)
        self.taskQueue = known?.queue
        self.state = Locked(
            State(deliveries: Deliveries(waitsForDelegate: delegateQueue != nil && stream == nil)))
        stream?.begin { [window] in window.acknowledge($0) }
        do {
            let exchange = try TaskExchange(
                task, internals.get(), window: window, isStreamed: stream != nil, metrics,
                emit: { [weak self] in self?.emit($0) })
            state.withLock { $0.work = Task { await exchange.run() } }
        } catch {
            let url = task.originalRequest?.url
            let failure =
                (error as? URLSessionTaskInternals.Unreadable).map {
                    SessionError.unsupported(.foundation($0.property), at: url)
                }
                ?? SessionError.make(error, at: url)
            state.withLock { $0.deliveries.finish(.failed(failure)) }
        }
    }

    /// Whether nothing was started. The `startLoading` that created this object then delivers the error.
    var hasFailedImmediately: Bool { state.withLock { $0.work == nil } }

    private func emit(_ event: Event) {
        let needsWaking = state.withLock { state in
            guard !state.isCancelled else { return false }
            switch event {
            case .response(let response): state.deliveries.respond(response)
            case .expected(let size): state.progress.expectedToReceive = size
            case .received(let count): state.progress.receive(count, task)
            case .sent(let total, let expected): state.progress.send(total, expected, task)
            case .data(let data): window.add(state.deliveries.add(data))
            case .end(let end): state.deliveries.finish(end)
            }
            return state.needsWaking()
        }
        if needsWaking { wake() }
        // A time limit doesn't wait for the exchange.
        if case .end(.failed) = event { state.withLock { $0.work }?.cancel() }
    }

    /// Records that the delegate has received a piece and may get the next one.
    private func acknowledge(_ charge: Int) {
        window.acknowledge(charge)
        let needsWaking = state.withLock { state in
            state.deliveries.delegateTookPiece()
            return state.needsWaking()
        }
        if needsWaking { wake() }
    }

    private func wake() {
        // Without a queue, nothing was started.
        taskQueue?.async { [self] in
            // The task's owner may have resumed or canceled it first.
            if state.withLock({ $0.isWaking && !$0.isCancelled }) { urlProtocol?.startLoading() }
        }
    }

    /// Delivers the waiting events to Foundation. Call this method on the task's own queue.
    func deliver(to urlProtocol: URLProtocol) {
        let batch = state.withLock { state in
            state.isWaking = false
            let batch = state.deliveries.take()
            state.progress.report(task, isComplete: batch.isComplete)
            return batch
        }
        guard let client = urlProtocol.client else { return }
        if let response = batch.response {
            // This package does the caching. Foundation's cache is for its own protocol class.
            client.urlProtocol(urlProtocol, didReceive: response, cacheStoragePolicy: .notAllowed)
            stream?.respond(response)
        }
        for piece in batch.pieces {
            let charge = PieceQueue.charge(for: piece)
            if let stream {
                window.acknowledge(charge - stream.add(piece))
                continue
            }
            client.urlProtocol(urlProtocol, didLoad: piece)
            // Runs after the delegate call that Foundation has added to the queue.
            delegateQueue?.addOperation { [self] in acknowledge(charge) }
        }
        if batch.end != nil { metrics?.deliver() }
        switch batch.end {
        case .finished(nil): client.urlProtocolDidFinishLoading(urlProtocol)
        case .finished(let file?): finish(urlProtocol, client, file)
        case .failed(let error): client.urlProtocol(urlProtocol, didFailWithError: error)
        case nil: break
        }
    }

    /// Delivers the file of a download. As on Apple platforms, the file is removed once its owner has received it,
    /// unless the owner has moved it. For `download(for:)` the file stays, because its owner gets it later.
    private func finish(_ urlProtocol: URLProtocol, _ client: any URLProtocolClient, _ file: DownloadFile) {
        do throws(URLSessionTaskInternals.Unreadable) {
            try URLProtocolInternals.setTemporaryFile(file.url, of: urlProtocol)
        } catch {
            let failure = SessionError.unsupported(.foundation(error.property), at: task.originalRequest?.url)
            return client.urlProtocol(urlProtocol, didFailWithError: failure)
        }
        if fileQueue == nil { file.keep() }
        client.urlProtocolDidFinishLoading(urlProtocol)
        // Runs after the owner's call that Foundation has added to the queue.
        fileQueue?.addBarrierBlock { withExtendedLifetime(file) {} }
    }

    /// Ends the exchange. Foundation has already informed the task's owner.
    func cancel() {
        let work = state.withLock { state in
            state.isCancelled = true
            state.deliveries.cancel()
            return state.work
        }
        window.close()
        work?.cancel()
        metrics?.deliver()
    }
}

/// The byte counts of a task, and its `progress`.
///
/// The counts are of decoded bytes. Foundation changes `progress` on the task's own queue, so this type does the
/// same, together with other events or after each 256 KiB.
struct TaskProgress {
    var expectedToReceive: Int64 = 0
    private var received: Int64 = 0
    private var sent: Int64 = 0
    private var expectedToSend: Int64 = 0
    /// The number of bytes that `progress` doesn't include yet.
    private var unreported: Int64 = 0

    private static let step: Int64 = 256 << 10

    /// Whether to report the progress even if no other event is waiting.
    var isWorthReporting: Bool { unreported >= Self.step }

    mutating func receive(_ count: Int, _ task: URLSessionTask) {
        received += Int64(count)
        unreported += Int64(count)
        TaskMembers.received.update(task) { [received] in $0 = received }
    }

    mutating func send(_ total: Int64, _ expected: Int64, _ task: URLSessionTask) {
        // A body that is sent again begins at 0.
        unreported += max(0, total - sent)
        (sent, expectedToSend) = (total, expected)
        TaskMembers.sent.update(task) { $0 = total }
    }

    /// Updates the task's `progress`. Call this method on the task's own queue.
    /// - Parameter isComplete: whether the task has succeeded.
    mutating func report(_ task: URLSessionTask, isComplete: Bool) {
        unreported = 0
        TaskMembers.expectedToReceive.update(task) { [expectedToReceive] in $0 = expectedToReceive }
        TaskMembers.expectedToSend.update(task) { [expectedToSend] in $0 = expectedToSend }
        let isKnown = expectedToReceive > 0 && expectedToSend >= 0
        // The server chooses the first number.
        let (sum, isTooLarge) = expectedToReceive.addingReportingOverflow(expectedToSend)
        let expected = isKnown && !isTooLarge ? sum : -1
        // A complete task without any bytes has the progress 1 of 1.
        task.progress.totalUnitCount = isComplete ? max(received + sent, 1) : expected
        task.progress.completedUnitCount = isComplete ? max(received + sent, 1) : received + sent
    }
}

#endif
