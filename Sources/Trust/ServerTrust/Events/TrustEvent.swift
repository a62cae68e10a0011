// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An event of the evaluation of servers. The set grows: a `switch` needs a `default`.
///
/// One evaluation may emit several events: that it took place, that it refused the server, that a backup pin matched.
public enum TrustEvent: Sendable {
    /// A verdict was reached, trusted or not. A host that the rules deny may have been refused without contact to its server.
    case evaluated(TrustVerdict)
    /// A server was refused.
    case refused(TrustVerdict)
    /// The server has a key that is pinned as a backup: it has changed its key, so the set of pins needs a new backup.
    case pinMatchedByBackup(MatchedPin, TrustVerdict)
    /// A rule in report-only mode would have refused a server (``TrustVerdict/reported``).
    case reportOnlyMismatch(TrustVerdict)
    /// A server is trusted because an exception covers its failures (``TrustVerdict/excused``).
    case exceptionApplied(TrustVerdict)
    /// A server that default evaluation refuses is trusted because a client's delegate has accepted it
    /// (``TrustVerdict/isAcceptedByDelegate``); ``TrustVerdict/excused`` has the failures. ``exceptionApplied(_:)`` comes before it.
    case acceptedByDelegate(TrustVerdict)
    /// A server is trusted, and a revocation answer that its rule or the client's settings ask for is missing
    /// (``TrustVerdict/revocationGaps``).
    case revocationNotChecked(TrustVerdict)
    /// A client was made whose configuration has a danger (``ServerTrustConfiguration/warnings``). Emitted once for a manager and a
    /// warning; if nothing observes the manager then, before the first verdict that is observed.
    case configurationWarning(ServerTrustConfigurationWarning)
    /// An entry of the system's store of anchors could not be read and was left out.
    case anchorSkipped(CertificateFileError)
    /// A client of this package repeats a request on a new connection, whose server it evaluates as any other. Sent for each repeat, before
    /// the new connection is made.
    case requestRepeated(RepeatedRequest)

    /// The verdict of the event; nil for an event without one.
    public var verdict: TrustVerdict? {
        switch self {
        case .evaluated(let verdict), .refused(let verdict), .pinMatchedByBackup(_, let verdict),
            .reportOnlyMismatch(let verdict), .exceptionApplied(let verdict), .acceptedByDelegate(let verdict),
            .revocationNotChecked(let verdict):
            verdict
        case .anchorSkipped, .configurationWarning, .requestRepeated: nil
        }
    }

    /// Returns the events of a verdict.
    static func events(of verdict: TrustVerdict) -> [TrustEvent] {
        var events: [TrustEvent] = [.evaluated(verdict)]
        if !verdict.isTrusted { events.append(.refused(verdict)) }
        if verdict.isTrusted, let pin = verdict.matchedPin, pin.isBackup {
            events.append(.pinMatchedByBackup(pin, verdict))
        }
        if !verdict.reported.isEmpty { events.append(.reportOnlyMismatch(verdict)) }
        if !verdict.excused.isEmpty { events.append(.exceptionApplied(verdict)) }
        if verdict.isAcceptedByDelegate { events.append(.acceptedByDelegate(verdict)) }
        if verdict.isTrusted, !verdict.revocationGaps.isEmpty { events.append(.revocationNotChecked(verdict)) }
        return events
    }
}

/// An observer of events, such as a logger, a counter or a reporter.
public protocol TrustEventObserver: Sendable {
    /// Called on the evaluating thread, before the verdict is returned: return quickly, and pass longer work on.
    func observe(_ event: TrustEvent)
}

/// The events of a manager, and their observers.
public final class TrustEvents: Sendable {
    private struct State {
        /// The observers; `end` finishes a stream.
        var observers: [(id: Int, observer: any TrustEventObserver, end: (@Sendable () -> Void)?)] = []
        var nextID = 0
    }

    private let state = Locked(State())

    /// Creates an object without observers.
    package init() {}

    deinit { for (_, _, end) in state.withLock({ $0.observers }) { end?() } }

    /// Adds an observer, which receives every later event for the lifetime of this object.
    public func add(_ observer: some TrustEventObserver) { _ = register(observer, end: nil) }

    /// Returns a stream of every later event, which ends with this object (or with the manager that owns it).
    /// - Parameter bufferingNewest: the number of events that are kept for a slow reader; older ones are dropped.
    public func stream(bufferingNewest: Int = 256) -> AsyncStream<TrustEvent> {
        AsyncStream(bufferingPolicy: .bufferingNewest(bufferingNewest)) { continuation in
            let id = register(StreamObserver(continuation: continuation), end: { continuation.finish() })
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { state in state.observers.removeAll { $0.id == id } }
            }
        }
    }

    /// Whether there is no observer.
    var isUnobserved: Bool { state.withLock { $0.observers.isEmpty } }

    /// Passes the event to every observer. The lock isn't held meanwhile: an observer may add another.
    func emit(_ event: TrustEvent) {
        for (_, observer, _) in state.withLock({ $0.observers }) { observer.observe(event) }
    }

    private func register(_ observer: any TrustEventObserver, end: (@Sendable () -> Void)?) -> Int {
        state.withLock { state in
            state.nextID += 1
            state.observers.append((state.nextID, observer, end))
            return state.nextID
        }
    }
}

private struct StreamObserver: TrustEventObserver {
    let continuation: AsyncStream<TrustEvent>.Continuation

    func observe(_ event: TrustEvent) { continuation.yield(event) }
}
