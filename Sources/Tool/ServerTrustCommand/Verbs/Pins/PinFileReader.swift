// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PinFiles
import PinLint
import PinModel
import PinUpdates
import ServerTrust

/// The way in which files of pins are read: the format, and the keys of signed lists.
struct PinFileReader {
    /// The format; nil to detect it.
    var format: PinFormat?
    /// The files of the public keys that may sign a list.
    var keys: [String] = []
    /// The number of keys that have to sign; nil for one.
    var threshold: Int?
    /// The date at which a signed list has to be valid.
    var time: Time
    /// The names of the options, for hints.
    var options = (format: "--from", key: "--key")

    /// The contents of an argument of `--pins`.
    enum Contents {
        /// Pins for every host.
        case pins([SPKIPin])
        /// A file with its rules, and the keys and certificates that a signed list denies.
        case rules(PinLintSource, denied: DeniedList?)
    }

    /// Reads a pin, a list of pins, keys or certificates to pin, or a file of pins of any format.
    /// - Throws: ``CommandFailure`` with all problems.
    func contents(_ argument: String) throws(CommandFailure) -> Contents {
        guard !argument.hasPrefix("sha256/") else { return .pins(try PinArguments.pins([argument])) }
        let bytes = try InputFile.read(argument)
        guard hasRules(bytes) else { return .pins(try PinArguments.pins(in: bytes, argument)) }
        let name = InputFile.displayName(argument)
        if let list = signedList(bytes) {
            let list = try verified(list, name)
            return .rules(
                PinLintSource(file: name, format: .json, list.configuration),
                denied: .union(list.deniedKeys, list.denied))
        }
        let sources = try sources(bytes, name)
        guard sources.count == 1, let source = sources.first else {
            throw CommandFailure(
                "\(InputFile.displayName(argument)): pins in several formats: \(sources.compactMap(\.format?.name).joined(separator: ", "))",
                hint: "\(options.format) says which is meant")
        }
        return .rules(source, denied: nil)
    }

    /// Returns the files of pins in a file: two for an `Info.plist` with pins for the system and for TrustKit.
    /// - Throws: ``CommandFailure`` with all problems for which the file can't be used.
    func sources(_ bytes: [UInt8], _ name: String) throws(CommandFailure) -> [PinLintSource] {
        if let list = signedList(bytes) {
            return [PinLintSource(file: name, format: .json, try verified(list, name).configuration)]
        }
        let sources = PinLintSource.sources(reading: bytes, as: format, file: name)
        let problems = sources.flatMap { source -> [PinFileProblem] in
            if case .failure(let error) = source.contents { error.problems } else { [] }
        }
        guard problems.isEmpty else {
            let isUnclear = problems.contains { $0.code == .pinFileFormatUnclear }
            throw CommandFailure(
                errors: problems.map(\.description),
                hint: isUnclear ? "\(options.format) says which format is meant" : nil)
        }
        return sources
    }

    /// Returns whether bytes are a file of pins with rules, not pins, keys and certificates for every host.
    private func hasRules(_ bytes: [UInt8]) -> Bool {
        if let format { return format != .curl || !PEM.isPEM(bytes) && bytes.first != 0x30 }
        guard !PEM.isPEM(bytes), bytes.first != 0x30 else { return false }
        if let list = PinArguments.firstLine(of: bytes) {
            return list.hasPrefix("sha256//") && (try? SPKIPin(list)) == nil
        }
        if (try? SignedPinList(bytes)) != nil || (try? PinFormat(of: bytes, file: "")) != nil { return true }
        // A file that begins as XML, JSON or a property list is meant to have pins: its errors are those of its format.
        let start = bytes.prefix(64).first { !($0 <= 0x20 || $0 >= 0x80) }
        return start == UInt8(ascii: "<") || start == UInt8(ascii: "{") || bytes.starts(with: Array("bplist".utf8))
    }

    /// Returns a signed list whose signatures aren't checked yet; nil for other contents.
    private func signedList(_ bytes: [UInt8]) -> SignedPinList? {
        format == nil || format == .json ? try? SignedPinList(bytes) : nil
    }

    /// Returns a signed list after the check of its signatures and dates, as an app accepts it.
    private func verified(_ list: SignedPinList, _ name: String) throws(CommandFailure) -> PinList {
        guard !keys.isEmpty else {
            throw CommandFailure(
                "\(name): a signed list, and no key to verify it",
                hint: "\(options.key) names the public key of its signer")
        }
        var publicKeys: [PinSigningKey] = []
        for key in keys { publicKeys.append(try PinsInput.publicKey(key)) }
        do {
            let signers = try PinSigners(publicKeys, threshold: threshold ?? 1)
            let claimed = try list.unverifiedList()
            let start = BuiltInPinList(
                audience: claimed.audience, configuration: claimed.configuration, signers: signers,
                issued: Time(secondsSinceEpoch: 0))
            return try start.verify(list, at: time, makeManager: PinsInput.makeManager(ownRules: true))
        } catch {
            throw CommandFailure("\(name): \(error)")
        }
    }
}

/// The options of `check` and `verify` for files of pins.
struct PinFileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The format of the file of --pins. (default: detected)", valueName: "format"))
    var pinsFrom: PinFormat?

    @Option(
        help: ArgumentHelp(
            "A public key that may sign the list of --pins, for signed lists. May be repeated. (default: none)",
            valueName: "file"),
        completion: .file())
    var pinsKey: [String] = []

    @Option(
        help: ArgumentHelp("The number of keys that must sign the list of --pins. (default: 1)", valueName: "n"))
    var pinsThreshold: Int?

    /// Whether any of the options was given.
    var isAnyGiven: Bool { pinsFrom != nil || !pinsKey.isEmpty || pinsThreshold != nil }

    /// Reads the arguments of `--pins`: pins for every host, or one file with rules.
    /// - Parameters:
    ///   - time: the date at which a signed list has to be valid.
    ///   - ignoresAnchors: whether the anchors of a file give way to those of the command line.
    /// - Throws: ``CommandFailure`` with all errors.
    func read(
        _ arguments: [String], at time: Time, ignoresAnchors: Bool
    ) throws(CommandFailure) -> (pins: [SPKIPin], rules: PinFileRules?) {
        let reader = PinFileReader(
            format: pinsFrom, keys: pinsKey, threshold: pinsThreshold, time: time,
            options: ("--pins-from", "--pins-key"))
        var pins: [SPKIPin] = []
        var sources: [(source: PinLintSource, denied: DeniedList?)] = []
        var failures: [CommandFailure] = []
        for argument in arguments {
            do throws(CommandFailure) {
                switch try reader.contents(argument) {
                case .pins(let found): pins += found.filter { !pins.contains($0) }
                case .rules(let source, let denied): sources.append((source, denied))
                }
            } catch {
                failures.append(error)
            }
        }
        guard failures.isEmpty else {
            throw CommandFailure(
                errors: failures.flatMap(\.errors),
                hint: failures.lazy.compactMap(\.hint).first
                    ?? "a pin is sha256/ and the base64 of 32 bytes, or a file of such")
        }
        guard let (source, denied) = sources.first else { return (pins, nil) }
        guard sources.count == 1, pins.isEmpty else {
            throw CommandFailure(
                "\(source.file) has rules for its own hosts, which don't go together with other pins",
                hint: "name it as the only --pins")
        }
        var rules = try PinFileRules(source, ignoresAnchors: ignoresAnchors)
        rules.denied = denied
        return ([], rules)
    }
}
