// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Crypto
import Foundation
import PKIX
import ServerTrust

/// The command of a batch: `verify --batch`, or `audit`, where some options have other names.
struct BatchCommand {
    /// The files with the rows. Empty for standard input.
    var files: [String]
    var evaluation: EvaluationOptions
    var bulk: BatchOptions
    var form: AnswerForm
    /// The folder for records of the verdicts, or nil to record none.
    var recording: RecordOptions?

    /// Checks that the options are compatible.
    /// - Throws: `ValidationError` if options contradict each other.
    func validate() throws {
        try OptionRule.check(.excludes(["--without-host": bulk.withoutHost, "--host": evaluation.host]))
        try bulk.validate(files: files, others: evaluation.files)
    }

    /// Evaluates all rows and writes the answers.
    func run() throws {
        let overlay = try evaluation.roots.overlay()
        var settings = BatchSettings()
        settings.overlay = overlay
        settings.defaults = defaults
        if !evaluation.anchors.isEmpty {
            let stores = try CertificateInput.anchorsByPurpose(evaluation.anchors)
            // The anchors for rows without their own purpose are required.
            if case .failure(let failure) = stores[evaluation.purpose ?? .serverAuth] { throw failure }
            settings.anchors = stores.mapValues { $0.map { TrustAnchors($0).applying(overlay) } }
        }
        if !evaluation.intermediates.isEmpty {
            let candidates = try CertificateInput.intermediates(evaluation.intermediates)
            for error in candidates.leftOut.prefix(20) { Diagnostics.warn("left out: \(error)") }
            settings.trust.intermediates = candidates.certificates
        }
        let revocation = evaluation.revocation
        settings.trust.revocationData = try RevocationInput.data(ocsp: revocation.ocsp, crls: revocation.crl)
        settings.trust.revocationData.filters = try revocation.filters()
        settings.trust.revocation = revocation.policy
        settings.shortLivedExemption = revocation.exemptShortLived?.anchors
        settings.trust.denied = try evaluation.deniedLists.list()
        let transparency = evaluation.transparency
        var check = TransparencySettings(logs: try transparency.list(), policy: .mozilla)
        check.includesPrivateAnchors = true
        check.ignoresListAge = transparency.anyAge
        settings.trust.transparency = check
        settings.ignoresHosts = bulk.withoutHost
        settings.blobs = bulk.blobFolder(beside: files.first)
        settings.recorder = recording?.recorder(isBatch: true)
        settings.columns = bulk.format == .ndjson ? bulk.rowColumns : nil
        let needsHosts = settings.needsHosts && evaluation.purpose != .clientAuth
        let source = InputSource(
            files: files.isEmpty ? ["-"] : files, format: bulk.format, columns: bulk.rowColumns,
            maximumRowSize: BatchEvaluator.maximumLineSize,
            maximumExpansion: bulk.maximumExpansion ?? ByteStream.defaultExpansion, needsHosts: needsHosts)
        let run = BatchRun(
            source: source, settings: settings, form: form, bulk: bulk,
            digests: bulk.checkpoint == nil ? [:] : try evaluation.digests())
        defer { Self.finish(settings.recorder) }
        try run.run()
    }

    /// Waits for the records, and warns about lost ones.
    private static func finish(_ recorder: TrustRecorder?) {
        recorder?.flushAndWait()
        guard let counts = recorder?.counts, counts.dropped + counts.failed > 0 else { return }
        Diagnostics.warn("\(counted(counts.dropped + counts.failed, "verdict")) couldn't be recorded")
    }

    /// The default values for keys that a row doesn't have.
    private var defaults: BatchRequest {
        var request = BatchRequest()
        request.host = evaluation.host
        request.time = evaluation.time
        request.policy = ValidationPolicy(
            profile: evaluation.profile ?? .webPKI, purpose: evaluation.purpose ?? .serverAuth,
            isStrict: evaluation.strict, maximumIntermediates: evaluation.maximumIntermediates)
        let isContract = bulk.format == .requests
        let revocation = evaluation.revocation
        // Each request chooses its own mode, unless an option is given that only makes sense with revocation.
        request.revocation =
            isContract && revocation.revocation == nil && revocation.files.isEmpty ? .off : revocation.mode
        let transparency = evaluation.transparency
        if transparency.isPolicyGiven || (transparency.logs != nil && !isContract) {
            request.transparency = BatchRequest.Transparency(
                policy: (transparency.policy ?? .chrome).policy, mode: transparency.mode ?? .report)
        }
        return request
    }

    // MARK: - Checkpoints

    /// Returns the words of the command, without the options that may differ when a run resumes.
    static func resumableCommand(_ command: [String] = CommandLine.arguments) -> [String] {
        var words: [String] = []
        var isNumber = false
        for word in command.dropFirst() {
            let isLimit = BatchOptions.resumable.contains { word == $0 || word.hasPrefix($0 + "=") }
            if !isNumber, !isLimit { words.append(word) }
            isNumber = BatchOptions.resumable.contains(word)
        }
        return words
    }
}

extension EvaluationOptions {
    /// Returns the digests of the files that the options name, and of the system's anchors if they count.
    /// - Parameter others: further files of the command.
    func digests(others: [String] = []) throws(CommandFailure) -> [String: String] {
        var digests: [String: String] = [:]
        let overlay = roots.rootsOverlay == nil ? SystemAnchors.overlayFile() : nil
        for file in files + revocation.filter + [overlay].compactMap(\.self) + others {
            digests[file] = try Self.digest(file)
        }
        if anchors.isEmpty {
            digests["the system's root store"] = Checkpoint.digest(of: (try? SystemAnchors.shared().files) ?? [])
        }
        return digests
    }

    /// Returns the digest of a file's contents. For a folder, returns the digest of the names, sizes and times of its
    /// files.
    private static func digest(_ file: String) throws(CommandFailure) -> String {
        guard file != "-" else { throw CommandFailure("--checkpoint: standard input can't be read again; name a file") }
        if let folder = try FilterInput.folder(file) {
            return Checkpoint.digest(of: try InputFile.all(inFolder: folder))
        }
        return Hex.encode(Array(SHA256.hash(data: try InputFile.read(file))))
    }
}
