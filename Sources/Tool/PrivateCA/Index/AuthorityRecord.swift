// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting

/// A certificate that an ``AuthorityFolder`` issued: an element of `index.json`, which is checked when it is read.
package struct AuthorityRecord: Sendable, Hashable, Codable {
    /// The serial number in lowercase hexadecimal.
    package let serialNumber: String
    /// The names of the certificate, in the caller's order.
    package let names: [String]
    package let purpose: IssuedPurpose
    package let notBefore: Time
    package let notAfter: Time
    /// The SHA-256 digest of the certificate in hexadecimal.
    package let sha256: String
    /// The name of its file in `issued`, or nil if another certificate replaced the file.
    package internal(set) var file: String?
    /// The date of the revocation, or nil if the certificate isn't revoked.
    var revoked: Time?
    /// The reason of the revocation. The default is an unspecified reason.
    var reason: IssuedRevocationReason?
    /// The addresses in the certificate.
    let crlURL: String?
    let ocspURL: String?
    /// Whether the certificate requires a staple. The default is false.
    let mustStaple: Bool?
    /// The kinds of addresses that were deliberately omitted. A certificate that replaces this one omits them, too.
    let withoutURLs: [String]?

    private enum CodingKeys: String, CodingKey {
        case serialNumber = "serial"
        case names, purpose, notBefore, notAfter, sha256, file, revoked, reason, crlURL, ocspURL, mustStaple,
            withoutURLs
    }

    /// The revocation, or nil if the certificate isn't revoked.
    package var revocation: (time: Time, reason: IssuedRevocationReason)? {
        revoked.map { ($0, reason ?? .unspecified) }
    }

    /// The certificate's addresses for revocation checks, and whether it requires a staple.
    package var revocationPointers: RevocationPointers {
        RevocationPointers(
            crl: crlURL.flatMap { try? RevocationAddress($0, kind: .crl) },
            ocsp: ocspURL.flatMap { try? RevocationAddress($0, kind: .ocsp) }, mustStaple: mustStaple ?? false)
    }

    var addressesLeftOut: Set<RevocationAddress.Kind> {
        Set((withoutURLs ?? []).compactMap(RevocationAddress.Kind.init))
    }

    /// The status of a certificate in one word. A revoked certificate remains revoked after it expires.
    package enum Status: String, Sendable, Hashable, CaseIterable {
        case valid
        case expired
        case revoked
    }

    /// Returns the status at a time.
    package func status(at time: Time) -> Status {
        revoked != nil ? .revoked : time > notAfter ? .expired : .valid
    }
}

/// The reason for a revocation (RFC 5280 § 5.3.1). Only final reasons that apply to a leaf are available.
package enum IssuedRevocationReason: String, Sendable, Hashable, CaseIterable, Codable {
    /// No particular reason. The CRL entry then contains no reason, as RFC 5280 recommends.
    case unspecified
    case keyCompromise
    case affiliationChanged
    case superseded
    case cessationOfOperation
    case privilegeWithdrawn

    var code: RevocationReason? {
        self == .unspecified ? nil : RevocationReason(name: rawValue)
    }
}
