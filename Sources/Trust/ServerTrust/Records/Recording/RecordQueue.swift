// SPDX-License-Identifier: Apache-2.0

import Crypto
import Dispatch
import PKIX

/// The queue between evaluating threads and the files. Its memory is bounded.
final class RecordQueue: Sendable {
    /// The evaluations that share a record.
    private struct Key: Hashable {
        let host: Hostname?
        let chain: PresentedChain
        let rule: HostPattern?
        /// Other pins or lists can lead to the same verdict.
        let ruleSet: Int?
        let result: TrustResultType
        let codes: [TrustFailure.Code]
        let path: [Certificate]

        init(_ evaluation: ObservedEvaluation) {
            host = evaluation.trust.referenceName
            chain = evaluation.trust.presentedChain
            rule = evaluation.rule
            ruleSet = evaluation.ruleSet
            result = evaluation.verdict.result
            codes = evaluation.verdict.failures.map(\.code)
            path = evaluation.verdict.path
        }
    }

    /// The record of equal evaluations.
    private final class Entry: Sendable {
        let key: Key
        let end: ContinuousClock.Instant
        /// The size of the chain in bytes.
        let size: Int
        /// The number of evaluations that no line represents yet, the number of those that a line represents, and the
        /// line of the first.
        let state = Locked((repeats: 0, written: 1, line: [UInt8]?.none))

        init(_ key: Key, until end: ContinuousClock.Instant, size: Int) {
            self.key = key
            self.end = end
            self.size = size
        }

        /// Returns the line for the evaluations that no line represents yet, or nil for none. Begins to count again.
        /// - Parameter isComplete: whether no others follow. Otherwise, returns nil until they are three times the
        ///   written ones. So a process that is killed loses at most three quarters of a count, and the number of lines
        ///   grows with the logarithm.
        func takeRepeats(isComplete: Bool) -> (line: [UInt8], count: Int)? {
            state.withLock { state in
                guard state.repeats > 0, isComplete || state.repeats >= 3 * state.written, let line = state.line else {
                    return nil
                }
                defer { (state.repeats, state.written) = (0, state.written + state.repeats) }
                return (line, state.repeats)
            }
        }
    }

    private struct State {
        var pending: [(entry: Entry, evaluation: ObservedEvaluation)] = []
        /// The size of the pending chains in bytes.
        var pendingSize = 0
        var known = LeastRecentlyUsedCache<Key, Entry>(capacity: RecordQueue.maximumKnownSize)
        /// The entries that others have replaced.
        var evicted: [Entry] = []
        /// Whether the background queue will look for intervals that have ended.
        var hasTimer = false
        var counts = TrustRecorder.Counts()

        /// Keeps an entry as the last one of its key, for a count later.
        mutating func keep(_ entry: Entry, lineSize: Int) {
            if let old = known.unusedValue(for: entry.key), old !== entry { evicted.append(old) }
            evicted += known.insert(entry, for: entry.key, cost: entry.size + lineSize + 1024)
            if known.unusedValue(for: entry.key) == nil { evicted.append(entry) }
        }
    }

    /// The state of the background queue.
    private struct Writing {
        var maker = RecordMaker()
        var replay = RecordReplay()
        var file: RecordFileWriter
        /// Whether the last write failed.
        var isFailing = false
        /// The end of the pause after a failure.
        var pause: ContinuousClock.Instant?
    }

    /// The maximum number of evaluations that wait for the background queue, and their size in bytes.
    private static let (maximumPending, maximumPendingSize) = (2048, 32 << 20)
    /// The maximum size in bytes of the records that may get a count later.
    private static let maximumKnownSize = 16 << 20
    /// The maximum size in bytes of one chain. A search uses at most as much.
    private static let maximumChainSize = 4 << 20
    /// The time in which records are collected, in milliseconds.
    private static let delay = 200
    /// The longest interval. ``RecordFolder/prune(maximumSize:oldest:)`` keeps blobs for as long.
    private static let maximumInterval = Duration.days(1)

    private let folder: RecordFolder
    private let settings: TrustRecorder.Settings
    private let report: @Sendable (String) -> Void
    private let state = Locked(State())
    private let writing: Locked<Writing>
    private let queue = DispatchQueue(label: "server-trust.records", qos: .utility)

