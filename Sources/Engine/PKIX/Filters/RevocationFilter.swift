// SPDX-License-Identifier: Apache-2.0

/// A filter of revoked certificates: CRLite's clubcards, formats 3 and 4, as browsers have them in the place of OCSP.
///
/// ```swift
/// let filter = try RevocationFilter(bytes)
/// trust.revocationData.filters = [filter]
/// ```
/// A filter is made from all revocations of public CAs and from all certificates of the logs of Certificate Transparency. It answers for a certificate
/// with an embedded timestamp in its coverage, of a CA that is enrolled. Its author isn't verified: a file of filters is as trustworthy as its delivery.
///
/// Memory: the bytes, which may be mapped from a file, and 4 bytes for each CA.
public final class RevocationFilter: Sendable {
    /// The status of a certificate by one filter.
    package enum Status: String, Sendable, Hashable {
        /// The filter covers the certificate, and hasn't got it as revoked.
        case good = "Good"
        /// The filter has the certificate as revoked.
        case revoked = "Revoked"
        /// The filter covers none of the certificate's timestamps.
        case notCovered = "NotCovered"
        /// The filter has no entry for the certificate's issuer.
        case notEnrolled = "NotEnrolled"
    }

    private let storage: any ByteStorage
    private let layout: ClubcardLayout

    /// Whether the filter has changes alone, which follow a complete filter: it revokes, and vouches for nothing without a complete one.
    public let isDelta: Bool

    /// Reads the places of a filter's fields.
    /// - Parameters:
    ///   - bytes: the file.
    ///   - isDelta: whether it is a file of changes, which the bytes don't say; Mozilla names these `.delta`.
    /// - Throws: ``ClubcardError`` with field and byte for anything that is no whole filter.
    public convenience init(_ bytes: [UInt8], isDelta: Bool = false) throws(ClubcardError) {
        try self.init(storage: ByteArray(bytes), isDelta: isDelta)
    }

    /// Reads the places of a filter's fields, from bytes that are kept by another object.
    package init(storage: any ByteStorage, isDelta: Bool) throws(ClubcardError) {
        self.storage = storage
        self.isDelta = isDelta
        self.layout = try storage.withBytes { (bytes) throws(ClubcardError) in try ClubcardLayout(bytes) }
    }

    /// The newest timestamp of a certificate that the filter covers, to the second: the time of its making, as logs have new certificates in
    /// every second.
    public var date: Time { Time(secondsSinceEpoch: Int64(clamping: layout.newestTimestamp / 1_000)) }

    /// The format, 3 or 4.
    package var version: Int { layout.version }
    /// The number of logs.
    package var logCount: Int { layout.logs.count }
    /// The number of issuers.
    package var issuerCount: Int { layout.blocks.count }

    /// Returns the status of a certificate.
    /// - Parameters:
    ///   - issuerKey: SHA-256 over the SubjectPublicKeyInfo of the CA that has issued it in the validated path.
    ///   - serial: the contents of its serial number's INTEGER.
    ///   - timestamps: its embedded timestamps, which its issuer has signed: log and milliseconds since 1970.
    package func status(
        issuerKey: [UInt8], serial: [UInt8], timestamps: [(log: [UInt8], milliseconds: UInt64)]
    ) -> Status {
        storage.withBytes { bytes in
            guard timestamps.contains(where: { layout.covers($0.log, $0.milliseconds, in: bytes) }) else {
                return .notCovered
            }
            guard let block = layout.block(issuerKey, in: bytes) else { return .notEnrolled }
            let digest = Digests.sha256(issuerKey + serial)
            // An entry that contradicts the filter's columns says nothing good.
            let isRevoked = (try? block.contains(digest, serial: serial, layout, in: bytes)) ?? true
            return isRevoked ? .revoked : .good
        }
    }

    /// Returns the hashes of so many issuers.
    func hashes(of maximumCount: Int) -> [[UInt8]] {
        storage.withBytes { bytes in
            layout.blocks.prefix(maximumCount).map {
                bytes.copy(ByteRange(Int($0), Int($0) + ClubcardBlock.hashSize))
            }
        }
    }

    /// Returns so many entries of the coverage.
    func coverageEntries(_ maximumCount: Int) -> [(log: [UInt8], first: UInt64, last: UInt64)] {
        storage.withBytes { bytes in layout.logs.prefix(maximumCount).compactMap { layout.coverage(at: $0, in: bytes) }
        }
    }

    /// Whether the filter has an entry for an issuer, by SHA-256 over its SubjectPublicKeyInfo.
    func isEnrolled(_ issuerKey: [UInt8]) -> Bool {
        storage.withBytes { bytes in layout.block(issuerKey, in: bytes) != nil }
    }
}

extension RevocationFilter: Hashable {
    /// Whether both are the same object: two of equal bytes are not compared.
    public static func == (left: RevocationFilter, right: RevocationFilter) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
