// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import PKIX
import ServerTrust
import Testing

@testable import SecurityCompatibility
@testable import ServerTrustTesting

/// Wrong uses of the functions that must not accept a server.
@Suite("Misuse of trust objects")
struct MisuseTests {
    let servers: TestServers

    init() throws { self.servers = try TestServers() }

    @Test("Unreadable policies make an object trust nothing, even if the caller ignores the status")
    func unreadablePolicies() throws {
        let values: [any Sendable] = ["policy", [String](), [1], 7, ["a": 1], Data([1])]
        for value in values {
            let trust = try servers.trust()
            #expect(TrustScenarios.evaluate(trust) == .trusted)
            #expect(SecTrustSetPolicies(trust, value) == errSecParam)
            #expect(!TrustScenarios.evaluate(trust).isTrusted)
        }
        let trust = try servers.trust()
        let mixed: [Any] = [SecPolicyCreateBasicX509(), "policy"]
        #expect(SecTrustSetPolicies(trust, mixed) == errSecParam)
        #expect(!TrustScenarios.evaluate(trust).isTrusted)
        #expect(TrustScenarios.override(trust, name: "api.example.com") == errSecSuccess)
        #expect(TrustScenarios.evaluate(trust) == .trusted)
    }

    @Test(
        "A name that is neither a host name nor an address matches no certificate",
        arguments: [
            "", " ", "api..example.com", "*", "*.example.com", "api.example.com\u{0}", "http://api.example.com",
            "\u{202e}",
        ])
    func unreadableName(name: String) throws {
        let trust = try servers.trust(host: name)
        #expect(TrustScenarios.evaluate(trust).code == Int(errSecHostNameMismatch))
        #expect(TrustScenarios.exceptions(for: trust) == nil)
        // The package's own trust object can't lose the policy's name, because it never has it.
        let host = try Hostname("other.example.com")
        #expect(!DefaultTrustEvaluator().evaluate(trust, host: host).isTrusted)
    }

    @Test("All policies must be met, whether they contain two names or a name and another purpose")
    func severalPolicies() throws {
        let trust = try servers.trust()
        let right = SecPolicyCreateSSL(true, "api.example.com" as CFString)
        let wrong = SecPolicyCreateSSL(true, "other.example.com" as CFString)
        let client = SecPolicyCreateSSL(false, nil)
        let rows: [([SecPolicy], Bool)] = [
            ([right], true), ([right, right], true), ([right, wrong], false), ([wrong, right], false),
            ([right, SecPolicyCreateBasicX509()], true), ([SecPolicyCreateBasicX509(), wrong], false),
            ([right, client], false), ([client], false), ([SecPolicyCreateSSL(true, nil)], true),
        ]
        for (policies, isTrusted) in rows {
            #expect(SecTrustSetPolicies(trust, policies as CFArray) == errSecSuccess)
            #expect(TrustScenarios.evaluate(trust).isTrusted == isTrusted)
        }
    }

    @Test("A policy without a name or purpose doesn't weaken the evaluation by this package's evaluator")
    func policiesAndEvaluators() throws {
        let codeSigning = try #require(OID("1.3.6.1.5.5.7.3.3"))
        let signer = try servers.intermediate.issue(
            CertificateTemplate.leaf("api.example.com").with { $0.extendedKeyUsage = [codeSigning] })
        let trust = try servers.trust([Data(signer.certificate.der), servers.intermediateData])
        #expect(SecTrustSetPolicies(trust, SecPolicyCreateBasicX509()) == errSecSuccess)
        #expect(TrustScenarios.evaluate(trust) == .trusted)
        let host = try Hostname("api.example.com")
        let verdict = DefaultTrustEvaluator().evaluate(trust, host: host)
        #expect(verdict.headline?.code == .extendedKeyUsageNotAllowed)
        #expect(throws: TrustRefusal.self) { try DefaultTrustEvaluator().requireTrust(trust, host: host) }
    }

