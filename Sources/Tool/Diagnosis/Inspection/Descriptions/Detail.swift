// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// One line of a description: a label, a value, and nested lines. All texts are printable and limited in length.
package struct Detail: Sendable, Hashable {
    /// The field's name in words, empty for a member of a list.
    package let label: String
    /// The value in words, or nil if the nested lines contain the value.
    package let value: String?
    /// The identifier of the value in dotted decimal, if any.
    package let oid: String?
    /// The nested lines.
    package let members: [Detail]

    /// The maximum number of scalars in a value. The longest text in a typical certificate is a policy notice.
    static let maximumSize = 4096
    /// The maximum number of nested lines. The largest certificates in use contain several thousand names, hostile ones
    /// 100,000.
    static let maximumMembers = 20_000

    init(_ label: String, _ value: String? = nil, oid: String? = nil, _ members: [Detail] = []) {
        self.label = clipped(label, to: 256)
        self.value = value.map { clipped($0, to: Self.maximumSize) }
        self.oid = oid
        guard members.count > Self.maximumMembers else {
            self.members = members
            return
        }
        let rest = members.count - Self.maximumMembers
        self.members = members.prefix(Self.maximumMembers) + [Detail("", "and \(rest) more, not shown")]
    }

    /// Whether the line is a validity that is in the past or in the future.
    package var isOutOfDate: Bool {
        label == "validity" && ["EXPIRED", "NOT VALID", "OUT OF DATE"].contains { value?.hasPrefix($0) == true }
    }

    /// Returns the line and its nested lines with the names of logs after their identifiers.
    /// - Parameter logs: the names, by base64 identifier.
    func naming(_ logs: [String: String]) -> Detail {
        var shown = value
        if label == "log", let value, let name = logs[value] { shown = "\(value) (\(name))" }
        return Detail(label, shown, oid: oid, members.map { $0.naming(logs) })
    }

    /// Creates a line for an OBJECT IDENTIFIER, with its name in words if known.
    static func identifier(_ label: String, _ value: ASN1Value?, _ members: [Detail] = []) -> Detail {
        guard let dotted = value?.oid else {
            return Detail(label, value.map { "malformed: \($0.hex(maximum: 32))" } ?? "missing", members)
        }
        let name = OIDNames.words(for: dotted)
        return Detail(label, name.map { "\($0) (\(dotted))" } ?? dotted, oid: dotted, members)
    }

    /// Creates lines for bytes of an unknown format: hexadecimal, and the values if the bytes are ASN.1.
    static func unknown(_ bytes: ArraySlice<UInt8>) -> [Detail] {
        var details = [Detail("hex", ASN1Value.hex(bytes, maximum: 256))]
        let dump = ASN1Dump(Array(bytes.prefix(64 << 10)), maximumLines: 64)
        guard bytes.count <= 64 << 10, dump.problems.isEmpty, !dump.lines.isEmpty else {
            if bytes.count > 3, bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) {
                details.append(Detail("text", String(decoding: bytes.prefix(Self.maximumSize), as: UTF8.self)))
            }
            return details
        }
        var lines = dump.lines.map { line in
            Detail("", String(repeating: "  ", count: line.depth) + line.tag + (line.words.map { " " + $0 } ?? ""))
        }
        if dump.omitted > 0 { lines.append(Detail("", "and \(dump.omitted) more bytes, not shown")) }
        return details + [Detail("asn1", nil, lines)]
    }
}

/// A named value of an object for programs: the keys of JSON and the names of `--fields`.
package struct Fact: Sendable, Hashable {
    /// The value of a fact. The list of cases is complete.
    package enum Value: Sendable, Hashable {
        case text(String?)
        case number(Int?)
        case flag(Bool?)
        case list([String])
    }
    /// The name, which never changes.
    package let name: String
    /// The value.
    package let value: Value

    init(_ name: String, _ value: Value) {
        self.name = name
        self.value =
            switch value {
            case .text(let text): .text(text.map { clipped($0, to: Detail.maximumSize) })
            case .list(let list):
                .list(list.prefix(Detail.maximumMembers).map { clipped($0, to: 1024) })
            case .number, .flag: value
            }
    }

    /// The values as texts, empty for an absent value.
    package var texts: [String] {
        switch value {
        case .text(let text): text.map { [$0] } ?? []
        case .number(let number): number.map { [String($0)] } ?? []
        case .flag(let flag): flag.map { [String($0)] } ?? []
        case .list(let list): list
        }
    }
}
