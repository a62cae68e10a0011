// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Crypto
import Foundation
import PKIX
import ServerTrust

/// The command of a batch: `verify --batch`, or `audit`, where some options have other names.
struct BatchCommand {
    /// The files or folders with the rows. Empty for standard input.
    var files: [String]
    var evaluation: EvaluationOptions
    var bulk: BatchOptions
    var form: AnswerForm
    /// The folder for records of the verdicts, or nil to record none.
    var recording: RecordOptions?

    /// Checks that the options are compatible.
    /// - Throws: `ValidationError` if options contradict each other.
    func validate() throws {
        guard !bulk.withoutHost || evaluation.host == nil else {
            throw ValidationError("--without-host compares no host, but --host names one")
        }
        let others = evaluation.files
        try bulk.validate(files: files, others: others)
        guard !others.contains("-") || (!files.isEmpty && !files.contains("-")) else {
            throw ValidationError("standard input contains the rows: name a file")
        }
        guard others.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("standard input can only be read once")
        }
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
            settings.intermediates = candidates.certificates
        }
        let revocation = evaluation.revocation
        settings.evidence = try RevocationInput.data(ocsp: revocation.ocsp, crls: revocation.crl)
        settings.evidence.filters = try revocation.filters()
        settings.revocation = revocation.policy
        settings.shortLivedExemption = revocation.exemptShortLived?.anchors
        settings.denied = try evaluation.deniedLists.list()
        let transparency = evaluation.transparency
        settings.transparency = BatchTransparency(
            logs: try transparency.list(), ignoresListAge: transparency.anyAge, datesCertificates: overlay != nil)
        settings.ignoresHosts = bulk.withoutHost
        settings.blobs = bulk.blobFolder(beside: files.first)
        settings.recorder = recording?.recorder(isBatch: true)
        settings.columns = bulk.format == .ndjson ? bulk.rowColumns : nil
        let needsHosts = evaluation.host == nil && !bulk.withoutHost && evaluation.purpose != .clientAuth
        if needsHosts, [.pem, .derDir, .zcertificate].contains(bulk.format) {
            Diagnostics.warn(
                "no --host given, and \(bulk.format.rawValue) contains no hosts: the leaves' names are not checked")
        }
        let source = InputSource(
            files: files.isEmpty ? ["-"] : files, format: bulk.format, columns: bulk.rowColumns,
            maximumRowSize: BatchEvaluator.maximumLineSize,
            maximumExpansion: bulk.maximumExpansion ?? ByteStream.defaultExpansion, needsHosts: needsHosts)
        let run = BatchRun(
            source: source, settings: settings, form: form, jobs: bulk.jobs, output: bulk.output,
            checkpoint: bulk.checkpoint, summaries: bulk.summary,
            options: bulk.checkpoint == nil ? [:] : try checkpointOptions(), command: Self.resumableCommand())
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

    /// Returns all options that affect answers, with the digests of the files that they name.
    func checkpointOptions() throws(CommandFailure) -> [String: String] {
        var options: [String: String] = [:]
        options["--input"] = bulk.format.rawValue
        options["--id-column"] = bulk.idColumn
        options["--host-column"] = bulk.hostColumn
        options["--chain-column"] = bulk.chainColumn
        options["--host"] = evaluation.host?.description
        options["--without-host"] = "\(bulk.withoutHost)"
        options["--time"] = evaluation.time?.description
        options["--purpose"] = evaluation.purpose?.rawValue
        options["--profile"] = evaluation.profile?.rawValue
        options["--strict"] = "\(evaluation.strict)"
        options["--maximum-intermediates"] = evaluation.maximumIntermediates.map { String($0) }
        options["--revocation"] = evaluation.revocation.revocation?.rawValue
        options["--exempt-short-lived"] = evaluation.revocation.exemptShortLived?.rawValue
        options["--revocation-max-age"] = evaluation.revocation.revocationMaxAge.map { String($0.milliseconds) }
        options["--roots-unlisted"] = evaluation.roots.rootsUnlisted?.rawValue
        options["--ct"] = evaluation.transparency.mode?.rawValue
        options["--ct-policy"] = evaluation.transparency.policy?.rawValue
        options["--ct-any-age"] = "\(evaluation.transparency.anyAge)"
        options["--blobs"] = bulk.blobs
        options["--columns"] = "\(form == .columns)"
        options["--short"] = "\(form == .short)"
        options["--output"] = bulk.output
        options["--summary"] = bulk.summary.joined(separator: " ")
        try addFiles(to: &options)
        return options
    }

    private func addFiles(to options: inout [String: String]) throws(CommandFailure) {
        let overlay = evaluation.roots.rootsOverlay ?? SystemAnchors.overlayFile()
        let revocation = evaluation.revocation
        let named: [(String, [String])] = [
            ("--anchors", evaluation.anchors), ("--intermediates", evaluation.intermediates),
            ("--ocsp", revocation.ocsp), ("--crl", revocation.crl), ("--filter", revocation.filter),
            ("--denied", evaluation.deniedLists.denied),
            ("--ct-logs", [evaluation.transparency.logs].compactMap(\.self)),
            ("--roots-overlay", [overlay].compactMap(\.self)),
        ]
        for (name, files) in named {
            var digests: [String] = []
            for file in files { digests.append(try Self.digest(file)) }
            options[name] = digests.joined(separator: " ")
        }
        if evaluation.anchors.isEmpty {
            let files = (try? SystemAnchors.shared().files) ?? []
            options["the system's root store"] = Checkpoint.digest(of: files)
        }
    }

    /// Returns the digest of a file's contents. For a folder, returns the digest of the names, sizes and times of its
    /// files.
    static func digest(_ file: String) throws(CommandFailure) -> String {
        guard file != "-" else { throw CommandFailure("--checkpoint: standard input can't be read again; name a file") }
        if let folder = try FilterInput.folder(file) {
            return Checkpoint.digest(of: try FolderBlockReader.files(in: folder))
        }
        return Hex.encode(Array(SHA256.hash(data: try InputFile.read(file))))
    }

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
