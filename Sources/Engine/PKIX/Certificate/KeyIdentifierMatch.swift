// SPDX-License-Identifier: Apache-2.0

/// The relation of a certificate's authority key identifier to a possible issuer's subject key identifier.
package enum KeyIdentifierMatch: Int {
    case equal
    case unknown
    /// A mismatch: a hint against an issuer, not a proof. CAs have made mistakes here.
    case differs
}

extension Certificate {
    /// Compares the key identifier that a certificate has for its issuer with that of a possible issuer.
    package func keyIdentifierMatch(_ issuer: Certificate) -> KeyIdentifierMatch {
        let wanted = storage.fields.extensions.authorityKeyIdentifier
        let found = issuer.storage.fields.extensions.subjectKeyIdentifier
        guard wanted.isPresent, found.isPresent else { return .unknown }
        return bytesEqual(span, wanted, issuer.span, found) ? .equal : .differs
    }

    /// The words of reports for an issuer whose name fits and whose key didn't make the signature, such as a CA that was made again.
    package static let otherKeyWords = "has the issuer's name but another key"
}
