// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation
    import FoundationNetworking
    @_spi(Reflection) import Swift

    /// The member of a task behind `currentRequest`, which Foundation sets for its own protocol classes only. An app reads it after a redirect,
    /// as in `urlSession(_:task:didCompleteWithError:)`.
    ///
    /// Found by the runtime's own metadata, by name and type, with the queue that Foundation reads and writes it on, and tried out on a task
    /// without a session before its first use. If it isn't as expected, nothing is written, and `currentRequest` stays the first request.
    enum CurrentRequestInternals {
        /// Makes a request the current one.
        static func set(_ request: URLRequest, of task: URLSessionTask) { members?.set(request, of: task) }

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
            guard let request = offset(of: "_currentRequest", as: URLRequest?.self),
                let queue = offset(of: "syncQ", as: DispatchQueue.self)
            else { return nil }
            let members = Members(request: request, queue: queue)
            let (trial, expected) = (URLSessionTask(), URLRequest(url: URL(fileURLWithPath: "/dev/null")))
            members.set(expected, of: trial)
            return trial.currentRequest == expected ? members : nil
        }()

        private static func offset<Member>(of name: String, as expected: Member.Type) -> Int? {
            var found: Int?
            // `_EachFieldOptions.classType`, which isn't declared as constant.
            _ = _forEachField(of: URLSessionTask.self, options: _EachFieldOptions(rawValue: 1)) {
                field, offset, type, _ in
                guard String(cString: field) == name else { return true }
                if type == expected, offset > 0, offset % MemoryLayout<Member>.alignment == 0 { found = offset }
                return false
            }
            return found
        }
    }
#endif
