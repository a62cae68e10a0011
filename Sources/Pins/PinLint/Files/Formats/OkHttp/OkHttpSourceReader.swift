// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

// OkHttp's pins are in code. A file is Kotlin or Java source with the calls that create a pinner, or a part of such a source:
//     val pinner = CertificatePinner.Builder()
//         .add("*.example.com", "sha256/AAAA…", "sha256/BBBB…")  // a comment
//         .build()
// A call whose arguments aren't literals is an odd problem. In this case, the file's pins aren't enforced, because they
// would lack a host or a key.

/// Reads the calls that create OkHttp's `CertificatePinner`, and lists of patterns and pins.
struct OkHttpSourceReader {
    /// Returns whether text can be such a source or list.
    static func recognizes(_ bytes: [UInt8]) -> Bool { OkHttpReader.isCode(bytes) || OkHttpReader.recognizes(bytes) }

    static func read(_ bytes: [UInt8], file: String) throws(PinFileError) -> PinConfiguration {
        guard OkHttpReader.isCode(bytes) else { return try OkHttpReader.read(bytes, file: file) }
        var reader = OkHttpSourceReader(lists: OkHttpReader(file: file))
        let entries = reader.entries(SourceCode(bytes, SourceLanguage(of: bytes, file: file)))
        return try reader.lists.configuration(entries, isCode: true)
    }

    /// The reader of patterns and pins, independent of their notation.
    private var lists: OkHttpReader

    private mutating func entries(_ code: SourceCode) -> [OkHttpReader.Entry] {
        if let line = code.unendedLine {
            lists.values.add(
                .pinFileNotLiteral, as: .odd, line, "", "unterminated string or comment; nothing after it was read")
        }
        let found = OkHttpCalls(code)
        if found.pinners == 0 {
            lists.values.add(.pinFileMissingKey, 1, "", "no pinner in this file, expected CertificatePinner.Builder()")
        }
        let entries = found.calls.compactMap { entry(code, $0) }
        checkPinners(entries)
        return entries
    }

    private mutating func entry(_ code: SourceCode, _ call: OkHttpCall) -> OkHttpReader.Entry? {
        let line = code.line(call.open - 1)
        guard let close = code.partner(call.open) else {
            lists.values.add(.pinFileNotLiteral, as: .odd, line, "", "unterminated call to add()")
            return nil
        }
        var items = code.items(in: call.open)
        // Named arguments may be in any order.
        if let index = items.firstIndex(where: { ["pattern", "hostname"].contains(code.name(ofArgument: $0)) }) {
            items.insert(items.remove(at: index), at: 0)
        }
        let arguments = items.map(code.argument)
        guard let first = arguments.first else {
            lists.values.add(.pinFileMissingKey, line, "", ".add() without a pattern")
            return nil
        }
        guard let pattern = code.string(first) else {
            lists.values.add(
                .pinFileNotLiteral, as: .odd, line, "",
                "the host \(clipped(code.excerpt(first))) isn't a literal, so its pins aren't known")
            return nil
        }
        if call.isConditional {
            lists.values.add(
                .pinFileNotLiteral, as: .odd, line, pattern,
                "created conditionally, so it isn't known whether its pins apply")
        }
        var pins: [String] = []
        var isPartial = false
        for argument in arguments.dropFirst() {
            for element in code.list(argument)?.map(code.argument) ?? [argument] {
                if let pin = code.string(element) {
                    pins.append(pin)
                } else {
                    isPartial = true
                    lists.values.add(
                        .pinFileNotLiteral, as: .odd, code.line(element.lowerBound), pattern,
                        "the pin \(clipped(code.excerpt(element))) isn't a literal, so it isn't known")
                }
            }
        }
        return OkHttpReader.Entry(
            pattern: pattern, pins: pins, line: line, comment: code.comment(behind: close), pinner: call.pinner,
            isPartial: isPartial)
    }

    /// Reports several pinners, because each applies to different clients. One configuration can contain them all if no
    /// two pinners accept different pins for the same host.
    private mutating func checkPinners(_ entries: [OkHttpReader.Entry]) {
        var pins: [String: [Int: Set<String>]] = [:]
        for entry in entries {
            pins[entry.pattern.lowercased(), default: [:]][entry.pinner, default: []].formUnion(entry.pins)
        }
        guard let first = entries.first, let other = entries.first(where: { $0.pinner != first.pinner }) else { return }
        let sets = pins.mapValues(PinnerSets.init)
        var isReported: Set<Int> = []
        var isChecked: Set<String> = []
        for entry in entries where isChecked.insert("\(entry.pinner) \(entry.pattern.lowercased())").inserted {
            var name = entry.pattern.lowercased()
            let own = pins[name]?[entry.pinner] ?? []
            name = String(name.drop { $0 == "*" || $0 == "." })
            // No host has a longer name. Such a name is reported as a different problem.
            guard name.utf8.count <= 255 else { continue }
            let patterns = [name] + Self.namesUpward(name).flatMap { ["*.\($0)", "**.\($0)"] }
            let differs = patterns.contains { sets[$0]?.differs(from: own, before: entry.pinner) ?? false }
            guard differs, isReported.insert(entry.pinner).inserted else { continue }
            lists.values.add(
                .pinFileContradiction, entry.line, entry.pattern,
                "another pinner in this file has other pins for hosts of \(clipped(entry.pattern)), expected one pinner"
            )
        }
        guard isReported.isEmpty else { return }
        lists.values.add(
            .pinFileContradiction, as: .odd, other.line, other.pattern,
            "a second pinner: the pins of each pinner only apply to the clients that use it")
    }

    /// The pins of one pattern in several pinners: the pins of the first pinner, and the first pinner with different
    /// pins.
    private struct PinnerSets {
        private let first: (pinner: Int, pins: Set<String>)
        private let other: Int?

        init(_ pins: [Int: Set<String>]) {
            let known = pins.min { $0.key < $1.key } ?? (0, [])
            first = (known.key, known.value)
            other = pins.lazy.filter { $0.value != known.value }.map(\.key).min()
        }

        /// Returns whether a pinner with a lower number has different pins.
        func differs(from own: Set<String>, before pinner: Int) -> Bool {
            guard first.pinner < pinner else { return false }
            return first.pins != own || other.map { $0 < pinner } ?? false
        }
    }

    /// Returns a name and the names above it: at most 127, the maximum for host names.
    private static func namesUpward(_ name: String) -> [Substring] {
        var names = [name[...]]
        while names.count < 127, let rest = names.last, let dot = rest.firstIndex(of: ".") {
            names.append(rest[rest.index(after: dot)...])
        }
        return names
    }
}
