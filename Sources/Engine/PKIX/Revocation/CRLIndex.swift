// SPDX-License-Identifier: Apache-2.0

// The entries of a CRL, indexed by serial number.
//
// A CRL may have hundreds of thousands of entries, and its sender can choose them freely. So the index copies nothing
// and does no quadratic work. The entries stay in place, and the index refers to them by offset. It uses hashes with a
// random seed because an attacker can choose serial numbers.
//
// A direct CRL lists certificates of one issuer. Its index is a table with open addressing, with 4 bytes per slot and at
// most three quarters full. The bits that an offset doesn't need store a part of the hash, so a lookup hardly ever reads
// the wrong entry. Such a read is expensive because an entry can be anywhere in megabytes of data. The table stores only
// one of several entries with the same serial number, so a lookup takes constant time.
//
// An indirect CRL names the issuer in the first entry of each run (`certificateIssuer`, RFC 5280 § 5.3.3). Many issuers
// may have used the same serial number. The index of an indirect CRL is a list of all entries, sorted by hash. A lookup
// reads every entry with the serial number and compares the issuers of their runs. The caller pays for this work, so no
// limit cuts the answer off. Making the index compares no names.
//
// An entry that can't be read doesn't hide the others. The index notes the first problem, and the list can then only
// revoke.

struct CRLIndex: Sendable {
    /// A run of entries for certificates of the same issuers. It ends at the first entry of the next run.
    private struct Run: Sendable {
        /// The offset of the first entry.
        let start: UInt32
        /// The `GeneralNames` without tag and length. Absent if they can't be read or contain no directory name. The run
        /// then counts for every issuer, because its own may be any.
        let names: ByteRange
    }

    /// The number of entries, repetitions included.
    private(set) var count = 0
    /// The contents of the OID of the first critical entry extension that the engine doesn't process.
    private(set) var unhandledCritical = ByteRange.absent
    /// The first problem with the form of an entry.
    private(set) var problem: DERError?

    private var runs: [Run] = []
    /// A direct CRL's table: the offsets of entries, with bits of their hashes in front. An empty slot is 0, as no entry
    /// is at offset 0.
    private var slots: [UInt32] = []
    /// An indirect CRL's list: hashes in the upper half and the offsets of entries in the lower half, in ascending order.
    private var sorted: [UInt64] = []
    /// The bits of a slot that contain the offset.
    private let offsetMask: UInt32
    private let seeds: (UInt64, UInt64)
    private let entries: ByteRange

    /// Reads every entry to its last byte and builds the index.
    /// - Parameters:
    ///   - bytes: the whole CRL.
    ///   - fields: its fields.
    init(parsing bytes: Span<UInt8>, _ fields: CRLFields) {
        self.seeds = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
        self.entries = fields.entries
        self.offsetMask = UInt32.max >> UInt32(entries.upper.leadingZeroBitCount)
        guard entries.count > 0 else { return }
        readAll(bytes, version: fields.version)
        if runs.isEmpty { fillTable(bytes) } else { fillList(bytes) }
    }

    /// Whether entries name the issuers of their certificates (certificateIssuer, § 5.3.3).
    var namesIssuers: Bool { !runs.isEmpty }

