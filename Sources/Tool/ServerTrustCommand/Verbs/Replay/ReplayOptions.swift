// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
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

    @Option(
        help: .wholePage(
            "With --replay, forecast leaves of this intermediate from the next CAs in --ccadb. May be repeated.",
            valueName: "ca"))
    var renew: [String] = []

    @Option(
        help: .wholePage(
            "With --renew, the CAs that may issue instead: a ccadb.org report with PEM, or any file of certificates. They are not trusted. May be repeated.",
            valueName: "file"), completion: .file())
    var ccadb: [String] = []

    @Option(
        help: .wholePage(
            "With --replay, exit with 1 if there are such records. Unreadable lines count. May be repeated.",
            valueName: "outcome"))
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

    /// Whether an option was given that requires `--replay`.
    var isAnyGiven: Bool {
        !pins.isEmpty || pinFiles.isAnyGiven || at != nil || shift != nil || !withoutAnchor.isEmpty
            || !withoutIntermediate.isEmpty || !renew.isEmpty || !ccadb.isEmpty || !failOn.isEmpty || explain != nil
    }

    func validate() throws {
        guard replay || !isAnyGiven else {
            throw ValidationError(
                "--pins, --at, --shift, --without-anchor, --without-intermediate, --renew, --ccadb, --fail-on and --explain require --replay"
            )
        }
        guard !pins.isEmpty || !pinFiles.isAnyGiven else {
            throw ValidationError("--pins-from, --pins-key and --pins-threshold require --pins")
        }
        guard renew.isEmpty == ccadb.isEmpty else {
            throw ValidationError("--renew and --ccadb require each other: the CA, and the CAs that may issue instead")
        }
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
