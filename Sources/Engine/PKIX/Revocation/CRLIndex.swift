// SPDX-License-Identifier: Apache-2.0

// The entries of a CRL, found by issuer and serial number.
//
// A CRL may have hundreds of thousands of entries, and the sender can write them at will: nothing may be copied, and
// nothing may be quadratic. So the entries stay in place, with a table of offsets beside them: open addressing, 4 bytes
// a slot, at most three quarters full. The bits that an offset doesn't need hold a part of the hash, so that another
// entry than the one searched for hardly ever has to be read: it is anywhere in megabytes, and reading it takes longer
// than all the rest. The hash is seeded at random, because serial numbers can be chosen; the remaining collisions, the
// same serial number of the same issuer again and again, are kept once.
//
// An indirect CRL names the issuer of an entry beside the first entry of each run (`certificateIssuer`, RFC 5280 § 5.3.3): the
// runs are kept as a list by offset, and the issuer's name goes into the hash.

struct CRLIndex: Sendable {
    /// A run of entries, up to the next run's first, of certificates of these issuers.
    private struct Run: Sendable {
        /// The offset of the first entry.
        let start: UInt32
        /// The `GeneralNames` without tag and length.
        let names: ByteRange
    }

    /// The number of entries, repetitions included.
    private(set) var count = 0
    /// The contents of the OID of the first critical entry extension that isn't processed here.
    private(set) var unhandledCritical = ByteRange.absent
    /// Whether an entry's extension is malformed.
    private(set) var isMalformed = false

    private var runs: [Run] = []
    /// The offsets of entries, and bits of their hashes in front of them; 0 for an empty slot, as no entry is at offset
    /// 0.
    private var slots: [UInt32] = []
    /// The bits of a slot that are the offset.
    private let offsetMask: UInt32
    private let seeds: (UInt64, UInt64)
    private let entries: ByteRange

    /// The largest number of issuers in one certificateIssuer extension. Real ones have one.
    private static let maximumIssuers = 8

    /// Checks every entry to its last byte and makes the table.
    /// - Parameters:
    ///   - bytes: the whole CRL.
    ///   - fields: its fields.
    init(parsing bytes: Span<UInt8>, _ fields: CRLFields) throws(DERError) {
        self.seeds = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
        self.entries = fields.entries
        self.offsetMask = UInt32.max >> UInt32(entries.upper.leadingZeroBitCount)
        guard entries.count > 0 else { return }
        let placed = try check(bytes, version: fields.version)
        var capacity = 8
        while capacity * 3 < placed * 4 { capacity *= 2 }
        slots = [UInt32](repeating: 0, count: capacity)
        try fill(bytes, fields)
    }

    /// Whether entries name the issuers of their certificates (certificateIssuer, § 5.3.3).
    var namesIssuers: Bool { !runs.isEmpty }

    /// Returns the entry for a certificate; nil if it isn't listed.
    /// - Parameter crlIssuer: the range of the CRL's issuer in `bytes`.
    func entry(
        _ bytes: Span<UInt8>, crlIssuer: ByteRange, of certificate: Span<UInt8>, _ serial: ByteRange,
        issuer: ByteRange
    ) -> RevokedElement? {
        guard !slots.isEmpty else { return nil }
        // Without runs all entries are of the CRL issuer's own certificates.
        if runs.isEmpty, !namesMatch(bytes, crlIssuer, certificate, issuer) { return nil }
        let hash = hash(certificate, serial, name: runs.isEmpty ? 0 : nameHash(certificate, issuer))
        var slot = self.slot(hash)
        while slots[slot] != 0 {
            if let offset = offset(slots[slot], hash), let element = element(bytes, offset),
                bytesEqual(bytes, element.serial, certificate, serial),
                runs.isEmpty || isOf(certificate, issuer, bytes, offset, crlIssuer: crlIssuer)
            {
                return element
            }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        return nil
    }

    /// Returns all entries in the list's order.
    func elements(_ bytes: Span<UInt8>) -> [RevokedElement] {
        var reader = DERReader(bytes, entries)
        var elements: [RevokedElement] = []
        while !reader.isAtEnd, let element = try? reader.nextRevoked() { elements.append(element) }
        return elements
    }
}

// MARK: - Making the table

extension CRLIndex {
    /// Checks every entry.
    /// - Returns: the largest number of slots that will be taken.
    private mutating func check(_ bytes: Span<UInt8>, version: UInt8) throws(DERError) -> Int {
        var reader = DERReader(bytes, entries)
        var count = 0
        var placed = 0
        var width = 1
        while !reader.isAtEnd {
            count &+= 1
            let element = try reader.nextRevoked()
            if element.extensions.isPresent {
                guard version == 2 else {
                    throw DERError(
                        .invalid("entry extensions in a v1 CRL"), in: "crlEntryExtensions", at: element.start)
                }
                let found = try CRLEntryExtensions(parsing: bytes, element.extensions)
                if found.unhandledCritical.isPresent, !unhandledCritical.isPresent {
                    unhandledCritical = found.unhandledCritical
                }
                if found.isMalformed { isMalformed = true }
                if found.certificateIssuer.isPresent {
                    width = try Self.directoryNames(bytes, found.certificateIssuer)
                    runs.append(Run(start: UInt32(truncatingIfNeeded: element.start), names: found.certificateIssuer))
                }
            }
            placed += width
        }
        self.count = count
        return placed
    }

