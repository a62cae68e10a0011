// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

/// All cases of x509-limbo (https://x509-limbo.com). Cases with CRLs require revocation checks.
@Suite(.disabled(if: Corpora.areMissing, "no corpora beside the checkout or at SERVERTRUST_CORPORA"))
struct LimboTests {
    private static func cases() throws -> [LimboCase] {
        try Corpora.cases("limbo.json")
    }

    /// Cases that the engine decides differently with strict rules, and the reasons. If such a case gives the result
    /// that limbo expects, the test fails.
    private static let strictExceptions: [String: String] = [
        "webpki::nc::nc-permits-dns-san-pattern": commonName,
        "webpki::san::exact-localhost-ip-san": commonName,
        "webpki::san::leftmost-wildcard-san": commonName,
        "crl::crlnumber-missing": crlNumber,
        "crl::issuer-no-keyusage-extension":
            "its CA has no key usage, which § 4.2.1.3 requires; other verifiers run the case without their strict rules",
    ]
    private static let crlNumber =
        "a CRL number in every v2 CRL binds only the issuer (RFC 5280 § 5.2.3); § 6.3.3 has no such step, and openssl ca writes such lists"
    private static let commonName =
        "its common name, example.com, isn't among its alternative names; § 7.1.4.3 of the baseline forbids that, and webpki::cn::not-in-san expects a refusal for it"

    /// Cases that the default policy decides differently, in addition to those that depend on a strict rule.
    private static let defaultExceptions: [String: String] = [
        "pathlen::validation-ignores-pathlen-in-leaf":
            "the leaf's key may only sign certificates; the plain profile accepts it, but a TLS client can't use it",
        "crl::crlnumber-missing": crlNumber,
    ]

    /// Returns the profile for a case that contradicts another one: limbo says so itself, or the namespace covers only
    /// RFC 5280.
    private static func profile(_ testcase: LimboCase) -> ValidationPolicy.Profile {
        // This case contradicts webpki::ca-as-leaf.
        if testcase.id == "pathlen::validation-ignores-pathlen-in-leaf" { return .rfc5280 }
        return testcase.id.hasPrefix("rfc5280::") ? .rfc5280 : .webPKI
    }

    @Test("Strict rules with the namespace's profile decide every case as limbo expects")
    func strict() throws {
        let cases = try Self.cases()
        #expect(cases.count == 208)
        for testcase in cases {
            let verdict = try testcase.evaluate(profile: Self.profile(testcase), strict: true)
            let isExpected = verdict.isTrusted == testcase.expectsSuccess
            #expect(
                isExpected == (Self.strictExceptions[testcase.id] == nil),
                "\(testcase.id): expected \(testcase.expected_result), got \(verdict)")
        }
    }

    @Test("The default policy decides every case that doesn't depend on a strict rule as limbo expects")
    func byDefault() throws {
        for testcase in try Self.cases() {
            // If two cases contradict each other, each uses the profile of its namespace.
            let profile = testcase.conflicts_with.isEmpty ? .webPKI : Self.profile(testcase)
            let verdict = try testcase.evaluate(profile: profile, strict: false)
            if verdict.isTrusted == testcase.expectsSuccess {
                #expect(Self.defaultExceptions[testcase.id] == nil, "\(testcase.id) is no longer an exception")
                continue
            }
            if Self.defaultExceptions[testcase.id] != nil { continue }
            // The engine accepts what limbo refuses, so every reason to refuse must be a strict rule.
            guard verdict.isTrusted,
                case .rejected(let failures) = try testcase.evaluate(profile: Self.profile(testcase), strict: true)
            else {
                Issue.record("\(testcase.id): expected \(testcase.expected_result), got \(verdict)")
                continue
            }
            let others = failures.map(\.code).filter { !$0.isStrictOnly && !Self.refusedByStrictness.contains($0) }
            #expect(others.isEmpty, "\(testcase.id): \(failures)")
        }
    }

    /// Codes without "strict" in their name that have a strict variant: the private part of the Public Suffix List.
    private static let refusedByStrictness: Set<TrustFailure.Code> = [.hostMismatch]

    @Test("The chains of real sites are trusted at their date under the default policy, and not after they expire")
    func online() throws {
        let sites = try Self.cases().filter { $0.id.hasPrefix("online::") }
        #expect(sites.count == 14)
        for var site in sites {
            guard case .trusted(let path) = try site.evaluate(profile: .webPKI, strict: false) else {
                Issue.record("\(site.id) is not trusted")
                continue
            }
            site.validation_time = path.validUntil.advanced(by: 1).description
            guard case .rejected(let failures) = try site.evaluate(profile: .webPKI, strict: false) else {
                Issue.record("\(site.id) is trusted after \(path.validUntil)")
                continue
            }
            #expect(failures.contains { $0.code == .certificateExpired }, "\(failures)")
        }
    }
}

/// BetterTLS (https://bettertls.com) in limbo's schema: name constraints in all combinations, and path building.
@Suite(.disabled(if: Corpora.areMissing, "no corpora beside the checkout or at SERVERTRUST_CORPORA"))
struct BetterTLSTests {
    @Test("The engine decides every case as BetterTLS expects")
    func all() throws {
        let cases = try Corpora.cases("bettertls.json.gz")
        #expect(cases.count == 9572)
        for testcase in cases {
            let verdict = try testcase.evaluate(profile: .webPKI, strict: false)
            #expect(
                verdict.isTrusted == testcase.expectsSuccess,
                "\(testcase.id): expected \(testcase.expected_result), got \(verdict)")
        }
    }
}
