// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation
    import FoundationNetworking
    import PKIX

    /// One task on its way: runs the exchange beside Foundation's queues, and delivers its events on the right one.
    ///
    /// Foundation's `client` may only be called on the session's queue, to which there is no public way but one: `resume()` calls
    /// `startLoading` there. So events wait in ``Deliveries``, the task is suspended and resumed, and the repeated `startLoading` takes them.
    final class TaskLoad: Sendable {
        /// An event for Foundation.
        enum Event: Sendable {
            case response(URLResponse)
            case data(Data)
            case end(Deliveries.End)
        }

        private struct State {
            var deliveries: Deliveries
            var isWaking = false
            var isCancelled = false
            var work: Task<Void, Never>?

            /// Whether the caller has to wake the task.
            mutating func needsWaking() -> Bool {
                guard !isCancelled, !isWaking, deliveries.isReady else { return false }
                isWaking = true
                return true
            }
        }

        private let task: URLSessionTask
        /// The queue on which the delegate gets the body; nil if it gets none.
        private let delegateQueue: OperationQueue?
        /// The stream that gets the body in the place of a delegate.
        private let stream: ByteStream?
        /// The queue on which the owner of a download gets its file.
        private let fileQueue: OperationQueue?
        private let window = DeliveryWindow()
        private let state: Locked<State>
        /// `suspend()` and `resume()` wait for the task's queue: not for an event loop or one of Swift's few threads.
        private static let waker = DispatchQueue(label: "servertrust.tasks", attributes: .concurrent)

        /// Starts the exchange. On the task's own queue.
        init(_ task: URLSessionTask) {
            self.task = task
            let internals = Result { try URLSessionTaskInternals(task) }
            let known = try? internals.get()
            self.delegateQueue = known.flatMap { $0.deliversToDelegate ? $0.session.delegateQueue : nil }
            self.fileQueue = known.flatMap { $0.returnsFile ? $0.session.delegateQueue : nil }
            self.stream = known.flatMap {
                ($0.session.configuration as? any TrustedSessionConfiguration)?.state.takeStream(for: task)
            }
            self.state = Locked(
                State(deliveries: Deliveries(waitsForDelegate: delegateQueue != nil && stream == nil)))
            stream?.begin { [window] in window.acknowledge($0) }
            do {
                let exchange = try TaskExchange(
                    task, internals.get(), window: window, isStreamed: stream != nil,
                    emit: { [weak self] in self?.emit($0) })
                let work = Task { await exchange.run() }
                state.withLock { $0.work = work }
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

        /// Whether nothing was started, and the error is to be delivered by the `startLoading` that has made this.
        var hasFailedImmediately: Bool { state.withLock { $0.work == nil } }

        private func emit(_ event: Event) {
            let needsWaking = state.withLock { state in
                guard !state.isCancelled else { return false }
                switch event {
                case .response(let response): state.deliveries.respond(response)
                case .data(let data): window.add(state.deliveries.add(data))
                case .end(let end): state.deliveries.finish(end)
                }
                return state.needsWaking()
            }
            if needsWaking { wake() }
        }

        /// The delegate has had a piece, and may get the next one.
        private func acknowledge(_ charge: Int) {
            window.acknowledge(charge)
            let needsWaking = state.withLock { state in
                state.deliveries.delegateTookPiece()
                return state.needsWaking()
            }
            if needsWaking { wake() }
        }

        private func wake() {
            Self.waker.async { [self] in
                // The task's owner may have resumed it first, or canceled it.
                guard state.withLock({ $0.isWaking && !$0.isCancelled }) else { return }
                task.suspend()
                task.resume()
            }
        }

        /// Delivers the events that wait to Foundation. On the task's own queue.
        func deliver(to urlProtocol: URLProtocol) {
            let batch = state.withLock { state in
                state.isWaking = false
                return state.deliveries.take()
            }
            guard let client = urlProtocol.client else { return }
            if let response = batch.response {
                // Caching is done here: Foundation's own is for its own protocol.
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
                // Behind the call of the delegate that Foundation has put there.
                delegateQueue?.addOperation { [self] in acknowledge(charge) }
            }
            switch batch.end {
            case .finished(nil): client.urlProtocolDidFinishLoading(urlProtocol)
            case .finished(let file?): finish(urlProtocol, client, file)
            case .failed(let error): client.urlProtocol(urlProtocol, didFailWithError: error)
            case nil: break
            }
        }

        /// Hands over the file of a download. It is removed when its owner has had it and has left it where it is, as on Apple platforms; the one
        /// of `download(for:)` stays, as its owner gets it at some later time.
        private func finish(_ urlProtocol: URLProtocol, _ client: any URLProtocolClient, _ file: DownloadFile) {
            do throws(URLSessionTaskInternals.Unreadable) {
                try URLProtocolInternals.setTemporaryFile(file.url, of: urlProtocol)
            } catch {
                let failure = SessionError.unsupported(.foundation(error.property), at: task.originalRequest?.url)
                return client.urlProtocol(urlProtocol, didFailWithError: failure)
            }
            if fileQueue == nil { file.keep() }
            client.urlProtocolDidFinishLoading(urlProtocol)
            // Behind the call of the owner that Foundation has put there.
            fileQueue?.addBarrierBlock { withExtendedLifetime(file) {} }
        }

        /// Ends the exchange; Foundation has informed the task's owner already.
        func cancel() {
            let work = state.withLock { state in
                state.isCancelled = true
                state.deliveries.cancel()
                return state.work
            }
            window.close()
            work?.cancel()
        }
    }
#endif
