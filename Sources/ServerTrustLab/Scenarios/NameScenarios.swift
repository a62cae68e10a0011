// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting

// Certificates that are valid, for somebody else.

extension LabScenario {
    /// Valid for another host of the same domain.
    public static let wrongHost = LabScenario("wrong-host", "another host's", .refused(.hostMismatch)) { lab in
        try lab.below { $0.dnsNames = ["www.lab.test"] }
    }

    /// Valid for 127.0.0.1 and ::1, which the connection really goes to, where a DNS name is asked for (RFC 9525 § 6.3).
    ///
    /// NIOSSL's own host check accepts it, because it looks at the socket's address.
    public static let ipAddressOnly = LabScenario(
        "ip-address-only", "for the address of the socket, not for the name", .refused(.hostMismatch)
    ) { lab in
        try lab.below {
            $0.commonName = "Lab Device"
            $0.dnsNames = []
            $0.ipAddresses = ["127.0.0.1", "::1"].compactMap { IPAddress($0) }
        }
    }

    /// The host in the common name alone, which RFC 9525 § 2 and browsers since 2017 don't look at.
    public static let noAlternativeName = LabScenario(
        "no-alternative-name", "the host in the common name alone", .refused(.subjectAlternativeNameMissing)
    ) { lab in
        try lab.below { $0.dnsNames = [] }
    }

    /// `ap*.lab.test`: a wildcard is a whole label (RFC 9525 § 6.3).
    public static let partialWildcard = LabScenario(
        "partial-wildcard", "ap*.lab.test for api.lab.test", .refused(.hostMismatch)
    ) { lab in
        try lab.below { $0.with(names: "ap*.lab.test") }
    }

    /// `*.test` for a whole top-level domain.
    public static let topLevelWildcard = LabScenario(
        "top-level-wildcard", "*.test for lab.test", .refused(.hostMismatch)
    ) { lab in
        try lab.below(host: "lab.test") { $0.with(names: "*.test") }
    }

    /// `*.co.uk` for everybody who registered a name in the United Kingdom. No request leaves the machine.
    public static let publicSuffixWildcard = LabScenario(
        "public-suffix-wildcard", "*.co.uk for lab.co.uk", .refused(.hostMismatch)
    ) { lab in
        try lab.below(host: "lab.co.uk") { $0.with(names: "*.co.uk") }
    }

    /// A CA that may issue for example.org alone.
    public static let nameConstraintViolated = LabScenario(
        "name-constraint-violated", "outside the names that its CA may issue for", .refused(.nameNotPermitted)
    ) { lab in
        let limited = try lab.root.intermediate(lab.authority("Limited CA") { $0.permittedDNSNames = ["example.org"] })
        return try lab.certificates(limited.issue(lab.leaf()), [limited.certificate])
    }
}

extension CertificateTemplate {
    /// These names alone, and none in the subject for a client to fall back to.
    fileprivate mutating func with(names: String...) {
        commonName = "Lab Server"
        dnsNames = names
    }
}
