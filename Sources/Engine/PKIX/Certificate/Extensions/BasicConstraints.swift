// SPDX-License-Identifier: Apache-2.0

/// The constraints that say whether a certificate may issue others, and with how many below it (RFC 5280 § 4.2.1.9).
public struct BasicConstraints: Sendable, Hashable {
    /// The field `cA`.
    public var isCertificateAuthority: Bool
    /// The field `pathLenConstraint`: the largest number of intermediates below that aren't self-issued; nil for any
    /// number.
    public var maximumPathLength: Int?

    package init(isCertificateAuthority: Bool, maximumPathLength: Int?) {
        self.isCertificateAuthority = isCertificateAuthority
        self.maximumPathLength = maximumPathLength
    }
}

extension BasicConstraints {
    /// Reads `SEQUENCE { cA BOOLEAN DEFAULT FALSE, pathLenConstraint INTEGER (0..MAX) OPTIONAL }`.
    ///
    /// A FALSE that is written out breaks X.690 § 11.5 and is common enough that every verifier but the strictest reads
    /// it.
    /// - Parameter isCanonical: set to false if it is.
    init(_ reader: inout DERReader, isCanonical: inout Bool) throws(DERError) {
        let sequence = try reader.next(DERTag.sequence, "basicConstraints")
        var inner = reader.inside(sequence)
        self.isCertificateAuthority = false
        if let flag = try inner.nextIf(DERTag.boolean, "basicConstraints.cA") {
            self.isCertificateAuthority = try inner.boolean(flag, "basicConstraints.cA")
            if !isCertificateAuthority { isCanonical = false }
        }
        self.maximumPathLength = nil
        if !inner.isAtEnd {
            // Without cA the field has no meaning (§ 4.2.1.9), and leaves made by hand have it: the strict rules refuse
            // that.
            self.maximumPathLength = try inner.nextSmallNumber("basicConstraints.pathLenConstraint")
        }
        try inner.finish("basicConstraints")
    }
}

extension Certificate {
    /// The basic constraints; nil if the certificate has none.
    public var basicConstraints: BasicConstraints? {
        storage.fields.extensions.has(.basicConstraints) ? storage.fields.extensions.basicConstraints : nil
    }
}
