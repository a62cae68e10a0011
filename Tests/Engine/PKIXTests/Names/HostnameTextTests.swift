// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX

@Suite("Texts of host names")
struct HostnameTextTests {
    @Test("Each kind of wrong host name has its code and words")
    func errors() {
        let rows: [(ErrorCode, String)] = [
            (.hostEmpty, "is empty"), (.hostTooLong, "is longer"), (.hostLabelMalformed, "has an empty label"),
            (.hostLabelNotCertifiable, "starts or ends with a hyphen"), (.hostIsURL, "is a URL"),
            (.hostHasPort, "has a port"), (.hostHasZone, "has an IPv6 zone"),
            (.hostZoneMalformed, "malformed IPv6 zone"),
            (.hostNotASCII, "isn't ASCII"), (.hostAddressMalformed, "looks like an IP address"),
        ]
        for (code, words) in rows {
            let error = HostnameError(code, text: "the text")
            #expect(error.code == code && error.message.hasPrefix("host name \"the text\" "))
            #expect(error.message.contains(words))
        }
    }

    @Test("A zone belongs to the name to connect to, but not to the host that certificates name")
    func zones() throws {
        let host = try Hostname("fe80::1%eth0")
        #expect(host.resolverName == "fe80::1%eth0" && host.description == "fe80::1")
        #expect(try Hostname("www.example.com").resolverName == "www.example.com")
        #expect(try host == Hostname("fe80::1"))
        let error = #expect(throws: HostnameError.self) { try Hostname.withoutZone("fe80::1%eth0") }
        #expect(error?.code == .hostHasZone)
    }

    @Test("The list knows the top-level domains of public names")
    func topLevelDomains() throws {
        for (name, isKnown) in [
            ("example.com", true), ("com", true), ("example.co.uk", true), ("nas.local", false), ("localhost", false),
            ("192.0.2.1", false), ("::1", false),
        ] {
            #expect(try Hostname(name).hasKnownTopLevelDomain == isKnown, "\(name)")
        }
    }
}
