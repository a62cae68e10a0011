// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import HTTPRules

    /// The protocol class between a session's tasks and the network. It claims every request of a session with a policy: a request
    /// that it left over Foundation would hand to libcurl, which knows of no policy.
    final class ServerTrustURLProtocol: URLProtocol {
        /// Read and written in `startLoading` and `stopLoading` alone, which Foundation calls on the task's own serial queue.
        private var load: TaskLoad?

        /// Everything but `data:`, which never leaves the process.
        override class func canInit(with request: URLRequest) -> Bool {
            request.url?.scheme?.asciiLowercased != "data"
        }

        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

        override class func requestIsCacheEquivalent(_ one: URLRequest, to other: URLRequest) -> Bool { false }

        /// Called when the task is resumed for the first time, and each time after: also by ``TaskLoad`` itself, to be on this queue.
        override func startLoading() {
            guard let task, task.state == .running else { return }
            if let load { return load.deliver(to: self) }
            let load = TaskLoad(task)
            self.load = load
            // The exchange's events are delivered when it wakes the task.
            if load.hasFailedImmediately { load.deliver(to: self) }
        }

        /// Called when the task is canceled or suspended. A suspended task goes on receiving and delivers when it is resumed.
        override func stopLoading() {
            guard let task, task.state != .suspended, task.state != .running else { return }
            load?.cancel()
        }
    }
#endif
