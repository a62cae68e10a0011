// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PKIX
import ServerTrust

/// The options of `audit` for records of verdicts.
struct ReplayOptions: ParsableArguments {
    @Flag(help: "Evaluate records of verdicts again, and compare: the files, or folders of them.")
    var replay = false

    @Option(
        help: .wholePage(
            "With --replay, pin these keys instead: sha256/BASE64, or a pin file of any format. May be repeated.",
            valueName: "file"),
        completion: .file())
    var pins: [String] = []

    @OptionGroup(visibility: .wholePage) var pinFiles: PinFileOptions

    @Option(
        help: .wholePage(
            "With --replay, evaluate every record at this time or day. (default: the recorded time)", valueName: "time"),
        transform: reading(Time.init(rfc3339:)))
    var at: Time?

    @Option(
        parsing: .unconditional,
        help: .wholePage(
            "With --replay, evaluate every record later by this span, or earlier: -400d. (default: none)",
            valueName: "span"),
        transform: reading(TimeShift.init))
    var shift: TimeShift?

    @Option(
        help: .wholePage(
            "With --replay, remove this anchor, by its common name, subject or SHA-256. May be repeated.",
            valueName: "name"))
    var withoutAnchor: [String] = []

    @Option(
        help: .wholePage(
            "With --replay, remove this intermediate from what servers sent and you supplied. May be repeated.",
            valueName: "name"))
    var withoutIntermediate: [String] = []

    @OptionGroup(visibility: .wholePage) var forecast: RehearsalOptions

    @Option(
        help: .wholePage(
            "With --replay, exit with 1 if there are such records, too. May be repeated.", valueName: "outcome"))
    var failOn: [FailOn] = []

    @Option(
        help: .wholePage(
            "With --replay, show the record in one line in full: a number, or FILE:NUMBER. (default: none)",
            valueName: "line"))
    var explain: String?

    /// An outcome that makes a rehearsal fail.
    enum FailOn: String, CaseIterable, ExpressibleByArgument {
        case newlyRefused = "newly-refused"
        case newlyTrusted = "newly-trusted"
        case notReproducible = "not-reproducible"

        var outcome: ReplayOutcome {
            switch self {
            case .newlyRefused: .newlyRefused
            case .newlyTrusted: .newlyTrusted
            case .notReproducible: .notReproducible
            }
        }
    }

    func validate() throws {
        try OptionRule.check(
            .requires(
                ["--replay": replay],
                for: [
                    "--pins": pins, "--pins-from": pinFiles.pinsFrom, "--pins-key": pinFiles.pinsKey,
                    "--pins-threshold": pinFiles.pinsThreshold, "--at": at, "--shift": shift,
                    "--until": forecast.until, "--without-anchor": withoutAnchor,
                    "--without-intermediate": withoutIntermediate, "--renew": forecast.renew, "--to": forecast.to,
                    "--ccadb": forecast.ccadb, "--fail-on": failOn, "--allow-unknown": forecast.allowUnknown,
                    "--all": forecast.all, "--explain": explain,
                ]),
            .excludes(["--until": forecast.until, "--shift": shift], "; set the start with --at"),
            .requires(
                ["--pins": pins],
                for: [
                    "--pins-from": pinFiles.pinsFrom, "--pins-key": pinFiles.pinsKey,
                    "--pins-threshold": pinFiles.pinsThreshold,
                ]))
    }
}

/// The options of `pins rehearse` and `audit --replay` for forecasts and their report.
struct RehearsalOptions: ParsableArguments {
    @Option(
        help: .wholePage(
            "For records, also show what breaks until this time or day, and why. (default: none)", valueName: "time"),
        transform: reading(Time.init(rfc3339:)))
    var until: Time?

    @Option(
        help: .wholePage(
            "For records, forecast leaves of this CA from the CA in --to, or from the next CAs of its organization in --ccadb. May be repeated.",
            valueName: "ca"))
    var renew: [String] = []

    @Option(
        help: .wholePage(
            "With --renew, the CAs that may issue instead: a ccadb.org report with PEM, or any file of certificates. They are not trusted. May be repeated.",
            valueName: "file"), completion: .file())
    var ccadb: [String] = []

    @Option(
        help: .wholePage(
            "With --renew, the CA that issues instead, whatever its organization: a file with its certificate first, and then those above it. They are not trusted. One for each --renew. (default: none)",
            valueName: "file"), completion: .file())
    var to: [String] = []

    @Option(
        help: .wholePage(
            "For records, accept that nothing is known about this host. May be repeated.", valueName: "host"))
    var allowUnknown: [String] = []

    @Flag(help: .wholePage("For records, list every host on a screen, too."))
    var all = false

    /// The files with certificates.
    var files: [String] { ccadb + to }

    func validate() throws {
        try OptionRule.check(
            .that(
                renew.isEmpty == files.isEmpty,
                "--renew requires --to or --ccadb, and they require --renew: the CA, and the CAs that issue instead"),
            .that(
                to.isEmpty || to.count == renew.count,
                "expected one --to for each --renew, found \(to.count) for \(renew.count)"))
    }

    /// Reads the CAs that replace others.
    /// - Returns: nil without `--renew`.
    /// - Throws: ``CommandFailure`` if a file can't be read, or `--to` has no certificate of a CA.
    func renewal() throws(CommandFailure) -> ReplayRenewal? {
        guard !renew.isEmpty else { return nil }
        let read = ccadb.isEmpty ? nil : try CertificateInput.intermediates(ccadb)
        if let read, let first = read.leftOut.first {
            Diagnostics.warn(
                "\(counted(read.leftOut.count, "certificate")) in --ccadb can't be read, such as \(first)")
        }
        var moves: [ReplayRenewal.Move] = []
        var pool = read?.certificates ?? []
        for (place, name) in renew.enumerated() {
            var move = ReplayRenewal.Move(selector: CertificateSelector(option: "--renew", name))
            if let file = to.isEmpty ? nil : to[place] {
                let found = try CertificateInput.intermediates([file]).certificates
                guard let next = found.first, next.basicConstraints?.isCertificateAuthority == true else {
                    throw CommandFailure(
                        "--to \(InputFile.displayName(file)): the first certificate isn't a CA",
                        hint: "put the certificate of the CA that will issue first")
                }
                move.next = next
                pool += found
            }
            moves.append(move)
        }
        return ReplayRenewal(moves, successors: pool)
    }
}

/// A number of seconds on the command line, forward or backward: `30d`, `-400d`.
struct TimeShift: Hashable, Sendable {
    let seconds: Int64
    private let text: String

    /// - Throws: ``TimeSpanError`` unless the text is a time span with a unit, of at least a second, after an optional
    ///   sign.
    init(_ text: String) throws(TimeSpanError) {
        let isBackward = text.hasPrefix("-")
        let span = try TimeSpan.withUnit(isBackward || text.hasPrefix("+") ? String(text.dropFirst()) : text)
        guard span.milliseconds >= 1000 else { throw TimeSpanError(text: text) }
        seconds = Int64(span.milliseconds / 1000) * (isBackward ? -1 : 1)
        self.text = text
    }
}

extension TimeShift: CustomStringConvertible {
    var description: String { text }
}
