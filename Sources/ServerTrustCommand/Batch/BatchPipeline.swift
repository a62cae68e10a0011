// SPDX-License-Identifier: Apache-2.0

// One thread reads, one thread for each job evaluates, and the calling thread writes. A block of lines takes the next slot of
// a ring; the next free thread evaluates it, and slots are written in the ring's order. The ring's size bounds the number of
// blocks in memory: while no answer is read, reading stops.

import Foundation
import ServerTrust
import TrustSupport

/// The run of `verify --batch` from standard input to standard output.
final class BatchPipeline: @unchecked Sendable {
    // Proof of sendability: `taken` and `readFailure` are used under `lock` alone; everything else is constant.
    private let lock = NSLock()
    /// The number of blocks that workers have taken.
    private var taken = 0
    private var readFailure: CommandFailure?

    private let slots: [Slot]
    private let freeSlots: CountingSemaphore
    private let filledSlots = CountingSemaphore(0)
    private let jobs: Int
    private let overlay: RootsOverlay?
    /// The system's anchors under the list, read at once if there is one.
    private let systemAnchors: TrustAnchors
    private let denied: DeniedCertificates?
    private let transparency: BatchTransparency
    private let filters: [RevocationFilter]
    // Leaves come once, as a rule, and would only push out the intermediates.
    private let memory = SignatureMemory(includesLeaves: false)

    /// The size in bytes above which a block is alone in the ring, so that a stream of giant lines doesn't fill it.
    private static let largeBlock = 1 << 20

    /// Answers all lines.
    /// - Parameters:
    ///   - jobs: the number of threads that evaluate; nil for the number of cores.
    ///   - overlay: the list over the anchors, the requests' own included; nil for none.
    ///   - filters: the filters of revoked certificates, for requests that ask for a check of revocation.
    ///   - denied: the certificates that are denied for every request; nil for none.
    ///   - transparency: the list of logs for requests that ask for a check of timestamps.
    /// - Throws: ``CommandFailure`` if input or output fails, after the lines before have been answered;
    ///   ``OutputClosed`` if the reader of the answers has closed standard output.
    static func run(
        jobs: Int?, overlay: RootsOverlay?, filters: [RevocationFilter], denied: DeniedCertificates?,
        transparency: BatchTransparency
    ) throws {
        let jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
        try BatchPipeline(jobs: jobs, overlay: overlay, filters, denied, transparency).run()
    }

    private init(
        jobs: Int, overlay: RootsOverlay?, _ filters: [RevocationFilter], _ denied: DeniedCertificates?,
        _ transparency: BatchTransparency
    ) {
        self.denied = denied
        self.jobs = jobs
        self.filters = filters
        self.overlay = overlay
        self.systemAnchors = TrustAnchors.system.overlaid(by: overlay)
        self.transparency = transparency
        self.slots = (0..<(4 * jobs)).map { _ in Slot() }
        self.freeSlots = CountingSemaphore(4 * jobs)
    }

    private func run() throws {
        start { self.readAll() }
        for _ in 0..<jobs { start { self.evaluateAll() } }
        try writeAll()
        if let readFailure = lock.withLock({ readFailure }) { throw readFailure }
    }

    private func start(_ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        // JSON may be nested, and the default on some systems is half a megabyte.
        thread.stackSize = 4 << 20
        thread.start()
    }

    private func readAll() {
        let reader = LineBlockReader(descriptor: STDIN_FILENO, maximumLineSize: BatchEvaluator.maximumLineSize)
        var number = 0
        do throws(CommandFailure) {
            while let block = try reader.next() {
                let places = block.size > Self.largeBlock ? slots.count : 1
                for _ in 0..<places { freeSlots.wait() }
                fill(number, block)
                number += 1
                for _ in 1..<places { freeSlots.signal() }
            }
        } catch {
            lock.withLock { readFailure = error }
        }
        freeSlots.wait()
        fill(number, nil)
    }

    private func fill(_ number: Int, _ block: LineBlock?) {
        slots[number % slots.count].work = block.map { .block($0) } ?? .end
        filledSlots.signal()
    }

    private func evaluateAll() {
        var evaluator = BatchEvaluator(
            memory: memory, systemAnchors: systemAnchors, overlay: overlay, filters: filters, denied: denied,
            transparency: transparency)
        while true {
            filledSlots.wait()
            let slot = lock.withLock {
                defer { taken += 1 }
                return slots[taken % slots.count]
            }
            guard case .block(let block) = slot.work else {
                slot.isDone.signal()
                return
            }
            slot.answers.removeAll()
            evaluator.answer(block, into: &slot.answers)
            slot.isDone.signal()
        }
    }

    private func writeAll() throws {
        var number = 0
        while true {
            let slot = slots[number % slots.count]
            slot.isDone.wait()
            guard case .block = slot.work else { return }
            slot.work = .end
            try StandardStream.output.write(slot.answers.bytes)
            number += 1
            freeSlots.signal()
        }
    }
}

/// A slot of the ring.
private final class Slot: @unchecked Sendable {
    // Proof of sendability: it belongs to the reader, then to one worker, then to the writer; each hands it on by a
    // semaphore's signal, which the next one waits for.
    enum Work {
        case block(LineBlock)
        /// The end of the input.
        case end
    }
    var work = Work.end
    var answers = JSONWriter(isIndented: false)
    let isDone = CountingSemaphore(0)
}

/// A semaphore of a lock and a condition, which thread sanitizers understand.
private final class CountingSemaphore: @unchecked Sendable {
    // Proof of sendability: `value` is used under `condition`'s lock alone.
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
