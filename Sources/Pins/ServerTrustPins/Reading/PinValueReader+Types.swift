// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

// MARK: - Types

extension PinValueReader {
    /// Returns the members of a dictionary, each key once, or nil for another kind of value.
    package mutating func dictionary(_ place: PlacedNode) -> [PlacedNode]? {
        guard !isExhausted else { return nil }
        guard case .dictionary(let members) = place.value else { return mismatch(place, "a dictionary") }
        var seen: Set<ExactText> = []
        return members.compactMap { member in
            let place = place.member(member.key, member.node)
            guard !seen.insert(ExactText(member.key)).inserted else { return place }
            add(.pinFileDuplicateKey, place, "the key occurs twice, expected once")
            return nil
        }
    }

    /// Returns the members of a dictionary with at least one domain.
    package mutating func domains(_ place: PlacedNode) -> [PlacedNode]? {
        let members = dictionary(place)
        if members?.isEmpty == true { add(.pinFileEmptyList, place, "no domain, expected at least one") }
        return members
    }

    /// Returns the members of a dictionary. Keys other than `keys` are problems.
    package mutating func dictionary(_ place: PlacedNode, keys: Set<String>) -> [String: PlacedNode]? {
        known(place, keys) { values, member in
            guard values.keeps(.pinFileUnknownKey) else {
                return values.add(.pinFileUnknownKey, member.line, place.path, "")
            }
            // Users read only the first problems. Thousands of problems aren't worth the comparisons.
            let question = values.problems.count < 100 ? NearMiss.question(about: member.key, among: keys.sorted()) : ""
            values.add(
                .pinFileUnknownKey, member,
                "unknown key, expected one of \(keys.sorted().joined(separator: ", "))\(question)")
        }
    }

    /// Returns the members of a dictionary with the given keys. Skips other keys, as the format's implementation does.
    /// A key that is similar to a known one is ambiguous, so the file is refused.
    package mutating func dictionary(
        _ place: PlacedNode, keys: Set<String>, skippedBy owner: String
    ) -> [String: PlacedNode]? {
        known(place, keys) { values, member in
            values.addUnknown(
                "a key", member.key, among: keys.sorted(), skippedBy: owner, member.line, member.path)
        }
    }

    private mutating func known(
        _ place: PlacedNode, _ keys: Set<String>, otherwise addProblem: (inout PinValueReader, PlacedNode) -> Void
    ) -> [String: PlacedNode]? {
        guard let members = dictionary(place) else { return nil }
        var known: [String: PlacedNode] = [:]
        for member in members {
            if let index = keys.firstIndex(of: member.key), keys[index].isExactly(member.key) {
                known[member.key] = member
            } else {
                addProblem(&self, member)
            }
        }
        return known
    }

    /// Returns the values of an array's elements. Leaves out elements without a value.
    /// - Parameters:
    ///   - grade: the grade of the problem that the array is empty.
    ///   - read: reads an element.
    package mutating func elements<Value>(
        _ place: PlacedNode, ifEmpty grade: PinFileProblem.Grade = .refused,
        _ read: (inout PinValueReader, PlacedNode) -> Value?
    ) -> [Value] {
        (list(place, ifEmpty: grade) ?? []).compactMap { read(&self, $0) }
    }

    /// Returns the elements of an array. An empty array is a problem of the given grade.
    package mutating func list(_ place: PlacedNode, ifEmpty grade: PinFileProblem.Grade = .refused) -> [PlacedNode]? {
        guard !isExhausted else { return nil }
        guard case .array(let elements) = place.value else { return mismatch(place, "an array") }
        if elements.isEmpty { add(.pinFileEmptyList, as: grade, place, "an empty list, expected at least one element") }
        return elements.enumerated().map { PlacedNode($0.element, path: "\(place.path)[\($0.offset)]") }
    }

    package mutating func string(_ place: PlacedNode) -> String? {
        guard !isExhausted else { return nil }
        guard case .string(let text) = place.value else { return mismatch(place, "a string") }
        return text
    }

