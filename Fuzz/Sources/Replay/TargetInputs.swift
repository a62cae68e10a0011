// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The files that a target starts from. Their paths are relative to the current folder, which is the package's.
struct TargetInputs {
    /// The paths, with the seeds first and each folder sorted by name.
    private(set) var names: [String] = []
    private(set) var bytes: [[UInt8]] = []
    private(set) var seedCount = 0
    /// The words of `Seeds/NAME.dict`.
    private(set) var words: [[UInt8]] = []

    init(of target: FuzzTarget) throws {
        if let inputs = target.inputs {
            bytes = inputs
            names = inputs.indices.map { "input \($0)" }
            seedCount = inputs.count
            return
        }
        try read("Seeds/\(target.name)")
        seedCount = bytes.count
        try read("Corpus/\(target.name)")
        let dictionary = "Seeds/\(target.name).dict"
        if FileManager.default.fileExists(atPath: dictionary) {
            words = try Self.words(String(contentsOfFile: dictionary, encoding: .utf8), file: dictionary)
        }
    }

    /// Reads only one file.
    init(file: String) throws {
        names = [file]
        bytes = [[UInt8](try Data(contentsOf: URL(filePath: file)))]
        seedCount = 1
    }

    private mutating func read(_ folder: String) throws {
        guard FileManager.default.fileExists(atPath: folder) else { return }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() where !name.hasPrefix(".") {
            names.append("\(folder)/\(name)")
            bytes.append([UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))))
        }
    }
}

extension TargetInputs {
    /// Parses a libFuzzer dictionary: a word in quotation marks on each line, with the escapes `\\`, `\"` and `\xNN`.
    /// Lines that are empty or start with # are ignored.
    static func words(_ text: String, file: String) throws -> [[UInt8]] {
        var words: [[UInt8]] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let word = word(Array(line.utf8)) else {
                throw ReplayError(
                    "\(file), line \(index + 1): expected a word in quotation marks, such as \"\\x30word\"")
            }
            words.append(word)
        }
        return words
    }

    private static func word(_ line: [UInt8]) -> [UInt8]? {
        let quote = UInt8(ascii: "\"")
        let backslash = UInt8(ascii: "\\")
        guard let start = line.firstIndex(of: quote), line.count > start + 2, line.last == quote else { return nil }
        var rest = line[(start + 1)..<(line.count - 1)]
        var word: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == backslash else {
                word.append(byte)
                continue
            }
            switch rest.popFirst() {
            case quote: word.append(quote)
            case backslash: word.append(backslash)
            case UInt8(ascii: "x"):
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else { return nil }
                word.append(value)
                rest = rest.dropFirst(2)
            default: return nil
            }
        }
        return word
    }
}

/// An error with a message for the terminal.
struct ReplayError: Error {
    let message: String

    init(_ message: String) { self.message = message }
}
