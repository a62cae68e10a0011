// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Dispatch
import Foundation
import FoundationNetworking
import SessionDelegates

// All code in this package that uses Foundation's internals is in this folder. When a toolchain changes them,
// FoundationInternalsTests names the missing member, what the package refuses because of it, and the file to
// update. Documentation/Upstream.md describes the changes to Foundation that would make the folder unnecessary.

/// A dictionary with numbers as keys, whose values have a type that isn't public.
private protocol ValuesByNumber {
    func value(for number: Int) -> Any?
}

extension Dictionary: ValuesByNumber where Key == Int {
    fileprivate func value(for number: Int) -> Any? { self[number] }
}

/// The task properties that Foundation doesn't make public: its session, its queue, the body of an upload, and the
/// delegate of `data(for:delegate:)`. Without them, a delegate that refuses servers wouldn't be called, and an
/// upload would be sent empty.
///
/// This type reads each property by reflection and checks the name and type of its member. If a member isn't as
/// expected, the task fails with an error. Nothing is guessed or sent.
struct URLSessionTaskInternals {
    let session: URLSession
    /// The serial queue where Foundation calls `startLoading`, and where its `client` has to be called.
    let queue: DispatchQueue
    let body: Body
    /// The delegate that was set on this task only, if it conforms to this package's protocol.
    let ownDelegate: (any SessionDelegates.URLSessionTaskDelegate)?
    /// The delegate that was set on this task only, if it conforms to Foundation's protocol but not to this
    /// package's.
    let foreignDelegate: (any FoundationNetworking.URLSessionTaskDelegate)?
    /// Whether the delegate gets the data as it arrives. Otherwise a completion handler gets all of it.
    let deliversToDelegate: Bool
    /// Whether the session's queue passes a download's file to its owner. Otherwise `download(for:)` returns it.
    let returnsFile: Bool

    enum Body {
        case none
        case data(Data)
        case file(URL)
        case stream(InputStream)
        /// The delegate provides a stream (`needNewBodyStream`).
        case delegates
    }

    /// The error for a Foundation member that is missing or has another type.
    struct Unreadable: Error, Hashable, CustomStringConvertible {
        /// The member's name in Foundation's source.
        let property: String

        var description: String {
            let (loss, file) =
                switch property {
                case URLProtocolInternals.name: ("download tasks are refused", "URLProtocolInternals.swift")
                default:
                    TaskMembers.missing.first { $0.name == property }.map { ($0.loss, "TaskMember.swift") }
                        ?? ("every task of a session with a policy is refused", "URLSessionTaskInternals.swift")
                }
            return
                "FoundationNetworking has no member \"\(property)\" of the expected type: \(loss) until \(file) supports this toolchain"
        }
    }

    /// - Parameter task: a task that starts to load. Call this initializer on the queue where Foundation calls
    ///   `startLoading`. Foundation's tasks and their registry belong to that queue.
    init(_ task: URLSessionTask) throws(Unreadable) {
        let members = Self.taskMirror(of: task)?.children
        guard let session = try Self.property("session", in: members) as? URLSession else {
            throw Unreadable(property: "session")
        }
        self.session = session
        guard let queue = try Self.property("workQueue", in: members) as? DispatchQueue else {
            throw Unreadable(property: "workQueue")
        }
        self.queue = queue
        // Only an upload has a body that isn't part of its request.
        let request = task.originalRequest
        let mayHaveBody =
            task is URLSessionUploadTask || request?.httpBody != nil || request?.httpBodyStream != nil
        self.body = mayHaveBody ? try Self.body(Self.property("knownBody", in: members)) : .none
        guard let isAsync = try Self.property("_callCompletionHandlerInline", in: members) as? Bool else {
            throw Unreadable(property: "_callCompletionHandlerInline")
        }
        self.returnsFile = !isAsync
        let isDelegateAsked =
            session.foundationDelegate is any FoundationNetworking.URLSessionDataDelegate
            || task is URLSessionDownloadTask
        let behaviour = isAsync || isDelegateAsked ? try Self.behaviour(of: task, in: session) : nil
        let delegate = behaviour?.delegate ?? Self.setDelegate(of: task, session)
        self.ownDelegate = delegate as? any SessionDelegates.URLSessionTaskDelegate
        self.foreignDelegate = ownDelegate == nil ? delegate : nil
        self.deliversToDelegate = behaviour?.name == "callDelegate"
    }

