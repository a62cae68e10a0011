// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX

/// The contents of a test certificate. Start with ``leaf(_:)`` or ``authority(_:)``, and change the fields under test.
///
/// Not checked: whether the certificate makes sense.
public struct CertificateTemplate: Sendable {
    /// The version: 1 or 3.
    package var version = 3
    /// The common name. Empty for none.
    public var commonName: String
    /// The country code of two letters, which comes first in the subject, or nil for none.
    var country: String?
    /// The organization, before the common name, or nil for none.
    public var organization: String?
    /// The organizational unit, between organization and common name, or nil for none.
    var organizationalUnit: String?
    /// The first second of the validity period. The default is 90 days before ``TestAuthority/now``.
    public var notBefore: Time = TestAuthority.notBefore
    /// The last second of the validity period, inclusive. The default is 90 days after ``TestAuthority/now``. It may be
    /// before `notBefore`.
    public var notAfter: Time = TestAuthority.notAfter
    /// The cA flag of the basic constraints, or nil for no basic constraints.
    package var isAuthority: Bool?
    /// The path length constraint of a CA, or nil for none.
    public var maximumPathLength: Int?
    /// The key usage, critical, or nil for none.
    public var keyUsage: KeyUsage?
    /// The extended key usages, or nil for none.
    public var extendedKeyUsage: [OID]?
    /// The dNSNames of the subject alternative name.
    public var dnsNames: [String] = []
    /// The iPAddresses of the subject alternative name, after the dNSNames.
    public var ipAddresses: [IPAddress] = []
    /// Names of any form in the subject alternative name, after the dNSNames and the iPAddresses.
    public var alternativeNames: [GeneralName] = []
    /// The dNSNames of the permitted subtrees. `example.com` covers the host and all names below it.
    public var permittedDNSNames: [String] = []
    /// The dNSNames of the excluded subtrees.
    public var excludedDNSNames: [String] = []
    /// Permitted subtrees of any form, after the dNSNames: `.dns`, `.subnet`, `.email`, `.uri`, `.directory`.
    package var permittedNames: [GeneralName] = []
    /// Excluded subtrees of any form, after the dNSNames.
    package var excludedNames: [GeneralName] = []
    /// The certificate policies, without qualifiers.
    public var policies: [OID] = []
    /// The URIs of the issuer's certificate in the authority information access extension.
    public var caIssuers: [String] = []
    /// The URIs of OCSP responders in the authority information access extension, after the issuer's URIs.
    public var ocspResponders: [String] = []
    /// The distribution points for CRLs.
    public var crlDistributionPoints: [TestDistributionPoint] = []
    /// The distribution points for delta CRLs.
    package var freshestCRL: [TestDistributionPoint] = []
    /// The TLS extensions that a server with this certificate promises to send (RFC 7633). 5 stands for the OCSP
    /// staple.
    var tlsFeatures: [UInt16] = []
    /// Whether the certificate has id-pkix-ocsp-nocheck: clients don't have to check this OCSP signer for revocation
    /// (RFC 6960 § 4.2.2.2.1).
    var hasOCSPNoCheck = false
    /// Whether the certificate has a subject key identifier. The default is true.
    public var hasSubjectKeyIdentifier = true
    /// Whether the certificate has an authority key identifier. The default is true.
    public var hasAuthorityKeyIdentifier = true
    /// Further extensions, appended unchanged. Issuing throws if the certificate already has one of them, because
    /// swift-certificates refuses duplicates.
    public var extensions: [Extension] = []
    /// The embedded log timestamps (RFC 6962 § 3.3), which cover the certificate without the timestamps. Empty by
    /// default.
    public var timestamps: [TestTimestamp] = []
    /// The number of `extensions` before the embedded timestamps, or nil for all, which makes the timestamps the last
    /// extension.
    var timestampsIndex: Int?
    /// The serial number, unsigned, most significant byte first, or nil for the authority's next number.
    public var serialNumber: [UInt8]?
    /// Whether an issuer with an RSA key signs the certificate with SHA-1, to test that your code refuses it.
    package var signsWithSHA1 = false
    /// The issuer's signature algorithm, or nil for its key's default. Takes precedence over ``signsWithSHA1``.
    var signatureAlgorithm: TestSignatureAlgorithm?
    /// Encoding parts that replace those from swift-certificates. Replaces nothing by default.
    package var encoding = TestEncoding()

    /// Creates a template with key identifiers, valid around ``TestAuthority/now``, and no other extension.
    public init(commonName: String) { self.commonName = commonName }

    /// Whether `tlsFeatures` contains the OCSP staple (status_request, 5): "must staple".
    public var mustStaple: Bool {
        get { tlsFeatures.contains(5) }
        set { tlsFeatures = tlsFeatures.filter { $0 != 5 } + (newValue ? [5] : []) }
    }

    /// Returns a copy that is valid from 30 days before `time` to 60 days after it. Use it for clients that read the
    /// machine's clock.
    public func valid(around time: Time) -> CertificateTemplate {
        with {
            $0.notBefore = time.advanced(by: .days(-30))
            $0.notAfter = time.advanced(by: .days(60))
        }
    }

    /// Returns a copy with changes.
    public func with(_ change: (inout CertificateTemplate) throws -> Void) rethrows -> CertificateTemplate {
        var copy = self
        try change(&copy)
        return copy
    }
}

#endif
