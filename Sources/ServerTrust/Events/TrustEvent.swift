// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Something that happened while servers were evaluated. The set grows: a `switch` needs a `default`.
///
/// One evaluation may tell several: that it took place, that it refused, that a backup pin matched.
public enum TrustEvent: Sendable {
    /// A verdict was reached, good or bad. A host that the rules deny may have been refused before its server was contacted.
    case evaluated(TrustVerdict)
    /// A server was refused.
    case refused(TrustVerdict)
    /// The server has one of the keys that are pinned as a backup: it has rotated, so it is time for another backup.
    case pinMatchedByBackup(MatchedPin, TrustVerdict)
    /// A rule in report-only mode would have refused a server (``TrustVerdict/reported``).
    case reportOnlyMismatch(TrustVerdict)
    /// A server is trusted because somebody agreed to what is wrong with it (``TrustVerdict/excused``).
    case exceptionApplied(TrustVerdict)
    /// A server that default evaluation refuses is trusted because a client's delegate has accepted it
    /// (``TrustVerdict/isAcceptedByDelegate``); ``TrustVerdict/excused`` has the failures. ``exceptionApplied(_:)`` comes before it.
    case acceptedByDelegate(TrustVerdict)
    /// An entry of the system's store of anchors could not be read and was left out.
    case anchorSkipped(CertificateFileError)

    /// The verdict that it is about.
    public var verdict: TrustVerdict? {
        switch self {
        case .evaluated(let verdict), .refused(let verdict), .pinMatchedByBackup(_, let verdict),
            .reportOnlyMismatch(let verdict), .exceptionApplied(let verdict), .acceptedByDelegate(let verdict):
            verdict
        case .anchorSkipped: nil
        }
    }

    /// What an evaluation has to tell.
    static func events(of verdict: TrustVerdict) -> [TrustEvent] {
        var events: [TrustEvent] = [.evaluated(verdict)]
        if !verdict.isTrusted { events.append(.refused(verdict)) }
        if verdict.isTrusted, let pin = verdict.matchedPin, pin.isBackup {
            events.append(.pinMatchedByBackup(pin, verdict))
        }
        if !verdict.reported.isEmpty { events.append(.reportOnlyMismatch(verdict)) }
        if !verdict.excused.isEmpty { events.append(.exceptionApplied(verdict)) }
        if verdict.isAcceptedByDelegate { events.append(.acceptedByDelegate(verdict)) }
        return events
    }
}

/// Is told of events as they happen: a logger, a counter, a reporter.
public protocol TrustEventObserver: Sendable {
    /// Called on the thread that evaluates, before the verdict is returned: be quick, and hand on what takes long.
    func observe(_ event: TrustEvent)
}

/// Where events are told and observed.
public final class TrustEvents: Sendable {
    private struct State {
        /// `end` tells a stream that nothing will come any more.
        var observers: [(id: Int, observer: any TrustEventObserver, end: (@Sendable () -> Void)?)] = []
        var nextID = 0
    }

    private let state = Locked(State())

    public init() {}

    deinit { for (_, _, end) in state.withLock({ $0.observers }) { end?() } }

    /// Tells `observer` of every event from now on, for as long as this object lives.
    public func add(_ observer: some TrustEventObserver) { _ = register(observer, end: nil) }

    /// Every event from now on, until this object (or the manager whose it is) is gone.
    /// - Parameter bufferingNewest: how many are kept for a reader that is slower than the events; older ones are dropped then.
    public func stream(bufferingNewest: Int = 256) -> AsyncStream<TrustEvent> {
        AsyncStream(bufferingPolicy: .bufferingNewest(bufferingNewest)) { continuation in
            let id = register(StreamObserver(continuation: continuation), end: { continuation.finish() })
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { state in state.observers.removeAll { $0.id == id } }
            }
        }
    }

    /// Whether nobody would hear of an event.
    var isUnobserved: Bool { state.withLock { $0.observers.isEmpty } }

    /// Tells everybody. The lock isn't held meanwhile: an observer may add another.
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
