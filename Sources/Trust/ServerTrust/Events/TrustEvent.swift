// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An event in the evaluation of servers. The set may grow, so a `switch` needs a `default`.
///
/// One evaluation may emit several events: that it took place, that it refused the server, and that a backup pin
/// matched.
public enum TrustEvent: Sendable {
    /// The evaluation reached a verdict, trusted or not. If the rules deny a host, the verdict may exist without any
    /// contact to the server.
    case evaluated(TrustVerdict)
    /// The evaluation refused a server.
    case refused(TrustVerdict)
    /// The server has a key that is pinned as a backup. It has changed its key, so the set of pins needs a new backup.
    case pinMatchedByBackup(MatchedPin, TrustVerdict)
    /// A rule in report-only mode would have refused a server (``TrustVerdict/reported``).
    case reportOnlyMismatch(TrustVerdict)
    /// A server is trusted because an exception covers its failures (``TrustVerdict/excused``).
    case exceptionApplied(TrustVerdict)
    /// A server is trusted because a client's delegate accepted it, although default evaluation refuses it
    /// (``TrustVerdict/isAcceptedByDelegate``). ``TrustVerdict/excused`` lists the failures. ``exceptionApplied(_:)``
    /// comes before this event.
    case acceptedByDelegate(TrustVerdict)
    /// A server is trusted, but a revocation answer that its rule or the client's settings ask for is missing
    /// (``TrustVerdict/revocationGaps``).
    case revocationNotChecked(TrustVerdict)
    /// You created a client whose configuration has a risk (``ServerTrustConfiguration/warnings``). Each manager emits
    /// each warning once. If nothing observes the manager at that time, it emits the warning before the first verdict
    /// that is observed.
    case configurationWarning(ServerTrustConfigurationWarning)
    /// An entry of the system's root store couldn't be read and was ignored.
    case anchorSkipped(CertificateFileError)
    /// A client of this package repeats a request on a new connection, and evaluates its server like any other. Emitted
    /// for each repeat, before the client opens the new connection.
    case requestRepeated(RepeatedRequest)

    /// The verdict of the event, or nil for an event without one.
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
    /// Receives an event on the evaluating thread, before the evaluation returns its verdict. Return quickly, and do
    /// longer work elsewhere.
    func observe(_ event: TrustEvent)
}

/// The events of a manager, and their observers.
public final class TrustEvents: Sendable {
    private struct State {
        /// The observers. `end` finishes a stream.
        var observers: [(id: Int, observer: any TrustEventObserver, end: (@Sendable () -> Void)?)] = []
        /// The observers that also receive evaluations.
        var recorders: [any EvaluationObserver] = []
        var nextID = 0
    }

    private let state = Locked(State())

    /// Creates an object without observers.
    init() {}

    deinit { for (_, _, end) in state.withLock({ $0.observers }) { end?() } }

    /// Adds an observer. It receives every later event for the lifetime of this object.
    public func add(_ observer: some TrustEventObserver) { _ = register(observer, end: nil) }

    /// Returns a stream of every later event. The stream ends with this object, or with the manager that owns it.
    /// - Parameter bufferingNewest: the number of events that are buffered for a slow reader. Older events are dropped.
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

    /// Passes the event to every observer. The lock isn't held during this, so an observer may add another observer.
    func emit(_ event: TrustEvent) {
        for (_, observer, _) in state.withLock({ $0.observers }) { observer.observe(event) }
    }

    /// Passes the evaluation of a verdict to the observers that want it. Creates the evaluation only for them.
    func emit(_ verdict: TrustVerdict, _ evaluation: () -> ObservedEvaluation) {
        let recorders = state.withLock { $0.recorders }.filter { $0.wants(verdict) }
        guard !recorders.isEmpty else { return }
        let evaluation = evaluation()
        for recorder in recorders { recorder.observe(evaluation) }
    }

    private func register(_ observer: any TrustEventObserver, end: (@Sendable () -> Void)?) -> Int {
        state.withLock { state in
            state.nextID += 1
            state.observers.append((state.nextID, observer, end))
            if let recorder = observer as? any EvaluationObserver { state.recorders.append(recorder) }
            return state.nextID
        }
    }
}

private struct StreamObserver: TrustEventObserver {
    let continuation: AsyncStream<TrustEvent>.Continuation

    func observe(_ event: TrustEvent) { continuation.yield(event) }
}
