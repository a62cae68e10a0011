// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting
import Testing
import TrustScenes

@Suite("Apple's requirements for certificates")
struct AppleRequirementsTrustEvaluatorTests {
    private static let day: Int64 = 86_400
    private static let march2018: Int64 = 1_519_862_400
    /// 2019-07-01T00:00:00Z
    private static let july2019: Int64 = 1_561_939_200
    private static let september2020: Int64 = 1_598_918_400

    /// A CA that is valid at all dates of these tests.
    private static func root() throws -> TestAuthority {
        try .root(
            .authority("Old Root").with {
                $0.notBefore = Time(secondsSinceEpoch: 0)
                $0.notAfter = Time(secondsSinceEpoch: 4_000_000_000)
            })
    }

    /// A leaf that is valid for this many seconds, including the last one.
    private static func leaf(
        _ root: TestAuthority, from: Int64, seconds: Int64, purposes: [OID]? = [.serverAuth]
    ) throws -> Certificate {
        try root.issue(
            .leaf("api.example.com").with {
                $0.notBefore = Time(secondsSinceEpoch: from)
                $0.notAfter = Time(secondsSinceEpoch: from + seconds - 1)
                $0.extendedKeyUsage = purposes
            }
        ).certificate
    }

    private static let limit825 = 825 * day + 3600

    static let validityRows: [(name: String, from: Int64, seconds: Int64, isPublic: Bool, isRefused: Bool)] = [
        ("825 days and an hour under an app's root", july2019, limit825, false, false),
        ("another second under an app's root", july2019, limit825 + 1, false, true),
        ("ten years under an app's root", july2019 + 1000 * day, 3650 * day, false, true),
        ("ten years in the hour by which Apple's constant is early", july2019 - 3600, 3650 * day, false, true),
        ("ten years from before July 2019", july2019 - 3601, 3650 * day, false, false),
        ("826 days of 2018 under an app's root", march2018, 826 * day, false, false),
        ("825 days and an hour of 2018 under a public root", march2018, limit825, true, false),
        ("826 days of 2018 under a public root", march2018, 826 * day, true, true),
        ("826 days from before March 2018", march2018 - 1, 826 * day, true, false),
        ("825 days of August 2020 under a public root", september2020 - 1, 825 * day, true, false),
        ("398 days of September 2020 under a public root", september2020, 398 * day, true, false),
        ("a second more than 398 days under a public root", september2020, 398 * day + 1, true, true),
        ("399 days of September 2020 under an app's root", september2020, 399 * day, false, false),
    ]

    @Test("The issuance date and the root limit the validity", arguments: validityRows)
    func validity(name: String, from: Int64, seconds: Int64, isPublic: Bool, isRefused: Bool) throws {
        let leaf = try Self.leaf(Self.root(), from: from, seconds: seconds)
        let failures = AppleRequirementsTrustEvaluator.failures(of: leaf, belowPublicRoot: isPublic)
        #expect(failures.map(\.code) == (isRefused ? [.validityTooLong] : []))
        for failure in failures {
            #expect(failure.certificate == 0)
            #expect(failure.found == .number(Int((seconds + Self.day - 1) / Self.day)))
        }
    }

    static let usageRows: [(name: String, purposes: [OID]?, from: Int64, isPublic: Bool, isRefused: Bool)] = [
        ("serverAuth", [.serverAuth], july2019, false, false),
        ("serverAuth beside clientAuth", [.clientAuth, .serverAuth], july2019, false, false),
        ("no purpose since July 2019", nil, july2019, false, true),
        ("any purpose since July 2019", [.anyExtendedKeyUsage], july2019, false, true),
        ("clientAuth since July 2019", [.clientAuth], july2019, false, true),
        ("no purpose before July 2019", nil, july2019 - 3601, false, false),
        ("no purpose before July 2019 under a public root", nil, july2019 - 3601, true, true),
        ("any purpose under a public root", [.anyExtendedKeyUsage], march2018, true, true),
    ]

    @Test("The certificate must name serverAuth", arguments: usageRows)
    func usage(name: String, purposes: [OID]?, from: Int64, isPublic: Bool, isRefused: Bool) throws {
        let leaf = try Self.leaf(Self.root(), from: from, seconds: 90 * Self.day, purposes: purposes)
        let failures = AppleRequirementsTrustEvaluator.failures(of: leaf, belowPublicRoot: isPublic)
        #expect(failures.map(\.code) == (isRefused ? [.extendedKeyUsageNotAllowed] : []))
    }

    private static func trust(_ leaf: Certificate, _ root: TestAuthority) throws -> Trust {
        var trust = Trust(presentedChain: [leaf], host: try Hostname("api.example.com"))
        trust.anchors = .only([root.certificate])
        trust.verifyDate = .at(leaf.notBefore)
        return trust
    }

    @Test("The evaluator refuses a server below an app's own root that the webPKI profile accepts, with Apple's number")
    func ownRoot() throws {
        let root = try Self.root()
        let leaf = try Self.leaf(root, from: Self.july2019, seconds: 3650 * Self.day, purposes: nil)
        let trust = try Self.trust(leaf, root)
        #expect(trust.evaluate().isTrusted)
        let verdict = AppleRequirementsTrustEvaluator().evaluate(trust)
        #expect(verdict.result == .recoverableFailure)
        #expect(Set(verdict.codes) == [.extendedKeyUsageNotAllowed, .validityTooLong])
        #expect(verdict.checked.contains(.attributes))
        let named = try #require(AppleErrorNumbers.namedByApple(among: verdict.failures))
        #expect(named.code.appleErrorNumbers.securityStatus == -67901)
        let short = try Self.leaf(root, from: Self.july2019, seconds: 90 * Self.day)
        #expect(AppleRequirementsTrustEvaluator().evaluate(try Self.trust(short, root)).isTrusted)
    }

    @Test("The evaluator accepts nothing that the default evaluator refuses")
    func conformance() async throws {
        let root = try Self.root()
        let good = try Self.trust(Self.leaf(root, from: Self.july2019, seconds: 90 * Self.day), root)
        let long = try Self.trust(Self.leaf(root, from: Self.july2019, seconds: 3650 * Self.day), root)
        let unnamed = try Self.trust(
            Self.leaf(root, from: Self.july2019, seconds: 90 * Self.day, purposes: nil), root)
        let violations = try await EvaluatorConformance(
            AppleRequirementsTrustEvaluator(), accepting: [good], refusing: [long, unnamed]
        ).run()
        #expect(violations.map(\.description) == [])
    }
}
