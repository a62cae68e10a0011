// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation
    import FoundationNetworking

    // This file writes to a private member of Foundation. `URLSessionTask.currentRequest` has no public setter, and
    // Foundation doesn't implement the call for redirects, `urlProtocol(_:wasRedirectedTo:redirectResponse:)`.
    // Documentation/Upstream.md describes the change that would make this file unnecessary.

    /// The task member behind `currentRequest`, which Foundation only sets for its own protocol classes. An app reads
    /// it after a redirect, for example in `urlSession(_:task:didCompleteWithError:)`.
    ///
    /// This type finds the member in the runtime's metadata, by name and type. It also finds the queue that Foundation
    /// uses to read and write the member. Before the first use, it tries the member out on a task without a session. If
    /// the member isn't as expected, nothing is written, and `currentRequest` stays the first request.
    enum CurrentRequestInternals {
        /// Sets the current request of a task.
        static func set(_ request: URLRequest, of task: URLSessionTask) { members?.set(request, of: task) }

        /// The name of the member.
        static let name = "_currentRequest"

        /// Whether the members are as expected.
        static var isReadable: Bool { members != nil }

        private struct Members: Sendable {
            let request: Int
            let queue: Int

            func set(_ request: URLRequest, of task: URLSessionTask) {
                withExtendedLifetime(task) {
                    let start = Unmanaged.passUnretained(task).toOpaque()
                    // Foundation never changes this member.
                    let queue = (start + queue).assumingMemoryBound(to: DispatchQueue.self).pointee
                    queue.sync {
                        (start + self.request).assumingMemoryBound(to: URLRequest?.self).pointee = request
                    }
                }
            }
        }

        private static let members: Members? = {
            guard let request = StoredMember(name, of: URLSessionTask.self), request.type == URLRequest?.self,
                let queue = StoredMember("syncQ", of: URLSessionTask.self), queue.type == DispatchQueue.self
            else { return nil }
            let members = Members(request: request.offset, queue: queue.offset)
            let (trial, expected) = (URLSessionTask(), URLRequest(url: URL(fileURLWithPath: "/dev/null")))
            members.set(expected, of: trial)
            return trial.currentRequest == expected ? members : nil
        }()
    }
#endif
