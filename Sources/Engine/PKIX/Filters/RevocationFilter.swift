// SPDX-License-Identifier: Apache-2.0

/// A filter of revoked certificates: CRLite's clubcards, formats 3 and 4, which browsers use instead of OCSP.
///
/// ```swift
/// let filter = try RevocationFilter(bytes)
/// trust.revocationData.filters = [filter]
/// ```
/// A filter is built from all revocations of public CAs and all certificates in Certificate Transparency logs. It has
/// an answer for a certificate if the certificate's CA is enrolled and the filter covers one of its embedded
/// timestamps. The engine doesn't verify who made the filter, so a filter file is only as trustworthy as the way you
/// obtained it.
///
/// Memory use: the bytes, which may be mapped from a file, plus 4 bytes for each CA.
public final class RevocationFilter: Sendable {
    /// The status of a certificate according to one filter.
    package enum Status: String, Sendable, Hashable {
        /// The filter covers the certificate and doesn't list it as revoked.
        case good = "Good"
        /// The filter lists the certificate as revoked.
        case revoked = "Revoked"
        /// The filter covers none of the certificate's timestamps.
        case notCovered = "NotCovered"
        /// The filter has no entry for the certificate's issuer.
        case notEnrolled = "NotEnrolled"
    }

    private let storage: any ByteStorage
    private let layout: ClubcardLayout

    /// Whether the filter contains only changes that follow a complete filter. Without a complete filter, it can only
    /// revoke.
    public let isDelta: Bool

    /// Creates a filter from the bytes of a file.
    /// - Parameters:
    ///   - bytes: the file.
    ///   - isDelta: whether the file contains only changes, which the bytes don't say. Mozilla gives these files the
    ///     extension `.delta`.
    /// - Throws: ``ClubcardError`` with field and byte if the bytes aren't a whole filter.
    public convenience init(_ bytes: [UInt8], isDelta: Bool = false) throws(ClubcardError) {
        try self.init(storage: ByteArray(bytes), isDelta: isDelta)
    }

    /// Creates a filter from bytes that another object keeps.
    package init(storage: any ByteStorage, isDelta: Bool) throws(ClubcardError) {
        self.storage = storage
        self.isDelta = isDelta
        self.layout = try storage.withBytes { (bytes) throws(ClubcardError) in try ClubcardLayout(bytes) }
    }

    /// The newest timestamp that the filter covers, to the second. It is close to the time when the filter was made,
    /// because logs receive new certificates every second.
    public var date: Time { Time(secondsSinceEpoch: Int64(clamping: layout.newestTimestamp / 1_000)) }

    /// A copy of the filter's bytes.
    package var bytes: [UInt8] { storage.withBytes { $0.copy(ByteRange(0, $0.count)) } }
    /// The format version, 3 or 4.
    var version: Int { layout.version }

    /// Returns the status of a certificate.
    /// - Parameters:
    ///   - issuerKey: SHA-256 of the SubjectPublicKeyInfo of the CA that issued the certificate in the validated path.
    ///   - serial: the contents of the INTEGER with the certificate's serial number.
    ///   - timestamps: the embedded timestamps, which the issuer has signed: log and milliseconds since 1970.
    func status(
        issuerKey: [UInt8], serial: [UInt8], timestamps: [(log: [UInt8], milliseconds: UInt64)]
    ) -> Status {
        storage.withBytes { bytes in
            guard timestamps.contains(where: { layout.covers($0.log, $0.milliseconds, in: bytes) }) else {
                return .notCovered
            }
            guard let block = layout.block(issuerKey, in: bytes) else { return .notEnrolled }
            let digest = Digests.sha256(issuerKey + serial)
            // An entry that contradicts the filter's columns counts as revoked.
            let isRevoked = (try? block.contains(digest, serial: serial, layout, in: bytes)) ?? true
            return isRevoked ? .revoked : .good
        }
    }

    /// Returns the hashes of the first issuers, at most `maximumCount`.
    func hashes(of maximumCount: Int) -> [[UInt8]] {
        storage.withBytes { bytes in
            layout.blocks.prefix(maximumCount).map {
                bytes.copy(ByteRange(Int($0), Int($0) + ClubcardBlock.hashSize))
            }
        }
    }

    /// Returns the first entries of the coverage, at most `maximumCount`.
    func coverageEntries(_ maximumCount: Int) -> [(log: [UInt8], first: UInt64, last: UInt64)] {
        storage.withBytes { bytes in layout.logs.prefix(maximumCount).compactMap { layout.coverage(at: $0, in: bytes) }
        }
    }

    /// Whether the filter has an entry for an issuer, by the SHA-256 of its SubjectPublicKeyInfo.
    func isEnrolled(_ issuerKey: [UInt8]) -> Bool {
        storage.withBytes { bytes in layout.block(issuerKey, in: bytes) != nil }
    }
}

extension RevocationFilter: Hashable {
    /// Whether both are the same object. Two filters with equal bytes aren't equal.
    public static func == (left: RevocationFilter, right: RevocationFilter) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
