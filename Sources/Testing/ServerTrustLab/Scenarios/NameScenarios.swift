// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrustTesting

// Certificates that are valid for other names.

extension LabScenario {
    /// A leaf for another host in the same domain.
    public static let wrongHost = LabScenario("wrong-host", "a certificate for another host", .refused(.hostMismatch)) {
        lab in
        try lab.below { $0.dnsNames = ["www.lab.test"] }
    }

    /// A leaf for 127.0.0.1 and ::1, the addresses of the connection, although the client verifies a DNS name (RFC 9525
    /// § 6.3).
    ///
    /// NIOSSL's own host check accepts it, because it also compares the socket's address.
    static let ipAddressOnly = LabScenario(
        "ip-address-only", "for the server's IP address, not for its name", .refused(.hostMismatch)
    ) { lab in
        try lab.below {
            $0.commonName = "Lab Device"
            $0.dnsNames = []
            $0.ipAddresses = ["127.0.0.1", "::1"].compactMap { IPAddress($0) }
        }
    }

    /// A leaf with the host only in the common name, which RFC 9525 § 2 and, since 2017, browsers ignore.
    static let noAlternativeName = LabScenario(
        "no-alternative-name", "the host only in the common name", .refused(.subjectAlternativeNameMissing)
    ) { lab in
        try lab.below { $0.dnsNames = [] }
    }

    /// A leaf for `ap*.lab.test`. A wildcard has to be a whole label (RFC 9525 § 6.3).
    static let partialWildcard = LabScenario(
        "partial-wildcard", "ap*.lab.test for api.lab.test", .refused(.hostMismatch)
    ) { lab in
        try lab.below { $0.with(names: "ap*.lab.test") }
    }

    /// A leaf for `*.test`, a whole top-level domain.
    static let topLevelWildcard = LabScenario(
        "top-level-wildcard", "*.test for lab.test", .refused(.hostMismatch)
    ) { lab in
        try lab.below(host: "lab.test") { $0.with(names: "*.test") }
    }

    /// A leaf for `*.co.uk`, a public suffix. No request leaves the machine.
    static let publicSuffixWildcard = LabScenario(
        "public-suffix-wildcard", "*.co.uk for lab.co.uk", .refused(.hostMismatch)
    ) { lab in
        try lab.below(host: "lab.co.uk") { $0.with(names: "*.co.uk") }
    }

    /// A leaf from a CA whose name constraints permit only example.org.
    static let nameConstraintViolated = LabScenario(
        "name-constraint-violated", "a name that its CA's name constraints don't permit", .refused(.nameNotPermitted)
    ) { lab in
        let limited = try lab.root.intermediate(lab.authority("Limited CA") { $0.permittedDNSNames = ["example.org"] })
        return try lab.certificates(limited.issue(lab.leaf()), [limited.certificate])
    }
}

extension CertificateTemplate {
    /// Sets only these names, without a name in the subject that a client could fall back to.
    fileprivate mutating func with(names: String...) {
        commonName = "Lab Server"
        dnsNames = names
    }
}

#endif
