// SPDX-License-Identifier: Apache-2.0

/// The numbered names of a search. Equal names have the same number, regardless of their encoding.
///
/// The table compares bytes first. It normalizes a name only if another name has the same hash and other bytes, which
/// hardly ever happens with honest certificates.
struct NameTable {
    /// One encoding of a name.
    private struct Entry {
        let encoded: EncodedName
        let hash: UInt64
        let number: Int
    }

    /// The encodings, if there are few. Otherwise empty.
    private var list: [Entry] = []
    /// The encodings by their bytes and by their hash, if there are many. Otherwise empty.
    private var byEncoding: [EncodedName: Entry] = [:]
    private var byHash: [UInt64: [Entry]] = [:]
    /// The numbers of normalized names.
    private var numbers: [NormalizedName: Int] = [:]
    /// The hashes whose names are all normalized.
    private var normalizedHashes: Set<UInt64> = []
    var normalized = NormalizedNames()

    /// The number of names.
    private(set) var count = 0

    /// The largest number of entries where comparing one by one is faster than a table.
    private static let tableThreshold = 16

    init() { list.reserveCapacity(8) }

    /// Returns a name's number and its ``nameHash(_:_:)``. Numbers start at 0 without gaps. Returns nil if the meter
    /// refuses the work.
    mutating func number(
        of range: ByteRange, in certificate: Certificate, _ meter: inout WorkMeter
    ) -> (number: Int, hash: UInt64)? {
        guard meter.charge(work: range.count * 2) else { return nil }
        let encoded = EncodedName(certificate: certificate, range: range)
        if let known = entry(of: encoded) { return (known.number, known.hash) }
        guard meter.charge(work: range.count * 4) else { return nil }
        let hash = nameHash(certificate.span, range)
        guard let number = numberOfNewEncoding(encoded, hash, &meter) else { return nil }
        append(Entry(encoded: encoded, hash: hash, number: number))
        return (number, hash)
    }

    private func entry(of encoded: EncodedName) -> Entry? {
        list.isEmpty ? byEncoding[encoded] : list.first { $0.encoded == encoded }
    }

    private func entries(withHash hash: UInt64) -> [Entry] {
        list.isEmpty ? byHash[hash] ?? [] : list.filter { $0.hash == hash }
    }

    private mutating func numberOfNewEncoding(
        _ encoded: EncodedName, _ hash: UInt64, _ meter: inout WorkMeter
    ) -> Int? {
        let alike = entries(withHash: hash)
        if !alike.isEmpty {
            if normalizedHashes.insert(hash).inserted {
                for entry in alike {
                    guard let name = normalized.name(entry.encoded, &meter) else { return nil }
                    numbers[name] = entry.number
                }
            }
            guard let name = normalized.name(encoded, &meter) else { return nil }
            if let known = numbers[name] { return known }
            numbers[name] = count
        }
        count += 1
        return count - 1
    }

    private mutating func append(_ entry: Entry) {
        list.append(entry)
        guard !byEncoding.isEmpty || list.count > Self.tableThreshold else { return }
        // Emptied, so that no name is compared with many others.
        for entry in list {
            byEncoding[entry.encoded] = entry
            byHash[entry.hash, default: []].append(entry)
        }
        list = []
    }
}
