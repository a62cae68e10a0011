// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation
    import FoundationNetworking

    // This file writes into a private member of Foundation's. `URLSessionTask.currentRequest` has no public setter, and Foundation doesn't
    // implement the call for redirects, `urlProtocol(_:wasRedirectedTo:redirectResponse:)`. Documentation/Upstream.md has the change that makes
    // this file needless.

    /// The member of a task behind `currentRequest`, which Foundation sets for its own protocol classes only. An app reads it after a redirect,
    /// as in `urlSession(_:task:didCompleteWithError:)`.
    ///
    /// Found by the runtime's own metadata, by name and type, with the queue that Foundation reads and writes it on, and tried out on a task
    /// without a session before its first use. If it isn't as expected, nothing is written, and `currentRequest` stays the first request.
    enum CurrentRequestInternals {
        /// Makes a request the current one.
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
                    // Constant in Foundation.
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
