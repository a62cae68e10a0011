// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import Foundation
import PKIX
import ServerTrustTesting
import Testing

/// The encodings that users' certificates come in.
@Suite("Encodings of certificates")
struct EncodingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: @Sendable (Samples) -> [UInt8]
        var count = 2

        init(_ name: String, count: Int = 2, _ bytes: @escaping @Sendable (Samples) -> [UInt8]) {
            testDescription = name
            self.bytes = bytes
            self.count = count
        }

        static func text(_ name: String, _ text: @escaping @Sendable (Samples) -> String) -> Row {
            Row(name) { Array(text($0).utf8) }
        }
    }

    private static func bundle(_ samples: Samples) -> String { samples.leafPEM + samples.rootPEM }
    private static func utf16(_ text: String, isBig: Bool, mark: Bool) -> [UInt8] {
        ((mark ? [0xfeff] : []) + Array(text.utf16)).flatMap { unit -> [UInt8] in
            isBig ? [UInt8(unit >> 8), UInt8(unit & 0xff)] : [UInt8(unit & 0xff), UInt8(unit >> 8)]
        }
    }
    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
    private static func folded(_ text: String, _ width: Int = 76) -> String {
        var lines: [String] = []
        var rest = text[...]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(width)))
            rest = rest.dropFirst(width)
        }
        return lines.joined(separator: "\n")
    }

    static let rows: [Row] = [
        .text("PEM without changes", bundle),
        .text("CR LF line ends") { bundle($0).replacingOccurrences(of: "\n", with: "\r\n") },
        .text("CR line ends") { bundle($0).replacingOccurrences(of: "\n", with: "\r") },
        .text("a byte order mark at the start") { "\u{feff}" + bundle($0) },
        Row("UTF-16, little-endian, with a byte order mark") { utf16(bundle($0), isBig: false, mark: true) },
        Row("UTF-16, big-endian, with a byte order mark") { utf16(bundle($0), isBig: true, mark: true) },
        Row("UTF-16, little-endian, without a byte order mark") { utf16(bundle($0), isBig: false, mark: false) },
        Row("UTF-16, big-endian, without a byte order mark") { utf16(bundle($0), isBig: true, mark: false) },
        .text("indented with spaces and tabs") {
            bundle($0).split(separator: "\n").map { "  \t" + $0 }.joined(separator: "\n")
        },
        .text("the whole text in quotation marks") { "\"\(bundle($0))\"" },
        .text("each object in quotation marks, followed by a comma") { "'\($0.leafPEM)',\n'\($0.rootPEM)'," },
        .text("each line in quotation marks, followed by a comma") {
            bundle($0).split(separator: "\n").map { "\"\($0)\"," }.joined(separator: "\n")
        },
        .text("each line in quotation marks with an escaped line break, joined by plus signs") {
            bundle($0).split(separator: "\n").map { "  \"\($0)\\n\" +" }.joined(separator: "\n")
        },
        .text("all on one line") { bundle($0).replacingOccurrences(of: "\n", with: "") },
        .text("all on one line, separated by spaces") { bundle($0).replacingOccurrences(of: "\n", with: " ") },
        .text("line breaks written as backslash and n") { bundle($0).replacingOccurrences(of: "\n", with: "\\n") },
        .text("line breaks escaped twice, CR and LF") { bundle($0).replacingOccurrences(of: "\n", with: "\\\\r\\\\n") },
        .text("a JSON value") {
            "{\"ca\": \"\(bundle($0).replacingOccurrences(of: "\n", with: "\\n").replacingOccurrences(of: "/", with: "\\/"))\"}"
        },
        .text("a JSON value with escaped punctuation") {
            let text = bundle($0).replacingOccurrences(of: "\n", with: "\\n")
            return
                "{\"ca\": \"\(text.replacingOccurrences(of: "+", with: "\\u002B").replacingOccurrences(of: "=", with: "\\u003d"))\"}"
        },
        .text("a variable in an environment file") {
            "PORT=443\nCERT=\"\(bundle($0).replacingOccurrences(of: "\n", with: "\\n"))\"\n"
        },
        .text("percent-encoded, as servers pass it to applications") {
            bundle($0).addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-")))
                ?? ""
        },
        .text("other text between the objects") {
            "subject=CN = www.example.com\n-----\n" + $0.leafPEM + "\n---\nServer certificate\n" + $0.rootPEM
                + "---\nend\n"
        },
        .text("a YAML block") {
            "data:\n  ca.crt: |\n" + bundle($0).split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
                + "\n"
        },
        .text("base64 of PEM") { base64(Array(bundle($0).utf8)) },
        .text("base64 of PEM with line breaks") { folded(base64(Array(bundle($0).utf8))) + "\n" },
        .text("base64 of base64 of PEM") { base64(Array(base64(Array(bundle($0).utf8)).utf8)) },
        .text("a Kubernetes secret") {
            "apiVersion: v1\nkind: Secret\ntype: kubernetes.io/tls\ndata:\n  tls.crt: \(base64(Array($0.leafPEM.utf8)))\n  ca.crt: \(base64(Array($0.rootPEM.utf8)))\n"
        },
        .text("a Kubernetes secret in JSON") {
            "{\"kind\":\"Secret\",\"data\":{\"tls.crt\":\"\(base64(Array($0.leafPEM.utf8)))\",\"ca.crt\":\"\(base64(Array($0.rootPEM.utf8)))\"}}"
        },
        .text("certificates in XML metadata, with line breaks") {
            "<a><X509Certificate>\n\(folded(base64($0.leaf.der)))\n</X509Certificate><X509Certificate>\(base64($0.root.der))</X509Certificate></a>"
        },
        .text("the x5c member of a JSON web key") {
            "{\"x5c\":[\"\(base64($0.leaf.der))\",\"\(base64($0.root.der))\"]}"
        },
        .text("bare base64 of both certificates in DER") { base64($0.leaf.der + $0.root.der) },
        .text("bare base64 with line breaks, in quotation marks") {
            "\"" + folded(base64($0.leaf.der + $0.root.der), 64) + "\"\n"
        },
        .text("bare base64 with the URL alphabet and without padding") {
            base64($0.leaf.der + $0.root.der).replacingOccurrences(of: "+", with: "-")
                .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
        },
        .text("hexadecimal digits") { Hex.encode($0.leaf.der + $0.root.der) },
        .text("uppercase hexadecimal digits in pairs, separated by colons") {
            ($0.leaf.der + $0.root.der).map { Hex.encode([$0]).uppercased() }.joined(separator: ":")
        },
        .text("hexadecimal digits after 0x") { "0x" + Hex.encode($0.leaf.der + $0.root.der) + "\n" },
        .text("an array in a program's source") {
            ($0.leaf.der + $0.root.der).map { "0x" + Hex.encode([$0]) }.joined(separator: ", ") + ","
        },
        Row("DER of one certificate", count: 1) { $0.leaf.der },
        Row("DER of one certificate, followed by a line feed", count: 1) { $0.leaf.der + [0x0a] },
        Row("DER of both certificates, one after the other") { $0.leaf.der + $0.root.der },
    ]

    @Test("The reader finds certificates in every encoding", arguments: rows)
    func reads(_ row: Row) throws {
        let samples = try Samples.shared.get()
        let file = InspectionReader.read(row.bytes(samples), name: "file")
        #expect(file.objects.compactMap(\.certificate) == Array([samples.leaf, samples.root].prefix(row.count)))
        #expect(file.objects.count == row.count, "\(file.objects.compactMap(\.problem))")
        #expect(file.objects.map(\.place.number) == Array(1...row.count))
        #expect(file.objects.map(\.der) == file.objects.compactMap { $0.certificate?.der })
    }

    @Test("The reader reports the line of an object in a text file")
    func lines() throws {
        let samples = try Samples.shared.get()
        let text = "# one\n\n" + samples.leafPEM.replacingOccurrences(of: "\n", with: "\r\n") + samples.rootPEM
        let objects = InspectionReader.read(Array(text.utf8), name: "file").objects
        let second = 3 + samples.leafPEM.split(separator: "\n").count
        #expect(objects.map(\.place.line) == [3, second])
    }

    @Test("The reader skips a certificate in a comment")
    func comment() throws {
        let samples = try Samples.shared.get()
        let text = samples.leafPEM.split(separator: "\n").map { "# " + $0 }.joined(separator: "\n") + "\n"
        let objects = InspectionReader.read(Array(text.utf8), name: "file").objects
        #expect(objects.compactMap(\.certificate).isEmpty)
        #expect(objects.map { $0.problem?.code } == [.pemNotBase64])
    }
}