    /// Returns the number of directory names of an entry's issuer: at least one, as nothing else can be compared with a
    /// certificate.
    private static func directoryNames(_ bytes: Span<UInt8>, _ names: ByteRange) throws(DERError) -> Int {
        var reader = DERReader(bytes, names)
        var count = 0
        while !reader.isAtEnd {
            let name = try reader.nextGeneralName("certificateIssuer", form: .name)
            if name.tag == GeneralNameTag.directoryName { count += 1 }
        }
        guard count > 0 else {
            throw DERError(.invalid("no directory name"), in: "certificateIssuer", at: names.start)
        }
        guard count <= maximumIssuers else {
            throw DERError(.limitExceeded(limit: maximumIssuers), in: "certificateIssuer", at: names.start)
        }
        return count
    }

    private mutating func fill(_ bytes: Span<UInt8>, _ fields: CRLFields) throws(DERError) {
        // Two probes of each slot on average for honest serial numbers.
        var probesLeft = 64 * count + 65_536
        // Names are compared only if a serial number comes again under a name of the same hash. 4 MB beyond ASCII take
        // some 0.2 s.
        var nameBytesLeft = 4 << 20
        var position = entries.start
        var run = 0
        var names: [(hash: UInt64, range: ByteRange)] = []
        if !runs.isEmpty { names = [(nameHash(bytes, fields.issuer), fields.issuer)] }
        while position < entries.end {
            let offset = UInt32(truncatingIfNeeded: position)
            let (serial, end) = try located(bytes, position)
            if run < runs.count, runs[run].start == offset {
                names = Self.names(bytes, runs[run].names)
                run += 1
            }
            if names.isEmpty {
                place(bytes, offset, serial, name: (0, .absent), runStart: 0, fields, &probesLeft, &nameBytesLeft)
            } else {
                let start = run > 0 ? runs[run - 1].start : 0
                for name in names {
                    place(bytes, offset, serial, name: name, runStart: start, fields, &probesLeft, &nameBytesLeft)
                }
            }
            guard probesLeft > 0, nameBytesLeft > 0 else {
                throw DERError(.limitExceeded(limit: 64 * count), in: "revokedCertificates", at: position)
            }
            position = end
        }
    }

    /// Returns the serial number and the end of an entry that ``check`` has accepted.
    @inline(__always)
    private func located(_ bytes: Span<UInt8>, _ position: Int) throws(DERError) -> (serial: ByteRange, end: Int) {
        var reader = DERReader(bytes, ByteRange(position, entries.end))
        let element = try reader.next("revokedCertificates")
        var inner = reader.inside(element)
        return (try inner.next("userCertificate").contents, element.end)
    }

    private static func names(_ bytes: Span<UInt8>, _ range: ByteRange) -> [(hash: UInt64, range: ByteRange)] {
        var reader = DERReader(bytes, range)
        var names: [(hash: UInt64, range: ByteRange)] = []
        while !reader.isAtEnd, let name = try? reader.nextGeneralName("certificateIssuer", form: .name) {
            if name.tag == GeneralNameTag.directoryName {
                names.append((nameHash(bytes, name.contents), name.contents))
            }
        }
        return names
    }