    init(_ folder: RecordFolder, _ settings: TrustRecorder.Settings, report: @escaping @Sendable (String) -> Void) {
        self.folder = folder
        self.settings = settings
        self.report = report
        writing = Locked(
            Writing(
                file: RecordFileWriter(
                    folder,
                    limits: RecordFileWriter.Limits(
                        fileSize: settings.maximumFileSize, size: settings.maximumSize,
                        age: settings.maximumAge.wholeSeconds))))
    }

    var counts: TrustRecorder.Counts { state.withLock { $0.counts } }

    // MARK: - Evaluating threads

    /// Adds an evaluation after the background queue has made room for it. For programs that may wait.
    func addWaiting(_ evaluation: ObservedEvaluation) {
        // Other threads may add evaluations at the same time.
        let isFilling = state.withLock { state in
            state.pending.count >= Self.maximumPending / 2 || state.pendingSize >= Self.maximumPendingSize / 2
        }
        if isFilling { queue.sync { drain(.due) } }
        add(evaluation)
    }

    /// Adds an evaluation, or counts it.
    func add(_ evaluation: ObservedEvaluation) {
        let key = Key(evaluation)
        let size = evaluation.trust.presentedChain.recordedSize
        let now = ContinuousClock.now
        let interval = min(settings.interval, Self.maximumInterval)
        let count = state.withLock { state in
            if let entry = state.known.value(for: key), now < entry.end {
                entry.state.withLock { $0.repeats += 1 }
                state.counts.repeated += 1
                return 0
            }
            guard size <= Self.maximumChainSize, state.pending.count < Self.maximumPending,
                state.pendingSize + size <= Self.maximumPendingSize
            else {
                state.counts.dropped += 1
                return 0
            }
            let entry = Entry(key, until: now + interval, size: size)
            state.keep(entry, lineSize: 2 * size)
            state.pending.append((entry, evaluation))
            state.pendingSize += size
            return state.pending.count
        }
        if count == 1 { queue.asyncAfter(deadline: .now() + .milliseconds(Self.delay)) { self.drain(.due) } }
        if count == Self.maximumPending / 2 { queue.async { self.drain(.due) } }
    }

    /// Writes everything that is still to be written, without waiting for it. Nothing else follows.
    func finish() { queue.async { self.drain(.end) } }

