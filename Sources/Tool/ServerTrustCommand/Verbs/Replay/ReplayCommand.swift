// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
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
    /// Whether `pins rehearse` runs the replay.
    var isRehearsal = false

    /// Checks that the options are compatible.
    /// - Throws: `ValidationError` if options contradict each other.
    func validate() throws {
        try bulk.validateLimits()
        let start = options.at ?? .now()
        let until = options.forecast.until
        try OptionRule.check(
            .excludes(
                "--replay", true,
                [
                    "--input": bulk.input, "--id-column": bulk.idColumn, "--host-column": bulk.hostColumn,
                    "--chain-column": bulk.chainColumn, "--host": evaluation.host,
                    "--without-host": bulk.withoutHost, "--output": bulk.output, "--summary": bulk.summary,
                ], ": it reads records, and writes one report"),
            .that(evaluation.time == nil, "with --replay, set the date with --at"),
            // The given anchors replace the recorded ones, so nothing would be removed.
            .excludes(["--without-anchor": options.withoutAnchor, "--anchors": evaluation.anchors]),
            .standardInputOnce(files + evaluation.files + options.pins + options.forecast.files),
            .that(
                bulk.checkpoint == nil || !files.contains("-"),
                "--checkpoint requires input files: standard input can't be read again"),
            .excludes(
                "--explain", options.explain,
                ["--checkpoint": bulk.checkpoint, "--fail-on": options.failOn, "--until": until]),
            .that(
                options.explain == nil || format == .text || format == .json,
                "--explain writes --format text or json"),
            .that(
                until.map { $0 > start } ?? true,
                "--until \(until ?? start) isn't after the start of the timeline, \(start)"))
    }

    /// Evaluates all records and writes the report.
    func run() throws {
        let changes = try changes()
        if let line = options.explain { return try ReplayExplanation(changes: changes, command: self).write(line) }
        let report = try replay(changes)
        try StandardStream.output.write(report.written(as: format))
        try check(report)
    }

    /// Evaluates all records.
    /// - Parameter observe: receives each finding with its record, or nil for none.
    /// - Throws: ``CommandFailure`` if a file can't be read, or contains no record.
    func replay(
        _ changes: ReplayChanges, observing observe: ((ReplayFinding) -> Void)? = nil
    ) throws -> ReplayReport {
        let source = InputSource(
            files: try Self.inputs(files), maximumRowSize: TrustRecord.maximumLineSize,
            maximumExpansion: bulk.maximumExpansion ?? ByteStream.defaultExpansion)
        let summary = try summary(of: source, changes, observing: observe)
        let report = ReplayReport(
            inputs: files, changes: changes, summary: summary,
            allowed: Set(options.forecast.allowUnknown.map { $0.lowercased() }),
            isLong: options.forecast.all, isRehearsal: isRehearsal)
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
            let found = try InputFile.all(inFolder: argument).filter { file in
                ["ndjson", "jsonl"].contains(Audit.plainExtension(of: file))
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
    /// Reads the options that change records, and their files, in the order of reports.
    /// - Throws: ``CommandFailure`` with every problem of a file.
    func changes() throws -> ReplayChanges {
        var changes = ReplayChanges()
        changes.add("--pins", options.pins)
        changes.overlay = evaluation.roots.rootsOverlay == nil ? nil : try evaluation.roots.overlay()
        changes.withoutAnchors = options.withoutAnchor.map { CertificateSelector(option: "--without-anchor", $0) }
        try addAnchors(to: &changes)
        changes.add("--roots-overlay", [evaluation.roots.rootsOverlay])
        changes.add("--roots-unlisted", [evaluation.roots.rootsUnlisted?.rawValue])
        changes.add("--intermediates", evaluation.intermediates)
        if !evaluation.intermediates.isEmpty {
            let candidates = try CertificateInput.intermediates(evaluation.intermediates)
            for error in candidates.leftOut.prefix(20) { Diagnostics.warn("left out: \(error)") }
            changes.intermediates = candidates.certificates
        }
        changes.add("--denied", evaluation.deniedLists.denied)
        changes.add(try evaluation.deniedLists.list()) { $0.denied = .union($0.denied, $1) }
        try addRevocation(to: &changes)
        try addTransparency(to: &changes)
        changes.add("--profile", evaluation.profile, as: \.rawValue) { $0.policy.profile = $1 }
        changes.purpose = evaluation.purpose
        changes.add("--purpose", evaluation.purpose, as: \.rawValue) { $0.policy.purpose = $1 }
        changes.add("--maximum-intermediates", evaluation.maximumIntermediates, as: \.description) {
            $0.policy.maximumIntermediates = $1
        }
        changes.add("--at", options.at, as: \.description) { $0.time = $1 }
        changes.add("--shift", options.shift, as: \.description) { $0.time = $0.time.advanced(by: $1.seconds) }
        changes.add("--without-anchor", options.withoutAnchor)
        changes.add("--without-intermediate", options.withoutIntermediate)
        changes.withoutIntermediates = options.withoutIntermediate.map {
            CertificateSelector(option: "--without-intermediate", $0)
        }
        changes.add("--renew", options.forecast.renew)
        changes.add("--to", options.forecast.to)
        changes.add("--ccadb", options.forecast.ccadb)
        changes.renewal = try options.forecast.renewal()
        changes.add("--strict", evaluation.strict) { $0.policy.isStrict = true }
        changes.period = options.forecast.until.map { ReplayPeriod(start: options.at ?? .now(), end: $0) }
        if !options.pins.isEmpty { changes.pins = try pins() }
        return changes
    }

    private func addAnchors(to changes: inout ReplayChanges) throws {
        guard !evaluation.anchors.isEmpty else { return }
        changes.add("--anchors", evaluation.anchors)
        let (overlay, removed) = (changes.overlay, changes.withoutAnchors)
        changes.anchors = try CertificateInput.anchorsByPurpose(evaluation.anchors)
            .mapValues { store in
                store.map { store in
                    let kept = store.anchors.filter { anchor in !removed.contains { $0.matches(anchor.certificate) } }
                    return TrustAnchors(AnchorStore(kept, distrusted: store.distrusted)).applying(overlay)
                }
            }
        if case .failure(let failure) = changes.anchors?[evaluation.purpose ?? .serverAuth] { throw failure }
    }

    private func addRevocation(to changes: inout ReplayChanges) throws {
        let revocation = evaluation.revocation
        changes.add("--revocation", revocation.revocation, as: \.rawValue) { $0.revocation = $1.mode }
        changes.add("--crl", revocation.crl)
        changes.add("--ocsp", revocation.ocsp)
        changes.add("--filter", revocation.filter)
        changes.evidence = try RevocationInput.data(ocsp: revocation.ocsp, crls: revocation.crl)
        changes.evidence.filters = try revocation.filters()
        changes.add("--exempt-short-lived", [revocation.exemptShortLived?.rawValue])
        changes.add(revocation.exemptShortLived) { $0.revocation.shortLivedExemption = $1.anchors }
        changes.add("--revocation-max-age", [revocation.revocationMaxAge?.description])
        if revocation.revocationMaxAge != nil {
            changes.add(revocation.policy.maximumAge) { $0.revocation.maximumAge = $1 }
        }
    }

    private func addTransparency(to changes: inout ReplayChanges) throws {
        let given = evaluation.transparency
        guard let logs = try given.list() else { return }
        changes.add("--ct-logs", [given.logs])
        changes.add("--ct-policy", [given.policy?.rawValue])
        changes.add("--ct", [given.mode?.rawValue])
        changes.replacesTransparency = given.policy != nil && given.mode != nil
        let (policy, mode, ignoresListAge) = (given.policy?.policy, given.mode, given.anyAge)
        changes.add(logs) { settings, logs in
            let recorded = settings.transparency
            var changed = TransparencySettings(
                logs: logs, policy: policy ?? recorded?.policy ?? .chrome, mode: mode ?? recorded?.mode ?? .report)
            changed.includesPrivateAnchors = recorded?.includesPrivateAnchors ?? false
            changed.ignoresListAge = ignoresListAge
            settings.transparency = changed
        }
    }

    private func pins() throws(CommandFailure) -> ReplayChanges.Pins {
        // A signed list must be valid when the app gets it: now, or at the given time.
        let read = try options.pinFiles.read(options.pins, at: options.at ?? .now(), ignoresAnchors: true)
        return read.rules.map { .rules($0) } ?? .keys(read.pins)
    }

    /// Returns the digests of the files that the options name, for the checkpoint.
    func digests() throws(CommandFailure) -> [String: String] {
        let pins = options.pins.filter { !$0.hasPrefix("sha256/") }
        return try evaluation.digests(others: options.forecast.ccadb + options.forecast.to + pins)
    }
}
