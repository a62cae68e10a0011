// SPDX-License-Identifier: Apache-2.0

import PKIX

// Which of many patterns is for a host, in a time that hardly depends on how many there are.
//
// A look-up walks the host from right to left, hashes label after label, and at the start of each searches the suffix that
// it then has: for `**.` and that name at every label, for `*.` at the second one from the left, for the name itself at
// the last. What is found later has the longer name, or at the same name the more specific kind, so it replaces what was
// found before. Most suffixes are not even searched, as the table remembers how many labels the patterns of each kind have.
//
// With a million patterns it is waiting for memory that takes the time, so the table is laid out for few waits. As it never
// changes, it needs no slots: patterns lie behind one another in one array of bytes, in groups of about four that have the
// first bits of their hashes in common. A directory says where a group starts, and with a few more bits of the hash which
// names it surely hasn't. A suffix that isn't there is mostly settled by the directory, 2 MB for a million patterns; one
// that is costs a walk through about 100 bytes. (A table of slots with entries and names apart took 1.6 times as long.)
//
// An equal hash proves nothing: bytes are compared. Patterns can come from a file that somebody else wrote, so the hash is
// the standard library's, seeded in each process: who chooses names can't choose them to fall into one group.

/// Host patterns, each with a value; finds the most specific one for a host.
///
/// As a collection it has the entries in the order in which they were given. The index of an entry is its identity.
struct HostTable<Value> {
    private var values: [Value] = []

    /// A group after the other; of each of its patterns the index in four bytes, least significant first, the length of the
    /// name, the form, and the name.
    private var cells: [UInt8] = []

    /// Where in `cells` the pattern of each entry starts.
    private var starts: [UInt32] = []

    /// A power of two of groups, by the first bits of their hashes, and another that stands for the end.
    private var directory: [Group] = []

    /// 32 less the number of these bits.
    private var shift: UInt32 = 32

    /// Of those entries that have one instead of a name, by index.
    private var addresses: [Int: IPAddress] = [:]

    /// Of how many labels there are names in each form.
    private var exact = LabelCounts()
    private var oneLabel = LabelCounts()
    private var anyDepth = LabelCounts()

    private let hashMask: UInt32

    /// - Parameter hashMask: the bits of the hash that are used. Fewer than all make no difference but in time; tests
    ///   take few, as names collide then.
    /// - Throws: ``HostTableError`` if a pattern comes twice: the first that does.
    init(_ entries: some Sequence<(HostPattern, Value)>, hashMask: UInt32 = .max) throws(HostTableError) {
        self.hashMask = hashMask
        var patterns: [HostPattern] = []
        patterns.reserveCapacity(entries.underestimatedCount)
        values.reserveCapacity(entries.underestimatedCount)
        for (pattern, value) in entries {
            patterns.append(pattern)
            values.append(value)
        }
        try fill(with: patterns)
    }

    /// The most specific entry for `host`, nil if no pattern matches. Allocates nothing.
    func lookup(_ host: Hostname) -> (index: Int, value: Value)? {
        let index =
            switch host.kind {
            case .dns: lookup(host.dnsBytes)
            case .ip(let address): find(.address, address.bytes, address.bytes.indices, hash: hash(of: address))
            }
        guard let index else { return nil }
        return (index, values[index])
    }
}

extension HostTable: Sendable where Value: Sendable {}

extension HostTable: RandomAccessCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { values.count }

    /// An entry; its pattern is put together at every call.
    subscript(index: Int) -> (pattern: HostPattern, value: Value) { (pattern(at: index), values[index]) }

    private func pattern(at index: Int) -> HostPattern {
        if let address = addresses[index] { return HostPattern(Hostname(address)) }
        let cell = Int(starts[index])
        let start = cell + Cell.headerLength
        let name = String(decoding: cells[start..<start + Int(cells[cell + Cell.length])], as: UTF8.self)
        return HostPattern(kind: Form(rawValue: cells[cell + Cell.form])?.kind ?? .exact, subject: .dns(name))
    }
}