    @Test("Unreadable anchors make an object trust nothing, even if the caller ignores the status")
    func unreadableAnchors() throws {
        let root = try #require(SecCertificateCreateWithData(nil, servers.rootData as CFData))
        for anchors in [["anchor"], [root, "anchor"], [servers.rootData]] as [[Any]] {
            let trust = try servers.trust()
            #expect(SecTrustSetAnchorCertificates(trust, anchors as CFArray) == errSecParam)
            #expect(!TrustScenarios.evaluate(trust).isTrusted)
        }
    }

    @Test("Setting anchors adds to the challenge's own anchors and doesn't restore the system's")
    func anchorsOfChallenge() throws {
        let other = try TestServers()
        var settings = TrustSettings()
        settings.anchors = .only([other.root.certificate])
        settings.verifyDate = .at(TestAuthority.now)
        let client = Trust(
            presentedChain: PresentedChain(servers.intermediate.chain(servers.leaf)),
            host: try Hostname("api.example.com"), settings: settings)
        let trust = SecTrust(challenge: client) { client.evaluate() }
        #expect(!TrustScenarios.evaluate(trust).isTrusted)
        #expect(SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess)
        #expect(SecTrustSetAnchorCertificatesOnly(trust, false) == errSecSuccess)
        #expect(try trust.trust.anchors.store().count == 1)
        #expect(!TrustScenarios.evaluate(trust).isTrusted)
        #expect(TrustScenarios.customAuthority(trust, [servers.rootData], only: false) == errSecSuccess)
        #expect(TrustScenarios.evaluate(trust) == .trusted)
        #expect(SecTrustSetAnchorCertificates(trust, nil) == errSecSuccess)
        #expect(!TrustScenarios.evaluate(trust).isTrusted)
    }

    @Test("A revocation policy adds to the check that the challenge's client requires")
    func revocationOfChallenge() throws {
        let list = try servers.intermediate.crl { $0.revoke(servers.leaf.certificate) }
        var settings = TrustSettings()
        settings.anchors = .only([servers.root.certificate])
        settings.verifyDate = .at(TestAuthority.now)
        settings.revocation = .bestEffort
        settings.revocationData.crls = [list.der]
        let client = Trust(
            presentedChain: PresentedChain(servers.intermediate.chain(servers.leaf)),
            host: try Hostname("api.example.com"), settings: settings)
        let trust = SecTrust(challenge: client) { client.evaluate() }
        #expect(TrustScenarios.evaluate(trust) == .fatal(errSecCertificateRevoked))
        let name = SecPolicyCreateSSL(true, "api.example.com" as CFString)
        let flags = [kSecRevocationOCSPMethod, kSecRevocationOCSPMethod | kSecRevocationRequirePositiveResponse]
        for flags in flags {
            let revocation = try #require(SecPolicyCreateRevocation(flags))
            #expect(SecTrustSetPolicies(trust, [name, revocation] as CFArray) == errSecSuccess)
            #expect(TrustScenarios.evaluate(trust) == .fatal(errSecCertificateRevoked))
        }
    }

    @Test("OCSP responses are added to those that the challenge's client already has")
    func responsesOfChallenge() throws {
        func response(_ status: TestOCSPResponse.CertificateStatus) throws -> [UInt8] {
            try servers.intermediate.ocspResponse { $0.add(servers.leaf.certificate, status) }.der
        }
        var settings = TrustSettings()
        settings.anchors = .only([servers.root.certificate])
        settings.verifyDate = .at(TestAuthority.now)
        settings.revocation = .bestEffort
        settings.revocationData.ocspResponses = [try response(.revoked)]
        let client = Trust(
            presentedChain: PresentedChain(servers.intermediate.chain(servers.leaf)),
            host: try Hostname("api.example.com"), settings: settings)
        let trust = SecTrust(challenge: client) { client.evaluate() }
        #expect(TrustScenarios.evaluate(trust) == .fatal(errSecCertificateRevoked))
        let good = Data(try response(.good))
        for value in [nil, good, [Data]()] as [(any Sendable)?] {
            #expect(SecTrustSetOCSPResponse(trust, value) == errSecSuccess)
            #expect(TrustScenarios.evaluate(trust) == .fatal(errSecCertificateRevoked))
        }
    }

