// SPDX-License-Identifier: Apache-2.0

import PKIX

// Finds the pattern for a host among many, in a time that hardly depends on their number.
//
// A look-up walks the host from right to left, hashes one label after the other, and at the start of each searches for the suffix
// that begins there: at every label for `**.` and that name, at the second label from the left for `*.`, and at the last for the
// name itself. A later match has a longer name, or a more specific kind for the same name, so it replaces an earlier one. Most
// suffixes need no search, because the table records how many labels the patterns of each kind have.
//
// With a million patterns, memory latency dominates the time, so the layout needs few memory accesses. The table never changes
// and needs no free slots: patterns lie one after the other in one array of bytes, in groups of about four whose hashes share
// their first bits. A directory gives the start of each group and, by a few more bits of the hash, names that the group
// doesn't hold. The directory (2 MB for a million patterns) settles most suffixes without a match; a match costs a scan of
// about 100 bytes. (A table of slots with entries and names apart took 1.6 times as long;
// three dictionaries, one for each kind, take 1.6 to 1.8 times as long and, with a million patterns, 3.4 times the memory.)
//
// Equal hashes prove nothing: bytes are compared. Patterns can come from an untrusted file, so the hash is the standard
// library's, which is seeded in each process: names can't be chosen so that they collide.

/// A table of host patterns, each with a value, that finds the most specific pattern for a host.
///
/// As a collection, it holds the entries in the order in which they were given. The index of an entry identifies it.
struct HostTable<Value> {
    private var values: [Value] = []

    /// The groups, one after the other. Each pattern of a group has its index (four bytes, least significant first), the length
    /// of its name, its form, and its name.
    private var cells: [UInt8] = []

    /// The offset in `cells` of each entry's pattern.
    private var starts: [UInt32] = []

    /// The groups by the first bits of their hashes, a power of two of them, and one more that marks the end.
    private var directory: [Group] = []

    /// 32 less the number of these bits.
    private var shift: UInt32 = 32

    /// The addresses of the entries that have an address in place of a name, by index.
    private var addresses: [Int: IPAddress] = [:]

    /// The numbers of labels of the names in each form.
    private var exact = LabelCounts()
    private var oneLabel = LabelCounts()
    private var anyDepth = LabelCounts()

    private let hashMask: UInt32

    /// - Parameter hashMask: the bits of the hash that are used. Fewer bits change the time alone; tests use few to make
    ///   names collide.
    /// - Throws: ``HostTableError`` for the first pattern that occurs twice.
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

    /// Returns the most specific entry for `host`, or nil if no pattern matches. Allocates nothing.
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

    /// The entry at an index; its pattern is created anew at every call.
    subscript(index: Int) -> (pattern: HostPattern, value: Value) { (pattern(at: index), values[index]) }

    /// Returns the value at an index, without its pattern.
    func value(at index: Int) -> Value { values[index] }

    private func pattern(at index: Int) -> HostPattern {
        if let address = addresses[index] { return HostPattern(Hostname(address)) }
        let cell = Int(starts[index])
        let start = cell + Cell.headerLength
        let name = String(decoding: cells[start..<start + Int(cells[cell + Cell.length])], as: UTF8.self)
        return HostPattern(kind: Form(rawValue: cells[cell + Cell.form])?.kind ?? .exact, subject: .dns(name))
    }
}

/// An error of patterns that can't be put into a table.
enum HostTableError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The pattern occurs twice, perhaps in different notations.
    case duplicate(HostPattern)
    /// More than 4 GiB of names.
    case tooLarge

    var description: String {
        switch self {
        case .duplicate(let pattern): "host pattern \"\(pattern)\" occurs twice, expected once"
        case .tooLarge: "the host patterns have more than 4 GiB of names"
        }
    }
}

// MARK: - Looking up

extension HostTable {
    private func lookup(_ name: [UInt8]) -> Int? {
        // The start of the host's parent, which is the name of the `*.` patterns that match it.
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

    /// Returns the index of the entry in that form whose name is `range` of `bytes`.
    private func find(_ form: Form, _ bytes: [UInt8], _ range: Range<Int>, hash: UInt32) -> Int? {
        let position = Int(hash >> shift)
        let group = directory[position]
        guard group.mayHave(hash) else { return nil }
        return find(form, bytes, range, from: Int(group.start), to: Int(directory[position + 1].start))
    }

    /// Returns the index of the entry with that form and name in `cells` from `start` to `end`.
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

    /// Whether the name in a cell equals `range` of `bytes`, which has its length.
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
        // The hash in the upper half, the index in the lower. An index that doesn't fit there makes `size` too large.
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

    /// Counts the labels of a name, and returns its hash.
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
    /// The offset in `cells` of the group's first pattern; the group ends at the start of the next.
    var start: UInt32
    /// A bit for each hash of the group.
    private var filter: UInt32 = 0

    init(start: UInt32) { self.start = start }

    /// Whether a name in the group may have that hash; false is certain.
    func mayHave(_ hash: UInt32) -> Bool { filter >> (hash & 31) & 1 != 0 }

    mutating func insert(_ hash: UInt32) { filter |= 1 << (hash & 31) }
}

/// The hash of a name's last labels, which can be extended by a label.
private struct SuffixHash {
    private var hasher = Hasher()

    var value: UInt32 { UInt32(truncatingIfNeeded: hasher.finalize()) }

    /// Adds the label that ends before `end`.
    /// - Returns: the start of the label.
    mutating func combineLabel(of name: [UInt8], before end: Int) -> Int {
        var start = end
        // Eight bytes at a time. No byte of a name is 0, so the last word, which is never full, marks the start of the label.
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

/// A set of label counts.
private struct LabelCounts {
    /// The bits of counts below 64. A name of 253 bytes has at most 127 labels.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    func contains(_ count: Int) -> Bool { (count < 64 ? low >> count : high >> (count - 64)) & 1 != 0 }

    mutating func insert(_ count: Int) {
        if count < 64 { low |= 1 << count } else { high |= 1 << (count - 64) }
    }
}