/// Why patterns make no table.
enum HostTableError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The pattern comes twice, perhaps written differently.
    case duplicate(HostPattern)
    /// More than 4 GiB of names.
    case tooLarge

    var description: String {
        switch self {
        case .duplicate(let pattern): "host pattern \"\(pattern)\" comes twice, expected once"
        case .tooLarge: "the host patterns have more than 4 GiB of names"
        }
    }
}

// MARK: - Looking up

extension HostTable {
    private func lookup(_ name: [UInt8]) -> Int? {
        // Where the host's parent starts, the name of the patterns with `*.` that match it.
        let parent = (name.firstIndex(of: UInt8(ascii: ".")) ?? name.count) + 1
        var hash = SuffixHash()
        var labels = 0
        var start = name.count + 1
        var best: Int?
        repeat {
            start = hash.combineLabel(of: name, before: start - 1)
            labels += 1
            let wantsAnyDepth = anyDepth.contains(labels)
            let wantsOneLabel = start == parent && oneLabel.contains(labels)
            let wantsExact = start == 0 && exact.contains(labels)
            guard wantsAnyDepth || wantsOneLabel || wantsExact else { continue }
            let hash = hash.value & hashMask
            let suffix = start..<name.count
            if wantsAnyDepth { best = find(.anyDepth, name, suffix, hash: hash) ?? best }
            if wantsOneLabel { best = find(.oneLabel, name, suffix, hash: hash) ?? best }
            if wantsExact { best = find(.exact, name, suffix, hash: hash) ?? best }
        } while start > 0
        return best
    }

    /// The index of the entry in that form whose name is `range` of `bytes`.
    private func find(_ form: Form, _ bytes: [UInt8], _ range: Range<Int>, hash: UInt32) -> Int? {
        let position = Int(hash >> shift)
        let group = directory[position]
        guard group.mayHave(hash) else { return nil }
        return find(form, bytes, range, from: Int(group.start), to: Int(directory[position + 1].start))
    }

    /// The same in `cells` from `start` to `end`.
    private func find(_ form: Form, _ bytes: [UInt8], _ range: Range<Int>, from start: Int, to end: Int) -> Int? {
        var cell = start
        while cell < end {
            let length = Int(cells[cell + Cell.length])
            if length == range.count, cells[cell + Cell.form] == form.rawValue,
                hasName(cell, bytes, range)
            {
                return (0..<4).reduce(0) { $0 | Int(cells[cell + $1]) << ($1 * 8) }
            }
            cell += Cell.headerLength + length
        }
        return nil
    }

    /// Whether the name in a cell is `range`, which is as long, of `bytes`.
    private func hasName(_ cell: Int, _ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        var position = cell + Cell.headerLength
        for index in range {
            guard cells[position] == bytes[index] else { return false }
            position += 1
        }
        return true
    }

    private func hash(of address: IPAddress) -> UInt32 {
        var hasher = Hasher()
        hasher.combine(address)
        return UInt32(truncatingIfNeeded: hasher.finalize()) & hashMask
    }
}

// MARK: - Building

extension HostTable {
    private mutating func fill(with patterns: [HostPattern]) throws(HostTableError) {
        // The hash and, in the lower half, the index. Those that don't fit there make `size` too large.
        var order = patterns.indices.map { UInt64($0) }
        var size = 0
        for (index, pattern) in patterns.enumerated() {
            switch pattern.subject {
            case .dns(let name):
                order[index] |= UInt64(remember(pattern.kind, Array(name.utf8))) << 32
                size += Cell.headerLength + name.utf8.count
            case .ip(let address):
                order[index] |= UInt64(hash(of: address)) << 32
                addresses[index] = address
                size += Cell.headerLength + address.bytes.count
            }
            guard size <= UInt32.max else { throw .tooLarge }
        }
        order.sort()

        var count = 1
        while count < patterns.count / 4 {
            count *= 2
            shift -= 1
        }
        directory.reserveCapacity(count + 1)
        cells.reserveCapacity(size)
        starts = [UInt32](repeating: 0, count: patterns.count)
        var duplicate: Int?
        for key in order {
            let hash = UInt32(key >> 32)
            let index = Int(key & 0xffff_ffff)
            while directory.count <= Int(hash >> shift) { directory.append(Group(start: UInt32(cells.count))) }
            let group = directory.count - 1
            let (form, name) = Form.andBytes(of: patterns[index])
            guard find(form, name, name.indices, from: Int(directory[group].start), to: cells.count) == nil else {
                duplicate = Swift.min(index, duplicate ?? index)
                continue
            }
            directory[group].insert(hash)
            starts[index] = UInt32(cells.count)
            for byte in 0..<4 { cells.append(UInt8(truncatingIfNeeded: index >> (byte * 8))) }
            cells.append(UInt8(name.count))
            cells.append(form.rawValue)
            cells.append(contentsOf: name)
        }
        if let duplicate { throw .duplicate(patterns[duplicate]) }
        while directory.count <= count { directory.append(Group(start: UInt32(cells.count))) }
    }