    package mutating func boolean(_ place: PlacedNode) -> Bool? {
        guard case .boolean(let value) = place.value else { return mismatch(place, "a boolean") }
        return value
    }

    private mutating func mismatch<Value>(_ place: PlacedNode, _ expected: String) -> Value? {
        add(.pinFileWrongType, place, "\(place.value.kind), expected \(expected)")
        return nil
    }

    /// Returns the path of a member. Shortens a long key, because the paths of all values inside begin with it, and
    /// there can be thousands of them.
    package static func join(_ path: String, _ key: String) -> String {
        let key = clipped(key, to: maximumKey)
        return path.isEmpty ? key : "\(path).\(key)"
    }

    /// The maximum number of characters from one key in a path. It exceeds the length of any host name.
    private static let maximumKey = 256
}

// MARK: - Pins

extension PinValueReader {
    /// Returns the pin of a digest in base64.
    /// - Parameters:
    ///   - oddities: the deviations from base64 that the format's implementation accepts. Such values are odd.
    ///   - orUnmatchable: whether the format's implementation skips a string that isn't a digest. Such a string is odd
    ///     and becomes a pin of 32 zero bytes, which no key matches.
    package mutating func key(
        base64 text: String, allowing oddities: Base64Oddities = [], orUnmatchable: Bool = false, _ line: Int?,
        _ path: String
    ) -> SPKIPin? {
        guard !isExhausted else { return nil }
        guard orUnmatchable else { return key(digest: text, written: text, oddities, line, path) }
        var trial = PinValueReader(file: file)
        let key = trial.key(digest: text, written: text, oddities, line, path)
        for problem in trial.problems {
            let detail = key == nil ? problem.detail + ": no key matches it" : problem.detail
            add(key == nil ? .pinFileUnmatchablePin : problem.code, as: .odd, line, path, detail, sha1: problem.sha1)
        }
        if key == nil { standIns.insert(location(line, path)) }
        return key ?? SPKIPin.unmatchable
    }

    /// Returns the pin of `sha256/BASE64`.
    /// - Parameter oddities: the deviations from base64 that the format's implementation accepts. Such values are odd.
    package mutating func key(
        _ text: String, allowing oddities: Base64Oddities = [], _ line: Int?, _ path: String
    ) -> SPKIPin? {
        guard !isExhausted else { return nil }
        let prefix = "sha256/"
        guard text.hasPrefix(prefix) else {
            let slip = DigestSlip.sentence(about: text).map { ", and \($0)" } ?? ", expected sha256/BASE64"
            add(
                .pinFileBadDigest, line, path, "\"\(clipped(text))\" does not start with sha256/\(slip)",
                sha1: DigestSlip.sha1(text))
            return nil
        }
        return key(digest: String(text.dropFirst(prefix.count)), written: text, oddities, line, path)
    }

    private mutating func key(
        digest text: String, written: String, _ allowed: Base64Oddities, _ line: Int?, _ path: String
    ) -> SPKIPin? {
        let (repaired, oddities) = Base64Oddities.repaired(text)
        if let pin = try? SPKIPin("sha256/" + repaired), oddities.isSubset(of: allowed) {
            for sentence in oddities.sentences {
                // Includes the prefix if the file contains it.
                let expected = written.hasPrefix("sha256/") ? pin.description : Base64.encode(pin.sha256)
                add(
                    .pinFileBadBase64, as: .odd, line, path, "\"\(clipped(written))\" \(sentence), expected \(expected)"
                )
            }
            return pin
        }
        do throws(SPKIPinError) {
            return try SPKIPin("sha256/" + text)
        } catch {
            let slip = DigestSlip.sentence(about: text)
            if let count = error.byteCount {
                let detail =
                    slip.map { "\"\(clipped(written))\" \($0)" }
                    ?? "\(count) bytes, expected the 32 bytes of a SHA-256 digest"
                add(.pinFileWrongLength, line, path, detail, sha1: DigestSlip.sha1(text))
            } else if let slip {
                add(.pinFileBadBase64, line, path, "\"\(clipped(written))\" \(slip)")
            } else {
                let hasPrefix = text.hasPrefix("sha256/") || text.hasPrefix("sha1/")
                let sentence =
                    hasPrefix
                    ? "has a prefix, which this format doesn't allow" : oddities.sentences.first ?? "is not base64"
                add(
                    .pinFileBadBase64, line, path, "\"\(clipped(written))\" \(sentence), expected 32 bytes in base64",
                    sha1: DigestSlip.sha1(text))
            }
            return nil
        }
    }

