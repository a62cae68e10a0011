// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Crypto
import Foundation
import PKIX
import ServerTrust
import TrustSupport

/// The part of `servertrust verify` for `--batch`.
extension Verify {
    func validateBatch() throws {
        let hasOptions =
            !pin.isEmpty || !backupPin.isEmpty || pinScope != nil || ev || apple || pins != nil
            || pinFiles.isAnyGiven || exceptions != nil || addException || exceptionDays != nil || format != nil
            || passphrases.passwordFile != nil || fetching.isAnyGiven || proxies.proxy != nil
            || expiry.expiresWithin != nil
        guard !hasOptions else {
            throw ValidationError(
                "with --batch rows are evaluated one by one, without pins, exceptions and fetching: --pin, --pins, --ev, "
                    + "--apple, --exceptions, --format, --password-file, --fetch, --fix, --proxy and --expires-within don't go with it"
            )
        }
        guard !bulk.withoutHost || host == nil else {
            throw ValidationError("--without-host compares no host, --host names one")
        }
        let others =
            anchors + intermediates + revocation.files + deniedLists.denied
            + [roots.rootsOverlay, transparency.logs].compactMap(\.self)
        try bulk.validate(files: files, others: others)
        guard !others.contains("-") || (!files.isEmpty && !files.contains("-")) else {
            throw ValidationError("with --batch standard input has the requests: name a file")
        }
        guard others.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("standard input can be read once only")
        }
        guard (maximumIntermediates ?? 0) >= 0 else {
            throw ValidationError("--maximum-intermediates is 0 or more, found \(maximumIntermediates ?? 0)")
        }
    }

    func runBatch() throws {
        let overlay = try roots.overlay()
        var settings = BatchSettings()
        settings.overlay = overlay
        settings.defaults = defaults
        if !anchors.isEmpty {
            let stores = try CertificateInput.anchorsByPurpose(anchors)
            // Those for all rows but the ones with a purpose of their own have to be there.
            if case .failure(let failure) = stores[purpose ?? .serverAuth] { throw failure }
            settings.anchors = stores.mapValues { $0.map { TrustAnchors($0).applying(overlay) } }
        }
        if !intermediates.isEmpty {
            let candidates = try CertificateInput.intermediates(intermediates)
            for error in candidates.leftOut.prefix(20) { Diagnostics.warn("left out: \(error)") }
            settings.intermediates = candidates.certificates
        }
        settings.evidence = try RevocationInput.data(ocsp: revocation.ocsp, crls: revocation.crl)
        settings.evidence.filters = try revocation.filters()
        settings.revocation = revocation.policy
        settings.shortLivedExemption = revocation.exemptShortLived?.anchors
        settings.denied = try deniedLists.list()
        settings.transparency = BatchTransparency(
            logs: try transparency.list(), ignoresListAge: transparency.anyAge, datesCertificates: overlay != nil)
        settings.ignoresHosts = bulk.withoutHost
        settings.columns = bulk.format == .ndjson ? bulk.rowColumns : nil
        let needsHosts = host == nil && !bulk.withoutHost && purpose != .clientAuth
        if needsHosts, [.pem, .derDir, .zcertificate].contains(bulk.format) {
            Diagnostics.warn(
                "no --host given, and \(bulk.format.rawValue) has no hosts: the leaves' names are not checked")
        }
        let source = InputSource(
            files: files.isEmpty ? ["-"] : files, format: bulk.format, columns: bulk.rowColumns,
            maximumRowSize: BatchEvaluator.maximumLineSize, needsHosts: needsHosts)
        let run = BatchRun(
            source: source, settings: settings, form: bulk.columns ? .columns : bulk.short ? .short : .lines,
            jobs: bulk.jobs, output: bulk.output, checkpoint: bulk.checkpoint, summaries: bulk.summary,
            options: bulk.checkpoint == nil ? [:] : try checkpointOptions(), command: Self.commandWithoutJobs())
        try run.run()
    }

    /// The values of the keys that a row doesn't have.
    private var defaults: BatchRequest {
        var request = BatchRequest()
        request.host = host
        request.time = time
        request.policy = ValidationPolicy(
            profile: profile ?? .webPKI, purpose: purpose ?? .serverAuth, isStrict: strict,
            maximumIntermediates: maximumIntermediates)
        let isContract = bulk.format == .requests
        // Requests ask for themselves, unless an option that has no other use is given.
        request.revocation =
            isContract && revocation.revocation == nil && revocation.files.isEmpty ? .off : revocation.mode
        if transparency.isPolicyGiven || (transparency.logs != nil && !isContract) {
            request.transparency = BatchRequest.Transparency(
                policy: (transparency.policy ?? .chrome).policy, mode: transparency.mode ?? .report)
        }
        return request
    }

    // MARK: - Checkpoints

    /// Returns all options on which answers depend, with the digests of the files that they name.
    private func checkpointOptions() throws(CommandFailure) -> [String: String] {
        var options: [String: String] = [:]
        options["--input"] = bulk.format.rawValue
        options["--id-column"] = bulk.idColumn
        options["--host-column"] = bulk.hostColumn
        options["--chain-column"] = bulk.chainColumn
        options["--host"] = host?.description
        options["--without-host"] = "\(bulk.withoutHost)"
        options["--time"] = time?.description
        options["--purpose"] = purpose?.rawValue
        options["--profile"] = profile?.rawValue
        options["--strict"] = "\(strict)"
        options["--maximum-intermediates"] = maximumIntermediates.map { String($0) }
        options["--revocation"] = revocation.revocation?.rawValue
        options["--exempt-short-lived"] = revocation.exemptShortLived?.rawValue
        options["--revocation-max-age"] = revocation.revocationMaxAge.map { String($0.milliseconds) }
        options["--roots-unlisted"] = roots.rootsUnlisted?.rawValue
        options["--ct"] = transparency.mode?.rawValue
        options["--ct-policy"] = transparency.policy?.rawValue
        options["--ct-any-age"] = "\(transparency.anyAge)"
        options["--columns"] = "\(bulk.columns)"
        options["--short"] = "\(bulk.short)"
        options["--output"] = bulk.output
        options["--summary"] = bulk.summary.joined(separator: " ")
        try addFiles(to: &options)
        return options
    }

    private func addFiles(to options: inout [String: String]) throws(CommandFailure) {
        let overlay = roots.rootsOverlay ?? SystemAnchors.overlayFile()
        let named: [(String, [String])] = [
            ("--anchors", anchors), ("--intermediates", intermediates), ("--ocsp", revocation.ocsp),
            ("--crl", revocation.crl), ("--filter", revocation.filter), ("--denied", deniedLists.denied),
            ("--ct-logs", [transparency.logs].compactMap(\.self)), ("--roots-overlay", [overlay].compactMap(\.self)),
        ]
        for (name, files) in named {
            var digests: [String] = []
            for file in files { digests.append(try Self.digest(file)) }
            options[name] = digests.joined(separator: " ")
        }
        if anchors.isEmpty {
            let files = (try? SystemAnchors.shared().files) ?? []
            options["the store of the system's anchors"] = Checkpoint.digest(of: files)
        }
    }

    /// Returns the digest of a file's contents, or for a folder that of its files' names, sizes and times.
    private static func digest(_ file: String) throws(CommandFailure) -> String {
        guard file != "-" else { throw CommandFailure("--checkpoint: standard input can't be read again: name a file") }
        if let folder = try FilterInput.folder(file) {
            return Checkpoint.digest(of: try FolderBlockReader.files(in: folder))
        }
        return Hex.encode(Array(SHA256.hash(data: try InputFile.read(file))))
    }

    private static func commandWithoutJobs() -> [String] {
        var words: [String] = []
        var isNumber = false
        for word in CommandLine.arguments.dropFirst() {
            if !isNumber, word != "--jobs", !word.hasPrefix("--jobs=") { words.append(word) }
            isNumber = word == "--jobs"
        }
        return words
    }
}
