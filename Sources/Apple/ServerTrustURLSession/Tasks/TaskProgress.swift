// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import FoundationNetworking

/// The byte counts of a task, and its `progress`.
///
/// The counts are of decoded bytes. Foundation changes `progress` on the task's own queue, so this type does the
/// same, together with other events or after each 256 KiB.
struct TaskProgress {
    var expectedToReceive: Int64 = 0
    private var received: Int64 = 0
    private var sent: Int64 = 0
    private var expectedToSend: Int64 = 0
    /// The number of bytes that `progress` doesn't include yet.
    private var unreported: Int64 = 0

    private static let step: Int64 = 256 << 10

    /// Whether to report the progress even if no other event is waiting.
    var isWorthReporting: Bool { unreported >= Self.step }

    mutating func receive(_ count: Int, _ task: URLSessionTask) {
        received += Int64(count)
        unreported += Int64(count)
        TaskMembers.received.update(task) { [received] in $0 = received }
    }

    mutating func send(_ total: Int64, _ expected: Int64, _ task: URLSessionTask) {
        // A body that is sent again begins at 0.
        unreported += max(0, total - sent)
        (sent, expectedToSend) = (total, expected)
        TaskMembers.sent.update(task) { $0 = total }
    }

    /// Updates the task's `progress`. Call this method on the task's own queue.
    /// - Parameter isComplete: whether the task has succeeded.
    mutating func report(_ task: URLSessionTask, isComplete: Bool) {
        unreported = 0
        TaskMembers.expectedToReceive.update(task) { [expectedToReceive] in $0 = expectedToReceive }
        TaskMembers.expectedToSend.update(task) { [expectedToSend] in $0 = expectedToSend }
        let isKnown = expectedToReceive > 0 && expectedToSend >= 0
        // The server chooses the first number.
        let (sum, isTooLarge) = expectedToReceive.addingReportingOverflow(expectedToSend)
        let expected = isKnown && !isTooLarge ? sum : -1
        // A complete task without any bytes has the progress 1 of 1.
        task.progress.totalUnitCount = isComplete ? max(received + sent, 1) : expected
        task.progress.completedUnitCount = isComplete ? max(received + sent, 1) : received + sent
    }
}
#endif
