// SPDX-License-Identifier: Apache-2.0

// The entries of a CRL, indexed by issuer and serial number.
//
// A CRL may have hundreds of thousands of entries, and its sender can choose them freely. So the index copies nothing
// and does no quadratic work. The entries stay in place, and a table of offsets refers to them. The table uses open
// addressing with 4 bytes per slot and is at most three quarters full. The bits that an offset doesn't need store a
// part of the hash, so a lookup hardly ever reads the wrong entry. Such a read is expensive because an entry can be
// anywhere in megabytes of data. The hash has a random seed because an attacker can choose serial numbers. The
// remaining collisions are repetitions of one serial number of one issuer, and the table stores only one of them.
//
// An indirect CRL names the issuer in the first entry of each run (`certificateIssuer`, RFC 5280 § 5.3.3). The index
// stores the runs in a list sorted by offset, and includes the issuer's name in the hash.

struct CRLIndex: Sendable {
    /// A run of entries for certificates of the same issuers. It ends at the first entry of the next run.
    private struct Run: Sendable {
        /// The offset of the first entry.
        let start: UInt32
        /// The `GeneralNames` without tag and length.
        let names: ByteRange
    }

    /// The number of entries, repetitions included.
    private(set) var count = 0
    /// The contents of the OID of the first critical entry extension that the engine doesn't process.
    private(set) var unhandledCritical = ByteRange.absent
    /// Whether an extension of any entry is malformed.
    private(set) var isMalformed = false

    private var runs: [Run] = []
    /// The offsets of entries, with bits of their hashes in front. An empty slot is 0, as no entry is at offset 0.
    private var slots: [UInt32] = []
    /// The bits of a slot that contain the offset.
    private let offsetMask: UInt32
    private let seeds: (UInt64, UInt64)
    private let entries: ByteRange

    /// The largest number of issuers in one certificateIssuer extension. Real extensions have one.
    private static let maximumIssuers = 8

    /// Checks every entry to its last byte and builds the table.
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

    /// Returns the entry for a certificate, or nil if the CRL doesn't list it.
    /// - Parameter crlIssuer: the range of the CRL's issuer in `bytes`.
    func entry(
        _ bytes: Span<UInt8>, crlIssuer: ByteRange, of certificate: Span<UInt8>, _ serial: ByteRange,
        issuer: ByteRange
    ) -> RevokedElement? {
        guard !slots.isEmpty else { return nil }
        // Without runs, all entries are for certificates of the CRL issuer itself.
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
    /// - Returns: the largest number of slots that the table will use.
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

    /// Returns the number of directory names of an entry's issuer. Throws if there isn't one, because only a directory
    /// name can be compared with a certificate.
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
        // Honest serial numbers need two probes per slot on average.
        var probesLeft = 64 * count + 65_536
        // Names are compared only if a serial number appears again under a name with the same hash. Comparing 4 MB of
        // non-ASCII names takes about 0.2 s.
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

    /// Returns the serial number and the end of an entry that ``check`` has already accepted.
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
                // If a serial number is listed twice, the entry that is worse for the certificate counts.
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

    /// Returns the run that contains the entry at `offset`, or nil if the entry comes before the first run.
    private func run(at offset: UInt32) -> Run? {
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].start <= offset { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? runs[low - 1] : nil
    }

    /// Whether the entry at `offset` is for a certificate of this issuer.
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

    /// Whether an entry is for a certificate of an issuer. The author of the list controls the length of the names, so
    /// the work is bounded: each comparison subtracts its bytes from `bytesLeft`. The result is valid only if
    /// `bytesLeft` stays positive.
    private func isOf(
        _ name: ByteRange, in bytes: Span<UInt8>, _ offset: UInt32, crlIssuer: ByteRange, _ bytesLeft: inout Int
    ) -> Bool {
        let size = run(at: offset)?.names.count ?? crlIssuer.count
        bytesLeft -= size + Self.maximumIssuers * name.count
        return bytesLeft > 0 && isOf(bytes, name, bytes, offset, crlIssuer: crlIssuer)
    }

    // MARK: - The hash

    /// Returns the slot where the search starts.
    @inline(__always)
    private func slot(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count &- 1) }

    /// Returns the bits of the hash that a slot stores in front of an offset. These are the last bits that the choice
    /// of a slot would use.
    @inline(__always)
    private func marks(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) & ~offsetMask }

    /// Returns the offset in a slot, or nil if the entry in that slot has another hash.
    @inline(__always)
    private func offset(_ slot: UInt32, _ hash: UInt64) -> UInt32? {
        slot & ~offsetMask == marks(hash) ? slot & offsetMask : nil
    }

    /// Returns the hash of a serial number and its issuer's name. Without the seeds, an attacker
    /// can't predict collisions.
    @inline(__always)
    private func hash(_ bytes: Span<UInt8>, _ serial: ByteRange, name: UInt64) -> UInt64 {
        let count = serial.count
        // A name's own hash doesn't use the seeds. They are mixed in here, before the serial number.
        var hash = name == 0 ? seeds.0 : Self.mixed(seeds.0 ^ name, seeds.1)
        var first: UInt64 = 0
        var last: UInt64 = 0
        if count >= 8 {
            // Processes 16 bytes at a time, except for the last 16 or fewer. Those are read as two words, which overlap
            // if the number has fewer than 16 bytes.
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
