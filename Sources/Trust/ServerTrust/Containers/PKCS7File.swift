// SPDX-License-Identifier: Apache-2.0

/// The certificates and CRLs of a SignedData (RFC 5652 § 5), in the order of the file. The order has no meaning,
/// because DER sorts them.
///
/// Not checked: the signatures of the SignedData. Certificates and CRLs have their own signatures.
package struct PKCS7File {
    /// The reason why a file can't be parsed.
    package enum Failure: Error, Sendable, Hashable {
        case malformed
        /// Contents of another type, by their object identifier.
        case otherContent(String)
    }

    /// The certificates in DER.
    package private(set) var certificates: [[UInt8]] = []
    /// The CRLs in DER.
    package private(set) var lists: [[UInt8]] = []
    /// The number of members of other types, such as attribute certificates.
    package private(set) var others = 0

    /// Parses a SignedData.
    /// - Parameter maximum: the maximum number of members of each kind.
    package init(_ der: [UInt8], maximum: Int) throws(Failure) {
        guard let outer = TLV(der[...]), outer.tag == TLV.Tag.sequence, outer.statedEnd == der.count else {
            throw .malformed
        }
        let members = outer.members(3)
        guard let type = members.first?.dottedIdentifier else { throw .malformed }
        guard type == "1.2.840.113549.1.7.2" else { throw .otherContent(type) }
        guard members.count == 2, members[1].tag == TLV.Tag.contextConstructed(0),
            let data = members[1].members(1).first, data.tag == TLV.Tag.sequence
        else { throw .malformed }
        for field in data.members(6).dropFirst(3) {
            switch field.tag {
            case TLV.Tag.contextConstructed(0): certificates = try encodings(field, der, maximum)
            case TLV.Tag.contextConstructed(1): lists = try encodings(field, der, maximum)
            default: break
            }
        }
    }

    private mutating func encodings(_ field: TLV, _ der: [UInt8], _ maximum: Int) throws(Failure) -> [[UInt8]] {
        let members = field.members(maximum)
        guard members.count == maximum || (members.last?.statedEnd ?? field.contents.startIndex) == field.statedEnd
        else { throw .malformed }
        // Other types, such as attribute certificates, are among these choices (§ 10.2.1, § 10.2.2). Rejects everything
        // else, so that no certificate is skipped.
        let choices = Set([TLV.Tag.sequence] + (0...3).map { TLV.Tag.contextConstructed($0) })
        guard members.allSatisfy({ choices.contains($0.tag) }) else { throw .malformed }
        let known = members.filter { $0.tag == TLV.Tag.sequence }
        others += members.count - known.count
        return known.map { Array($0.whole(in: der[...])) }
    }
}
