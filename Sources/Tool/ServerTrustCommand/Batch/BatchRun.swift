// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// A run of `verify --batch`, from its options to its last line.
struct BatchRun {
    let source: InputSource
    let settings: BatchSettings
    let form: AnswerForm
    let bulk: BatchOptions
    /// The digests of the files that the options name, for the checkpoint.
    let digests: [String: String]

    /// Evaluates all rows, and writes the answers, the summaries and the last line.
    /// - Throws: ``CommandFailure`` if reading or writing fails, after the rows before have been answered.
    ///   ``OutputClosed`` if the reader of standard output has closed it.
    func run() throws {
        for file in bulk.summary { try Self.checkPlace(of: file) }
        if let checkpoint = bulk.checkpoint {
            try CheckpointFile.checkPlaces(of: [checkpoint, bulk.output].compactMap(\.self))
        }
        var settings = settings
        let state = try checkpointFile(&settings)
        if let state, state.checkpoint.isComplete {
            try checkAnswers(state)
            Diagnostics.note("\(state.path): this run is complete; there is nothing left to do")
            return try finish(state.checkpoint.counts, state.checkpoint.summary, settings)
        }
        let output = try answerOutput(state)
        var counts = state?.checkpoint.counts ?? BatchCounts()
        var summary = bulk.summary.isEmpty ? nil : state?.checkpoint.summary ?? AuditSummary()
        do {
            if form == .columns, output.size == 0 { try output.write(AnswerColumns.header) }
            try evaluate(settings, output, state, &counts, &summary)
            guard counts.answers >= counts.lines else {
                throw CommandFailure(
                    "\(counts.lines) rows were read, but only \(counts.answers) were answered: some are lost")
            }
        } catch {
            if state == nil { output.discard() }
            guard var failure = error as? CommandFailure, counts.answers > 0 else { throw error }
            failure.errors.append("stopped after \(counts.line(source.format)); \(fate(of: output))")
            throw failure
        }
        // All answers are written: keep them even if renaming fails.
        try output.complete()
        try state?.update(now: true) { checkpoint in
            checkpoint.record(output, counts, summary)
            checkpoint.isComplete = true
        }
        try finish(counts, summary, settings)
    }

    /// Returns what happens to the answers of a run that ended early.
    private func fate(of output: AnswerOutput) -> String {
        if bulk.checkpoint != nil { return "the same command continues after them" }
        guard let file = output.file else { return "the rest of the input has no answers" }
        return "\(file) is not created, because its answers would be incomplete"
    }

    /// Checks that the file can be created where it is named, before hours of work.
    private static func checkPlace(of file: String) throws(CommandFailure) {
        guard try OutputFile.place(file) == .file else { return }
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        guard access(folder, W_OK | X_OK) == 0 else { throw CommandFailure("\(file): \(folder): \(SystemError.last)") }
    }

    private func evaluate(
        _ settings: BatchSettings, _ output: AnswerOutput, _ state: CheckpointFile?, _ counts: inout BatchCounts,
        _ summary: inout AuditSummary?
    ) throws {
        let memory = SignatureMemory.forBatch()
        let format = source.format
        // If there is a list, the system's anchors are read immediately.
        let systemAnchors = TrustAnchors.system.applying(settings.overlay)
        let pipeline = BatchPipeline(
            source, from: state?.checkpoint.position ?? InputPosition(), jobs: bulk.jobs,
            answers: AnswerBuffer(form, hasSummary: summary != nil)
        ) {
            var evaluator = BatchEvaluator(format, memory: memory, settings, systemAnchors: systemAnchors)
            return { evaluator.answer($0, header: $1, into: &$2) }
        }
        let progress = BatchProgress(total: source.totalSize(), answersToStandardOutput: output.file == nil)
        try pipeline.run(state, progress) { answers in
            try output.write(answers.bytes)
            counts += answers.counts
            for facts in answers.facts { summary?.add(facts) }
            return counts.answers
        } saving: { checkpoint throws(CommandFailure) in
            try output.flush()
            checkpoint.record(output, counts, summary)
        }
    }

    // MARK: - Files

    /// Returns the state file, and sets the verify date to that of the first run.
    private func checkpointFile(_ settings: inout BatchSettings) throws(CommandFailure) -> CheckpointFile? {
        guard let checkpoint = bulk.checkpoint else { return nil }
        if let output = bulk.output, (try? FileStatus(ofFile: checkpoint)) == nil,
            (try? FileStatus(ofFile: output)) != nil
        {
            throw CommandFailure("\(output) already exists", hint: "move it away, or name another file")
        }
        let state = try CheckpointFile(
            checkpoint,
            Checkpoint(
                command: BatchCommand.resumableCommand(), digests: digests,
                inputs: try Checkpoint.Input.all(of: source),
                evaluationDate: (settings.defaults.time ?? .now()).description))
        settings.defaults.time = try CommandFailure.of("\(checkpoint): evaluationDate") {
            try Time(rfc3339: state.checkpoint.evaluationDate)
        }
        return state
    }

    private func answerOutput(_ state: CheckpointFile?) throws(CommandFailure) -> AnswerOutput {
        guard let output = bulk.output else { return AnswerOutput(to: nil, "standard output") }
        if let stream = try Self.stream(output) { return AnswerOutput(to: stream, output) }
        guard let state else {
            return try AnswerOutput(output, partial: "\(output).\(Checkpoint.randomName()).partial", replaces: false)
        }
        let begun = state.checkpoint
        let partial = "\(output).\(begun.run).partial"
        if let number = begun.output {
            return try AnswerOutput(output, partial: partial, from: begun.outputSize, of: number)
        }
        // A run that was killed here has left no file, or an empty one.
        let answers = try AnswerOutput(output, partial: partial, replaces: true)
        try state.update(now: true) { $0.output = answers.number }
        return answers
    }

    /// Opens a device, a pipe or a descriptor. Returns nil for a file.
    private static func stream(_ output: String) throws(CommandFailure) -> FileDescriptor? {
        let place = try OutputFile.place(output)
        return try CommandFailure.of(output) { try place.open(output) }
    }

    /// Checks that the answers of a complete run exist.
    private func checkAnswers(_ state: CheckpointFile) throws(CommandFailure) {
        guard let output = bulk.output else { return }
        let size = (try? FileStatus(following: output))?.size
        guard size != state.checkpoint.outputSize else { return }
        let found = size.map { "has \($0) bytes" } ?? "isn't there"
        throw CommandFailure(
            "\(state.path): this run is complete, but \(output) \(found), expected \(state.checkpoint.outputSize) bytes",
            hint: "restore the file, or delete \(state.path) to start over")
    }

    private func finish(_ counts: BatchCounts, _ summary: AuditSummary?, _ settings: BatchSettings) throws {
        if let summary {
            let run = AuditRun(
                inputs: source.files.map(InputFile.displayName), format: source.format.rawValue, lines: counts.lines,
                answers: counts.answers, evaluationDate: settings.defaults.time)
            for file in bulk.summary { try OutputFile.write(summary.json(run), to: file, replacing: true) }
        }
        if counts.lines == 0, source.files != ["-"] {
            Diagnostics.warn("the input contains no rows: check the files, and the format that --input names")
        }
        try StandardStream.error.writeLine("servertrust: " + counts.line(source.format))
    }
}
