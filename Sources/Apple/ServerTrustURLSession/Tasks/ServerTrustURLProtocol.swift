// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import FoundationNetworking
import ServerTrust

/// The protocol class between a session's tasks and the network. It claims every request of a session with a
/// policy: Foundation would pass a request that it doesn't claim to libcurl, which knows no policy.
final class ServerTrustURLProtocol: URLProtocol {
    /// Only `startLoading` and `stopLoading` read and write it. Foundation and ``TaskLoad`` call them on the task's
    /// own serial queue.
    private var load: TaskLoad?

    /// Claims every request except `data:`, which never leaves the process.
    override class func canInit(with request: URLRequest) -> Bool {
        request.url?.scheme?.asciiLowercased != "data"
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override class func requestIsCacheEquivalent(_ one: URLRequest, to other: URLRequest) -> Bool { false }

    /// Called every time the task is resumed. ``TaskLoad`` also calls it, to deliver events.
    override func startLoading() {
        guard let task, task.state == .running else { return }
        if let load { return load.deliver(to: self) }
        let load = TaskLoad(task, of: self)
        self.load = load
        // Otherwise the exchange has events later.
        if load.hasFailedImmediately { load.deliver(to: self) }
    }

    /// Called when the task is canceled or suspended. A suspended task continues to receive, and delivers when it
    /// is resumed.
    override func stopLoading() {
        guard let task, task.state != .suspended, task.state != .running else { return }
        if let load { return load.cancel() }
        // The task was canceled before it started.
        let internals = try? URLSessionTaskInternals(task)
        internals.flatMap { TaskMetrics(task, $0) }?.deliver()
    }
}
#endif
