// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ServerTrustCommand

#if canImport(FoundationXML)
import FoundationXML
#endif

/// The format of an output, with a parser that returns its structure.
enum OutputGrammar: Sendable {
    case json, lines, csv, tsv, text, nagios, prometheus
    /// JUnit's XML, where fields only fill attributes and elements.
    case xml
    /// A page, where empty fields leave out elements, and backquotes mark code.
    case html

    /// Returns the structure of an output: the same for all fields, except that a page may lack parts.
    /// - Throws: the parser's error for broken bytes.
    func structure(of bytes: [UInt8]) throws -> [String] {
        let text = try #require(String(validating: bytes, as: UTF8.self), "not UTF-8")
        let steering = text.steeringScalars.filter { self != .tsv || $0 != "\t" }
        #expect(steering.isEmpty, "\(steering.map { String($0.value, radix: 16) })")
        switch self {
        case .json: return Self.keys(try JSONSerialization.jsonObject(with: Data(bytes)), "").sorted()
        case .lines:
            let lines = text.split(separator: "\n").map { Data($0.utf8) }
            return try lines.flatMap { Self.keys(try JSONSerialization.jsonObject(with: $0), "").sorted() }
        case .csv: return Self.shape(try Self.records(bytes))
        case .tsv: return Self.shape(Self.rows(text))
        case .text:
            // The verdicts that a reader or a script looks for.
            return text.split(separator: "\n").compactMap {
                $0.firstMatch(of: /^(OK|FAIL|SOON)\b/).map { String($0.1) }
            }
        case .nagios:
            let bars = text.utf8.count { $0 == UInt8(ascii: "|") }
            let values = try #require(text.utf8.split(separator: UInt8(ascii: "|")).last).split(separator: 0x20)
            let names = values.map { String(decoding: $0.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self) }
            return ["\(bars) bars", "\(text.utf8.count { $0 == 0x0a }) lines"]
                + names.map { $0.replacing("\n", with: "") }
        case .prometheus:
            let sample = /([a-z_]+)(?:\{([a-z]+="(?:[^"\\]|\\[\\"n])*",?)*\})? -?[0-9.]+/.matchingSemantics(
                .unicodeScalar)
            return try text.split(separator: "\n").filter { !$0.hasPrefix("# ") }.map { line in
                String(try #require(line.wholeMatch(of: sample), "\(line)").1)
            }
        case .xml: return try XMLShape(bytes).parts.sorted()
        case .html: return Set(try XMLShape(bytes).parts).subtracting(["code", "code.class"]).sorted()
        }
    }

    /// The records of comma-separated values.
    static func records(_ bytes: [UInt8]) throws -> [[String]] {
        var reader = CSVReader(bytes)
        var records: [[String]] = []
        while let record = try reader.next() { records.append(try record.map { try $0.text() }) }
        return records
    }

    /// The rows of tab-separated values.
    static func rows(_ text: String) -> [[String]] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// Expects that no spreadsheet runs a cell, and returns the number of cells in each row.
    private static func shape(_ rows: [[String]]) -> [String] {
        for cell in rows.joined() {
            let first = cell.unicodeScalars.first
            #expect(
                first.map { "=+-@\t\r\n\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}".unicodeScalars.contains($0) } != true,
                "\(cell)")
        }
        return rows.map { "\($0.count)" }
    }

    /// The places of all values in a JSON value, and their types. Digests of certificates are equal keys.
    private static func keys(_ value: Any, _ place: String) -> [String] {
        switch value {
        case let object as [String: Any]:
            object.flatMap { key, value in
                let isDigest = key.utf8.count == 64 && key.allSatisfy(\.isHexDigit)
                return keys(value, "\(place).\(isDigest ? "digest" : key)")
            }
        case let list as [Any]:
            list.enumerated().flatMap { keys($0.element, "\(place)[\($0.offset)]") } + [place + "[]"]
        case is String: [place + " text"]
        default: [place]
        }
    }
}

/// The elements and attributes of an XML document.
private final class XMLShape: NSObject, XMLParserDelegate {
    private(set) var parts: [String] = []

    /// - Throws: the parser's error for a document that isn't well-formed.
    init(_ bytes: [UInt8]) throws {
        super.init()
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = self
        guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        parts.append(name)
        parts += attributes.keys.sorted().map { "\(name).\($0)" }
    }
}
