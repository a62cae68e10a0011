// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PinLint
import ServerTrust
import ServerTrustPins

/// The settings for reading files of pins: the format, and the keys of signed lists.
struct PinFileReader {
    /// The format, or nil to detect it.
    var format: PinFormat?
    /// The public key files whose signatures on a list count.
    var keys: [String] = []
    /// The number of keys that must sign, or nil for one.
    var threshold: Int?
    /// The date at which a signed list must be valid.
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

    /// Reads a pin, a file of pins, keys or certificates to pin, or a pin file of any format.
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
                hint: "choose one with \(options.format)")
        }
        return .rules(source, denied: nil)
    }

    /// Returns the pin files in a file. An `Info.plist` with pins for the system and for TrustKit contains two.
    /// - Throws: ``CommandFailure`` with all problems that make the file unusable.
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
                hint: isUnclear ? "choose the format with \(options.format)" : nil)
        }
        return sources
    }

    /// Whether the bytes are a pin file with rules, rather than pins, keys and certificates for every host.
    private func hasRules(_ bytes: [UInt8]) -> Bool {
        if let format { return format != .curl || !PEM.isPEM(bytes) && bytes.first != 0x30 }
        guard !PEM.isPEM(bytes), bytes.first != 0x30 else { return false }
        if let list = PinArguments.firstLine(of: bytes) {
            return list.hasPrefix("sha256//") && (try? SPKIPin(list)) == nil
        }
        if (try? SignedPinList(bytes)) != nil || (try? PinFormat(of: bytes, file: "")) != nil { return true }
        // A file that begins like XML, JSON or a property list is meant to be a pin file, so the errors of that format
        // are reported.
        let start = bytes.prefix(64).first { !($0 <= 0x20 || $0 >= 0x80) }
        return start == UInt8(ascii: "<") || start == UInt8(ascii: "{") || bytes.starts(with: Array("bplist".utf8))
    }

    /// Returns a signed list before its signatures are checked, or nil for other contents.
    private func signedList(_ bytes: [UInt8]) -> SignedPinList? {
        format == nil || format == .json ? try? SignedPinList(bytes) : nil
    }

    /// Returns a signed list after checking its signatures and dates as an app does.
    private func verified(_ list: SignedPinList, _ name: String) throws(CommandFailure) -> PinList {
        guard !keys.isEmpty else {
            throw CommandFailure(
                "\(name): is a signed list, but there is no key to verify it",
                hint: "add its signer's public key with \(options.key)")
        }
        let publicKeys = try keys.map(PinsInput.publicKey)
        return try CommandFailure.of(name) {
            let signers = try PinSigners(publicKeys, threshold: threshold ?? 1)
            return try PinsInput.start(list, signers: signers)
                .verify(list, at: time, makeManager: PinsInput.makeManager(ownRules: true))
        }
    }
}

/// The options of `check` and `verify` for pin files.
struct PinFileOptions: ParsableArguments {
    @Option(help: .book("check --pins-from"))
    var pinsFrom: PinFormat?

    @Option(help: .book("check --pins-key"), completion: .file())
    var pinsKey: [String] = []

    @Option(help: .book("check --pins-threshold"))
    var pinsThreshold: Int?

    /// The options with their values, for the rules of verbs.
    var options: OptionRule.Options {
        ["--pins-from": pinsFrom, "--pins-key": pinsKey, "--pins-threshold": pinsThreshold]
    }

    /// Reads the arguments of `--pins`: pins for every host, or one file with rules.
    /// - Parameters:
    ///   - time: the date at which a signed list must be valid.
    ///   - ignoresAnchors: whether the command line's anchors replace those of a file.
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
                    ?? "expected sha256/ and the base64 of 32 bytes, or a file with such pins")
        }
        guard let (source, denied) = sources.first else { return (pins, nil) }
        guard sources.count == 1, pins.isEmpty else {
            throw CommandFailure(
                "\(source.file) has rules for its own hosts, so it can't be combined with other pins",
                hint: "pass it as the only --pins")
        }
        var rules = try PinFileRules(source, ignoresAnchors: ignoresAnchors)
        rules.denied = denied
        return ([], rules)
    }
}