    /// Returns the different pins in a list of digests.
    /// - Parameters:
    ///   - hasPrefix: whether `sha256/` precedes each digest.
    ///   - oddities: the deviations from base64 that the format's implementation accepts.
    package mutating func pins(
        _ place: PlacedNode, hasPrefix: Bool = false, allowing oddities: Base64Oddities = [],
        scope: PinScope = .anywhere
    ) -> [Pin] {
        unique(keys(place, hasPrefix: hasPrefix, allowing: oddities, scope: scope), as: .odd, place.path)
    }

    /// Returns the pins of a list's digests, including pins that occur twice.
    mutating func keys(
        _ place: PlacedNode, hasPrefix: Bool = false, allowing oddities: Base64Oddities, scope: PinScope = .anywhere
    ) -> [Pin] {
        elements(place) { values, element in
            guard let text = values.string(element) else { return nil }
            let key =
                hasPrefix
                ? values.key(text, allowing: oddities, element.line, element.path)
                : values.key(base64: text, allowing: oddities, element.line, element.path)
            return key.map {
                Pin(.key($0), scope: scope, comment: element.node.comment, location: values.location(element))
            }
        }
    }

    /// Returns the certificate with this DER encoding.
    mutating func certificate(_ der: [UInt8], _ line: Int?, _ path: String) -> Certificate? {
        do throws(DERError) {
            return try Certificate(der: der)
        } catch {
            let hint = PEM.isPEM(der) ? "; it is PEM, expected DER" : ""
            add(.pinFileBadCertificate, line, path, "not a certificate: \(error)\(hint)")
            return nil
        }
    }

    /// Returns a URL that can receive reports: absolute, http or https, with a host.
    /// - Parameter grade: the grade of the problem for any other string.
    package mutating func reportURI(
        _ text: String, otherwise grade: PinFileProblem.Grade = .refused, _ line: Int?, _ path: String
    ) -> String? {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            scheme == "https" || scheme == "http", let host = parts.host, !host.isEmpty
        else {
            add(
                .pinFileBadURI, as: grade, line, path,
                "\"\(clipped(text))\" isn't a URL for reports, expected https://host/path")
            return nil
        }
        return text
    }

    /// Returns the URLs of a list that can receive reports.
    /// - Parameter grade: the grade of the problem that the list is empty.
    package mutating func reportURIs(
        _ place: PlacedNode, ifEmpty grade: PinFileProblem.Grade = .refused,
        otherwise: (String) -> PinFileProblem.Grade = { _ in .refused }
    ) -> [String] {
        elements(place, ifEmpty: grade) { values, element in
            values.string(element).flatMap {
                values.reportURI($0, otherwise: otherwise($0), element.line, element.path)
            }
        }
    }

    /// Returns the pins, without those that repeat an earlier pin's value and scope. Such duplicates are problems of
    /// the given grade.
    package mutating func unique(
        _ pins: [Pin], as grade: PinFileProblem.Grade = .refused, _ path: String
    ) -> [Pin] {
        var seen: Set<PinRule.Requirement> = []
        return pins.filter { pin in
            guard !seen.insert(PinRule.Requirement(pin)).inserted else { return true }
            // Two strings that aren't pins may differ, but one stand-in is enough.
            if let location = pin.location, standIns.contains(location) { return false }
            add(
                .pinFileDuplicatePin, as: grade, pin.location?.line, pin.location?.keyPath ?? path,
                "the pin occurs twice, expected once")
            return false
        }
    }
}

