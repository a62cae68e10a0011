// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Reads a CRLSet: a header in JSON, preceded by its length in two bytes, and then the parents. A parent is the SHA-256
/// of its key, the number of its serial numbers in four bytes, and the serial numbers, each preceded by its length in
/// one byte. Numbers are little-endian, and serial numbers have no sign.
///
/// The header's `BlockedSPKIs`, `BlockedInterceptionSPKIs` and `LimitedSubjects` deny certificates.
/// `KnownInterceptionSPKIs` only causes warnings. A set past its `NotAfter` still denies. The reader skips unknown
/// members with a warning. A delta to an older set is an error.
enum CRLSetReader {
    /// The members of a CRLSet's header, and the offset of the first byte after the header.
    typealias Header = (members: [JSONValue.Member], end: Int)

    /// Returns the header, or nil if the bytes don't begin with one.
    static func header(_ bytes: [UInt8]) -> Header? {
        guard bytes.count > 2 else { return nil }
        let end = 2 + (Int(bytes[0]) | Int(bytes[1]) << 8)
        guard end <= bytes.count, bytes[2] == UInt8(ascii: "{"),
            let members = try? JSONValue.list(Array(bytes[2..<end])).members(),
            let type = members.first(where: { $0.key == "ContentType" }),
            let text = try? type.value.string(), text.hasPrefix("CRLSet")
        else { return nil }
        return (members, end)
    }

    /// Reads a set.
    /// - Throws: ``DeniedListError`` with the member of the header, or the byte offset.
    static func read(_ bytes: [UInt8], _ header: Header) throws(DeniedListError) -> DeniedList {
        var entries = DeniedEntries()
        var warnings: [String] = []
        let parents: Int?
        do throws(RootListError) {
            parents = try checkNumbers(header)
        } catch {
            throw DeniedListError(error, in: "header")
        }
        for member in header.members {
            do throws(RootListError) {
                let isKnown = try add(member, to: &entries)
                if !isKnown {
                    warnings.append("skipped the CRLSet's unknown member \(clipped(member.key, to: 64))")
                }
            } catch {
                throw DeniedListError(error, in: "header.\(clipped(member.key, to: 64))")
            }
            try entries.checkCount(at: "header.\(clipped(member.key, to: 64))")
        }
        let count = try readParents(bytes, from: header.end, into: &entries)
        guard parents == nil || parents == count else {
            throw DeniedListError("header.NumParents", "\(parents ?? 0), but \(count) parents follow")
        }
        return DeniedList(entries, of: bytes, warnings: Array(warnings.prefix(16)))
    }

    // MARK: - The header

    /// Checks the type, the version and the numbers, and returns the number of parents, or nil if the header has none.
    private static func checkNumbers(_ header: Header) throws(RootListError) -> Int? {
        var numbers: [String: Int] = [:]
        for member in header.members {
            switch member.key {
            case "ContentType":
                guard try member.value.string() == "CRLSet" else {
                    throw member.value.error("the type CRLSet (a whole set)")
                }
            case "Version", "Sequence", "DeltaFrom", "NumParents":
                guard case .number(let text) = member.value.content, let number = Int(text), number >= 0 else {
                    throw member.value.error("a number for \(member.key)")
                }
                numbers[member.key] = number
            case "NotAfter":
                guard case .number(let text) = member.value.content, let number = Double(text), number >= 0 else {
                    throw member.value.error("seconds since 1970 for NotAfter")
                }
            default: break
            }
        }
        guard numbers["Version"] == 0, numbers["Sequence"] != nil, numbers["DeltaFrom"] ?? 0 == 0 else {
            throw RootListError(line: nil, "expected Version 0, a Sequence, and a DeltaFrom of 0 or none")
        }
        return numbers["NumParents"]
    }

    /// Adds the entries of a member, and returns whether the member is known.
    private static func add(
        _ member: JSONValue.Member, to entries: inout DeniedEntries
    ) throws(RootListError) -> Bool {
        switch member.key {
        case "BlockedSPKIs", "BlockedInterceptionSPKIs":
            for key in try digests(member.value) { entries.deny(key: key) }
        case "KnownInterceptionSPKIs":
            for key in try digests(member.value) { entries.note(interceptionKey: key) }
        case "LimitedSubjects":
            for subject in try member.value.members() {
                entries.limit(
                    subjectWithDigest: try digest(subject.key, subject.value), to: Set(try digests(subject.value)))
            }
        case "ContentType", "Version", "Sequence", "DeltaFrom", "NumParents", "NotAfter": break
        default: return false
        }
        return true
    }

    private static func digests(_ node: JSONValue) throws(RootListError) -> [[UInt8]] {
        var digests: [[UInt8]] = []
        for element in try node.elements() { digests.append(try digest(try element.string(), element)) }
        return digests
    }

    private static func digest(_ text: String, _ node: JSONValue) throws(RootListError) -> [UInt8] {
        guard let bytes = try? Base64.decode(text), bytes.count == 32 else {
            throw .unexpected(line: node.line, expected: "a SHA-256 digest in base64", found: text)
        }
        return bytes
    }

    // MARK: - The parents

    private static func readParents(
        _ bytes: [UInt8], from start: Int, into entries: inout DeniedEntries
    ) throws(DeniedListError) -> Int {
        var position = start
        var parents = 0
        while position < bytes.count {
            guard bytes.count - position >= 36 else {
                throw DeniedListError(offset: position, "expected a parent's digest and its number of serial numbers")
            }
            let key = Array(bytes[position..<position + 32])
            let count = (0..<4).reduce(0) { $0 | Int(bytes[position + 32 + $1]) << (8 * $1) }
            position += 36
            // Each serial number takes at least one byte.
            guard count <= bytes.count - position else {
                throw DeniedListError(
                    offset: position - 4, "\(count) serial numbers, but only \(bytes.count - position) bytes follow")
            }
            for _ in 0..<count {
                let length = position < bytes.count ? Int(bytes[position]) : 0
                guard position < bytes.count, length < bytes.count - position else {
                    throw DeniedListError(offset: position, "expected a length and a serial number")
                }
                let serial = Array(bytes[position + 1..<position + 1 + length])
                entries.deny(unsignedSerialNumber: serial, ofIssuerWithKey: key)
                try entries.checkCount(at: "byte \(position)")
                position += 1 + length
            }
            parents += 1
        }
        return parents
    }
}
