import PKIX

/// What a test certificate is to say. Start from ``leaf(_:)`` or ``authority(_:)`` and change what the test is about.
public struct CertificateTemplate: Sendable {
    /// 1 or 3.
    public var version = 3
    /// Becomes the common name; empty for an empty subject.
    public var commonName: String
    /// `O=` before the common name, if any.
    public var organization: String?
    public var notBefore: Time = TestAuthority.notBefore
    public var notAfter: Time = TestAuthority.notAfter
    /// nil for no basic constraints.
    public var isAuthority: Bool?
    public var maximumPathLength: Int?
    public var keyUsage: KeyUsage?
    /// nil for no extended key usage.
    public var extendedKeyUsage: [OID]?
    /// dNSNames of the subject alternative name.
    public var dnsNames: [String] = []
    public var ipAddresses: [IPAddress] = []
    public var permittedDNSNames: [String] = []
    public var excludedDNSNames: [String] = []
    public var hasSubjectKeyIdentifier = true
    public var hasAuthorityKeyIdentifier = true
    /// Appended as they are.
    public var extensions: [Extension] = []
    /// nil for the next one of the authority.
    public var serialNumber: [UInt8]?
    /// Sign with SHA-1, where the issuer's key is RSA: for being refused.
    public var signsWithSHA1 = false

    public init(commonName: String) { self.commonName = commonName }

    /// A server's certificate for these DNS names (the first becomes the common name) or IP addresses.
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

    /// A CA's certificate.
    public static func authority(_ commonName: String) -> CertificateTemplate {
        var template = CertificateTemplate(commonName: commonName)
        template.isAuthority = true
        template.keyUsage = [.keyCertSign, .cRLSign]
        template.organization = "Test"
        return template
    }

    /// The same with changes.
    public func with(_ change: (inout CertificateTemplate) -> Void) -> CertificateTemplate {
        var copy = self
        change(&copy)
        return copy
    }
}