    @Test("Creating a trust object fails for arguments that aren't certificates or policies")
    func creation() throws {
        let leaf = try #require(SecCertificateCreateWithData(nil, servers.leafData as CFData))
        let policy = SecPolicyCreateBasicX509()
        let certificates: [Any] = ["leaf", [String](), [leaf, "leaf"] as [Any], servers.leafData]
        for value in certificates {
            var trust: SecTrust? = try servers.trust()
            #expect(SecTrustCreateWithCertificates(value, policy, &trust) == errSecParam)
            #expect(trust == nil)
        }
        for value in ["policy", [String](), [policy, 1] as [Any]] as [Any] {
            var trust: SecTrust?
            #expect(SecTrustCreateWithCertificates([leaf] as CFArray, value, &trust) == errSecParam)
            #expect(trust == nil)
        }
        var trust: SecTrust?
        #expect(SecTrustCreateWithCertificates(leaf, nil, &trust) == errSecSuccess)
        #expect(TrustScenarios.policies(of: try #require(trust)) == ["1.2.840.113635.100.1.2"])
        trust = nil
        let objects = [leaf] as AnyObject
        #expect(SecTrustCreateWithCertificates(objects, policy, &trust) == errSecSuccess)
        #expect(trust != nil)
    }

    @Test("Exceptions apply only to their host, and hostile data contains none")
    func hostileExceptions() throws {
        let selfSigned = try TestAuthority.selfSigned(.leaf("api.example.com", "other.example.com"))
        let chain = [Data(selfSigned.certificate.der)]
        let trust = try servers.trust(chain)
        let exceptions = try #require(TrustScenarios.exceptions(for: trust))
        let other = try servers.trust(chain, host: "other.example.com")
        #expect(!TrustScenarios.apply(exceptions: exceptions, to: other))
        #expect(!TrustScenarios.evaluate(other).isTrusted)
        // The exceptions were set for another host, so they don't apply.
        #expect(TrustScenarios.apply(exceptions: exceptions, to: trust))
        #expect(TrustScenarios.override(trust, name: "other.example.com") == errSecSuccess)
        #expect(!TrustScenarios.evaluate(trust).isTrusted)
        #expect(SecTrustSetPolicies(trust, SecPolicyCreateBasicX509()) == errSecSuccess)
        #expect(!TrustScenarios.evaluate(trust).isTrusted)

        var hostile: [Data] = [
            Data(), Data("{}".utf8), Data("null".utf8), Data("[]".utf8), Data([0xff, 0xfe]),
            Data(String(repeating: "[", count: 100_000).utf8), exceptions.dropLast(), exceptions + exceptions,
        ]
        for index in stride(from: 0, to: exceptions.count, by: 7) {
            var changed = exceptions
            changed[changed.startIndex + index] ^= 0x15
            hostile.append(changed)
        }
        let impostor = try TestAuthority.selfSigned(.leaf("api.example.com"))
        for data in hostile {
            let attacked = try servers.trust([Data(impostor.certificate.der)])
            #expect(!TrustScenarios.apply(exceptions: data, to: attacked))
            #expect(!TrustScenarios.evaluate(attacked).isTrusted)
        }
    }

    @Test("Exceptions for one failure don't cover a second failure")
    func secondFailure() throws {
        let selfSigned = try TestAuthority.selfSigned(.leaf("api.example.com"))
        let trust = try servers.trust([Data(selfSigned.certificate.der)])
        let exceptions = try #require(TrustScenarios.exceptions(for: trust))
        #expect(TrustScenarios.apply(exceptions: exceptions, to: trust))
        #expect(TrustScenarios.evaluate(trust) == .excepted)
        #expect(TrustScenarios.setDate(trust, TestServers.now.addingTimeInterval(400 * 86_400)) == errSecSuccess)
        #expect(!TrustScenarios.evaluate(trust).isTrusted)
    }

