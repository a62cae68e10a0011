// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

/// The accepted findings of an earlier run: a sorted JSON file with one member per line.
///
/// An entry accepts findings with its rule, file, hosts and fingerprint, at most as many as its count, up to its
/// severity. All of these have to match, so an entry accepts only the finding it shows. The file contains warnings and
/// errors, but no notes, because notes never fail a run.
package struct FindingBaseline: Sendable {
    /// The finding that an entry accepts.
    package struct Entry: Sendable, Hashable {
        /// The rule's identifier.
        package let id: String
        /// The file, relative to the folder of the baseline.
        package fileprivate(set) var file: String
        /// The hosts as in ``PinFinding/subject``.
        package let hosts: String?
        /// The fingerprint.
        let fingerprint: String
        /// The highest severity that the entry accepts.
        fileprivate(set) var severity: PinFinding.Severity
        /// The number of findings that the entry accepts, at least 1.
        package var count: Int
        /// The human-readable message of the first finding.
        package let message: String
        /// The reason, which users write into the file, or nil for none.
        var reason: String?

        /// The values that identify the accepted findings.
        fileprivate var key: [String?] { [id, file, hosts, fingerprint] }
    }

    /// The entries, sorted by file, rule, hosts and fingerprint.
    let entries: [Entry]

    /// The maximum number of entries in a file.
    static let maximumCount = 100_000
    /// The maximum size of a file in bytes.
    static let maximumSize = 64 << 20

    /// Creates a baseline from findings that nothing else accepts.
    /// - Parameters:
    ///   - earlier: a baseline whose reasons are kept.
    ///   - name: returns the name of a finding's file in the baseline.
    package init(_ findings: [PinFinding], keepingReasonsOf earlier: FindingBaseline?, naming name: (String) -> String)
    {
        var reasons: [[String?]: String] = [:]
        for entry in earlier?.entries ?? [] { reasons[entry.key] = entry.reason }
        var entries: [[String?]: Entry] = [:]
        for finding in findings where finding.isFailure && Self.takes(finding) {
            var entry = Entry(finding, name)
            entry.reason = reasons[entry.key]
            if let other = entries[entry.key] {
                entries[entry.key]?.severity = min(other.severity, finding.severity)
                entries[entry.key]?.count += 1
            } else {
                entries[entry.key] = entry
            }
        }
        self.init(entries: Array(entries.values))
    }

    /// Returns the baseline together with the entries of an earlier baseline that a run can't renew.
    /// - Parameters:
    ///   - earlier: the earlier baseline. Its entries are left out if this baseline has an entry for the same findings.
    ///   - name: returns the name of an entry's file in this baseline, or nil to leave the entry out.
    package func keeping(_ earlier: FindingBaseline, naming name: (Entry) -> String?) -> FindingBaseline {
        var keys = Set(entries.map(\.key))
        let kept = earlier.entries.compactMap { entry -> Entry? in
            guard let file = name(entry) else { return nil }
            var entry = entry
            entry.file = file
            return keys.insert(entry.key).inserted ? entry : nil
        }
        return FindingBaseline(entries: entries + kept)
    }

    private init(entries: [Entry]) { self.entries = entries.sorted(by: Self.isOrdered) }

    private static func takes(_ finding: PinFinding) -> Bool { finding.rule.isAcceptable && !finding.isUndecided }

    private static func isOrdered(_ left: Entry, _ right: Entry) -> Bool {
        (left.file, left.id, left.hosts ?? "", left.fingerprint) < (
            right.file, right.id, right.hosts ?? "", right.fingerprint
        )
    }
}

// MARK: - Acceptance

extension FindingBaseline {
    /// Accepts the findings that have entries.
    /// - Parameter name: returns the name of a finding's file in the baseline.
    /// - Returns: the entries whose count is higher than the number of findings, with the number of missing findings.
    package func accept(_ findings: inout [PinFinding], naming name: (String) -> String) -> [Entry] {
        var rest: [[String?]: Entry] = [:]
        for entry in entries { rest[entry.key] = entry }
        for index in findings.indices where findings[index].acceptance == nil && Self.takes(findings[index]) {
            let key = Entry(findings[index], name).key
            // A finding that is more severe than the accepted one is new.
            guard let entry = rest[key], entry.count > 0, findings[index].severity >= entry.severity else { continue }
            rest[key]?.count -= 1
            findings[index].acceptance = FindingAcceptance(.baseline, reason: entry.reason)
        }
        return entries.compactMap { entry in rest[entry.key].flatMap { $0.count > 0 ? $0 : nil } }
    }
}