    /// Returns the delegate that was set on the task, or nil if none was set. Foundation's getter falls back to the
    /// session's delegate.
    private static func setDelegate(
        of task: URLSessionTask, _ session: URLSession
    ) -> (any FoundationNetworking.URLSessionTaskDelegate)? {
        guard let delegate = task.foundationDelegate, delegate !== session.foundationDelegate else { return nil }
        return delegate
    }

    // MARK: - Reflection

    /// Returns the members that this package reads or writes but that this version of Foundation doesn't have. A
    /// test uses it to find changes in a toolchain. For members that a task reads, this method only checks the
    /// names. Reading them checks the types too.
    static func missingMembers() -> [Unreadable] {
        let names = ["session", "workQueue", "knownBody", "_callCompletionHandlerInline"]
        var missing = names.filter { offsets[$0] == nil }
        do throws(Unreadable) {
            _ = try behaviours(in: URLSession(configuration: .ephemeral))
        } catch {
            missing.append(error.property)
        }
        if !URLProtocolInternals.isReadable { missing.append(URLProtocolInternals.name) }
        missing += TaskMembers.missing.map(\.name)
        return missing.map { Unreadable(property: $0) }
    }

    /// The positions of members within `URLSessionTask`, found once on a task without a session. Reading the other
    /// members of a running task would race with the code that writes them.
    private static let offsets: [String: Int] = {
        let labels = taskMirror(of: URLSessionTask())?.children.map { $0.label ?? "" } ?? []
        return Dictionary(zip(labels, labels.indices), uniquingKeysWith: { first, _ in first })
    }()

    private static func taskMirror(of task: URLSessionTask) -> Mirror? {
        var mirror: Mirror? = Mirror(reflecting: task)
        while let current = mirror, current.subjectType != URLSessionTask.self { mirror = current.superclassMirror }
        return mirror
    }

    private static func property(_ name: String, in members: Mirror.Children?) throws(Unreadable) -> Any {
        guard let offset = offsets[name], let members, offset < members.count else {
            throw Unreadable(property: name)
        }
        let child = members[members.index(members.startIndex, offsetBy: offset)]
        guard child.label == name else { throw Unreadable(property: name) }
        return child.value
    }

    private static func unwrapped(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.flatMap { unwrapped($0.value) }
    }

    /// Reads a `URLSessionTask._Body`.
    private static func body(_ value: Any) throws(Unreadable) -> Body {
        guard let value = unwrapped(value) else { return .delegates }
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

    private static let registry = StoredMember("taskRegistry", of: URLSession.self)
    private static let behaviours = (registry?.type as? AnyClass).flatMap { StoredMember("behaviours", of: $0) }

    private static func behaviours(in session: URLSession) throws(Unreadable) -> any ValuesByNumber {
        guard let registry else { throw Unreadable(property: "taskRegistry") }
        guard let found = behaviours?.value(of: registry.value(of: session) as AnyObject) as? any ValuesByNumber
        else { throw Unreadable(property: "behaviours") }
        return found
    }

    /// Returns the case of the `URLSession._TaskRegistry._Behaviour` of a task, and the delegate in
    /// `….dataCompletionHandlerWithTaskDelegate(handler, delegate)`.
    private static func behaviour(
        of task: URLSessionTask, in session: URLSession
    ) throws(Unreadable) -> (name: String, delegate: (any FoundationNetworking.URLSessionTaskDelegate)?) {
        guard let behaviour = try behaviours(in: session).value(for: task.taskIdentifier) else {
            throw Unreadable(property: "behaviours")
        }
        let payload = Mirror(reflecting: behaviour).children.first
        let name = payload?.label ?? "\(behaviour)"
        // An unknown case might contain a delegate that wouldn't be called.
        guard behaviourCases.contains(name) else { throw Unreadable(property: "behaviours.\(name)") }
        guard let payload, name.hasSuffix("WithTaskDelegate") else { return (name, nil) }
        let parts = Mirror(reflecting: payload.value).children.map(\.value)
        guard parts.count == 2 else { throw Unreadable(property: "behaviours.delegate") }
        guard let delegate = unwrapped(parts[1]) else { return (name, nil) }
        guard let delegate = delegate as? any FoundationNetworking.URLSessionTaskDelegate else {
            throw Unreadable(property: "behaviours.delegate")
        }
        return (name, delegate)
    }
}
#endif