    @Test("Each change discards an evaluation's result, and the next result includes the change")
    func changes() throws {
        let revoked = Data(try servers.intermediate.ocspResponse { $0.add(servers.leaf.certificate, .revoked) }.der)
        let other = SecPolicyCreateSSL(true, "other.example.com" as CFString)
        let later = TestServers.now.addingTimeInterval(400 * 86_400)
        let changes: [(String, SecTrustResultType, (SecTrust) -> Void)] = [
            ("policies", .recoverableTrustFailure, { SecTrustSetPolicies($0, other) }),
            ("anchors", .recoverableTrustFailure, { SecTrustSetAnchorCertificates($0, [] as CFArray) }),
            ("date", .recoverableTrustFailure, { SecTrustSetVerifyDate($0, later as CFDate) }),
            ("response", .fatalTrustFailure, { SecTrustSetOCSPResponse($0, revoked as CFData) }),
            ("only", .unspecified, { SecTrustSetAnchorCertificatesOnly($0, true) }),
            ("network", .unspecified, { SecTrustSetNetworkFetchAllowed($0, true) }),
            ("exceptions", .unspecified, { SecTrustSetExceptions($0, nil) }),
        ]
        for (name, expected, change) in changes {
            let trust = try servers.trust()
            #expect(TrustScenarios.evaluate(trust) == .trusted, "\(name)")
            change(trust)
            var result = SecTrustResultType.invalid
            SecTrustGetTrustResult(trust, &result)
            #expect(result == expected, "\(name)")
        }
    }

    @Test("An evaluation that began before a change doesn't set the changed object's result")
    func races() async throws {
        let trust = try servers.trust()
        let root = try #require(SecCertificateCreateWithData(nil, servers.rootData as CFData))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<200 { _ = SecTrustEvaluateWithError(trust, nil) } }
            }
            group.addTask {
                for round in 0..<200 {
                    let anchors = round.isMultiple(of: 2) ? [] : [root]
                    SecTrustSetAnchorCertificates(trust, anchors as CFArray)
                }
                SecTrustSetAnchorCertificates(trust, [] as CFArray)
                // A result that is set after this point comes from an evaluation without anchors.
            }
        }
        var result = SecTrustResultType.unspecified
        SecTrustGetTrustResult(trust, &result)
        #expect(result != .unspecified && result != .proceed)
        #expect(TrustScenarios.details(of: trust).result == SecTrustResultType.recoverableTrustFailure.rawValue)
    }

    @Test(
        "Invalid dates cause a refusal, not a crash",
        arguments: [
            Double.nan, .infinity, -.infinity, 1e300, -1e300, 9.3e18, -9.3e18, 9_223_372_036_854_774_784,
            -9_223_372_036_854_775_808, 0,
        ])
    func dates(seconds: Double) throws {
        let trust = try servers.trust()
        #expect(TrustScenarios.setDate(trust, Date(timeIntervalSince1970: seconds)) == errSecSuccess)
        #expect(!TrustScenarios.evaluate(trust).isTrusted)
        _ = TrustScenarios.date(of: trust)
        _ = TrustScenarios.details(of: trust)
        _ = TrustScenarios.exceptions(for: trust)
    }

    @Test("Malformed OCSP responses don't count, and the server is refused if a response is required")
    func responses() throws {
        let trust = try servers.trust()
        let flags = kSecRevocationOCSPMethod | kSecRevocationRequirePositiveResponse
        #expect(TrustScenarios.checkRevocation(trust, host: "api.example.com", flags) == errSecSuccess)
        for value in ["response", [1], 7] as [Any] {
            #expect(SecTrustSetOCSPResponse(trust, value) == errSecParam)
            #expect(!TrustScenarios.evaluate(trust).isTrusted)
        }
        for value in [Data(), Data([0x30, 0x80]), Data(repeating: 0x30, count: 10_000)] {
            #expect(SecTrustSetOCSPResponse(trust, value as CFData) == errSecSuccess)
            #expect(!TrustScenarios.evaluate(trust).isTrusted)
        }
        #expect(SecTrustSetOCSPResponse(trust, [] as CFArray) == errSecSuccess)
    }
}
