// SPDX-License-Identifier: Apache-2.0

/// DER as a tree, for changes inside nested values. It shares no code with the engine.
struct DERTree {
    /// The steps from the root to a node: the index of a member at each level.
    typealias Path = [Int]

    var tag: UInt8
    /// The contents of a primitive value.
    var contents: [UInt8] = []
    /// The members of a constructed value. Also of an OCTET STRING that contains exactly one SEQUENCE. nil for other
    /// values.
    var members: [DERTree]?

    /// Reads one value that fills the bytes. Returns nil if the bytes aren't such a value, or if a length isn't minimal.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        guard let tree = Self.next(&rest), rest.isEmpty else { return nil }
        self = tree
    }

    private static func next(_ rest: inout ArraySlice<UInt8>) -> DERTree? {
        guard let tag = rest.popFirst(), let first = rest.popFirst() else { return nil }
        var count = Int(first)
        if first >= 0x80 {
            count = 0
            for _ in 0..<(first & 0x7f) {
                guard let byte = rest.popFirst(), count < 1 << 24 else { return nil }
                count = count << 8 | Int(byte)
            }
        }
        guard count <= rest.count else { return nil }
        let contents = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
        var tree = DERTree(tag: tag, contents: contents)
        if tag & 0x20 != 0 {
            var inner = contents[...]
            var members: [DERTree] = []
            while !inner.isEmpty {
                guard let member = next(&inner) else { return nil }
                members.append(member)
            }
            tree.members = members
        } else if tag == 0x04, contents.first == 0x30, let inner = DERTree(contents) {
            tree.members = [inner]
        }
        return tree
    }

    private init(tag: UInt8, contents: [UInt8]) { (self.tag, self.contents) = (tag, contents) }

    var der: [UInt8] { ASN1.value(tag, members.map { $0.flatMap(\.der) } ?? contents) }

    subscript(path: Path) -> DERTree {
        get { path.reduce(self) { ($0.members ?? [])[$1] } }
        set {
            guard let step = path.first else { return self = newValue }
            members?[step][Path(path.dropFirst())] = newValue
        }
    }

    /// The paths to all values with members, the root first.
    var parents: [Path] {
        guard let members else { return [] }
        return [[]] + members.enumerated().flatMap { index, member in member.parents.map { [index] + $0 } }
    }

    /// Returns a copy with more members after the others of a value.
    func adding(_ more: [[UInt8]], at path: Path) -> DERTree {
        var copy = self
        copy[path].members? += more.compactMap { DERTree($0) }
        return copy
    }
}
