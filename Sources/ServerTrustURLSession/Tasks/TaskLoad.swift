// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation
    import FoundationNetworking
    import PKIX

    /// One task on its way: runs the exchange beside Foundation's queues, and delivers its events on the right one.
    ///
    /// Foundation's `client` may only be called on the session's queue, to which there is no public way but one: `resume()` calls
    /// `startLoading` there. So events wait in a list, the task is suspended and resumed, and the repeated `startLoading` takes them.
    final class TaskLoad: Sendable {
        /// An event for Foundation.
        enum Event: Sendable {
            case response(URLResponse)
            case data(Data)
            /// With the file of a download task.
            case finished(DownloadFile?)
            case failed(any Error)
        }

        private struct State {
            var events: [Event] = []
            var isWaking = false
            var isCancelled = false
            var work: Task<Void, Never>?
        }

        private let task: URLSessionTask
        /// The queue on which the delegate gets the body; nil if it gets none.
        private let delegateQueue: OperationQueue?
        /// The stream that gets the body in the place of a delegate.
        private let stream: ByteStream?
        /// The queue on which the owner of a download gets its file.
        private let fileQueue: OperationQueue?
        private let window = DeliveryWindow()
        private let state = Locked(State())
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
                state.withLock { $0.events = [.failed(failure)] }
            }
        }

        /// Whether nothing was started, and the error is to be delivered by the `startLoading` that has made this.
        var hasFailedImmediately: Bool { state.withLock { $0.work == nil } }

        private func emit(_ event: Event) {
            let wakes = state.withLock { state in
                guard !state.isCancelled else { return false }
                state.events.append(event)
                if case .data(let data) = event { window.add(data.count) }
                defer { state.isWaking = true }
                return !state.isWaking
            }
            guard wakes else { return }
            Self.waker.async { [self] in
                // The task's owner may have resumed it first, or cancelled it.
                guard state.withLock({ $0.isWaking && !$0.isCancelled }) else { return }
                task.suspend()
                task.resume()
            }
        }

        /// Delivers the events since the last call to Foundation. On the task's own queue.
        func deliver(to urlProtocol: URLProtocol) {
            let events = state.withLock { state in
                defer { state.events = [] }
                state.isWaking = false
                return state.isCancelled ? [] : state.events
            }
            guard let client = urlProtocol.client else { return }
            for event in events {
                switch event {
                case .response(let response):
                    // Caching is done here: Foundation's own is for its own protocol.
                    client.urlProtocol(urlProtocol, didReceive: response, cacheStoragePolicy: .notAllowed)
                    stream?.respond(response)
                case .data(let data):
                    if let stream {
                        stream.add(data)
                        continue
                    }
                    client.urlProtocol(urlProtocol, didLoad: data)
                    // Behind the call of the delegate that Foundation has put there.
                    delegateQueue?.addOperation { [window, count = data.count] in window.acknowledge(count) }
                case .finished(nil): client.urlProtocolDidFinishLoading(urlProtocol)
                case .finished(let file?): finish(urlProtocol, client, file)
                case .failed(let error): client.urlProtocol(urlProtocol, didFailWithError: error)
                }
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
                state.events = []
                return state.work
            }
            window.close()
            work?.cancel()
        }
    }
#endif
