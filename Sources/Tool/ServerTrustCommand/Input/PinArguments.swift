// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PinLint
import ServerTrust

/// A parser for pins on the command line: `sha256/BASE64`, or a file with pins.
enum PinArguments {
    /// Returns the pins of all arguments in order, without duplicates.
    ///
    /// A file is a list of pins, one per line with `#` for comments. It can also contain certificates, public keys and
    /// certificate requests in PEM or DER, whose keys become the pins.
    /// - Throws: ``CommandFailure`` with all errors if a part can't be parsed. No pin is left out.
    static func pins(_ arguments: [String]) throws(CommandFailure) -> [SPKIPin] {
        var pins: [SPKIPin] = []
        var errors: [String] = []
        for argument in arguments {
            do throws(CommandFailure) {
                for pin in try read(argument) where !pins.contains(pin) { pins.append(pin) }
            } catch {
                errors += error.errors
            }
        }
        guard errors.isEmpty else {
            throw CommandFailure(errors: errors, hint: "expected sha256/ and the base64 of 32 bytes, or a file of pins")
        }
        return pins
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
        if let lines = lines(of: bytes) { return try pins(in: lines, name) }
        let file = InspectedPinFile(file: InspectionReader.read(bytes, name: name))
        do throws(PinCandidateSourceError) {
            return try file.objects().map(\.pin)
        } catch {
            throw CommandFailure(errors: error.reasons)
        }
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

    private static func pins(
        in lines: [(number: Int, text: Substring)], _ name: String
    ) throws(CommandFailure) -> [SPKIPin] {
        var pins: [SPKIPin] = []
        var errors: [String] = []
        for line in lines {
            do throws(SPKIPinError) { pins.append(try SPKIPin(String(line.text))) } catch {
                errors.append("\(name):\(line.number): \(error)")
            }
        }
        guard errors.isEmpty else { throw CommandFailure(errors: errors) }
        return pins
    }
}

extension Substring {
    /// The text without leading and trailing white space.
    var trimmed: Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text = text.dropLast() }
        return text
    }
}
