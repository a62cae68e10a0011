// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

/// The findings of one block of lines.
struct ReplayAnswers {
    private(set) var findings: [ReplayFinding] = []

    mutating func add(_ finding: ReplayFinding) { findings.append(finding) }
    mutating func removeAll() { findings.removeAll(keepingCapacity: true) }
}

/// An evaluator of the records in a file for one thread. All threads share the memory of signatures.
struct ReplayEvaluator {
    let changes: ReplayChanges
    /// The folder with the large values, or nil for the one beside each file.
    private let blobs: String?
    /// Whether findings contain the trusted records.
    private let keepsRecords: Bool
    var replay: RecordReplay
    let stores = OverlaidStores()
    /// The folder of the current file.
    private var folder: (file: String, blobs: BlobFolder?)?
    /// The hosts and outcomes that already have an example. A remedy costs more than an evaluation.
    private var described: Set<String> = []
    /// The maximum number of hosts and outcomes to remember. Later lines have an example each.
    private static let maximumDescribed = 100_000

    init(_ changes: ReplayChanges, blobs: String?, memory: SignatureMemory, keepsRecords: Bool = false) {
        self.changes = changes
        self.blobs = blobs
        self.keepsRecords = keepsRecords
        replay = RecordReplay(memory: memory)
    }

    mutating func answer(_ block: RowBlock, into answers: inout ReplayAnswers) {
        answers.removeAll()
        switch block.content {
        case .lines(let data):
            var lines = data.lines()
            if let last = lines.last, BatchRecords.isIncomplete(last.line, in: block) { lines.removeLast() }
            for (line, index) in lines { answers.add(finding(line, block.name, block.firstLine + index)) }
        case .tooLong:
            let maximum = TrustRecord.maximumLineSize
            answers.add(
                Self.unreadable("the line is longer than \(maximum) bytes", block.name, block.firstLine))
        case .unclosed: break
        }
    }

    /// Evaluates one line.
    mutating func finding(_ line: Data, _ file: String, _ number: Int) -> ReplayFinding {
        do throws(TrustRecordError) {
            let replayed = try replayed(line, file)
            let timeline = try timeline(replayed)
            var finding = finding(replayed, file, number)
            finding.timeline = timeline
            return finding
        } catch {
            return Self.unreadable(error.description, file, number)
        }
    }

    /// Reads a record, and evaluates it with the changes.
    /// - Throws: ``TrustRecordError`` if the line isn't a record, or the record is damaged.
    mutating func replayed(_ line: Data, _ file: String) throws(TrustRecordError) -> ReplayedRecord {
        guard let record = try TrustRecord(line: Array(line), blobs: folder(of: file)) else {
            throw TrustRecordError("expected a record: a JSON object with the key record")
        }
        var replayed = ReplayedRecord(record: record)
        if let name = changes.listed(record) { replayed.used.insert(ReplayChanges.key(ofListed: name)) }
        let missing = changes.missing(in: record)
        replayed.obstacle =
            missing.isEmpty
            ? changes.obstacle(to: record) : "not recorded: " + missing.joined(separator: ", ")
        guard replayed.obstacle == nil else {
            replayed.used.formUnion(changes.selectors(in: record))
            return replayed
        }
        guard !changes.isEmpty else {
            let verdict = try replay.evaluate(record, changing: { replayed.presented = $0.presentedChain })
            replayed.verdict = verdict
            replayed.hasOtherDetails = !TrustRecord.Outcome(verdict).agrees(with: record.recorded)
            return replayed
        }
        let verdict = try changed(record, &replayed)
        replayed.verdict = verdict
        let outcome = TrustRecord.Outcome(verdict)
        // A leaf from another CA has another path by definition.
        let isForecast = replayed.forecast != nil
        let codes = replayed.codes
        // A record whose missing parts the changes replace can't be evaluated without them.
        guard replayed.obstacle == nil, record.isReproducible,
            codes != record.recorded.codes || !isForecast && outcome.path != record.recorded.path
        else { return replayed }
        // A difference may have another cause than the change, such as an edited record or another version.
        let unchanged = TrustRecord.Outcome(try replay.evaluate(record))
        replayed.hasOtherDetails = codes != unchanged.codes || !isForecast && outcome.path != unchanged.path
        if unchanged.isTrusted != record.recorded.isTrusted {
            replayed.obstacle = "replayed without changes, the record has another verdict"
        }
        return replayed
    }

    /// Evaluates a record with the changes. Makes the forecast for a leaf whose CA another one replaces.
    /// - Returns: the verdict on the recorded chain. It ignores the pins of a leaf with a forecast.
    private mutating func changed(
        _ record: TrustRecord, _ replayed: inout ReplayedRecord
    ) throws(TrustRecordError) -> TrustVerdict {
        // The changes may remove the CA whose leaves move.
        let move = changes.renewal?.move(of: record)
        var changed = record
        changes.apply(to: &changed, used: &replayed.used)
        let manager = move == nil ? try manager(for: changed) : nil
        let evaluate: ((Trust) -> TrustVerdict)? =
            move == nil ? manager.map { manager in { manager.evaluate($0) } } : { $0.evaluate() }
        var evaluated: Trust?
        let verdict = try replay.evaluate(
            changed,
            changing: { [changes, stores, changed] in
                changes.apply(to: &$0, of: changed, stores)
                evaluated = $0
            }, by: evaluate)
        guard let trust = evaluated else { return verdict }
        replayed.presented = trust.presentedChain
        guard let move else {
            replayed.obstacle = changes.renewal?.obstacle(to: changed) ?? changes.obstacle(to: verdict, of: changed)
            return verdict
        }
        replayed.used.formUnion(move.moves.map(\.selector.words))
        do throws(ReplayRenewal.Obstacle) {
            replayed.forecast = try move.forecast(trust, changes.pins, changed)
        } catch {
            replayed.obstacle = error.reason
        }
        return verdict
    }