    /// Returns the entry for a certificate, or nil if the CRL doesn't list it. If the CRL lists it several times, the
    /// entry that is worse for the certificate counts.
    /// - Parameters:
    ///   - crlIssuer: the range of the CRL's issuer in `bytes`.
    ///   - pay: Charges for the work of reading an indirect CRL, in hashed bytes. If it returns false, the search ends
    ///     with the entries that it has read.
    func entry(
        _ bytes: Span<UInt8>, crlIssuer: ByteRange, of certificate: Span<UInt8>, _ serial: ByteRange,
        issuer: ByteRange, paying pay: (_ hashedBytes: Int) -> Bool
    ) -> RevokedElement? {
        let hash = hash(certificate, serial)
        guard runs.isEmpty else {
            return entry(
                bytes, among: candidates(hash), crlIssuer: crlIssuer, of: certificate, serial, issuer: issuer,
                paying: pay)
        }
        guard !slots.isEmpty, namesMatch(bytes, crlIssuer, certificate, issuer) else { return nil }
        var slot = self.slot(hash)
        while slots[slot] != 0 {
            if let offset = offset(slots[slot], hash), let element = element(bytes, offset),
                bytesEqual(bytes, element.serial, certificate, serial)
            {
                return element
            }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        return nil
    }

    /// Returns all readable entries in the list's order.
    func elements(_ bytes: Span<UInt8>) -> [RevokedElement] {
        var reader = DERReader(bytes, entries)
        var elements: [RevokedElement] = []
        while !reader.isAtEnd, let element = try? reader.nextRevoked() {
            if element.serial.isPresent { elements.append(element) }
        }
        return elements
    }

    private func element(_ bytes: Span<UInt8>, _ offset: UInt32) -> RevokedElement? {
        var reader = DERReader(bytes, ByteRange(lower: offset, upper: entries.upper))
        return try? reader.nextRevoked()
    }
}

// MARK: - Making the index

extension CRLIndex {
    private mutating func readAll(_ bytes: Span<UInt8>, version: UInt8) {
        var reader = DERReader(bytes, entries)
        var unread: DERError?
        while !reader.isAtEnd {
            let element: RevokedElement
            do throws(DERError) { element = try reader.nextRevoked() } catch {
                // The entries after this one can't be found.
                unread = error
                break
            }
            count &+= 1
            if problem == nil { problem = element.problem }
            guard element.extensions.isPresent else { continue }
            let found = CRLEntryExtensions(parsing: bytes, element.extensions)
            if version != 2, problem == nil {
                problem = DERError(
                    .invalid("entry extensions in a v1 CRL"), in: "crlEntryExtensions", at: element.start)
            }
            if !unhandledCritical.isPresent { unhandledCritical = found.unhandledCritical }
            if problem == nil { problem = found.problem }
            guard found.namesIssuer else { continue }
            // Only a directory name can be compared with a certificate.
            let isKnown = hasDirectoryName(bytes, found.certificateIssuer)
            runs.append(
                Run(
                    start: UInt32(truncatingIfNeeded: element.start), names: isKnown ? found.certificateIssuer : .absent
                ))
            if problem == nil, !isKnown {
                problem = DERError(
                    .invalid("no directory name"), in: "certificateIssuer", at: found.certificateIssuer.start)
            }
        }
        problem = problem ?? unread
    }

    private func hasDirectoryName(_ bytes: Span<UInt8>, _ names: ByteRange) -> Bool {
        var reader = DERReader(bytes, names)
        while !reader.isAtEnd, let name = try? reader.next("certificateIssuer") {
            if name.tag == GeneralNameTag.directoryName { return true }
        }
        return false
    }

    private mutating func fillTable(_ bytes: Span<UInt8>) {
        var capacity = 8
        while capacity * 3 < count * 4 { capacity *= 2 }
        slots = [UInt32](repeating: 0, count: capacity)
        var position = entries.start
        while position < entries.end, let (serial, end) = located(bytes, position) {
            if serial.isPresent { place(bytes, UInt32(truncatingIfNeeded: position), serial) }
            position = end
        }
    }

    private mutating func fillList(_ bytes: Span<UInt8>) {
        sorted.reserveCapacity(count)
        var position = entries.start
        while position < entries.end, let (serial, end) = located(bytes, position) {
            if serial.isPresent { sorted.append(Self.key(hash(bytes, serial)) | UInt64(position)) }
            position = end
        }
        sorted.sort()
    }

    /// Returns the serial number and the end of an entry. The serial number is absent if it can't be read. Returns nil
    /// if the end can't be found.
    @inline(__always)
    private func located(_ bytes: Span<UInt8>, _ position: Int) -> (serial: ByteRange, end: Int)? {
        var reader = DERReader(bytes, ByteRange(position, entries.end))
        guard let element = try? reader.next("revokedCertificates") else { return nil }
        var inner = reader.inside(element)
        guard element.tag == DERTag.sequence, let serial = try? inner.next(DERTag.integer, "userCertificate") else {
            return (.absent, element.end)
        }
        return (inner.shortestInteger(serial), element.end)
    }

