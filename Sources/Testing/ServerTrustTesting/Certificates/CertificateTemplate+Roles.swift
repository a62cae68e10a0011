// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX

extension CertificateTemplate {
    /// Returns a server certificate for these DNS names or IP addresses. The first one is also the common name.
    public static func leaf(_ names: String...) -> CertificateTemplate {
        var template = CertificateTemplate(commonName: names.first ?? "")
        template.isAuthority = false
        template.keyUsage = [.digitalSignature]
        template.extendedKeyUsage = [.serverAuth]
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
        var template = CertificateTemplate(commonName: commonName)
        template.isAuthority = true
        template.keyUsage = [.keyCertSign, .cRLSign]
        template.organization = "Test"
        return template
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
        var template = CertificateTemplate(commonName: commonName)
        template.isAuthority = false
        template.keyUsage = [.digitalSignature]
        template.extendedKeyUsage = [.clientAuth]
        template.alternativeNames = names
        return template
    }

    /// Returns the certificate for a delegated OCSP signer: OCSPSigning and id-pkix-ocsp-nocheck (RFC 6960 § 4.2.2.2).
    public static func ocspSigner(_ commonName: String = "Test OCSP Signer") -> CertificateTemplate {
        var template = CertificateTemplate(commonName: commonName)
        template.organization = "Test"
        template.isAuthority = false
        template.keyUsage = [.digitalSignature]
        template.extendedKeyUsage = [.ocspSigning]
        template.hasOCSPNoCheck = true
        return template
    }

    /// Returns the certificate for a CRL signer, with cRLSign but without keyCertSign. The signer can also sign
    /// indirect CRLs.
    package static func crlSigner(_ commonName: String = "Test CRL Signer") -> CertificateTemplate {
        var template = CertificateTemplate(commonName: commonName)
        template.organization = "Test"
        template.isAuthority = false
        template.keyUsage = [.cRLSign]
        return template
    }
}

#endif
