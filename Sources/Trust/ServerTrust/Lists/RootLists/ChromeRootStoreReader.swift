// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Reads Chrome's `root_store.textproto`: anchors by SHA-256, with alternative sets of constraints and the policies of
/// extended validation. A path has to meet one of the sets.
///
/// The reader ignores a constraint that requires a minimum version of Chrome. A set for versions below some version is
/// never met. Nor is a set with an unknown constraint, or with indexes of Merkle tree certificates. An anchor with an
/// unknown member isn't trusted for any purpose. The reader skips certificates that aren't anchors for TLS (only
/// `eutl`).
enum ChromeRootStoreReader {
    /// Whether bytes are in this format.
    static func recognizes(_ bytes: [UInt8]) -> Bool {
        var lines = ByteLines(bytes)
        while let line = lines.next() {
            let text = line.drop { $0 == 0x20 || $0 == 0x09 }
            guard let first = text.first, first != UInt8(ascii: "#") else { continue }
            return ["version_major", "trust_anchors", "additional_certs"].contains { text.starts(with: $0.utf8) }
        }
        return false
    }

    /// Reads a list.
    /// - Throws: ``RootListError`` with the line.
    static func read(_ bytes: [UInt8], date: Time?) throws(RootListError) -> RootList {
        let fields = try TextProto.fields(bytes)
        let version = fields.first { $0.name == "version_major" }.flatMap { number($0.value) }
        var list = RootList(
            program: version.map { "Chrome Root Store \($0)" } ?? "Chrome Root Store", date: date, isComplete: true)
        for field in fields {
            guard field.name == "trust_anchors" || field.name == "additional_certs" else { continue }
            guard case .message(let anchor) = field.value else { throw unexpected(field, "a message") }
            // An additional certificate is an anchor for TLS only if it says so.
            guard field.name == "trust_anchors" || flag(anchor, "tls_trust_anchor") else { continue }
            let (digest, entry) = try root(anchor, field)
            list.add(digest, entry)
        }
        return try list.trustingARoot()
    }

    private static func root(
        _ anchor: [TextProto.Field], _ field: TextProto.Field
    ) throws(RootListError) -> ([UInt8], RootList.Entry) {
        var digest: [UInt8]?
        var hasUnknownMember = false
        // Without a policy, the program accepts no claims of extended validation.
        var entry = RootList.Entry(label: "", alternatives: [], extendedValidationPolicies: [])
        for member in anchor {
            switch member.name {
            case "sha256_hex":
                guard digest == nil else { throw unexpected(member, "one sha256_hex per anchor") }
                let text = try string(member)
                guard let bytes = Hex.decode(text), bytes.count == 32 else {
                    throw .unexpected(line: member.line, expected: "64 hexadecimal digits", found: text)
                }
                digest = bytes
            case "display_name": entry.label = String(decoding: try string(member).utf8.prefix(256), as: UTF8.self)
            case "constraints": entry.alternatives.append(try constraints(member))
            case "ev_policy_oids":
                let text = try string(member)
                guard let policy = OID(text) else {
                    throw .unexpected(line: member.line, expected: "an object identifier", found: text)
                }
                entry.extendedValidationPolicies?.append(policy)
            case "eutl", "enforce_anchor_expiry", "enforce_anchor_constraints", "tls_trust_anchor", "trust_anchor_id",
                "crs_root_id":
                break
            // An unknown member may be a condition.
            default: hasUnknownMember = true
            }
        }
        guard let digest else { throw unexpected(field, "an anchor with sha256_hex") }
        if entry.alternatives.isEmpty { entry.alternatives = [AnchorConstraints()] }
        if hasUnknownMember {
            for index in entry.alternatives.indices { entry.alternatives[index].isUndecidable = true }
        }
        return (digest, entry)
    }

    private static func constraints(_ field: TextProto.Field) throws(RootListError) -> AnchorConstraints {
        guard case .message(let fields) = field.value else { throw unexpected(field, "a message") }
        var constraints = AnchorConstraints()
        // Collects the names separately, because appending to an array inside an optional copies it each time.
        var permittedDomains: [String] = []
        for field in fields {
            switch field.name {
            case "sct_not_after_sec": constraints.dates.append(try limit(field, .notAfter, .timestamps))
            case "sct_all_after_sec": constraints.dates.append(try limit(field, .after, .timestamps))
            case "validity_starts_not_after_sec": constraints.dates.append(try limit(field, .notAfter, .notBefore))
            case "validity_starts_after_sec": constraints.dates.append(try limit(field, .after, .notBefore))
            case "permitted_dns_names": permittedDomains.append(try string(field))
            case "min_version": break
            default: constraints.isUndecidable = true
            }
        }
        // Without any names, all are permitted.
        if !permittedDomains.isEmpty { constraints.permittedDomains = permittedDomains }
        return constraints
    }

    private static func limit(
        _ field: TextProto.Field, _ side: IssuanceLimit.Side, _ clock: IssuanceLimit.Clock
    ) throws(RootListError) -> IssuanceLimit {
        guard let seconds = number(field.value) else { throw unexpected(field, "seconds since 1970") }
        return IssuanceLimit(side, Time(secondsSinceEpoch: seconds), clock: clock)
    }

    private static func string(_ field: TextProto.Field) throws(RootListError) -> String {
        guard case .string(let bytes) = field.value else { throw unexpected(field, "a string") }
        let text = String(decoding: bytes, as: UTF8.self)
        guard !CombiningRun.isTooLong(in: text) else { throw unexpected(field, CombiningRun.expectation) }
        return text
    }

    /// Returns a whole number in decimal, octal or hexadecimal.
    private static func number(_ value: TextProto.Value) -> Int64? {
        guard case .word(let word) = value else { return nil }
        if word.hasPrefix("0x") || word.hasPrefix("0X") { return Int64(word.dropFirst(2), radix: 16) }
        return word.hasPrefix("0") ? Int64(word, radix: 8) : Int64(word)
    }

    private static func flag(_ fields: [TextProto.Field], _ name: String) -> Bool {
        fields.contains { field in
            guard field.name == name, case .word(let word) = field.value else { return false }
            return ["true", "True", "t", "1"].contains(word)
        }
    }

    private static func unexpected(_ field: TextProto.Field, _ expected: String) -> RootListError {
        .unexpected(line: field.line, expected: expected, found: field.name)
    }
}