    /// Returns the manager with the rules of the pin file for a record's host, or nil for none.
    func manager(for record: TrustRecord) throws(TrustRecordError) -> ServerTrustManager? {
        guard case .rules(let rules) = changes.pins, case .name(let host) = record.host else { return nil }
        do throws(CommandFailure) { return try rules.trust(for: host).manager } catch {
            throw TrustRecordError("\(rules.name): \(error.errors.joined(separator: "; "))")
        }
    }

    private mutating func folder(of file: String) -> BlobFolder? {
        if let folder, folder.file == file { return folder.blobs }
        let found = BatchOptions.blobFolder(named: blobs, beside: file)
        folder = (file, found)
        return found
    }
}

/// A record after its evaluation with the changes.
struct ReplayedRecord {
    let record: TrustRecord
    /// The verdict with the changes, or nil if the record isn't reproducible.
    var verdict: TrustVerdict?
    /// The forecast for a leaf from another CA, which counts instead of the verdict, or nil.
    var forecast: RenewalForecast?
    var presented = PresentedChain([])
    var hasOtherDetails = false
    /// The reason why the record isn't reproducible, or nil.
    var obstacle: String?
    var used: Set<String> = []

    /// The evaluated date.
    var date: Time { verdict?.evaluationDate ?? record.time }

    /// Whether the replay trusts the peer, or nil if the record isn't reproducible.
    var isTrusted: Bool? { forecast?.isTrusted ?? verdict?.isTrusted }

    /// The codes of the replay's failures.
    var codes: [String] {
        forecast?.failures.map(\.code.name) ?? verdict?.failures.map(\.code.name) ?? []
    }

    var outcome: ReplayOutcome {
        guard obstacle == nil, let isTrusted else { return .notReproducible }
        return switch (record.recorded.isTrusted, isTrusted) {
        case (true, true): .stillTrusted
        case (false, false): .stillRefused
        case (true, false): .newlyRefused
        case (false, true): .newlyTrusted
        }
    }

    var host: String? {
        switch record.host {
        case .none: nil
        case .name(let name): name.description
        case .hashed(let hash, _): hash
        }
    }
}

// MARK: - Findings

extension ReplayEvaluator {
    /// The outcomes that have examples whatever the other details.
    private static let notable: Set<ReplayOutcome> = [.newlyRefused, .newlyTrusted, .notReproducible]

    private mutating func finding(_ replayed: ReplayedRecord, _ file: String, _ line: Int) -> ReplayFinding {
        let record = replayed.record
        let outcome = replayed.outcome
        let result = ReplayResult(
            outcome: outcome, connections: record.count,
            hasOtherDetails: replayed.hasOtherDetails && (outcome == .stillTrusted || outcome == .stillRefused))
        let code = replayed.codes.first ?? record.recorded.codes.first
        var finding = ReplayFinding(
            result: result, host: replayed.host, rule: record.rule, code: outcome == .notReproducible ? nil : code,
            obstacle: replayed.obstacle.map { CountTable<ReplayCount>.name($0) }, used: replayed.used,
            isForecast: replayed.forecast != nil)
        if keepsRecords, record.recorded.isTrusted, case .name = record.host { finding.record = record }
        if replayed.verdict != nil { finding.date = replayed.date }
        guard Self.notable.contains(outcome) || result.hasOtherDetails else { return finding }
        guard isNew("\(outcome.rawValue)\(result.hasOtherDetails) \(finding.host ?? "")") else { return finding }
        let name = CountTable<ReplayCount>.name
        var example = ReplayExample(
            result: outcome, hasOtherDetails: result.hasOtherDetails, file: file, line: line, id: record.id.map(name),
            host: finding.host.map(name), rule: record.rule.map(name), connections: record.count,
            before: .init(isTrusted: record.recorded.isTrusted, codes: record.recorded.codes))
        if let verdict = replayed.verdict, outcome != .notReproducible {
            example.after = .init(isTrusted: replayed.isTrusted == true, codes: replayed.codes)
            let message = replayed.forecast?.message ?? verdict.headline.map { "\($0)" }
            example.cause = ReplayCause(
                code: replayed.codes.first, reason: message?.abridged(toBytes: 1024),
                remedy: changes.remedy(for: replayed, verdict)?.abridged(toBytes: 1024))
        } else {
            example.cause.reason = replayed.obstacle?.abridged(toBytes: 1024)
        }
        finding.example = example
        return finding
    }

    /// Returns whether a host's outcome has no description yet.
    mutating func isNew(_ key: String) -> Bool {
        described.count >= Self.maximumDescribed || described.insert(key).inserted
    }

    private static func unreadable(_ message: String, _ file: String, _ line: Int) -> ReplayFinding {
        ReplayFinding(
            result: ReplayResult(outcome: .unreadable),
            example: ReplayExample(
                result: .unreadable, file: file, line: line, connections: 1, cause: ReplayCause(reason: message)))
    }
}
