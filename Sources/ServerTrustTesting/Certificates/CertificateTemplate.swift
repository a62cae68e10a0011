// SPDX-License-Identifier: Apache-2.0

import PKIX

/// What a test certificate is to say. Start from ``leaf(_:)`` or ``authority(_:)`` and change what the test is about.
public struct CertificateTemplate: Sendable {
    /// 1 or 3.
    public var version = 3
    /// Becomes the common name; empty for none.
    public var commonName: String
    /// `C=` at the head of the subject, if any; two letters.
    public var country: String?
    /// `O=` before the common name, if any.
    public var organization: String?
    /// `OU=` between organization and common name, if any.
    public var organizationalUnit: String?
    /// The first second of validity; 90 days before ``TestAuthority/now``.
    public var notBefore: Time = TestAuthority.notBefore
    /// The last second of validity, included; 90 days after ``TestAuthority/now``. Nothing keeps it behind `notBefore`.
    public var notAfter: Time = TestAuthority.notAfter
    /// nil for no basic constraints.
    public var isAuthority: Bool?
    public var maximumPathLength: Int?
    public var keyUsage: KeyUsage?
    /// nil for no extended key usage.
    public var extendedKeyUsage: [OID]?
    /// dNSNames of the subject alternative name.
    public var dnsNames: [String] = []
    /// iPAddresses of the subject alternative name, behind the dNSNames.
    public var ipAddresses: [IPAddress] = []
    /// Names of any form in the subject alternative name, behind the others.
    public var alternativeNames: [GeneralName] = []
    /// dNSNames of the permitted subtrees; `example.com` covers the host and all below it.
    public var permittedDNSNames: [String] = []
    public var excludedDNSNames: [String] = []
    /// Permitted subtrees of any form, behind the dNSNames: `.dns`, `.subnet`, `.email`, `.uri`, `.directory`.
    public var permittedNames: [GeneralName] = []
    public var excludedNames: [GeneralName] = []
    /// Certificate policies, without qualifiers.
    public var policies: [OID] = []
    /// URIs of the issuer's certificate in the authority information access.
    public var caIssuers: [String] = []
    /// URIs of OCSP responders in the authority information access, behind the others.
    public var ocspResponders: [String] = []
    public var crlDistributionPoints: [TestDistributionPoint] = []
    /// Where delta CRLs are.
    public var freshestCRL: [TestDistributionPoint] = []
    /// TLS extensions that a server with this certificate promises to send (RFC 7633); 5 is the OCSP staple.
    public var tlsFeatures: [UInt16] = []
    /// id-pkix-ocsp-nocheck: nobody needs to ask whether this OCSP signer is revoked (RFC 6960 § 4.2.2.2.1).
    public var hasOCSPNoCheck = false
    public var hasSubjectKeyIdentifier = true
    public var hasAuthorityKeyIdentifier = true
    /// Appended as they are. One that is there already makes issuing throw, as swift-certificates refuses two.
    public var extensions: [Extension] = []
    /// An unsigned number, most significant byte first; nil for the next one of the authority.
    public var serialNumber: [UInt8]?
    /// Sign with SHA-1, where the issuer's key is RSA: for being refused.
    public var signsWithSHA1 = false
    /// How the issuer signs; nil for its key's default. Wins over ``signsWithSHA1``.
    public var signatureAlgorithm: TestSignatureAlgorithm?

    public init(commonName: String) { self.commonName = commonName }

    /// "Must staple": whether ``tlsFeatures`` has the OCSP staple (status_request, 5).
    public var mustStaple: Bool {
        get { tlsFeatures.contains(5) }
        set { tlsFeatures = tlsFeatures.filter { $0 != 5 } + (newValue ? [5] : []) }
    }

    /// The same, valid from 30 days before `time` to 60 days after it: for servers that other clients than this package's connect
    /// to, by the machine's clock.
    public func valid(around time: Time) -> CertificateTemplate {
        with {
            $0.notBefore = time.advanced(by: -30 * 86_400)
            $0.notAfter = time.advanced(by: 60 * 86_400)
        }
    }

    /// The same with changes.
    public func with(_ change: (inout CertificateTemplate) throws -> Void) rethrows -> CertificateTemplate {
        var copy = self
        try change(&copy)
        return copy
    }
}