    /// Writes everything, including counts, and waits for it.
    func flush() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.drain(.flush)
                continuation.resume()
            }
        }
    }

    /// Writes everything like ``flush()``.
    func flushAndWait() { queue.sync { drain(.flush) } }

    // MARK: - The background queue

    /// The reason to write.
    private enum Reason {
        /// Records are pending.
        case due
        /// Intervals may have ended.
        case timer
        /// A caller waits for all records and counts.
        case flush
        /// The recorder no longer exists.
        case end
    }

    /// Writes the pending records, and the counts of those whose interval has ended.
    private func drain(_ reason: Reason) {
        let now = ContinuousClock.now
        let isAll = reason == .flush || reason == .end
        let (pending, ended, others) = state.withLock { state in
            let pending = state.pending
            var ended = state.evicted
            // Searching all entries for each record would take too long.
            var others = reason == .due ? [] : state.known.values
            let due = others.partition { isAll || $0.end <= now }
            for entry in others[due...] where reason == .end || entry.end <= now { state.known.remove(entry.key) }
            ended += others[due...]
            (state.pending, state.pendingSize, state.evicted) = ([], 0, [])
            if reason == .timer { state.hasTimer = false }
            return (pending, ended, others[..<due])
        }
        writing.withLock { writing in
            for (entry, evaluation) in pending {
                write(&writing, key: entry.key) { writing throws(SystemError) in
                    let line = try self.line(of: evaluation, &writing)
                    try writing.file.append(line)
                    entry.state.withLock { $0.line = line }
                    // The line may contain much evidence.
                    self.state.withLock { state in
                        if state.known.unusedValue(for: entry.key) === entry { state.keep(entry, lineSize: line.count) }
                    }
                }
            }
            for (entries, isComplete) in [(ended[...], true), (others, false)] {
                for entry in entries {
                    guard let (line, count) = entry.takeRepeats(isComplete: isComplete) else { continue }
                    write(&writing, key: nil) { writing throws(SystemError) in
                        try writing.file.append(TrustRecord.line(line, count: count))
                    }
                }
            }
        }
        if reason == .end { writing.withLock { $0.file.close() } }
        let needsTimer = state.withLock { state in
            guard !state.hasTimer, state.known.count > 0 || !state.evicted.isEmpty else { return false }
            state.hasTimer = true
            return true
        }
        guard needsTimer else { return }
        let pause = min(max(settings.interval.wholeSeconds, 1), settings.countPause.wholeSeconds)
        queue.asyncAfter(deadline: .now() + .seconds(Int(pause))) { [weak self] in self?.drain(.timer) }
    }

    /// Runs a write, and counts it or its failure.
    private func write(
        _ writing: inout Writing, key: Key?, _ body: (inout Writing) throws(SystemError) -> Void
    ) {
        let now = ContinuousClock.now
        do throws(SystemError) {
            if let pause = writing.pause, now < pause { throw SystemError(code: 0) }
            writing.pause = nil
            try body(&writing)
            writing.isFailing = false
            state.withLock { $0.counts.written += 1 }
        } catch {
            state.withLock { state in
                state.counts.failed += 1
                // The next equal evaluation tries again.
                if let key { state.known.remove(key) }
            }
            guard writing.pause == nil else { return }
            writing.pause = now + .seconds(1)
            if !writing.isFailing { report("\(folder.path): records can't be written: \(error)") }
            writing.isFailing = true
        }
    }

    /// Returns the line of an evaluation, and writes its blobs.
    private func line(
        of evaluation: ObservedEvaluation, _ writing: inout Writing
    ) throws(SystemError) -> [UInt8] {
        let (made, needsProof) = writing.maker.record(of: evaluation)
        var record = made
        record.client = settings.client
        record.program = settings.program.map { TrustRecord.Program(name: $0.name, version: $0.version) }
        if let key = settings.hosts.key { record.hashHost(key) }
        let line = try Self.write(record, &writing)
        guard settings.verifies || needsProof, record.isReproducible else { return line }
        guard let difference = difference(of: line, &writing) else { return line }
        state.withLock { $0.counts.differing += 1 }
        record.unrecorded.append(difference)
        return try Self.write(record, &writing)
    }

    private static func write(_ record: TrustRecord, _ writing: inout Writing) throws(SystemError) -> [UInt8] {
        var blobs: [(bytes: [UInt8], name: String)] = []
        let line = record.line { blobs.append(($0, $1)) }
        for blob in blobs { try writing.file.write(blob: blob.bytes, name: blob.name) }
        return line
    }

    /// Evaluates a line again, and returns the difference to its verdict, or nil without one.
    private func difference(of line: [UInt8], _ writing: inout Writing) -> String? {
        do throws(TrustRecordError) {
            guard let record = try TrustRecord(line: line, blobs: folder.blobs) else { return "replay: not a record" }
            let outcome = TrustRecord.Outcome(try writing.replay.evaluate(record))
            return record.recorded.agrees(with: outcome)
                ? nil : "replay: \(outcome.result.rawValue) \(outcome.codes.joined(separator: ","))"
        } catch {
            return "replay: \(error)"
        }
    }
}

extension PresentedChain {
    /// The size in bytes of everything that the server sent, including what can't be read.
    fileprivate var recordedSize: Int {
        var size = certificates.reduce(256) { $0 + $1.size } + unreadable.reduce(0) { $0 + $1.der.count }
        size += signedCertificateTimestampList?.count ?? 0
        if case .given(let der) = staple { size += der.count }
        return size
    }
}

extension TrustRecord {
    /// Replaces the host by its keyed hash.
    fileprivate mutating func hashHost(_ key: [UInt8]) {
        if rule?.hasPrefix("*") == false { rule = nil }
        guard case .name(let name) = host else { return }
        let code = HMAC<SHA256>.authenticationCode(
            for: Array(name.description.utf8), using: SymmetricKey(data: key))
        let mismatches: Set<String> = [
            TrustFailure.Code.hostMismatch.name, TrustFailure.Code.subjectAlternativeNameMissing.name,
        ]
        host = .hashed(
            "hmac-sha256/\(Base64.encode(Array(code)))", isMatched: !recorded.codes.contains(where: mismatches.contains)
        )
    }
}
