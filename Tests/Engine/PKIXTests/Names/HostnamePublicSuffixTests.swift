// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX

@Suite struct HostnamePublicSuffixTests {
    @Test(arguments: [
        ("www.example.co.uk", "co.uk", "example.co.uk"), ("example.com", "com", "example.com"), ("com", "com", nil),
        ("a.b.city.kobe.jp", "kobe.jp", "city.kobe.jp"), ("me.github.io", "github.io", "me.github.io"),
        ("github.io", "github.io", nil), ("host.internal", "internal", "host.internal"),
        ("localhost", "localhost", nil),
    ])
    func suffixAndWhatIsRegistered(_ name: String, _ suffix: String, _ domain: String?) throws {
        let host = try Hostname(name)
        #expect(host.publicSuffix == suffix)
        #expect(host.registrableDomain == domain)
        #expect(host.isPublicSuffix == (domain == nil))
    }

    @Test func anAddressHasNone() throws {
        for text in ["192.0.2.1", "2001:db8::1"] {
            let host = try Hostname(text)
            #expect(host.publicSuffix == nil && host.registrableDomain == nil && !host.isPublicSuffix)
        }
    }

    @Test(
        "The list contains the last labels of registered names",
        arguments: [
            ("example.com", true), ("com", true), ("www.example.co.uk", true), ("a.ck", true), ("nas.local", false),
            ("localhost", false), ("com.internal", false), ("192.0.2.1", false), ("2001:db8::1", false),
        ])
    func topLevelDomain(name: String, isKnown: Bool) throws {
        #expect(try Hostname(name).hasKnownTopLevelDomain == isKnown)
    }

    @Test func theListSaysItsDay() { #expect(Hostname.publicSuffixListDate.count == 10) }
}