    private mutating func place(_ bytes: Span<UInt8>, _ offset: UInt32, _ serial: ByteRange) {
        let hash = hash(bytes, serial)
        let entry = marks(hash) | offset
        var slot = self.slot(hash)
        while slots[slot] != 0 {
            if let other = self.offset(slots[slot], hash), let known = element(bytes, other),
                bytesEqual(bytes, known.serial, bytes, serial)
            {
                if let latest = element(bytes, offset), latest.isWorse(than: known, bytes) { slots[slot] = entry }
                return
            }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        slots[slot] = entry
    }
}

// MARK: - Indirect CRLs

extension CRLIndex {
    /// The price of reading an entry, in hashed bytes.
    static let entryPrice = 64
    /// The price of preparing a byte of a name for comparison, in hashed bytes.
    static let namePrice = 32

    /// Returns the entries with a hash.
    private func candidates(_ hash: UInt64) -> ArraySlice<UInt64> {
        let key = Self.key(hash)
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < key { low = middle + 1 } else { high = middle }
        }
        return sorted[low...].prefix { $0 >> 32 == key >> 32 }
    }

    private func entry(
        _ bytes: Span<UInt8>, among candidates: ArraySlice<UInt64>, crlIssuer: ByteRange,
        of certificate: Span<UInt8>, _ serial: ByteRange, issuer: ByteRange, paying pay: (Int) -> Bool
    ) -> RevokedElement? {
        var worst: RevokedElement?
        var name: NormalizedName?
        // The candidates of one run follow each other.
        var last: (run: Int, isIssuers: Bool)?
        for candidate in candidates {
            guard pay(Self.entryPrice) else { return worst }
            let offset = UInt32(truncatingIfNeeded: candidate)
            guard let element = element(bytes, offset), bytesEqual(bytes, element.serial, certificate, serial) else {
                continue
            }
            let run = run(at: offset)
            if last?.run != run {
                let (names, isDirectory) = run < 0 ? (crlIssuer, false) : (runs[run].names, true)
                guard pay(Self.namePrice * (names.count + (name == nil ? issuer.count : 0))) else { return worst }
                let wanted = name ?? NormalizedName(certificate, issuer)
                name = wanted
                last = (run, self.names(bytes, names, isDirectory, contain: wanted))
            }
            guard last?.isIssuers == true else { continue }
            if worst.map({ element.isWorse(than: $0, bytes) }) ?? true { worst = element }
        }
        return worst
    }

    /// Whether a name, or one of the directory names among general names, is the same name.
    private func names(
        _ bytes: Span<UInt8>, _ range: ByteRange, _ isGeneral: Bool, contain wanted: NormalizedName
    ) -> Bool {
        guard isGeneral else { return NormalizedName(bytes, range) == wanted }
        guard range.isPresent else { return true }
        var reader = DERReader(bytes, range)
        while !reader.isAtEnd, let name = try? reader.next("certificateIssuer") {
            if name.tag == GeneralNameTag.directoryName, NormalizedName(bytes, name.contents) == wanted { return true }
        }
        return false
    }

    /// Returns the index of the run that contains the entry at `offset`, or -1 if the entry comes before the first run.
    private func run(at offset: UInt32) -> Int {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].start <= offset { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }

    /// Returns the key of a hash in the sorted list.
    private static func key(_ hash: UInt64) -> UInt64 { hash & 0xffff_ffff_0000_0000 }
}

// MARK: - The hash

extension CRLIndex {
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

    /// Returns the hash of a serial number. Without the seeds, an attacker can't predict collisions.
    @inline(__always)
    private func hash(_ bytes: Span<UInt8>, _ serial: ByteRange) -> UInt64 {
        let count = serial.count
        var hash = seeds.0
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
