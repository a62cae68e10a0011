// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation
    import FoundationNetworking
    import SessionDelegates

    // Everything in this package that touches Foundation's internals is in this folder. When a toolchain changes them, FoundationInternalsTests
    // says which member is missing, what that refuses, and which file has to follow. Documentation/Upstream.md has the changes to Foundation that
    // make the folder needless.

    /// The properties of a task that Foundation has no public access to: its session, the body of an upload, and the delegate of
    /// `data(for:delegate:)`. Without them a delegate that refuses would not be asked, and an upload would be sent empty.
    ///
    /// Read by reflection, each by the name and the type of its member. A member that isn't found as expected is an error, and the
    /// task fails: nothing is guessed, and nothing is sent.
    struct URLSessionTaskInternals {
        let session: URLSession
        let body: Body
        /// The delegate that this task alone was given, if it conforms to this package's protocol.
        let ownDelegate: (any SessionDelegates.URLSessionTaskDelegate)?
        /// The delegate that this task alone was given, if it conforms to Foundation's protocol and not to this package's.
        let foreignDelegate: (any FoundationNetworking.URLSessionTaskDelegate)?
        /// Whether the delegate gets the data as it comes; otherwise a completion handler gets all of it.
        let deliversToDelegate: Bool
        /// Whether the owner of a download gets its file on the session's queue; otherwise it is returned by `download(for:)`.
        let returnsFile: Bool

        enum Body {
            case none
            case data(Data)
            case file(URL)
            case stream(InputStream)
            /// The delegate provides a stream (`needNewBodyStream`).
            case delegates
        }

        /// A member of Foundation's that isn't there, or has another type.
        struct Unreadable: Error, Hashable, CustomStringConvertible {
            /// As it is called in Foundation's source.
            let property: String

            var description: String {
                let (loss, file) =
                    switch property {
                    case URLProtocolInternals.name: ("download tasks are refused", "URLProtocolInternals.swift")
                    case CurrentRequestInternals.name:
                        ("a task's currentRequest stays its first request", "CurrentRequestInternals.swift")
                    default:
                        ("every task of a session with a policy is refused", "URLSessionTaskInternals.swift")
                    }
                return
                    "FoundationNetworking has no member \"\(property)\" of the expected type: \(loss) until \(file) follows this toolchain"
            }
        }

        /// - Parameter task: at the start of its loading, on the queue that Foundation calls `startLoading` on: the queue that its
        ///   tasks and their registry belong to.
        init(_ task: URLSessionTask) throws(Unreadable) {
            guard let session = try Self.property("session", of: task) as? URLSession else {
                throw Unreadable(property: "session")
            }
            self.session = session
            self.body = try Self.body(Self.property("knownBody", of: task))
            guard let isAsync = try Self.property("_callCompletionHandlerInline", of: task) as? Bool else {
                throw Unreadable(property: "_callCompletionHandlerInline")
            }
            self.returnsFile = !isAsync
            let isDelegateAsked =
                session.foundationDelegate is any FoundationNetworking.URLSessionDataDelegate
                || task is URLSessionDownloadTask
            guard isAsync || isDelegateAsked else {
                let delegate = Self.setDelegate(of: task, session)
                self.ownDelegate = delegate as? any SessionDelegates.URLSessionTaskDelegate
                self.foreignDelegate = ownDelegate == nil ? delegate : nil
                self.deliversToDelegate = false
                return
            }
            let behaviour = try Self.behaviour(of: task, in: session)
            let delegate = try Self.delegate(in: behaviour) ?? Self.setDelegate(of: task, session)
            self.ownDelegate = delegate as? any SessionDelegates.URLSessionTaskDelegate
            self.foreignDelegate = ownDelegate == nil ? delegate : nil
            self.deliversToDelegate = "\(behaviour)" == "callDelegate"
        }

        /// The one that was set on the task; the getter falls back to the session's.
        private static func setDelegate(
            of task: URLSessionTask, _ session: URLSession
        ) -> (any FoundationNetworking.URLSessionTaskDelegate)? {
            guard let delegate = task.foundationDelegate, delegate !== session.foundationDelegate else { return nil }
            return delegate
        }

        // MARK: - Reflection

        /// The members that are read or written and that this Foundation doesn't have; for the test that fails when a toolchain has changed them.
        /// Those that a task reads are found by their names; its own reading checks their types as well.
        static func missingMembers() -> [Unreadable] {
            var missing = ["session", "knownBody", "_callCompletionHandlerInline"].filter { offsets[$0] == nil }
            do throws(Unreadable) {
                _ = try child("behaviours", of: child("taskRegistry", of: URLSession(configuration: .ephemeral)))
            } catch {
                missing.append(error.property)
            }
            if !URLProtocolInternals.isReadable { missing.append(URLProtocolInternals.name) }
            if !CurrentRequestInternals.isReadable { missing.append(CurrentRequestInternals.name) }
            return missing.map { Unreadable(property: $0) }
        }

        /// The offsets of members among those of `URLSessionTask`, found once on a task without a session: reading the others of a live
        /// task would race with their writers.
        private static let offsets: [String: Int] = {
            let labels = taskMirror(of: URLSessionTask())?.children.map { $0.label ?? "" } ?? []
            return Dictionary(zip(labels, labels.indices), uniquingKeysWith: { first, _ in first })
        }()

        private static func taskMirror(of task: URLSessionTask) -> Mirror? {
            var mirror: Mirror? = Mirror(reflecting: task)
            while let current = mirror, current.subjectType != URLSessionTask.self { mirror = current.superclassMirror }
            return mirror
        }

        private static func property(_ name: String, of task: URLSessionTask) throws(Unreadable) -> Any? {
            guard let offset = offsets[name], let children = taskMirror(of: task)?.children, offset < children.count
            else {
                throw Unreadable(property: name)
            }
            let child = children[children.index(children.startIndex, offsetBy: offset)]
            guard child.label == name else { throw Unreadable(property: name) }
            return unwrapped(child.value)
        }

        private static func child(_ name: String, of object: Any) throws(Unreadable) -> Any {
            guard let child = Mirror(reflecting: object).children.first(where: { $0.label == name }) else {
                throw Unreadable(property: name)
            }
            return child.value
        }

        private static func unwrapped(_ value: Any) -> Any? {
            let mirror = Mirror(reflecting: value)
            guard mirror.displayStyle == .optional else { return value }
            return mirror.children.first.flatMap { unwrapped($0.value) }
        }

        /// `URLSessionTask._Body`.
        private static func body(_ value: Any?) throws(Unreadable) -> Body {
            guard let value else { return .delegates }
            let mirror = Mirror(reflecting: value)
            guard mirror.displayStyle == .enum else { throw Unreadable(property: "knownBody") }
            guard let payload = mirror.children.first else {
                guard "\(value)" == "none" else { throw Unreadable(property: "knownBody") }
                return .none
            }
            switch (payload.label, payload.value) {
            case ("data", let data as DispatchData): return .data(Data(data))
            case ("file", let url as URL): return .file(url)
            case ("stream", let stream as InputStream): return .stream(stream)
            default: throw Unreadable(property: "knownBody.\(payload.label ?? "")")
            }
        }

        /// The cases of `URLSession._TaskRegistry._Behaviour`.
        private static let behaviourCases: Set<String> = [
            "callDelegate", "dataCompletionHandler", "dataCompletionHandlerWithTaskDelegate",
            "downloadCompletionHandler",
            "downloadCompletionHandlerWithTaskDelegate",
        ]

        /// `URLSession._TaskRegistry._Behaviour` of a task.
        private static func behaviour(of task: URLSessionTask, in session: URLSession) throws(Unreadable) -> Any {
            let behaviours = try child("behaviours", of: child("taskRegistry", of: session))
            let identifier = task.taskIdentifier
            for entry in Mirror(reflecting: behaviours).children {
                let pair = Mirror(reflecting: entry.value).children.map(\.value)
                guard pair.count == 2, let key = pair[0] as? Int else { throw Unreadable(property: "behaviours") }
                guard key == identifier else { continue }
                let name = Mirror(reflecting: pair[1]).children.first?.label ?? "\(pair[1])"
                // An unknown case might carry a delegate that would not be asked.
                guard behaviourCases.contains(name) else { throw Unreadable(property: "behaviours.\(name)") }
                return pair[1]
            }
            throw Unreadable(property: "behaviours")
        }

        /// The delegate in `….dataCompletionHandlerWithTaskDelegate(handler, delegate)`.
        private static func delegate(in behaviour: Any) throws(Unreadable) -> (
            any FoundationNetworking.URLSessionTaskDelegate
        )? {
            guard let payload = Mirror(reflecting: behaviour).children.first,
                payload.label?.hasSuffix("WithTaskDelegate") == true
            else { return nil }
            let parts = Mirror(reflecting: payload.value).children.map(\.value)
            guard parts.count == 2 else { throw Unreadable(property: "behaviours.delegate") }
            guard let delegate = unwrapped(parts[1]) else { return nil }
            guard let delegate = delegate as? any FoundationNetworking.URLSessionTaskDelegate else {
                throw Unreadable(property: "behaviours.delegate")
            }
            return delegate
        }
    }
#endif
