// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import PKIX
import ServerTrust

/// The command of `audit --replay`: the files, and the options that change records.
struct ReplayCommand {
    /// The files with records, or folders of them.
    var files: [String]
    var evaluation: EvaluationOptions
    var bulk: BatchOptions
    var options: ReplayOptions
    var format: ReplayFormat

    /// Checks that the options are compatible.
    /// - Throws: `ValidationError` if options contradict each other.
    func validate() throws {
        guard bulk.input == nil, !bulk.rowColumns.isAnyGiven, !bulk.withoutHost, bulk.output == nil,
            bulk.summary.isEmpty, evaluation.host == nil
        else {
            throw ValidationError(
                "--replay reads records, and writes one report; it can't be combined with --input, --id-column, --host-column, "
                    + "--chain-column, --host, --without-host, --output or --summary")
        }
        guard evaluation.time == nil else { throw ValidationError("with --replay, set the date with --at") }
        try bulk.validateLimits()
        // The given anchors replace the recorded ones, so nothing would be removed.
        guard options.withoutAnchor.isEmpty || evaluation.anchors.isEmpty else {
            throw ValidationError("--without-anchor removes recorded anchors; it can't be combined with --anchors")
        }
        let standardInputs = (files + evaluation.files + options.pins + options.ccadb + options.to).count { $0 == "-" }
        guard standardInputs <= 1 else { throw ValidationError("standard input can only be read once") }
        guard bulk.checkpoint == nil || !files.contains("-") else {
            throw ValidationError("--checkpoint requires input files: standard input can't be read again")
        }
        guard options.explain == nil || (bulk.checkpoint == nil && options.failOn.isEmpty) else {
            throw ValidationError("--explain can't be combined with --checkpoint or --fail-on")
        }
        guard options.explain == nil || options.until == nil else {
            throw ValidationError("--explain can't be combined with --until")
        }
        guard options.explain == nil || format == .text || format == .json else {
            throw ValidationError("--explain writes --format text or json")
        }
    }

    /// Evaluates all records and writes the report.
    func run() throws {
        let changes = try changes()
        if let line = options.explain { return try ReplayExplanation(changes, self).write(line) }
        let report = try replay(changes)
        try StandardStream.output.write(report.written(as: format))
        try check(report)
    }

    /// Evaluates all records.
    /// - Parameter observe: receives each finding with its certificates, or nil for none.
    /// - Throws: ``CommandFailure`` if a file can't be read, or contains no record.
    func replay(
        _ changes: ReplayChanges, observing observe: ((ReplayFinding) -> Void)? = nil
    ) throws -> ReplayReport {
        let inputs = try Self.inputs(files)
        let run = ReplayRun(
            source: InputSource(
                files: inputs, maximumRowSize: TrustRecord.maximumLineSize,
                maximumExpansion: bulk.maximumExpansion ?? ByteStream.defaultExpansion),
            changes: changes, blobs: bulk.blobs, jobs: bulk.jobs, checkpoint: bulk.checkpoint,
            options: bulk.checkpoint == nil ? [:] : try checkpointOptions(), command: BatchCommand.resumableCommand())
        let summary = try run.run(observing: observe)
        let report = ReplayReport(
            inputs: files, changes: changes, summary: summary,
            allowed: Set(options.allowUnknown.map { $0.lowercased() }),
            isLong: options.all)
        for host in report.needlesslyAllowed {
            Diagnostics.warn("--allow-unknown \(host): everything about this host is known, or no record has it")
        }
        guard summary.total.allLines > 0 else {
            throw CommandFailure(
                "no records in \(files.map(InputFile.displayName).joined(separator: ", "))",
                hint: "name a folder that check --record or TrustRecorder wrote, or its files")
        }
        // An option that changes nothing is most likely misspelled, and its report would be a false comfort.
        let unused = report.unused.selectors
        guard unused.isEmpty else {
            throw CommandFailure(
                errors: unused.map { "\($0): no record has such a certificate" },
                hint: "name a common name, a subject as servertrust inspect prints it, or a SHA-256")
        }
        return report
    }

    /// Ends the process with the exit code of the report's outcome.
    func check(_ report: ReplayReport) throws {
        if let code = report.exitCode(failingOn: options.failOn) { throw code }
    }

    /// Returns the files, and the files with records in the folders, in the order of their names.
    /// - Throws: ``CommandFailure`` for a folder without records.
    static func inputs(_ arguments: [String]) throws(CommandFailure) -> [String] {
        var files: [String] = []
        for argument in arguments {
            guard argument != "-", (try? FileStatus(following: argument))?.isFolder == true else {
                files.append(argument)
                continue
            }
            let found = try FolderBlockReader.files(in: argument).filter { file in
                let name = URL(fileURLWithPath: file)
                let isCompressed = ["gz", "zst", "zstd"].contains(name.pathExtension.lowercased())
                let plain = isCompressed ? name.deletingPathExtension() : name
                return ["ndjson", "jsonl"].contains(plain.pathExtension.lowercased())
            }
            guard !found.isEmpty else {
                throw CommandFailure(
                    "\(argument): no file of records, expected names that end in .ndjson",
                    hint: "name the folder that check --record or TrustRecorder wrote")
            }
            files += found
        }
        return files
    }
}

// MARK: - Changes