extension SPKIPin {
    /// The pin of 32 zero bytes, which has no known preimage.
    fileprivate static let unmatchable = try? SPKIPin("sha256/" + Base64.encode([UInt8](repeating: 0, count: 32)))
}

// MARK: - Hosts

extension PinValueReader {
    /// Returns the host name of a domain, in any case, with or without a trailing dot.
    /// - Parameter mapsInternational: whether the format's implementation maps `bücher.example` to
    ///   `xn--bcher-kva.example`. Other implementations can never match such a name, so it is a problem. The mapped
    ///   name is still returned, to find duplicates.
    package mutating func host(
        _ text: String, _ line: Int?, _ path: String, mapsInternational: Bool = false
    ) -> Hostname? {
        guard !isExhausted else { return nil }
        do throws(HostnameError) {
            return try Hostname.withoutZone(text)
        } catch {
            guard error.code == .hostNotASCII, let mapped = Self.aLabels(of: text), let host = try? Hostname(mapped)
            else {
                let isWildcard = text.hasPrefix("*.") && (try? Hostname(String(text.dropFirst(2)))) != nil
                let wildcard =
                    "\"\(clipped(text))\" is a wildcard, which matches no host here: expected the name without it, and the format's key for names below"
                add(.pinFileBadHost, line, path, isWildcard ? wildcard : error.description)
                return nil
            }
            if !mapsInternational {
                add(
                    .pinFileBadHost, line, path,
                    "no client requests the host name \"\(clipped(text))\" in this form, expected \(host)")
            }
            return host
        }
    }

    /// Reports a domain that ends in a dot, in formats whose implementation compares it with the host character by
    /// character.
    /// - Parameter isKept: whether the implementation keeps the dot of a URL's host, so that such URLs match. Other
    ///   implementations remove it.
    mutating func checkDot(_ text: String, keptInURLs isKept: Bool, _ line: Int?, _ path: String) {
        guard text.utf8.last == UInt8(ascii: "."), text.utf8.count > 1 else { return }
        let effect = isKept ? "so URLs without the dot never match" : "but clients remove the dot from hosts"
        add(
            .pinFileUnmatchableHost, as: .odd, line, path,
            "\"\(clipped(text))\" ends in a dot, \(effect): expected no dot")
    }

    /// Returns the name as Foundation's URLs map it (UTS #46).
    private static func aLabels(of text: String) -> String? {
        guard !text.contains(where: { "/?#@:%[]".contains($0) }) else { return nil }
        var components = URLComponents()
        components.scheme = "https"
        components.host = text
        guard let host = components.encodedHost, host.utf8.allSatisfy({ $0 < 0x80 }), !host.contains("%") else {
            return nil
        }
        return host
    }

    /// Returns whether the domain occurs for the first time in a file. A duplicate is a problem.
    package mutating func unique(_ host: Hostname, _ line: Int?, _ path: String, among seen: inout [Hostname: Int?])
        -> Bool
    {
        guard let first = seen[host] else {
            seen[host] = line
            return true
        }
        let where_ = first.map { " (line \($0))" } ?? ""
        add(.pinFileDuplicateHost, line, path, "the domain \(host) occurs twice\(where_), expected once")
        return false
    }
}

// MARK: - Dates

extension PinValueReader {
    /// Returns the expiry at the first second in UTC of a date, `yyyy-MM-dd`. Afterwards, the hosts aren't pinned.
    package mutating func expiry(_ place: PlacedNode) -> PinExpiry? {
        string(place).flatMap { day($0, place.line, place.path) }.map { PinExpiry($0, onExpiry: .failOpen) }
    }

    /// Returns the first second in UTC of a date, `yyyy-MM-dd`.
    package mutating func day(_ text: String, _ line: Int?, _ path: String) -> Time? {
        guard text.utf8.count == 10, let time = try? Time(rfc3339: text) else {
            add(
                .pinFileBadDate, line, path, "\"\(clipped(text))\" isn't a date, expected yyyy-MM-dd such as 2027-03-31"
            )
            return nil
        }
        return time
    }
}
