// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PKIX
import ServerTrust

/// The options of `audit` for records of verdicts.
struct ReplayOptions: ParsableArguments {
    @Flag(help: "Evaluate records of verdicts again, and compare: the files, or folders of them.")
    var replay = false

    @Option(help: .book("audit --pins"), completion: .file())
    var pins: [String] = []

    @OptionGroup(visibility: .wholePage) var pinFiles: PinFileOptions

    @Option(help: .book("audit --at"), transform: reading(Time.init(rfc3339:)))
    var at: Time?

    @Option(parsing: .unconditional, help: .book("audit --shift"), transform: reading(TimeShift.init))
    var shift: TimeShift?

    @Option(help: .book("audit --without-anchor"))
    var withoutAnchor: [String] = []

    @Option(help: .book("audit --without-intermediate"))
    var withoutIntermediate: [String] = []

    @OptionGroup(visibility: .wholePage) var forecast: RehearsalOptions

    @Option(help: .book("audit --fail-on"))
    var failOn: [FailOn] = []

    @Option(help: .book("audit --explain"))
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
            .requires(["--pins": pins], for: pinFiles.options))
    }
}

/// The options of `pins rehearse` and `audit --replay` for forecasts and their report.
struct RehearsalOptions: ParsableArguments {
    @Option(help: .book("audit --until"), transform: reading(Time.init(rfc3339:)))
    var until: Time?

    @Option(help: .book("audit --renew"))
    var renew: [String] = []

    @Option(help: .book("audit --ccadb"), completion: .file())
    var ccadb: [String] = []

    @Option(help: .book("audit --to"), completion: .file())
    var to: [String] = []

    @Option(help: .book("audit --allow-unknown"))
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
