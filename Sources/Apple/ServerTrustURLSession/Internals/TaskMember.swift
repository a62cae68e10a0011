// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Dispatch
import Foundation
import FoundationNetworking

// This file writes to private members of Foundation. The properties of `URLSessionTask` have no public setters, and
// Foundation only sets them for its own protocol classes. Documentation/Upstream.md describes the changes that would
// make this file unnecessary.

/// A task member that Foundation sets for its own protocol classes, and that this package sets for its tasks.
///
/// This type finds the member in the runtime's metadata, by name and type. It also finds the queue that Foundation
/// uses to read and write the member. Before the first use, it tries the member out on a task without a session. If
/// the member isn't as expected, nothing is written.
struct TaskMember<Value>: Sendable {
    /// The name of the member.
    let name: String
    /// The effect on an app if the member isn't as expected.
    let loss: String
    private let offsets: (value: Int, queue: Int)?

    /// Whether the member is as expected.
    var isReadable: Bool { offsets != nil }

    fileprivate init(_ name: String, loss: String, trial: Value, isSet: (URLSessionTask) -> Bool) {
        self.name = name
        self.loss = loss
        guard let member = StoredMember(name, of: URLSessionTask.self), member.type == Value.self,
            let queue = StoredMember("syncQ", of: URLSessionTask.self), queue.type == DispatchQueue.self
        else {
            self.offsets = nil
            return
        }
        let task = URLSessionTask()
        Self.update((member.offset, queue.offset), of: task) { $0 = trial }
        self.offsets = isSet(task) ? (member.offset, queue.offset) : nil
    }

    /// Changes the member of a task.
    func update(_ task: URLSessionTask, _ change: (inout Value) -> Void) {
        if let offsets { Self.update(offsets, of: task, change) }
    }

    private static func update(
        _ offsets: (value: Int, queue: Int), of task: URLSessionTask, _ change: (inout Value) -> Void
    ) {
        withExtendedLifetime(task) {
            let start = Unmanaged.passUnretained(task).toOpaque()
            // Foundation never changes this member.
            let queue = (start + offsets.queue).assumingMemoryBound(to: DispatchQueue.self).pointee
            queue.sync { change(&(start + offsets.value).assumingMemoryBound(to: Value.self).pointee) }
        }
    }
}

/// The members that this package sets.
enum TaskMembers {
    /// An app reads it after a redirect, for example in `urlSession(_:task:didCompleteWithError:)`.
    static let currentRequest = {
        let trial = URLRequest(url: URL(fileURLWithPath: "/dev/null"))
        return TaskMember<URLRequest?>(
            "_currentRequest", loss: "a task's currentRequest stays the first request", trial: trial
        ) { $0.currentRequest == trial }
    }()
    /// Set before the delegate is asked for a disposition.
    static let response = {
        let trial = URLResponse(
            url: URL(fileURLWithPath: "/dev/null"), mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        return TaskMember<URLResponse?>(
            "_response", loss: "a delegate's disposition for a response is ignored", trial: trial
        ) { $0.response === trial }
    }()
    static let received = count("_countOfBytesReceived") { $0.countOfBytesReceived }
    static let sent = count("_countOfBytesSent") { $0.countOfBytesSent }
    static let expectedToReceive = count("countOfBytesExpectedToReceive") { $0.countOfBytesExpectedToReceive }
    static let expectedToSend = count("countOfBytesExpectedToSend") { $0.countOfBytesExpectedToSend }

    /// Set to false, so that the result of `data(for:)` and similar methods is passed on by the session's queue, like
    /// that of a task with a completion handler. Otherwise, Foundation resumes the caller on the task's own queue.
    /// If the caller's Swift task is being canceled, it holds a lock that resuming needs, and waits for that queue:
    /// two threads stop for good.
    static let resumesOnTaskQueue = TaskMember<Bool>(
        "_callCompletionHandlerInline", loss: "canceling data(for:) at its end can stop two threads", trial: true
    ) {
        Mirror(reflecting: $0).children.contains {
            $0.label == "_callCompletionHandlerInline" && $0.value as? Bool == true
        }
    }

    private static func count(
        _ name: String, _ read: (URLSessionTask) -> Int64
    ) -> TaskMember<Int64> {
        TaskMember(name, loss: "a task's byte counts stay 0", trial: 7) { read($0) == 7 }
    }

    /// The members that aren't as expected, with the effect on an app.
    static var missing: [(name: String, loss: String)] {
        var missing = [received, sent, expectedToReceive, expectedToSend].filter { !$0.isReadable }
            .map { ($0.name, $0.loss) }
        if !currentRequest.isReadable { missing.append((currentRequest.name, currentRequest.loss)) }
        if !response.isReadable { missing.append((response.name, response.loss)) }
        return missing
    }
}
#endif
