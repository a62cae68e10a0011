// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import TrustSupport

/// A run of `verify --batch`, from the options to the closing line.
struct BatchRun {
    var source: InputSource
    var settings: BatchSettings
    var form = AnswerForm.lines
    var jobs: Int?
    /// The file of the answers; nil for standard output.
    var output: String?
    /// The file of the state to go on from; nil for none.
    var checkpoint: String?
    /// The files of the summary, JSON or HTML by their ends.
    var summaries: [String] = []
    /// The options on which answers depend, with the digests of files, for the checkpoint.
    var options: [String: String] = [:]
    /// The words of the command, for the checkpoint.
    var command: [String] = []

    /// Evaluates all rows, and writes answers, summaries and the closing line.
    /// - Throws: ``CommandFailure`` if input or output fails, after the rows before have been answered;
    ///   ``OutputClosed`` if the reader of the answers has closed standard output.
    func run() throws {
        for file in summaries { try Self.checkPlace(of: file) }
        if let checkpoint {
            for file in [checkpoint, self.output].compactMap(\.self) where try OutputFile.place(file) != .file {
                throw CommandFailure(
                    "\(file): is no regular file", hint: "--checkpoint needs files that can be read again")
            }
        }
        var settings = settings
        let state = try checkpointFile(&settings)
        if let state, state.checkpoint.isComplete {
            try checkAnswers(state)
            Diagnostics.note("\(state.path): this run is complete, nothing is left to do")
            return try finish(state.checkpoint.counts, state.checkpoint.summary, settings)
        }
        let output = try answerOutput(state)
        var counts = state?.checkpoint.counts ?? BatchCounts()
        var summary = summaries.isEmpty ? nil : state?.checkpoint.summary ?? AuditSummary()
        let position = state?.checkpoint.position ?? InputPosition()
        do {
            if form == .columns, output.size == 0 { try output.write(AnswerColumns.header) }
            try evaluate(settings, from: position, output, state, &counts, &summary)
            guard counts.answers >= counts.lines else {
                throw CommandFailure("\(counts.lines) rows were read and \(counts.answers) answered: some are lost")
            }
        } catch {
            if checkpoint == nil { output.discard() }
            throw error
        }
        // Answers that are all written are kept, whatever happens to their name.
        try output.complete()
        try state?.complete(output, counts, summary)
        try finish(counts, summary, settings)
    }

    /// Checks that a file can be made where it is named, before the work of hours.
    private static func checkPlace(of file: String) throws(CommandFailure) {
        guard try OutputFile.place(file) == .file else { return }
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        guard access(folder, W_OK | X_OK) == 0 else { throw CommandFailure("\(file): \(folder): \(SystemError.last)") }
    }

    private func evaluate(
        _ settings: BatchSettings, from position: InputPosition, _ output: AnswerOutput, _ state: CheckpointFile?,
        _ counts: inout BatchCounts, _ summary: inout AuditSummary?
    ) throws {
        let pipeline = BatchPipeline(
            source, from: position, jobs: jobs, settings,
            answers: AnswerBuffer(form, hasSummary: summary != nil))
        var progress = BatchProgress(
            total: source.totalSize(), answersToStandardOutput: output.file == nil)
        defer { progress?.clear() }
        var latest: InputPosition?
        // After an error of writing, a later flush may succeed although the answers aren't on the disk.
        var hasFailed = false
        do {
            try pipeline.run { answers, block in
                hasFailed = true
                try output.write(answers.bytes)
                counts += answers.counts
                for facts in answers.facts { summary?.add(facts) }
                progress?.show(answers: counts.answers, bytes: block.bytesRead)
                latest = block.isResumable ? block.end : nil
                if let end = latest { try state?.update(end, output, counts, summary) }
                hasFailed = false
            }
        } catch {
            // The input failed: the rows before are kept, so that the next run goes on behind them.
            if !hasFailed, let latest { try state?.update(latest, output, counts, summary, now: true) }
            throw error
        }
        if let latest { try state?.update(latest, output, counts, summary, now: true) }
    }

    // MARK: - Files

    /// Returns the file of the state, and fixes the verify date to that of the first run.
    private func checkpointFile(_ settings: inout BatchSettings) throws(CommandFailure) -> CheckpointFile? {
        guard let checkpoint else { return nil }
        if let output, (try? FileStatus(ofFile: checkpoint)) == nil, (try? FileStatus(ofFile: output)) != nil {
            throw CommandFailure("\(output) is there already", hint: "move it away, or name another file")
        }
        let state = try CheckpointFile(
            checkpoint,
            Checkpoint(
                command: command, options: options, inputs: try Checkpoint.Input.all(of: source),
                evaluationDate: (settings.defaults.time ?? .now()).description))
        do throws(TimeFormatError) {
            settings.defaults.time = try Time(rfc3339: state.checkpoint.evaluationDate)
        } catch {
            throw CommandFailure("\(checkpoint): evaluationDate: \(error)")
        }
        return state
    }

    private func answerOutput(_ state: CheckpointFile?) throws(CommandFailure) -> AnswerOutput {
        guard let output else { return AnswerOutput() }
        if let stream = try Self.stream(output) { return AnswerOutput(to: stream, output) }
        guard let state else {
            return try AnswerOutput(output, partial: "\(output).\(Checkpoint.randomName()).partial", replaces: false)
        }
        let begun = state.checkpoint
        let partial = "\(output).\(begun.run).partial"
        if let number = begun.output {
            return try AnswerOutput(output, partial: partial, from: begun.outputSize, of: number)
        }
        // A run that was killed here has made no file, or an empty one.
        let answers = try AnswerOutput(output, partial: partial, replaces: true)
        try state.begin(answers)
        return answers
    }

    /// Opens a device, a pipe or a descriptor; nil for a file.
    private static func stream(_ output: String) throws(CommandFailure) -> FileDescriptor? {
        let place = try OutputFile.place(output)
        do throws(SystemError) { return try place.open(output) } catch { throw CommandFailure("\(output): \(error)") }
    }

    /// Checks that the answers of a complete run are there.
    private func checkAnswers(_ state: CheckpointFile) throws(CommandFailure) {
        guard let output else { return }
        let size = (try? FileStatus(following: output))?.size
        guard size != state.checkpoint.outputSize else { return }
        let found = size.map { "has \($0) bytes" } ?? "isn't there"
        throw CommandFailure(
            "\(state.path): this run is complete, but \(output) \(found), expected \(state.checkpoint.outputSize) bytes",
            hint: "put the file back, or delete \(state.path) to begin anew")
    }

    private func finish(_ counts: BatchCounts, _ summary: AuditSummary?, _ settings: BatchSettings) throws {
        if let summary {
            let run = AuditRun(
                inputs: source.files.map(InputFile.displayName), format: source.format.rawValue, lines: counts.lines,
                answers: counts.answers, evaluationDate: settings.defaults.time)
            for file in summaries {
                let bytes =
                    file.hasSuffix(".html") ? summary.page(run, version: ToolVersion.current) : summary.json(run)
                try OutputFile.write(bytes, to: file, replacing: true)
            }
        }
        if counts.lines == 0, source.files != ["-"] {
            Diagnostics.warn("the input has no rows: check the files, and --input, which says what they have")
        }
        try StandardStream.error.writeLine("servertrust: " + counts.line(source.format))
    }
}