    private mutating func place(
        _ bytes: Span<UInt8>, _ offset: UInt32, _ serial: ByteRange, name: (hash: UInt64, range: ByteRange),
        runStart: UInt32, _ fields: CRLFields, _ probesLeft: inout Int, _ nameBytesLeft: inout Int
    ) {
        let hash = hash(bytes, serial, name: name.hash)
        let entry = marks(hash) | offset
        var slot = self.slot(hash)
        while slots[slot] != 0 {
            probesLeft -= 1
            guard probesLeft > 0, nameBytesLeft > 0 else { return }
            // Entries of the same run have the same issuers.
            if let other = self.offset(slots[slot], hash), let known = element(bytes, other),
                bytesEqual(bytes, known.serial, bytes, serial),
                other >= runStart || isOf(name.range, in: bytes, other, crlIssuer: fields.issuer, &nameBytesLeft)
            {
                // Listed twice: the entry that is worse for the certificate counts.
                if let latest = element(bytes, offset), latest.isWorse(than: known, bytes) { slots[slot] = entry }
                return
            }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        slots[slot] = entry
    }

    private func element(_ bytes: Span<UInt8>, _ offset: UInt32) -> RevokedElement? {
        var reader = DERReader(bytes, ByteRange(lower: offset, upper: entries.upper))
        return try? reader.nextRevoked()
    }

    /// Returns the run that the entry at `offset` is in; nil before the first.
    private func run(at offset: UInt32) -> Run? {
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].start <= offset { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? runs[low - 1] : nil
    }

    /// Whether the entry at `offset` is about a certificate of this issuer.
    private func isOf(
        _ certificate: Span<UInt8>, _ issuer: ByteRange, _ bytes: Span<UInt8>, _ offset: UInt32, crlIssuer: ByteRange
    ) -> Bool {
        guard let run = run(at: offset) else { return namesMatch(bytes, crlIssuer, certificate, issuer) }
        var reader = DERReader(bytes, run.names)
        while !reader.isAtEnd, let name = try? reader.nextGeneralName("certificateIssuer", form: .name) {
            if name.tag == GeneralNameTag.directoryName, namesMatch(bytes, name.contents, certificate, issuer) {
                return true
            }
        }
        return false
    }

    /// Whether an entry is about an issuer, within a bound for names whose length the author of the list controls:
    /// `bytesLeft` goes down by the bytes that may have to be compared, and the result counts if any are left.
    private func isOf(
        _ name: ByteRange, in bytes: Span<UInt8>, _ offset: UInt32, crlIssuer: ByteRange, _ bytesLeft: inout Int
    ) -> Bool {
        let size = run(at: offset)?.names.count ?? crlIssuer.count
        bytesLeft -= size + Self.maximumIssuers * name.count
        return bytesLeft > 0 && isOf(bytes, name, bytes, offset, crlIssuer: crlIssuer)
    }

    // MARK: - The hash

    /// Returns the first slot of the search.
    @inline(__always)
    private func slot(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count &- 1) }

    /// Returns the bits of the hash that are in front of an offset: those that a table's size uses last.
    @inline(__always)
    private func marks(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) & ~offsetMask }

    /// Returns the offset in a slot; nil if the entry there has another hash.
    @inline(__always)
    private func offset(_ slot: UInt32, _ hash: UInt64) -> UInt32? {
        slot & ~offsetMask == marks(hash) ? slot & offsetMask : nil
    }

    /// Returns the hash of a serial number and its issuer's name; without the seeds, collisions can't be predicted.
    @inline(__always)
    private func hash(_ bytes: Span<UInt8>, _ serial: ByteRange, name: UInt64) -> UInt64 {
        let count = serial.count
        // A name is hashed without the seeds, so that it is mixed with them before a serial number is added.
        var hash = name == 0 ? seeds.0 : Self.mixed(seeds.0 ^ name, seeds.1)
        var first: UInt64 = 0
        var last: UInt64 = 0
        if count >= 8 {
            // 16 bytes at a time, but for the last 16 at most: two words, which overlap in numbers of less than 16 bytes.
            var index = serial.start
            while serial.end &- index > 16 {
                hash = Self.mixed(hash ^ loadWord(bytes, index), seeds.1 ^ loadWord(bytes, index &+ 8))
                index &+= 16
            }
            first = loadWord(bytes, min(index, serial.end &- 8))
            last = loadWord(bytes, serial.end &- 8)
        } else {
            for index in serial.indices { last = last << 8 | UInt64(bytes[index]) }
        }
        hash = Self.mixed(hash ^ first, seeds.1 ^ last)
        return Self.mixed(hash ^ UInt64(truncatingIfNeeded: count), seeds.1)
    }

    @inline(__always)
    private static func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (high, low) = left.multipliedFullWidth(by: right)
        return high ^ low
    }
}
