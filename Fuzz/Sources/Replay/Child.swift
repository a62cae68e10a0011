// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The process of one target. It runs the inputs, and stores the current one in the record.
struct Child {
    let target: FuzzTarget
    /// The path of the shared file.
    let record: String
    let seed: UInt64
    let mutations: Int
    /// The only input to run, or nil for all inputs.
    let file: String?
    let parent: pid_t

    func run() -> Never {
        endWithParent()
        Platform.forbidCoreFiles()
        do {
            try runInputs()
        } catch {
            let text = (error as? ReplayError)?.message ?? "\(error)"
            FileHandle.standardError.write(Data((text + "\n").utf8))
            exit(1)
        }
        exit(0)
    }

    private func runInputs() throws {
        let inputs: TargetInputs
        do {
            inputs = try file.map { try TargetInputs(file: $0) } ?? TargetInputs(of: target)
        } catch {
            try Record.Writer(path: record, capacity: 0).set(.unreadable)
            throw error
        }
        guard !inputs.bytes.isEmpty else {
            try Record.Writer(path: record, capacity: 0).set(.noInputs)
            return
        }
        let mutator = Mutator(
            inputs: inputs.bytes, seedCount: inputs.seedCount, words: inputs.words,
            seed: seed &+ Checksum.of(Array(target.name.utf8)))
        let writer = try Record.Writer(path: record, capacity: mutator.maximumCount)
        // This limit stops an input that uses all of the machine's memory.
        let before = Platform.peakMegabytes()
        Platform.limitAddressSpace(megabytes: 4_096 + 2 * target.limits.megabytes)
        var run = Run(target: target, writer: writer, peakBefore: before)
        for (number, bytes) in inputs.bytes.enumerated() {
            guard run.input(bytes, number: number, base: number) else { return }
        }
        for number in 0..<mutations {
            let mutated = mutator.input(number)
            guard run.input(mutated.bytes, number: inputs.bytes.count + number, base: mutated.base) else { return }
        }
        writer.set(.finished)
    }

    /// Ends this process when its parent has ended, even while an input runs.
    private func endWithParent() {
        expectedParent = parent
        signal(SIGALRM) { _ in
            if getppid() != expectedParent { _exit(3) }
            alarm(1)
        }
        alarm(1)
    }
}

/// Written once, before the first alarm.
private nonisolated(unsafe) var expectedParent: pid_t = 0

/// The state of a run.
private struct Run {
    let target: FuzzTarget
    let writer: Record.Writer
    let peakBefore: Int
    var sum = Checksum()

    /// Runs an input. Returns false if it exceeded a limit.
    mutating func input(_ bytes: [UInt8], number: Int, base: Int) -> Bool {
        bytes.withUnsafeBytes {
            sum.add($0)
            writer.begin($0, number: number, base: base)
        }
        let start = Platform.processorNanoseconds()
        _ = bytes.withUnsafeBytes { target.function($0.baseAddress, $0.count) }
        let time = Platform.processorNanoseconds() - start
        writer[.slowest] = max(writer[.slowest], time)
        if time > UInt64(target.limits.milliseconds) * 1_000_000 {
            writer[.measured] = time
            writer.set(.tooSlow)
            return false
        }
        let growth = Platform.peakMegabytes() - peakBefore
        if growth > target.limits.megabytes {
            writer[.measured] = UInt64(growth)
            writer.set(.tooLarge)
            return false
        }
        writer[.finished] += 1
        writer[.checksum] = sum.value
        writer.set(.between)
        return true
    }
}