extension ReplayCommand {
    /// Reads the files of all options.
    /// - Throws: ``CommandFailure`` with every problem of a file.
    func changes() throws -> ReplayChanges {
        var changes = ReplayChanges(options: given)
        changes.overlay = evaluation.roots.rootsOverlay == nil ? nil : try evaluation.roots.overlay()
        changes.withoutAnchors = options.withoutAnchor.map { CertificateSelector(option: "--without-anchor", $0) }
        if !evaluation.anchors.isEmpty {
            let (overlay, removed) = (changes.overlay, changes.withoutAnchors)
            changes.anchors = try CertificateInput.anchorsByPurpose(evaluation.anchors)
                .mapValues { store in
                    store.map { store in
                        let kept = store.anchors.filter { anchor in
                            !removed.contains { $0.matches(anchor.certificate) }
                        }
                        return TrustAnchors(AnchorStore(kept, distrusted: store.distrusted)).applying(overlay)
                    }
                }
            if case .failure(let failure) = changes.anchors?[evaluation.purpose ?? .serverAuth] { throw failure }
        }
        if !evaluation.intermediates.isEmpty {
            let candidates = try CertificateInput.intermediates(evaluation.intermediates)
            for error in candidates.leftOut.prefix(20) { Diagnostics.warn("left out: \(error)") }
            changes.intermediates = candidates.certificates
        }
        let revocation = evaluation.revocation
        changes.evidence = try RevocationInput.data(ocsp: revocation.ocsp, crls: revocation.crl)
        changes.evidence.filters = try revocation.filters()
        changes.revocation = revocation.revocation?.mode
        changes.shortLivedExemption = revocation.exemptShortLived?.anchors
        changes.maximumAge = revocation.revocationMaxAge == nil ? nil : revocation.policy.maximumAge
        changes.denied = try evaluation.deniedLists.list()
        let transparency = evaluation.transparency
        if transparency.logs != nil {
            changes.transparency = ReplayChanges.Transparency(
                logs: try transparency.list(), policy: transparency.policy?.policy, mode: transparency.mode,
                ignoresListAge: transparency.anyAge)
        }
        changes.profile = evaluation.profile
        changes.purpose = evaluation.purpose
        changes.isStrict = evaluation.strict
        changes.maximumIntermediates = evaluation.maximumIntermediates
        changes.time = options.at
        changes.shift = options.shift?.seconds ?? 0
        changes.withoutIntermediates = options.withoutIntermediate.map {
            CertificateSelector(option: "--without-intermediate", $0)
        }
        changes.renewal = try options.renewal()
        changes.period = options.until.map { ReplayPeriod(from: options.at ?? .now(), to: $0) }
        if !options.pins.isEmpty { changes.pins = try pins() }
        return changes
    }

    private func pins() throws(CommandFailure) -> ReplayChanges.Pins {
        // A signed list must be valid when the app gets it: now, or at the given time.
        let read = try options.pinFiles.read(options.pins, at: options.at ?? .now(), ignoresAnchors: true)
        guard let rules = read.rules else { return .keys(read.pins) }
        return .rules(rules)
    }

    /// The options that change records, with their values.
    private var given: [ReplayChanges.Option] {
        let revocation = evaluation.revocation
        let transparency = evaluation.transparency
        let named: [(String, [String])] = [
            ("--pins", options.pins), ("--anchors", evaluation.anchors),
            ("--roots-overlay", [evaluation.roots.rootsOverlay].compactMap(\.self)),
            ("--roots-unlisted", [evaluation.roots.rootsUnlisted?.rawValue].compactMap(\.self)),
            ("--intermediates", evaluation.intermediates), ("--denied", evaluation.deniedLists.denied),
            ("--revocation", [revocation.revocation?.rawValue].compactMap(\.self)),
            ("--crl", revocation.crl), ("--ocsp", revocation.ocsp), ("--filter", revocation.filter),
            ("--exempt-short-lived", [revocation.exemptShortLived?.rawValue].compactMap(\.self)),
            ("--revocation-max-age", [revocation.revocationMaxAge?.description].compactMap(\.self)),
            ("--ct-logs", [transparency.logs].compactMap(\.self)),
            ("--ct-policy", [transparency.policy?.rawValue].compactMap(\.self)),
            ("--ct", [transparency.mode?.rawValue].compactMap(\.self)),
            ("--profile", [evaluation.profile?.rawValue].compactMap(\.self)),
            ("--purpose", [evaluation.purpose?.rawValue].compactMap(\.self)),
            ("--maximum-intermediates", [evaluation.maximumIntermediates.map { "\($0)" }].compactMap(\.self)),
            ("--at", [options.at?.description].compactMap(\.self)),
            ("--shift", [options.shift?.description].compactMap(\.self)),
            ("--without-anchor", options.withoutAnchor), ("--without-intermediate", options.withoutIntermediate),
            ("--renew", options.renew), ("--to", options.to), ("--ccadb", options.ccadb),
        ]
        return named.flatMap { name, values in values.map { ReplayChanges.Option(name: name, value: $0) } }
            + (evaluation.strict ? [ReplayChanges.Option(name: "--strict")] : [])
    }

    private func checkpointOptions() throws(CommandFailure) -> [String: String] {
        var checked = try BatchCommand(files: files, evaluation: evaluation, bulk: bulk, form: .lines)
            .checkpointOptions()
        checked["--shift"] = options.shift?.description
        checked["--at"] = options.at?.description
        checked["--until"] = options.until?.description
        checked["--without-anchor"] = options.withoutAnchor.joined(separator: " ")
        checked["--without-intermediate"] = options.withoutIntermediate.joined(separator: " ")
        checked["--renew"] = options.renew.joined(separator: " ")
        for (name, files) in [("--ccadb", options.ccadb), ("--to", options.to)] {
            checked[name] = try files.map { file throws(CommandFailure) in try BatchCommand.digest(file) }
                .joined(separator: " ")
        }
        var digests: [String] = []
        for file in options.pins { digests.append(file.hasPrefix("sha256/") ? file : try BatchCommand.digest(file)) }
        checked["--pins"] = digests.joined(separator: " ")
        return checked
    }
}
