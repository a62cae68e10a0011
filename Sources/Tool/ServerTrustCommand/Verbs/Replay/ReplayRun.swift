// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// A run of `audit --replay`: reads all records on all cores, in bounded memory.
struct ReplayRun {
    var source: InputSource
    var changes: ReplayChanges
    /// The folder with the large values, or nil for the one beside each file.
    var blobs: String?
    var jobs: Int?
    /// The file with the state to resume from, or nil to write none.
    var checkpoint: String?
    /// The options that affect the report, with the digests of files, for the checkpoint.
    var options: [String: String] = [:]
    /// The words of the command, for the checkpoint.
    var command: [String] = []

    /// Evaluates all records.
    /// - Parameter observe: receives each finding with its certificates, or nil for none.
    /// - Throws: ``CommandFailure`` if reading or writing fails.
    func run(observing observe: ((ReplayFinding) -> Void)? = nil) throws -> ReplaySummary {
        let state = try checkpointFile()
        if let state, state.checkpoint.isComplete {
            Diagnostics.note("\(state.path): this run is complete; the report is made of its counts")
        }
        // A run that continues keeps the start of its timeline.
        var summary = state?.checkpoint.replay ?? ReplaySummary(timeline: changes.period.map(TimelineSummary.init))
        guard state?.checkpoint.isComplete != true else { return summary }
        let memory = SignatureMemory.forBatch()
        var changes = changes
        changes.period = summary.timeline?.period
        let (evaluated, blobs, keepsCertificates) = (changes, blobs, observe != nil)
        let pipeline = BatchPipeline(
            source, from: state?.checkpoint.position ?? InputPosition(), jobs: jobs, answers: ReplayAnswers()
        ) { ReplayEvaluator(evaluated, blobs: blobs, memory: memory, keepsCertificates: keepsCertificates) }
        var progress = BatchProgress(total: source.totalSize(), answersToStandardOutput: false)
        defer { progress?.clear() }
        var latest: InputPosition?
        do {
            try pipeline.run { answers, block in
                for finding in answers.findings {
                    summary.add(finding)
                    observe?(finding)
                }
                progress?.show(answers: summary.total.allLines, bytes: block.bytesRead)
                latest = block.isResumable ? block.end : nil
                if let latest { try state?.update(latest, summary) }
            }
        } catch {
            // The next run continues after the lines before the failure.
            if let latest { try state?.update(latest, summary, now: true) }
            guard var failure = error as? CommandFailure, summary.total.allLines > 0 else { throw error }
            failure.errors.append("stopped after \(counted(summary.total.allLines, "line")), without a report")
            throw failure
        }
        try state?.complete(summary)
        return summary
    }

    private func checkpointFile() throws(CommandFailure) -> CheckpointFile? {
        guard let checkpoint else { return nil }
        guard try OutputFile.place(checkpoint) == .file else {
            throw CommandFailure(
                "\(checkpoint): isn't a regular file", hint: "--checkpoint needs files that can be read again")
        }
        return try CheckpointFile(
            checkpoint,
            Checkpoint(
                command: command, options: options, inputs: try Checkpoint.Input.all(of: source), evaluationDate: ""))
    }
}
