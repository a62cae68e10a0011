// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The rules that a verdict of a ``VerdictSource`` depends on, as a value that changes with them.
///
/// A client stores the revision with each decision that it keeps. If the source's revision differs later, the decision
/// is from before a change, and the client evaluates the server again.
package struct TrustRevision: Sendable, Hashable {
    /// The source. A source that replaces another one has another number, and so other anchors, policies and lists.
    private var source = Self.next()
    /// The rules of the manager, with its pins, denied list, transparency policy and filters.
    private var rules = 0
    /// The exceptions that users agreed to.
    private var exceptions = 0

    init() {}

    /// Returns the revision with the current rules of a manager.
    func with(_ manager: ServerTrustManager) -> TrustRevision {
        var revision = self
        revision.rules = manager.currentRules.number
        revision.exceptions = manager.exceptions?.changes ?? 0
        return revision
    }

    private static let last = Locked(0)

    private static func next() -> Int {
        last.withLock { last in
            last += 1
            return last
        }
    }
}

/// The observers of changed rules.
package final class RuleChanges: Sendable {
    /// An observer. It receives changes until you release it.
    package final class Observation: Sendable {
        private let cancel: @Sendable () -> Void

        fileprivate init(_ cancel: @escaping @Sendable () -> Void) { self.cancel = cancel }

        deinit { cancel() }
    }

    private let state = Locked<(last: Int, observers: [Int: @Sendable () -> Void])>((0, [:]))

    /// Adds an observer.
    /// - Parameter observer: called after each change, on the thread that made the change. It must not wait.
    package func observe(_ observer: @escaping @Sendable () -> Void) -> Observation {
        let number = state.withLock { state in
            state.last += 1
            state.observers[state.last] = observer
            return state.last
        }
        return Observation { [weak self] in self?.state.withLock { _ = $0.observers.removeValue(forKey: number) } }
    }

    func emit() { for observer in state.withLock({ Array($0.observers.values) }) { observer() } }
}
