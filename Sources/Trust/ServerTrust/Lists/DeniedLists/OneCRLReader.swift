// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Reads OneCRL: an array of records. The array is either the whole file or a member of an object: `data` (a dump, or
/// the records of a collection) or `changes` (a changeset without `_since`).
///
/// ```json
/// { "data": [
///   { "issuerName": "BASE64 of a Name in DER", "serialNumber": "BASE64 of the contents of the INTEGER" },
///   { "subject": "BASE64 of a Name in DER", "pubKeyHash": "BASE64 of the SHA-256 of the SubjectPublicKeyInfo" }
/// ] }
/// ```
/// A record without either pair, a record with half a pair, and a record that withdraws an older one (`deleted`) are
/// errors. Other members, including `enabled`, have no effect, as in Firefox: every record of the list denies.
enum OneCRLReader {
    /// Whether the bytes begin like a JSON object or array.
    static func recognizes(_ bytes: [UInt8]) -> Bool {
        let first = bytes.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0a && $0 != 0x0d }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// Reads a list.
    /// - Throws: ``DeniedListError`` with the record and its member.
    static func read(_ bytes: [UInt8]) throws(DeniedListError) -> DeniedList {
        let (name, records) = try records(bytes)
        var entries = DeniedEntries()
        for (index, record) in records.enumerated() { try add(record, to: &entries, "\(name)[\(index)]") }
        return DeniedList(entries, of: bytes, warnings: [])
    }

    private static func records(_ bytes: [UInt8]) throws(DeniedListError) -> (String, [JSONValue]) {
        do throws(RootListError) {
            let root = try JSONValue.list(bytes)
            if root.isArray { return ("", try root.elements()) }
            let members = try root.members()
            let lists = members.filter { $0.key == "data" || $0.key == "changes" }
            guard lists.count == 1, let list = lists.first else {
                throw root.error("the records of OneCRL as an array, or an object with either data or changes")
            }
            return (list.key, try list.value.elements())
        } catch {
            throw DeniedListError(error)
        }
    }

    private static func add(
        _ record: JSONValue, to entries: inout DeniedEntries, _ place: String
    ) throws(DeniedListError) {
        var texts: [String: String] = [:]
        do throws(RootListError) {
            for member in try record.members() {
                switch member.key {
                case "deleted":
                    guard member.value.isFalse else {
                        throw member.value.error("a whole list, found a deleted record")
                    }
                case "issuerName", "serialNumber", "subject", "pubKeyHash":
                    guard !member.value.isNull else { continue }
                    let text = try member.value.string()
                    if !text.isEmpty { texts[member.key] = text }
                default: break
                }
            }
        } catch {
            throw DeniedListError(error, in: place)
        }
        guard (texts["issuerName"] == nil) == (texts["serialNumber"] == nil),
            (texts["subject"] == nil) == (texts["pubKeyHash"] == nil), !texts.isEmpty
        else {
            throw DeniedListError(place, "expected issuerName and serialNumber, or subject and pubKeyHash")
        }
        if let issuer = texts["issuerName"], let serial = texts["serialNumber"] {
            entries.deny(
                serialNumber: try decode(serial, "\(place).serialNumber"),
                ofIssuerNamed: try name(issuer, "\(place).issuerName"))
        }
        if let subject = texts["subject"], let key = texts["pubKeyHash"] {
            let digest = try decode(key, "\(place).pubKeyHash")
            guard digest.count == 32 else {
                throw DeniedListError("\(place).pubKeyHash", "\(digest.count) bytes, expected a SHA-256 digest")
            }
            entries.deny(key: digest, ofSubject: try name(subject, "\(place).subject"))
        }
        try entries.checkCount(at: place)
    }

    private static func name(_ text: String, _ place: String) throws(DeniedListError) -> [UInt8] {
        let der = try decode(text, place)
        do throws(DERError) { return try DistinguishedName(der: der).der } catch {
            throw DeniedListError(place, "expected a Name in DER: \(error)")
        }
    }

    /// Decodes base64, with or without padding, because some records lack it.
    private static func decode(_ text: String, _ place: String) throws(DeniedListError) -> [UInt8] {
        let missing = (4 - text.utf8.count % 4) % 4
        let padded = missing < 3 ? text + String(repeating: "=", count: missing) : text
        do throws(Base64.DecodingError) { return try Base64.decode(padded) } catch {
            throw DeniedListError(place, "expected base64: \(error)")
        }
    }
}
