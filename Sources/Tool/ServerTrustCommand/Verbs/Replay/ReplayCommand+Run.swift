// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

extension ReplayCommand {
    /// Evaluates the records of a source on all cores, in bounded memory.
    /// - Parameter observe: receives each finding with its record, or nil for none.
    /// - Throws: ``CommandFailure`` if reading or writing fails.
    func summary(
        of source: InputSource, _ changes: ReplayChanges, observing observe: ((ReplayFinding) -> Void)?
    ) throws -> ReplaySummary {
        let state = try checkpointFile(source)
        if let state, state.checkpoint.isComplete {
            Diagnostics.note("\(state.path): this run is complete; the report is made of its counts")
        }
        // A run that continues keeps the start of its timeline.
        var summary = state?.checkpoint.replay ?? ReplaySummary(timeline: changes.period.map(TimelineSummary.init))
        guard state?.checkpoint.isComplete != true else { return summary }
        let memory = SignatureMemory.forBatch()
        var changes = changes
        changes.period = summary.timeline?.period
        let (evaluated, blobs, keepsRecords) = (changes, bulk.blobs, observe != nil)
        let pipeline = BatchPipeline(
            source, from: state?.checkpoint.position ?? InputPosition(), jobs: bulk.jobs, answers: ReplayAnswers()
        ) {
            var evaluator = ReplayEvaluator(
                evaluated, blobs: blobs, memory: memory, keepsRecords: keepsRecords)
            return { block, _, answers in evaluator.answer(block, into: &answers) }
        }
        do {
            let progress = BatchProgress(total: source.totalSize(), answersToStandardOutput: false)
            try pipeline.run(state, progress) { answers in
                for finding in answers.findings {
                    summary.add(finding)
                    observe?(finding)
                }
                return summary.total.allLines
            } saving: {
                $0.replay = summary
            }
        } catch {
            guard var failure = error as? CommandFailure, summary.total.allLines > 0 else { throw error }
            failure.errors.append("stopped after \(counted(summary.total.allLines, "line")), without a report")
            throw failure
        }
        try state?.update(now: true) { checkpoint in
            checkpoint.replay = summary
            checkpoint.isComplete = true
        }
        return summary
    }

    private func checkpointFile(_ source: InputSource) throws(CommandFailure) -> CheckpointFile? {
        guard let checkpoint = bulk.checkpoint else { return nil }
        try CheckpointFile.checkPlaces(of: [checkpoint])
        return try CheckpointFile(
            checkpoint,
            Checkpoint(
                command: BatchCommand.resumableCommand(), digests: try digests(),
                inputs: try Checkpoint.Input.all(of: source), evaluationDate: ""))
    }
}
