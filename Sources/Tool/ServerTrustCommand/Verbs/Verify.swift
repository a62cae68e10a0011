// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust
import ServerTrustFetching
import TrustReports

/// `servertrust verify`: the verdict on a presented chain.
struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Evaluate a presented chain, or millions of chains with --batch.",
        usage: """
            servertrust verify <file> ... --host <name> [<options>]
            servertrust verify --batch [<file> ...] [--input <format>]
                [--columns | --short] [--summary <file>] [--output <file>]
                [--checkpoint <file>] [--jobs <n>] [<options>]
            """,
        discussion: """
            The files are PEM or DER, "-" is standard input; together they are one
            presented chain, leaf first, perhaps out of order and with unrelated ones.
            Revocation is checked with --revocation, --ocsp or --crl, by these files
            alone unless --fetch. Exit codes: servertrust help exit-codes.

            $ servertrust verify chain.pem --host api.example.com --anchors root.pem
            OK    api.example.com is trusted at 2026-11-21T09:30:00Z
                  result unspecified, profile webPKI, purpose serverAuth, ...

            path
              0 leaf         CN=api.example.com
              ...

            $ servertrust verify chain.pem --host www.example.com --anchors root.pem
            FAIL  www.example.com is not trusted at 2026-11-21T09:30:00Z
            ...
            error: certificate 0 (leaf) is valid for api.example.com, not
                   www.example.com [hostMismatch]
            hint:  The connection is to another server, or the ...

            $ servertrust verify chain.pem --host api.example.com --pin sha256/AAAA...
            --pin asks for a key in the validated path, --ev for extended validation,
            --apple for the rules of Apple's systems that others don't have;
            --pins Info.plist enforces an app's file of pins as its owner does.

            $ servertrust verify chain.pem --host dev.example.com \\
                --exceptions exceptions.json --add-exception --exception-days 30
            Agrees to what is wrong with this very certificate of this very host, for
            30 days; with --exceptions alone it is let pass from then on.

            $ servertrust verify chain.pem --host api.example.com \\
                --revocation required --crl root.crl --crl issuing-ca.crl
            Every certificate but the anchor has to be good by a CRL or OCSP response;
            best-effort lets pass what can't be checked and refuses what is revoked.

            $ servertrust verify chain.pem --host api.example.com --denied onecrl.json
            Refuses every path with a certificate of the list, whatever else is asked.

            $ servertrust verify chain.pem --host api.example.com --ct-logs logs.json
            Compares the SCTs with a browser's policy and reports; --ct require refuses.

            $ servertrust verify leaf.pem --host api.example.com --fetch \\
                --revocation required
            Fetches intermediates that the server forgot to send, OCSP responses and CRLs;
            they are kept (servertrust cache) and reported.

            $ servertrust verify untidy.pem --host api.example.com --fix > chain.pem
            The chain in order, once, without the root, missing intermediates fetched;
            --expires-within 30d exits with 1 if a certificate of the path ends by then.

            $ openssl s_client -connect api.example.com:443 -showcerts </dev/null |
                servertrust verify - --host api.example.com --format json

            $ servertrust verify chain.pem --host api.example.com --format html > r.html
            A page to look at and to pass on, with the paths as a drawing.

            $ servertrust verify --batch < requests.jsonl > answers.jsonl
            One JSON object a line in and out: servertrust help batch.

            $ servertrust verify --batch --input csv inventory.csv.gz --columns \\
                --anchors roots.pem --summary audit.html > audit.csv
            Evaluates millions of chains: CSV, JSON lines, zgrab2, PEM, folders of files.
            """)

    @Argument(help: "The presented chain: PEM or DER, leaf first; - is standard input.", completion: .file())
    var files: [String] = []

    @Option(
        help: ArgumentHelp(
            "The DNS name or IP address that the leaf must be valid for. (default: not checked)", valueName: "name"),
        transform: reading(EndpointArgument.host))
    var host: Hostname?

    @Option(
        help: ArgumentHelp(
            "The only anchors, instead of the system's. May be repeated.", valueName: "file"),
        completion: .file())
    var anchors: [String] = []

    @OptionGroup var roots: RootsOverlayOptions

    @Option(
        help: ArgumentHelp("Further candidates for path building. May be repeated.", valueName: "file"),
        completion: .file())
    var intermediates: [String] = []

    @Option(
        help: ArgumentHelp("The verify date in RFC 3339, or a day. (default: now)", valueName: "time"),
        transform: reading(Time.init(rfc3339:)))
    var time: Time?

    @Option(help: "The purpose of the leaf. (default: serverAuth)")
    var purpose: ValidationPolicy.Purpose?

    @Option(help: "The set of rules: that of the public web, or plain RFC 5280. (default: webPKI)")
    var profile: ValidationPolicy.Profile?

    @Flag(help: "Add the rules that bind CAs and that practical verifiers relax.")
    var strict = false

    @Option(
        help: ArgumentHelp(
            "sha256/BASE64 of a key: one of them must be in the validated path. May be repeated.", valueName: "pin"),
        transform: reading(SPKIPin.init))
    var pin: [SPKIPin] = []

    @Option(
        help: ArgumentHelp("The pin of a backup key. May be repeated.", valueName: "pin"),
        transform: reading(SPKIPin.init))
    var backupPin: [SPKIPin] = []

    @Option(
        help: ArgumentHelp(
            "A file of pins of any format, enforced as its owner does; with --host. (default: none)",
            valueName: "file"),
        completion: .file())
    var pins: String?

    @OptionGroup var pinFiles: PinFileOptions

    @Option(help: "Which certificates of the path may hold the pin. (default: anywhere)")
    var pinScope: SPKIPinsTrustEvaluator.Scope?

    @Flag(help: "Ask for extended validation.")
    var ev = false

    @Flag(help: "Apply Apple's dated rules for servers: serverAuth by name, and at most 825 or 398 days.")
    var apple = false

    @Option(
        help: ArgumentHelp(
            "The exceptions that were agreed to; see --add-exception. (default: none)", valueName: "file"),
        completion: .file())
    var exceptions: String?

    @Flag(help: "Agree to the failures, and write them to the file of --exceptions.")
    var addException = false

    @Option(help: ArgumentHelp("The days for which the exception is valid. (default: no limit)", valueName: "n"))
    var exceptionDays: Int?

    @OptionGroup var passphrases: PassphraseOptions

    @OptionGroup var revocation: RevocationOptions

    @OptionGroup var deniedLists: DeniedOptions

    @OptionGroup var transparency: TransparencyOptions

    @OptionGroup var fetching: FetchOptions

    @OptionGroup var proxies: ProxyOptions

    @Option(
        help: ArgumentHelp(
            "The maximum number of intermediates in the path. (default: the budget's depth)", valueName: "n"))
    var maximumIntermediates: Int?

    @OptionGroup var expiry: ExpiryOptions

    @Flag(help: "Describe every certificate in full: dates, digests and pins.")
    var long = false

    @Option(help: "The format of the report. (default: text)")
    var format: VerifyFormat?

    @OptionGroup var bulk: BatchOptions

    func validate() throws {
        guard bulk.batch else {
            guard !files.isEmpty else { throw ValidationError("expected a file with the presented chain, or --batch") }
            guard
                (files + anchors + intermediates + revocation.files + deniedLists.denied
                    + [pins, roots.rootsOverlay, transparency.logs].compactMap(\.self))
                    .count(where: { $0 == "-" }) <= 1
            else {
                throw ValidationError("standard input can be read once only")
            }
            guard (maximumIntermediates ?? 0) >= 0 else {
                throw ValidationError("--maximum-intermediates is 0 or more, found \(maximumIntermediates ?? 0)")
            }
            guard fetching.fetches || proxies.proxy == nil else { throw ValidationError("--proxy goes with --fetch") }
            guard !fetching.fix || format == nil else {
                throw ValidationError("--fix prints PEM: --format doesn't go with it")
            }
            try validateExceptions()
            try validatePins()
            _ = try keyPins()
            return
        }
        try validateBatch()
    }

    func run() async throws {
        if bulk.batch { return try runBatch() }
        let chain = try CertificateInput.presentedChain(files, passphrases: passphrases)
        let candidates = try CertificateInput.intermediates(intermediates, passphrases: passphrases)
        let leftOut = chain.leftOut + candidates.leftOut
        for error in leftOut.prefix(20) { Diagnostics.warn("left out: \(error)") }
        if leftOut.count > 20 { Diagnostics.warn("left out: \(leftOut.count - 20) more") }
        let purpose = purpose ?? .serverAuth
        if host == nil, purpose == .serverAuth {
            Diagnostics.warn("no --host given: the leaf's names are not checked, any server's certificate will do")
        }
        var trust = Trust(insecurelyWithoutHost: PresentedChain(chain.certificates))
        if let host { trust = Trust(presentedChain: chain.certificates, host: host) }
        trust.policy = ValidationPolicy(
            profile: profile ?? .webPKI, purpose: purpose, isStrict: strict,
            maximumIntermediates: maximumIntermediates)
        let overlay = try roots.overlay()
        trust.anchors = try trustAnchors().applying(overlay)
        trust.intermediates = candidates.certificates
        trust.verifyDate = .at(time ?? .now())
        trust.revocation = revocation.policy
        trust.revocationData = try revocation.data()
        trust.settings.denied = try deniedLists.list()
        trust.settings.transparency = try transparency.settings()
        let rules = try pinRules(at: trust.verifyDate.time)
        if let host, let rules, rules.hasAnchors {
            trust.anchors = try rules.trust(for: host).anchors.applying(overlay)
        }
        let resources = try fetching.resources(through: proxies.selection())
        var verdict = try await evaluate(&trust, rules, fetching: resources)
        verdict = verdict.naming(unreadableIssuers: chain.unreadable + candidates.unreadable)
        // Those that follow are on standard error.
        let unannounced = verdict.warnings.count
        if let host, let remark = rules?.remark(on: host, at: verdict.evaluationDate) {
            verdict.warnings.append(remark)
            Diagnostics.warn(remark)
        }
        await resources?.finishWriting()
        verdict.warnings += leftOut.map { "left out: \($0)" }
        if let misplaced = trust.presentedChain.misplacedLeaf(for: host) {
            verdict.warnings.append(misplaced.description)
            Diagnostics.warn(misplaced.description)
        }
        let plain = ProfileTrial.profile(after: verdict) { profile in
            guard rules == nil, let evaluator = try? evaluator() else { return nil }
            var other = trust
            other.policy.profile = profile
            return evaluator.evaluate(other)
        }
        let places = CertificatePlaces(
            anchors: rules?.hasAnchors == true ? [pins].compactMap(\.self) : anchors, intermediates: intermediates)
        let report = VerifyReport(
            verdict: verdict, presented: trust.presentedChain,
            advice: verdict.advice(presented: trust.presentedChain, places: places, trustedUnder: plain),
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
                verdict, presented: trust.presentedChain, name: nil, facts: [], expiringWithin: expiry.seconds,
                otherPaths: verdict.isTrusted ? trust.validPaths() : [], interruption: nil, places: places)
            try StandardStream.output.write(page.page(version: ToolVersion.current).bytes())
        }
        if !verdict.isTrusted || report.findings?.isEmpty == false { throw ExitCodes.rejected }
    }

    /// Returns the verdict with the exceptions of the file, and with those that the user agrees to now.
    private func evaluate(
        _ trust: inout Trust, _ rules: PinFileRules?, fetching resources: TrustFetchCoordinator?
    ) async throws -> TrustVerdict {
        let evaluator = try evaluator()
        let manager = try host.flatMap { try rules?.trust(for: $0).manager }
        func evaluate(_ trust: Trust) async -> TrustVerdict {
            if let manager {
                guard let resources else { return manager.evaluate(trust) }
                return await manager.evaluate(trust, fetching: resources)
            }
            guard let resources else { return evaluator.evaluate(trust) }
            return await evaluator.evaluate(trust, fetching: resources)
        }
        guard let exceptions else { return await evaluate(trust) }
        let store: ExceptionStore
        do throws(ExceptionStoreError) { store = try ExceptionStore(file: exceptions) } catch {
            throw CommandFailure(error.description)
        }
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
        do throws(ExceptionStoreError) { try store.add(agreed) } catch { throw CommandFailure(error.description) }
        trust.setExceptions(agreed)
        return await evaluate(trust)
    }

    /// Returns the evaluator: a valid path, and the pins, extended validation and Apple's rules that were asked for.
    private func evaluator() throws -> any TrustEvaluator {
        var evaluators: [any TrustEvaluator] = [DefaultTrustEvaluator()]
        if let pins = try keyPins() { evaluators.append(SPKIPinsTrustEvaluator(pins, scope: pinScope ?? .anywhere)) }
        if ev { evaluators.append(AttributeTrustEvaluator([.extendedValidation])) }
        if apple { evaluators.append(AppleRequirementsTrustEvaluator()) }
        return try CompositeTrustEvaluator(evaluators: evaluators)
    }

    private func keyPins() throws -> SPKIPinSet? {
        guard !pin.isEmpty || !backupPin.isEmpty else {
            guard pinScope == nil else { throw ValidationError("--pin-scope goes with --pin") }
            return nil
        }
        do throws(SPKIPinSetError) {
            return backupPin.isEmpty
                ? try SPKIPinSet(pinsRiskingLockout: pin) : try SPKIPinSet(pins: pin, backup: backupPin)
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// Returns the rules of the file of `--pins`; nil without it.
    private func pinRules(at time: Time) throws -> PinFileRules? {
        guard let pins else { return nil }
        let read = try pinFiles.read([pins], at: time, ignoresAnchors: !anchors.isEmpty)
        guard let rules = read.rules else {
            throw CommandFailure(
                "\(InputFile.displayName(pins)): pins without hosts, expected a file with rules",
                hint: "--pin names a pin for the host of --host")
        }
        return rules
    }

    private func validatePins() throws {
        guard pins != nil else {
            guard !pinFiles.isAnyGiven else {
                throw ValidationError("--pins-from, --pins-key and --pins-threshold go with --pins")
            }
            return
        }
        guard host != nil else { throw ValidationError("--pins goes with --host: its rules are for hosts") }
        guard pin.isEmpty, backupPin.isEmpty, pinScope == nil, !ev, !apple else {
            throw ValidationError("--pins goes without --pin, --backup-pin, --pin-scope, --ev and --apple")
        }
    }

    private func validateExceptions() throws {
        guard exceptions != nil || !addException else {
            throw ValidationError("--add-exception goes with --exceptions")
        }
        guard exceptions == nil || host != nil else {
            throw ValidationError("--exceptions goes with --host: exceptions are bound to a host")
        }
        guard exceptionDays == nil || addException else {
            throw ValidationError("--exception-days goes with --add-exception")
        }
        guard (1...36_500).contains(exceptionDays ?? 1) else {
            throw ValidationError("--exception-days is 1 to 36500, found \(exceptionDays ?? 1)")
        }
    }

    /// Returns the anchors that were named, else the system's.
    private func trustAnchors() throws(CommandFailure) -> TrustAnchors {
        guard anchors.isEmpty else {
            return TrustAnchors(
                try CertificateInput.anchors(anchors, for: purpose ?? .serverAuth, passphrases: passphrases))
        }
        do throws(SystemAnchorsError) {
            let system = try SystemAnchors.shared()
            // Bundles contain certificates that a strict parser refuses; one line reports them.
            if let first = system.warnings.first {
                let rest = system.warnings.count - 1
                Diagnostics.warn("system anchor left out: \(first)" + (rest == 0 ? "" : ", and \(rest) more entries"))
            }
            return .system
        } catch {
            throw CommandFailure(error.description, hint: "name the anchors with --anchors FILE")
        }
    }
}
