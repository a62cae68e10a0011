// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

// TLSA records in a zone file (RFC 1035 § 5), or as printed by `dig`. The reader supports selector 1
// (SubjectPublicKeyInfo) with matching types 1 (SHA-256) and 0 (the whole key), usages 0 and 2 (a CA in the chain), and
// usages 1 and 3 (the leaf). One matching record is enough (RFC 6698 § 2.1). With usage 3, a DANE client checks neither
// the name nor a path (RFC 7671 § 5.1). Here, the evaluator checks the pins in addition to name and path, which is
// stricter.

/// Reads TLSA records.
struct TLSAReader: PinReading {
    /// Returns whether text can contain records.
    static func recognizes(_ bytes: [UInt8]) -> Bool {
        bytes.contains(text: "_tcp") && (bytes.contains(text: "TLSA") || bytes.contains(text: "tlsa"))
    }

    private struct Line {
        let words: [String]
        let number: Int
        let startsWithBlank: Bool
        let comment: String?
    }

    /// The keys in a name's records: for each key, whether it is a leaf's and whether it is a CA's.
    private struct Records {
        let line: Int
        var order: [SPKIPin] = []
        var keys: [SPKIPin: (leaf: Bool, authority: Bool, comment: String?, line: Int)] = [:]
    }

    var values: PinValueReader

    /// The maximum length of an owner with its origin. A name is at most 255 bytes long, and each byte is written with
    /// up to four characters (RFC 1035 § 5.1).
    private static let maximumNameSize = 1024

    mutating func configuration(_ bytes: [UInt8]) throws(PinFileError) -> PinConfiguration {
        var origin: String?
        var owner = ""
        var order: [Hostname] = []
        var records: [Hostname: Records] = [:]
        for line in Self.lines(bytes) {
            if line.words[0].uppercased() == "$ORIGIN", line.words.count > 1 {
                origin = line.words[1]
                continue
            }
            if !line.startsWithBlank { owner = line.words[0] }
            guard let type = line.words.prefix(5).firstIndex(where: { $0.uppercased() == "TLSA" }) else { continue }
            guard let name = host(owner, origin, line.number, "\(clipped(owner)) TLSA"),
                let (key, isLeaf) = record(Array(line.words[(type + 1)...]), line.number, name.description)
            else { continue }
            if records[name] == nil {
                order.append(name)
                records[name] = Records(line: line.number)
            }
            if records[name]?.keys[key] == nil {
                records[name]?.order.append(key)
                records[name]?.keys[key] = (false, false, line.comment, line.number)
            }
            if isLeaf { records[name]?.keys[key]?.leaf = true } else { records[name]?.keys[key]?.authority = true }
        }
        let rules = order.compactMap { name in records[name].flatMap { rule(name, $0) } }
        return try values.configuration(rules)
    }

    private mutating func rule(_ name: Hostname, _ records: Records) -> PinRule? {
        var scopes = records.order.compactMap { key -> PinScope? in
            records.keys[key].map { $0.leaf && $0.authority ? .anywhere : $0.leaf ? .leaf : .authority }
        }
        if Set(scopes).count > 1 {
            values.add(
                .pinFileContradiction, as: .odd, records.line, name.description,
                "keys of the leaf and of CAs, any of which is enough: read as pins that match anywhere in the path")
            scopes = scopes.map { _ in .anywhere }
        }
        let path = name.description
        let pins = zip(records.order, scopes).map { key, scope in
            Pin(
                .key(key), scope: scope, comment: records.keys[key]?.comment,
                location: values.location(records.keys[key]?.line, path))
        }
        return values.rule([.only(name)], pins, records.line, path)
    }

