// SPDX-License-Identifier: Apache-2.0

// Compares the names of a certificate's distribution points with those of a CRL (RFC 5280 § 6.3.3 (b)(2)(i)).
//
// A name that is relative to the CRL issuer is first completed, so that it equals the corresponding full name.

/// The names of one distribution point: bytes, and the ranges of the names in them.
struct DistributionPointNames {
    /// General names in DER, one after the other.
    let bytes: ArraySlice<UInt8>

    /// The largest number of names that are compared on either side. Real distribution points have one to three.
    static let maximumCount = 8

    /// Creates the names from `GeneralNames` without tag and length.
    init(_ span: Span<UInt8>, names: ByteRange) { self.bytes = span.copy(names)[...] }

    /// Creates a single directory name.
    init(directoryName: [UInt8]) { self.bytes = DERBytes.value(GeneralNameTag.directoryName, directoryName)[...] }

    /// Creates a relative name under `issuer`, which is a whole Name.
    init?(relativeName: [UInt8], under issuer: [UInt8]) {
        let view = issuer[...]
        var reader = DERReader(view.span)
        guard let sequence = try? reader.next(DERTag.sequence, "name") else { return nil }
        let parts = Array(issuer[sequence.contents.indices]) + DERBytes.value(DERTag.set, relativeName)
        self.init(directoryName: DERBytes.value(DERTag.sequence, parts))
    }

    /// Whether both distribution points have a name in common.
    func shares(with other: DistributionPointNames) -> Bool {
        let left = bytes.span
        let right = other.bytes.span
        var leftReader = DERReader(left)
        var leftCount = 0
        while !leftReader.isAtEnd, leftCount < Self.maximumCount, let one = try? leftReader.next("name") {
            leftCount += 1
            var rightReader = DERReader(right)
            var rightCount = 0
            while !rightReader.isAtEnd, rightCount < Self.maximumCount, let another = try? rightReader.next("name") {
                rightCount += 1
                guard one.tag == another.tag else { continue }
                let isSame =
                    one.tag == GeneralNameTag.directoryName
                    ? namesMatch(left, one.contents, right, another.contents)
                    : bytesEqual(left, one.contents, right, another.contents)
                if isSame { return true }
            }
        }
        return false
    }

    /// The first directory name, including the tag and length of the Name, or nil if there is no directory name.
    var directoryName: [UInt8]? { directoryNames.first.map { bytes.span.copy($0) } }

    /// The ranges of all directory names, including the tag and length of each Name.
    var directoryNames: [ByteRange] {
        var reader = DERReader(bytes.span)
        var ranges: [ByteRange] = []
        while !reader.isAtEnd, let name = try? reader.next("name") {
            if name.tag == GeneralNameTag.directoryName { ranges.append(name.contents) }
        }
        return ranges
    }
}
