// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Diagnosis
import PinLint
import ServerTrust

extension PinFormat: ExpressibleByArgument {
    public init?(argument: String) {
        guard let format = PinFormat.named(argument) else { return nil }
        self = format
    }

    public static var allValueStrings: [String] { all.map(\.name) }
}

/// A reader for a pin file that the command line names.
enum PinInput {
    /// Reads a pin file.
    /// - Throws: ``CommandFailure`` with all problems of the file.
    static func configuration(_ name: String, _ format: PinFormat?) throws(CommandFailure) -> PinConfiguration {
        try configuration(try InputFile.read(name), name, format)
    }

    /// Parses the contents of a pin file.
    /// - Throws: ``CommandFailure`` with all problems of the file.
    static func configuration(
        _ bytes: [UInt8], _ name: String, _ format: PinFormat?
    ) throws(CommandFailure) -> PinConfiguration {
        do throws(PinFileError) {
            return try PinConfiguration(importing: bytes, as: format, file: InputFile.displayName(name))
        } catch {
            let isUnclear = error.problems.contains { $0.code == .pinFileFormatUnclear }
            throw CommandFailure(
                errors: error.problems.map(\.description),
                hint: isUnclear ? "name the format with --from" : nil)
        }
    }
}

/// A parser for pins on the command line: `sha256/BASE64`, or a file with pins.
enum PinArguments {
    /// Returns the pins of all arguments in order, without duplicates.
    ///
    /// A file is a list of pins, one per line with `#` for comments. It can also contain certificates, public keys and
    /// certificate requests in PEM or DER, whose keys become the pins.
    /// - Throws: ``CommandFailure`` with all errors if a part can't be parsed. No pin is left out.
    static func pins(_ arguments: [String]) throws(CommandFailure) -> [SPKIPin] {
        var seen: Set<SPKIPin> = []
        let hint = "expected sha256/ and the base64 of 32 bytes, or a file of pins"
        return try CommandFailure.all(arguments, hint: hint) { try read($0) }.filter { seen.insert($0).inserted }
    }

    private static func read(_ argument: String) throws(CommandFailure) -> [SPKIPin] {
        if argument.hasPrefix("sha256/") {
            return [try CommandFailure.of { try SPKIPin(argument) }]
        }
        return try pins(in: try InputFile.read(argument), argument)
    }

    /// Returns the pins in a file's contents: a list of pins, or objects whose keys become the pins.
    /// - Throws: ``CommandFailure`` with all errors if a part can't be parsed.
    static func pins(in bytes: [UInt8], _ argument: String) throws(CommandFailure) -> [SPKIPin] {
        let name = InputFile.displayName(argument)
        if let lines = lines(of: bytes) {
            return try CommandFailure.all(lines) { line in
                [try CommandFailure.of("\(name):\(line.number)") { try SPKIPin(String(line.text)) }]
            }
        }
        return try InspectionReader.read(bytes, name: name).pinObjects().map(\.pin)
    }

    /// Returns the lines of a list of pins, or nil for other contents.
    private static func lines(of bytes: [UInt8]) -> [(number: Int, text: Substring)]? {
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
            .map { (number: $0.offset + 1, text: $0.element.trimmed) }
            .filter { !$0.text.isEmpty && !$0.text.hasPrefix("#") }
        guard let first = lines.first, first.text.hasPrefix("sha256/") else { return nil }
        return lines
    }

    /// Returns the first line of a list of pins, or nil for other contents.
    static func firstLine(of bytes: [UInt8]) -> String? { lines(of: bytes)?.first.map { String($0.text) } }
}

extension Substring {
    /// The text without leading and trailing white space.
    var trimmed: Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text = text.dropLast() }
        return text
    }
}