// MARK: - JSON

extension FindingBaseline {
    /// Returns the contents of the file. Equal findings produce equal bytes.
    package func json() -> [UInt8] {
        var json = JSONWriter(isIndented: true)
        json.object { json in
            json.member("schemaVersion", 1)
            json.array("findings", of: entries) { json, entry in json.object { Self.write(entry, to: &$0) } }
        }
        json.lineFeed()
        return json.bytes
    }

    private static func write(_ entry: Entry, to json: inout JSONWriter) {
        json.member("file", entry.file)
        json.member("id", entry.id)
        json.member("hosts", entry.hosts)
        json.member("severity", entry.severity.rawValue)
        json.member("count", entry.count)
        json.member("fingerprint", entry.fingerprint)
        json.member("message", clipped(entry.message))
        json.member("reason", entry.reason)
    }

    /// Parses a baseline file.
    /// - Throws: ``FindingBaselineError`` for a file that isn't a baseline of this version, or has a duplicate entry.
    package init(json bytes: [UInt8]) throws(FindingBaselineError) {
        guard bytes.count <= Self.maximumSize else {
            throw FindingBaselineError(nil, "over \(Self.maximumSize >> 20) MiB")
        }
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONValue(
                parsing: bytes, maximumDepth: 8, maximumCount: 10 * Self.maximumCount, repeatedKeys: .kept)
        } catch {
            throw FindingBaselineError(error.line, error.detail)
        }
        guard case .number("1")? = root["schemaVersion"]?.content,
            case .array(let elements)? = root["findings"]?.content
        else { throw FindingBaselineError(root.line, "not a baseline: expected schemaVersion 1 and findings") }
        guard elements.count <= Self.maximumCount else {
            throw FindingBaselineError(root.line, "over \(Self.maximumCount) findings")
        }
        var seen: Set<[String?]> = []
        var entries: [Entry] = []
        for element in elements {
            guard let entry = Entry(element) else {
                throw FindingBaselineError(
                    element.line,
                    "not a finding: expected file, id, hosts, severity, count, fingerprint, message and reason")
            }
            guard seen.insert(entry.key).inserted else {
                throw FindingBaselineError(element.line, "a finding occurs twice")
            }
            entries.append(entry)
        }
        self.init(entries: entries)
    }
}

extension FindingBaseline.Entry {
    /// Creates the entry for one finding, without a reason.
    fileprivate init(_ finding: PinFinding, _ name: (String) -> String) {
        self.init(
            id: finding.rule.id, file: name(finding.location.file), hosts: finding.subject,
            fingerprint: FindingFingerprint(finding).description, severity: finding.severity, count: 1,
            message: finding.message)
    }

    fileprivate init?(_ value: JSONValue) {
        guard let id = value["id"]?.text, let file = value["file"]?.text, let fingerprint = value["fingerprint"]?.text,
            let severity = value["severity"]?.text.flatMap(PinFinding.Severity.init(rawValue:)), severity != .note,
            case .number(let digits)? = value["count"]?.content, let count = Int(digits), count > 0
        else { return nil }
        self.init(
            id: id, file: file, hosts: value["hosts"]?.text, fingerprint: fingerprint, severity: severity, count: count,
            message: value["message"]?.text ?? "", reason: value["reason"]?.text)
    }
}

/// The reason why a file isn't a baseline.
package struct FindingBaselineError: Error, Hashable, CustomStringConvertible {
    /// The line, from 1, or nil for the whole file.
    package let line: Int?
    /// A human-readable description of the reason.
    package let description: String

    init(_ line: Int?, _ description: String) {
        self.line = line
        self.description = description
    }
}