    /// The hash of a name whose labels are counted.
    private mutating func remember(_ kind: HostPattern.Kind, _ name: [UInt8]) -> UInt32 {
        var hash = SuffixHash()
        var labels = 0
        var start = name.count + 1
        repeat {
            start = hash.combineLabel(of: name, before: start - 1)
            labels += 1
        } while start > 0
        switch kind {
        case .exact: exact.insert(labels)
        case .oneLabel: oneLabel.insert(labels)
        case .anyDepth: anyDepth.insert(labels)
        }
        return hash.value & hashMask
    }
}

/// Offsets in the bytes of a pattern.
private enum Cell {
    static let length = 4
    static let form = 5
    static let headerLength = 6
}

private enum Form: UInt8 {
    case exact
    case oneLabel
    case anyDepth
    case address

    var kind: HostPattern.Kind {
        switch self {
        case .exact, .address: .exact
        case .oneLabel: .oneLabel
        case .anyDepth: .anyDepth
        }
    }

    static func andBytes(of pattern: HostPattern) -> (Form, [UInt8]) {
        switch pattern.subject {
        case .ip(let address): (.address, address.bytes)
        case .dns(let name):
            switch pattern.kind {
            case .exact: (.exact, Array(name.utf8))
            case .oneLabel: (.oneLabel, Array(name.utf8))
            case .anyDepth: (.anyDepth, Array(name.utf8))
            }
        }
    }
}

private struct Group {
    /// Of its first pattern in `cells`; it ends where the next group starts.
    var start: UInt32
    /// Has the bit that each of its hashes stands for.
    private var filter: UInt32 = 0

    init(start: UInt32) { self.start = start }

    /// False only if no name in the group has that hash.
    func mayHave(_ hash: UInt32) -> Bool { filter >> (hash & 31) & 1 != 0 }

    mutating func insert(_ hash: UInt32) { filter |= 1 << (hash & 31) }
}

/// The hash of a name's last labels, which becomes that of one label more without starting again.
private struct SuffixHash {
    private var hasher = Hasher()

    var value: UInt32 { UInt32(truncatingIfNeeded: hasher.finalize()) }

    /// Adds the label that ends before `end`.
    /// - Returns: where it starts.
    mutating func combineLabel(of name: [UInt8], before end: Int) -> Int {
        var start = end
        // Eight bytes a time. No byte of a name is 0, so that the last word, which is never full, tells where the label starts.
        var word: UInt64 = 0
        while start > 0, name[start - 1] != UInt8(ascii: ".") {
            start -= 1
            word = word << 8 | UInt64(name[start])
            if word >> 56 != 0 {
                hasher.combine(word)
                word = 0
            }
        }
        hasher.combine(word)
        return start
    }
}

/// A set of numbers of labels.
private struct LabelCounts {
    /// A name of 253 bytes has 127 labels at most.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    func contains(_ count: Int) -> Bool { (count < 64 ? low >> count : high >> (count - 64)) & 1 != 0 }

    mutating func insert(_ count: Int) {
        if count < 64 { low |= 1 << count } else { high |= 1 << (count - 64) }
    }
}
