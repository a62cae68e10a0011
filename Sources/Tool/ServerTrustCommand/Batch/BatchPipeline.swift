// SPDX-License-Identifier: Apache-2.0

// One thread reads, one thread per job evaluates, and the calling thread writes. The reader puts each block of lines
// into the next slot of a ring. The next free worker evaluates it, and the writer writes the slots in the ring's order.
// The size of the ring limits the number of blocks in memory: if the consumer of the answers pauses, reading pauses too.

import Foundation
import ServerTrust

/// A pipeline that evaluates all rows of an input, block by block. Each pipeline runs once. If writing fails, its other
/// threads wait until the process ends.
final class BatchPipeline<Answers>: @unchecked Sendable {
    /// A function that replaces the answers to an earlier block by one answer to each row of this block.
    typealias Evaluator = (_ block: RowBlock, _ header: CSVHeader?, _ answers: inout Answers) -> Void

    // Sendable because only the lock's holder uses `taken` and `readFailure`, only the reading thread uses `input`, and
    // everything else is constant.
    private let lock = NSLock()
    /// The number of blocks that workers have started.
    private var taken = 0
    private var readFailure: CommandFailure?

    private let slots: [Slot<Answers>]
    private let freeSlots: CountingSemaphore
    private let filledSlots = CountingSemaphore(0)
    private let jobs: Int
    private let input: InputReader
    private let makeEvaluator: @Sendable () -> Evaluator

    /// The size in bytes above which a block waits for an empty ring, so that the ring has at most one such block.
    /// Otherwise a stream of giant lines could fill it.
    private static var largeBlock: Int { 1 << 20 }

    /// - Parameters:
    ///   - jobs: the number of evaluating threads, or nil for the number of cores.
    ///   - position: the position where reading the input starts.
    ///   - answers: an empty buffer.
    ///   - makeEvaluator: makes the evaluator of one thread. The answers that it gets are in memory that later blocks use
    ///     again.
    init(
        _ source: InputSource, from position: InputPosition, jobs: Int?, answers: Answers,
        makeEvaluator: @escaping @Sendable () -> Evaluator
    ) {
        self.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
        self.makeEvaluator = makeEvaluator
        input = InputReader(source, from: position)
        slots = (0..<(4 * self.jobs)).map { _ in Slot(answers) }
        freeSlots = CountingSemaphore(4 * self.jobs)
    }

    /// Evaluates all rows, in the order of the input, with a progress line.
    /// - Parameters:
    ///   - state: the state file, or nil for none. It is written after the rows before a failure, too.
    ///   - take: receives the answers to each block, and returns the number of answers so far.
    ///   - save: records the answers so far in the state.
    /// - Throws: the errors of `take` and `save`, or ``CommandFailure`` if the input can't be read. All rows before the
    ///   failure are answered first.
    func run(
        _ state: CheckpointFile?, _ progress: BatchProgress?, taking take: (Answers) throws -> Int,
        saving save: (inout Checkpoint) throws(CommandFailure) -> Void
    ) throws {
        start { self.readAll() }
        for _ in 0..<jobs { start { self.evaluateAll() } }
        var progress = progress
        defer { progress?.clear() }
        var latest: InputPosition?
        func update(now: Bool) throws(CommandFailure) {
            guard let latest else { return }
            try state?.update(now: now) { checkpoint throws(CommandFailure) in
                try save(&checkpoint)
                checkpoint.position = latest
            }
        }
        // After a write error, a later flush may succeed although the answers aren't on the disk.
        var hasFailed = false
        do {
            try writeAll { answers, block in
                hasFailed = true
                let count = try take(answers)
                progress?.show(answers: count, bytes: block.bytesRead)
                latest = block.isResumable ? block.end : nil
                try update(now: false)
                hasFailed = false
            }
            if let readFailure = lock.withLock({ readFailure }) { throw readFailure }
        } catch {
            // Reading the input failed. Save the state of the rows before the failure, so that the next run continues
            // after them.
            if !hasFailed { try update(now: true) }
            throw error
        }
        try update(now: true)
    }

    private func start(_ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        // JSON may be nested, and the default stack is half a megabyte on some systems.
        thread.stackSize = 4 << 20
        thread.start()
    }

    private func readAll() {
        var number = 0
        do throws(CommandFailure) {
            while let (block, header) = try input.next() {
                let places = block.size > Self.largeBlock ? slots.count : 1
                for _ in 0..<places { freeSlots.wait() }
                fill(number, .block(block, header))
                number += 1
                for _ in 1..<places { freeSlots.signal() }
            }
        } catch {
            lock.withLock { readFailure = error }
        }
        freeSlots.wait()
        fill(number, .end)
    }

    private func fill(_ number: Int, _ work: SlotWork) {
        slots[number % slots.count].work = work
        filledSlots.signal()
    }

    private func evaluateAll() {
        let evaluate = makeEvaluator()
        while true {
            filledSlots.wait()
            let slot = lock.withLock {
                let slot = slots[taken % slots.count]
                if case .block = slot.work { taken += 1 }
                return slot
            }
            guard case .block(let block, let header) = slot.work else {
                slot.isDone.signal()
                // The other workers end at the same slot.
                return filledSlots.signal()
            }
            evaluate(block, header, &slot.answers)
            slot.isDone.signal()
        }
    }

    private func writeAll(_ write: (Answers, RowBlock) throws -> Void) throws {
        var number = 0
        while true {
            let slot = slots[number % slots.count]
            slot.isDone.wait()
            guard case .block(let block, _) = slot.work else { return }
            slot.work = .end
            try write(slot.answers, block)
            number += 1
            freeSlots.signal()
        }
    }
}

/// The work in a slot of the ring.
private enum SlotWork {
    case block(RowBlock, CSVHeader?)
    /// The end of the input.
    case end
}

/// A slot of the ring.
private final class Slot<Answers>: @unchecked Sendable {
    // Sendable because a slot belongs to the reader, then to one worker, then to the writer. Each hands it on with a
    // semaphore signal that the next one waits for.
    var work = SlotWork.end
    var answers: Answers
    let isDone = CountingSemaphore(0)

    init(_ answers: Answers) { self.answers = answers }
}

/// A semaphore made of a lock and a condition, which ThreadSanitizer understands.
private final class CountingSemaphore: @unchecked Sendable {
    // Sendable because `value` is only used while `condition` is locked.
    private let condition = NSCondition()
    private var value: Int

    init(_ value: Int) { self.value = value }

    func wait() {
        condition.lock()
        while value == 0 { condition.wait() }
        value -= 1
        condition.unlock()
    }

    func signal() {
        condition.lock()
        value += 1
        condition.signal()
        condition.unlock()
    }
}
