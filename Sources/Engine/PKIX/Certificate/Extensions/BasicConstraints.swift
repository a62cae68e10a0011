// SPDX-License-Identifier: Apache-2.0

/// The basic constraints: whether a certificate may issue others, and how many intermediates may follow (RFC 5280 §
/// 4.2.1.9).
public struct BasicConstraints: Sendable, Hashable {
    /// The field `cA`.
    public var isCertificateAuthority: Bool
    /// The field `pathLenConstraint`: the largest number of intermediates below that aren't self-issued. Nil if there
    /// is no limit.
    public var maximumPathLength: Int?
}

extension BasicConstraints {
    /// Reads `SEQUENCE { cA BOOLEAN DEFAULT FALSE, pathLenConstraint INTEGER (0..MAX) OPTIONAL }`.
    ///
    /// An encoded FALSE violates X.690 § 11.5, but it is so common that all but the strictest verifiers accept it.
    /// - Parameter isCanonical: set to false if FALSE is encoded.
    init(_ reader: inout DERReader, isCanonical: inout Bool) throws(DERError) {
        var inner = try reader.nextSequence("basicConstraints")
        self.isCertificateAuthority = false
        if let flag = try inner.nextIf(DERTag.boolean, "basicConstraints.cA") {
            self.isCertificateAuthority = try inner.boolean(flag, "basicConstraints.cA")
            if !isCertificateAuthority { isCanonical = false }
        }
        self.maximumPathLength = nil
        if !inner.isAtEnd {
            // Without cA, the field has no meaning (§ 4.2.1.9), but some handmade leaves have it. The strict rules
            // reject it.
            self.maximumPathLength = try inner.nextSmallNumber("basicConstraints.pathLenConstraint")
        }
        try inner.finish("basicConstraints")
    }
}

extension Certificate {
    /// The basic constraints, or nil if the certificate doesn't have any.
    public var basicConstraints: BasicConstraints? {
        storage.fields.extensions.has(.basicConstraints) ? storage.fields.extensions.basicConstraints : nil
    }
}
