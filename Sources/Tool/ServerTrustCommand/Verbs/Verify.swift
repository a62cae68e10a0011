// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Diagnosis
import PKIX
import ServerTrust

/// `servertrust verify`: evaluates a presented chain.
struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "verify", abstract: "Evaluate certificates in files.")

    @Argument(help: "The presented chain: PEM or DER, leaf first; - is standard input.", completion: .file())
    var files: [String] = []

    @OptionGroup var evaluation: EvaluationOptions

    private var host: Hostname? { evaluation.host }

    @Option(help: .book("verify --pin"), transform: reading(SPKIPin.init))
    var pin: [SPKIPin] = []

    @Option(help: .book("verify --backup-pin"), transform: reading(SPKIPin.init))
    var backupPin: [SPKIPin] = []

    @Option(help: .book("verify --pins"), completion: .file())
    var pins: String?

    @OptionGroup(visibility: .wholePage) var pinFiles: PinFileOptions

    @Option(help: .wholePage("Choose which certificates in the path may match. (default: anywhere)"))
    var pinScope: SPKIPinsTrustEvaluator.Scope?

    @Flag(help: .wholePage("Require extended validation."))
    var ev = false

    @Flag(help: .book("verify --apple"))
    var apple = false

    @Option(help: .book("verify --exceptions"), completion: .file())
    var exceptions: String?

    @Flag(help: .wholePage("Agree to the failures, and write them to --exceptions."))
    var addException = false

    @Option(help: .book("verify --exception-days"))
    var exceptionDays: Int?

    @OptionGroup(visibility: .wholePage) var passphrases: PassphraseOptions

    @OptionGroup var fetching: FetchOptions

    @OptionGroup(visibility: .wholePage) var proxies: ProxyOptions

    @OptionGroup var expiry: ExpiryOptions

    @OptionGroup(visibility: .wholePage) var recording: RecordOptions

    @Flag(help: "Describe every certificate in full.")
    var long = false

    @Option(help: "Set the report format. (default: text)")
    var format: VerifyFormat?

    @Flag(help: .wholePage("Evaluate one row per line of standard input or files, and print one line for each."))
    var batch = false

    @OptionGroup(visibility: .wholePage) var bulk: BatchOptions

    @Flag(help: .wholePage("Answer in comma-separated values with a header."))
    var columns = false

    @Flag(help: .wholePage("Answer with name, verdict, first code and expiry, separated by tabs."))
    var short = false

    func validate() throws {
        guard !batch else { return try validateBatch() }
        try OptionRule.check(
            .that(
                !bulk.isAnyGiven && !columns && !short,
                "--input, --id-column, --host-column, --chain-column, --without-host, --columns, --short, "
                    + "--output, --summary, --checkpoint, --maximum-expansion and --jobs require --batch"),
            .that(!files.isEmpty, "expected a file with the presented chain, or --batch"),
            .standardInputOnce(files + evaluation.files + [pins]),
            .requires(["--fetch": fetching.fetches], for: ["--proxy": proxies.proxy]),
            .that(!fetching.fix || format == nil, "--fix prints PEM and can't be combined with --format"),
            .requires(["--exceptions": exceptions], for: ["--add-exception": addException]),
            .requires(["--host": host], for: ["--exceptions": exceptions], ", because exceptions are bound to a host"),
            .requires(["--add-exception": addException], for: ["--exception-days": exceptionDays]),
            .range("--exception-days", exceptionDays, 1...36_500), .requires(["--pins": pins], for: pinFiles.options),
            .requires(["--host": host], for: ["--pins": pins], ", because its rules are for hosts"),
            .excludes(
                "--pins", pins,
                ["--pin": pin, "--backup-pin": backupPin, "--pin-scope": pinScope, "--ev": ev, "--apple": apple]))
        _ = try keyPins()
    }

    /// Refuses options that can't be used for rows.
    private func validateBatch() throws {
        try OptionRule.check(
            .excludes(
                "--batch", batch,
                [
                    "--pin": pin, "--backup-pin": backupPin, "--pin-scope": pinScope, "--ev": ev, "--apple": apple,
                    "--pins": pins, "--pins-from": pinFiles.pinsFrom, "--pins-key": pinFiles.pinsKey,
                    "--pins-threshold": pinFiles.pinsThreshold, "--exceptions": exceptions,
                    "--add-exception": addException, "--exception-days": exceptionDays, "--format": format,
                    "--long": long, "--password-file": passphrases.passwordFile, "--fetch": fetching.isAnyGiven,
                    "--proxy": proxies.proxy, "--expires-within": expiry.expiresWithin,
                ], ": it evaluates rows one by one, without pins, exceptions and fetching"),
            .excludes(["--columns": columns, "--short": short]))
        try batchCommand.validate()
    }

    private var batchCommand: BatchCommand {
        BatchCommand(
            files: files, evaluation: evaluation, bulk: bulk, form: columns ? .columns : short ? .short : .lines,
            recording: recording)
    }

    func run() async throws {
        if batch { return try batchCommand.run() }
        let chain = try CertificateInput.presentedChain(files, passphrases: passphrases)
        let candidates = try CertificateInput.intermediates(evaluation.intermediates, passphrases: passphrases)
        let leftOut = chain.leftOut + candidates.leftOut
        for error in leftOut.prefix(20) { Diagnostics.warn("left out: \(error)") }
        if leftOut.count > 20 { Diagnostics.warn("left out: \(leftOut.count - 20) more") }
        let remarks = chain.remarks + candidates.remarks
        for remark in remarks { Diagnostics.warn(remark) }
        let purpose = evaluation.purpose ?? .serverAuth
        if host == nil, purpose == .serverAuth {
            Diagnostics.warn(
                "no --host given, so the leaf's names are not checked and a valid certificate of any server is accepted"
            )
        }
        var trust = Trust(insecurelyWithoutHost: PresentedChain(chain.certificates))
        if let host { trust = Trust(presentedChain: chain.certificates, host: host) }
        trust.policy = ValidationPolicy(
            profile: evaluation.profile ?? .webPKI, purpose: purpose, isStrict: evaluation.strict,
            maximumIntermediates: evaluation.maximumIntermediates)
        let overlay = try evaluation.roots.overlay()
        trust.anchors = try trustAnchors().applying(overlay)
        trust.intermediates = candidates.certificates
        trust.verifyDate = .at(evaluation.time ?? .now())
        trust.revocation = evaluation.revocation.policy
        trust.revocationData = try evaluation.revocation.data()
        trust.settings.denied = try evaluation.deniedLists.list()
        trust.settings.transparency = try evaluation.transparency.settings()
        let rules = try pinRules(at: trust.verifyDate.time)
        trust.settings.denied = .union(trust.settings.denied, rules?.denied)
        if let host, let rules, rules.hasAnchors {
            trust.anchors = try rules.trust(for: host).anchors.applying(overlay)
        }
        let resources = try fetching.resources(through: proxies.selection())
        let recorder = recording.recorder()
        var verdict = try await evaluate(&trust, rules, fetching: resources, recorder)
        await recorder?.flush()
        verdict = verdict.naming(unreadableIssuers: chain.unreadable + candidates.unreadable)
        // The warnings that follow are also on standard error.
        let unannounced = verdict.warnings.count
        if let host, let remark = rules?.remark(on: host, at: verdict.evaluationDate) {
            verdict.warnings.append(remark)
            Diagnostics.warn(remark)
        }
        await resources?.finishWriting()
        verdict.warnings += leftOut.map { "left out: \($0)" } + remarks
        if let misplaced = trust.presentedChain.misplacedLeaf(for: host) {
            verdict.warnings.append(misplaced.description)
            Diagnostics.warn(misplaced.description)
        }
        let presented = PresentedChain(chain.certificates, unreadable: chain.unreadable)
        let given = evaluation.anchors.isEmpty ? verdict.path : (try? trust.anchors.certificates) ?? []
        let reused = IssuedNumbers.notes(on: presented, candidates.certificates + given)
        verdict.warnings += reused
        for note in reused.prefix(5) { Diagnostics.warn(note) }
        let plain = ProfileTrial.profile(after: verdict) { profile in
            guard rules == nil, let evaluator = try? evaluator() else { return nil }
            var other = trust
            other.policy.profile = profile
            return evaluator.evaluate(other)
        }
        let places = CertificatePlaces(
            anchors: rules?.hasAnchors == true ? [pins].compactMap(\.self) : evaluation.anchors,
            intermediates: evaluation.intermediates)
        let report = VerifyReport(
            verdict: verdict, presented: presented,
            advice: verdict.advice(presented: presented, places: places, trustedUnder: plain),
            hasGivenAnchors: places.anchors?.isEmpty == false,
            findings: expiry.expiresWithin.map { _ in expiry.findings(in: verdict) },
            announced: Array(verdict.warnings.dropFirst(unannounced)), isLong: long)
        switch format ?? .text {
        case .text where fetching.fix:
            try StandardStream.error.write(Array(report.text(Palette.forStandardError()).utf8))
            try FixedChain.write(verdict, presented: trust.presentedChain.certificates)
        case .text: try StandardStream.output.write(Array(report.text(Palette.forStandardOutput()).utf8))
        case .json: try StandardStream.output.write(report.json())
        case .html:
            let page = TrustReport(
                verdict, presented: presented, name: nil, facts: [], expiringWithin: expiry.seconds,
                otherPaths: verdict.isTrusted ? trust.validPaths() : [], interruption: nil, places: places)
            try StandardStream.output.write(page.page(version: ToolVersion.current).bytes())
        }
        if !verdict.isTrusted || report.findings?.isEmpty == false { throw ExitCodes.rejected }
    }

    /// Returns the verdict with the exceptions in the file, and with those that the user agrees to now.
    private func evaluate(
        _ trust: inout Trust, _ rules: PinFileRules?, fetching resources: TrustFetchCoordinator?,
        _ recorder: TrustRecorder?
    ) async throws -> TrustVerdict {
        let evaluator = try evaluator()
        let manager = try host.flatMap { try rules?.trust(for: $0).manager }
        if let recorder { manager?.events.add(recorder) }
        func evaluate(_ trust: Trust) async -> TrustVerdict {
            if let manager {
                guard let resources else { return manager.evaluate(trust) }
                return await manager.evaluate(trust, fetching: resources)
            }
            let last = Locked(trust)
            let steps = EvaluationSteps(
                needs: { evaluator.revocationNeeds(of: $0, after: $1) },
                evaluate: { trust in
                    last.withLock { $0 = trust }
                    return evaluator.evaluate(trust)
                })
            let verdict = await resources?.evaluate(trust, by: steps) ?? steps.evaluate(trust)
            recorder?.observe(ObservedEvaluation(verdict, of: last.withLock { $0 }, by: evaluator))
            return verdict
        }
        guard let exceptions else { return await evaluate(trust) }
        let store = try CommandFailure.of { try ExceptionStore(file: exceptions) }
        if let host, let fit = store.apply(to: &trust), fit != .fits {
            Diagnostics.warn("exceptions for \(host) are not applied: \(fit.rawValue)")
        }
        let found = await evaluate(trust)
        guard addException, !found.isTrusted else { return found }
        let agreed: TrustExceptions
        do throws(TrustExceptionsError) {
            let expires = exceptionDays.map { found.evaluationDate.advanced(by: Int64($0) * 86_400) }
            agreed = try found.exceptions(expires: expires)
        } catch {
            Diagnostics.warn("no exception added: \(error)")
            return found
        }
        try CommandFailure.of { try store.add(agreed) }
        trust.setExceptions(agreed)
        return await evaluate(trust)
    }

    /// Returns the evaluator, which requires a valid path and the requested pins, extended validation and Apple's
    /// rules.
    private func evaluator() throws -> any TrustEvaluator {
        var evaluators: [any TrustEvaluator] = [DefaultTrustEvaluator()]
        if let pins = try keyPins() { evaluators.append(SPKIPinsTrustEvaluator(pins, scope: pinScope ?? .anywhere)) }
        if ev { evaluators.append(AttributeTrustEvaluator([.extendedValidation])) }
        if apple { evaluators.append(AppleRequirementsTrustEvaluator()) }
        return try CompositeTrustEvaluator(evaluators: evaluators)
    }

    private func keyPins() throws -> SPKIPinSet? {
        guard !pin.isEmpty || !backupPin.isEmpty else {
            guard pinScope == nil else { throw ValidationError("--pin-scope requires --pin") }
            return nil
        }
        return try checkingUsage {
            backupPin.isEmpty
                ? try SPKIPinSet(pinsRiskingLockout: pin) : try SPKIPinSet(pins: pin, backup: backupPin)
        }
    }

    /// Returns the rules of the `--pins` file, or nil without one.
    private func pinRules(at time: Time) throws -> PinFileRules? {
        guard let pins else { return nil }
        let read = try pinFiles.read([pins], at: time, ignoresAnchors: !evaluation.anchors.isEmpty)
        guard let rules = read.rules else {
            throw CommandFailure(
                "\(InputFile.displayName(pins)): pins without hosts, expected a file with rules",
                hint: "use --pin to pin a key for the host of --host")
        }
        return rules
    }

    /// Returns the anchors named on the command line, or else the system's.
    private func trustAnchors() throws(CommandFailure) -> TrustAnchors {
        guard evaluation.anchors.isEmpty else {
            return TrustAnchors(
                try CertificateInput.anchors(
                    evaluation.anchors, for: evaluation.purpose ?? .serverAuth, passphrases: passphrases))
        }
        return try CommandFailure.of(hint: "name the anchors with --anchors FILE") {
            try SystemAnchors.shared().announceWarnings()
            return .system
        }
    }
}
