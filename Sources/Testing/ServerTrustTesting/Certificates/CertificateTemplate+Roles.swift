// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX

extension CertificateTemplate {
    /// Returns a server certificate for these DNS names or IP addresses. The first one is also the common name.
    public static func leaf(_ names: String...) -> CertificateTemplate {
        var template = CertificateTemplate(names.first ?? "", [.digitalSignature], [.serverAuth])
        for name in names {
            if let address = IPAddress(name) {
                template.ipAddresses.append(address)
            } else {
                template.dnsNames.append(name)
            }
        }
        return template
    }

    /// Returns a CA certificate.
    public static func authority(_ commonName: String) -> CertificateTemplate {
        CertificateTemplate(commonName, [.keyCertSign, .cRLSign], organization: "Test").with { $0.isAuthority = true }
    }

    /// Returns a server certificate for names of any form: `.leaf(.uri("spiffe://example.com/api"),
    /// .dns("api.example.com"))`.
    ///
    /// Its subject is empty, so the alternative names are critical (RFC 5280 § 4.2.1.6).
    public static func leaf(_ name: GeneralName, _ others: GeneralName...) -> CertificateTemplate {
        leaf().with { $0.alternativeNames = [name] + others }
    }

    /// Returns a client certificate with only clientAuth, a common name, and `names` as alternative names.
    public static func client(_ commonName: String, _ names: GeneralName...) -> CertificateTemplate {
        CertificateTemplate(commonName, [.digitalSignature], [.clientAuth]).with { $0.alternativeNames = names }
    }

    /// Returns the certificate for a delegated OCSP signer: OCSPSigning and id-pkix-ocsp-nocheck (RFC 6960 § 4.2.2.2).
    public static func ocspSigner(_ commonName: String = "Test OCSP Signer") -> CertificateTemplate {
        CertificateTemplate(commonName, [.digitalSignature], [.ocspSigning], organization: "Test").with {
            $0.hasOCSPNoCheck = true
        }
    }

    /// Returns the certificate for a CRL signer, with cRLSign but without keyCertSign. The signer can also sign
    /// indirect CRLs.
    package static func crlSigner(_ commonName: String = "Test CRL Signer") -> CertificateTemplate {
        CertificateTemplate(commonName, [.cRLSign], organization: "Test")
    }

    /// Creates the template of a certificate that isn't a CA's.
    private init(
        _ commonName: String, _ keyUsage: KeyUsage, _ extendedKeyUsage: [OID]? = nil, organization: String? = nil
    ) {
        self.init(commonName: commonName)
        self.isAuthority = false
        self.keyUsage = keyUsage
        self.extendedKeyUsage = extendedKeyUsage
        self.organization = organization
    }
}

#endif