    /// Returns the host of an owner such as `_443._tcp.example.com.`
    private mutating func host(_ owner: String, _ origin: String?, _ line: Int, _ path: String) -> Hostname? {
        // The reader parses an owner's name again for each of its records.
        guard owner.utf8.count + (origin?.utf8.count ?? 0) <= Self.maximumNameSize else {
            values.add(
                .pinFileBadHost, line, path, "a name over \(Self.maximumNameSize) bytes, expected _443._tcp.HOST.")
            return nil
        }
        let labels = owner.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 2, labels[0].hasPrefix("_"), let port = UInt16(labels[0].dropFirst()),
            labels[1].lowercased() == "_tcp"
        else {
            values.add(
                .pinFileBadHost, line, path,
                "\"\(clipped(owner))\" isn't a name of TLSA records, expected _443._tcp.HOST.")
            return nil
        }
        if port != 443 {
            values.add(
                .pinFileBadValue, as: .narrow, line, path,
                "the port \(port): clients only use these keys for that service of the host",
                fix: "no change is needed if the keys are for that service; other pin formats have no ports")
        }
        var name = labels[2...].joined(separator: ".")
        if !name.hasSuffix(".") {
            if let origin {
                name += "." + origin
            } else {
                values.add(
                    .pinFileBadValue, as: .odd, line, path,
                    "no dot at the end, so a zone file appends its origin; read as the whole name")
            }
        }
        return values.host(name.hasSuffix(".") ? String(name.dropLast()) : name, line, path)
    }

    private mutating func record(_ fields: [String], _ line: Int, _ path: String) -> (SPKIPin, isLeaf: Bool)? {
        guard fields.count > 3, let usage = UInt8(fields[0]), let selector = UInt8(fields[1]),
            let type = UInt8(fields[2]),
            usage < 4, selector < 2, type < 3
        else {
            values.add(
                .pinFileBadValue, line, path, "not a TLSA record, expected USAGE 1 1 and the SHA-256 of a key in hex")
            return nil
        }
        guard selector == 1 else {
            values.add(
                .pinFileBadDigest, line, path,
                "selector 0 (the whole certificate): valid for DANE, but the record has to change with every renewal; expected 1 (its key)",
                fix:
                    "publish \(usage) 1 1 with the SHA-256 of the key, and keep the key when the certificate is renewed: servertrust pins make HOST --format tlsa"
            )
            return nil
        }
        guard type < 2 else {
            values.add(
                .pinFileBadDigest, line, path,
                "matching type 2 (SHA-512): valid for DANE, but not a pin; expected 1 (SHA-256)",
                fix: "publish \(usage) 1 1 with the SHA-256 of the key: servertrust pins make HOST --format tlsa")
            return nil
        }
        guard let bytes = Hex.decode(fields[3...].joined()), !bytes.isEmpty else {
            values.add(.pinFileBadValue, line, path, "\"\(clipped(fields[3...].joined()))\" isn't hexadecimal")
            return nil
        }
        if type == 0 {
            guard let key = try? SubjectPublicKeyInfo(der: bytes) else {
                values.add(.pinFileBadValue, line, path, "not a key, expected a SubjectPublicKeyInfo")
                return nil
            }
            return (SPKIPin(key), usage % 2 == 1)
        }
        guard let key = values.key(base64: Base64.encode(bytes), line, path) else { return nil }
        return (key, usage % 2 == 1)
    }

    // MARK: Lines

    /// Returns the lines with their words. Parentheses join lines, and a semicolon starts a comment.
    private static func lines(_ bytes: [UInt8]) -> [Line] {
        func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }
        var lines: [Line] = []
        var words: [String] = []
        var (start, startsWithBlank, depth) = (1, false, 0)
        var comment: String?
        for (index, raw) in bytes.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated() {
            let content = raw.prefix { $0 != UInt8(ascii: ";") }
            if depth == 0 { (start, startsWithBlank, comment) = (index + 1, raw.first.map(isBlank) ?? false, nil) }
            if content.count < raw.count {
                comment = comment ?? String(decoding: raw.dropFirst(content.count + 1), as: UTF8.self).trimmed
            }
            var word: [UInt8] = []
            for byte in content {
                let isOpening = byte == UInt8(ascii: "(")
                guard isOpening || byte == UInt8(ascii: ")") || isBlank(byte) else {
                    word.append(byte)
                    continue
                }
                if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
                word.removeAll(keepingCapacity: true)
                if !isBlank(byte) { depth += isOpening ? 1 : -1 }
            }
            if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
            guard depth <= 0 else { continue }
            depth = 0
            if !words.isEmpty {
                lines.append(Line(words: words, number: start, startsWithBlank: startsWithBlank, comment: comment))
            }
            words = []
        }
        if !words.isEmpty {
            lines.append(Line(words: words, number: start, startsWithBlank: startsWithBlank, comment: comment))
        }
        return lines
    }
}
