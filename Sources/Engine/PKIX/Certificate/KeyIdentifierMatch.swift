// SPDX-License-Identifier: Apache-2.0

/// The relation between a certificate's authority key identifier and a possible issuer's subject key identifier.
package enum KeyIdentifierMatch: Int {
    case equal
    case unknown
    /// The identifiers differ. This is a hint against the issuer, not a proof, because CAs make mistakes here.
    case differs
}

extension Certificate {
    /// Compares the certificate's authority key identifier with a possible issuer's subject key identifier.
    package func keyIdentifierMatch(_ issuer: Certificate) -> KeyIdentifierMatch {
        let wanted = storage.fields.extensions.authorityKeyIdentifier
        let found = issuer.storage.fields.extensions.subjectKeyIdentifier
        guard wanted.isPresent, found.isPresent else { return .unknown }
        return bytesEqual(span, wanted, issuer.span, found) ? .equal : .differs
    }
}
