// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecurityCompatibility
import ServerTrust
import Testing

@testable import ServerTrustTesting

@Suite("Revocation policy scenarios")
struct RevocationScenarioTests {
    let servers: TestServers
    let good: Data
    let revoked: Data
    /// The response for the intermediate.
    let upper: Data

    init() throws {
        let servers = try TestServers()
        self.servers = servers
        self.good = Data(try servers.intermediate.ocspResponse { $0.add(servers.leaf.certificate) }.der)
        self.revoked = Data(try servers.intermediate.ocspResponse { $0.add(servers.leaf.certificate, .revoked) }.der)
        self.upper = Data(try servers.root.ocspResponse { $0.add(servers.intermediate.certificate) }.der)
    }

    private func outcome(
        _ flags: CFOptionFlags, _ responses: [Data]
    ) throws -> (TrustScenarios.Outcome, isChecked: Bool?) {
        let trust = try servers.trust()
        let status = TrustScenarios.checkRevocation(trust, host: "api.example.com", flags, responses: responses)
        #expect(status == errSecSuccess)
        return (TrustScenarios.evaluate(trust), TrustScenarios.details(of: trust).isRevocationChecked)
    }

    @Test("A revoked certificate is refused under every policy that uses OCSP")
    func refused() throws {
        for flags in [kSecRevocationPreferCRL, kSecRevocationOCSPMethod, kSecRevocationUseAnyAvailableMethod] {
            for extra in [0, kSecRevocationNetworkAccessDisabled, kSecRevocationRequirePositiveResponse] {
                #expect(try outcome(flags | extra, [revoked, upper]).0 == .fatal(errSecCertificateRevoked))
            }
        }
    }

    @Test(
        "Without a policy that uses OCSP, a revoked response refuses the certificate, but a good response confirms nothing"
    )
    func withoutPolicy() throws {
        for (response, expected) in [
            (revoked, TrustScenarios.Outcome.fatal(errSecCertificateRevoked)), (good, .trusted),
        ] {
            let trust = try servers.trust()
            #expect(SecTrustSetOCSPResponse(trust, response as CFData) == errSecSuccess)
            #expect(TrustScenarios.evaluate(trust) == expected)
            #expect(TrustScenarios.details(of: trust).isRevocationChecked != true)
            #expect(try outcome(kSecRevocationCRLMethod, [response]).0 == expected)
        }
    }

    @Test("The policy decides whether a positive response is required")
    func required() throws {
        let strict = kSecRevocationOCSPMethod | kSecRevocationRequirePositiveResponse
        #expect(try outcome(kSecRevocationOCSPMethod, []).0 == .trusted)
        #expect(try outcome(kSecRevocationOCSPMethod, []).isChecked == false)
        #expect(!(try outcome(strict, []).0.isTrusted))
        #expect(!(try outcome(strict, [good]).0.isTrusted))
        let checked = try outcome(strict, [good, upper])
        #expect(checked.0 == .trusted)
        #expect(checked.isChecked == true)
    }

    @Test("Several revocation policies add up, and none relaxes another")
    func several() throws {
        let trust = try servers.trust()
        let strict = try #require(
            SecPolicyCreateRevocation(kSecRevocationOCSPMethod | kSecRevocationRequirePositiveResponse))
        let easy = try #require(SecPolicyCreateRevocation(kSecRevocationOCSPMethod))
        let server = SecPolicyCreateSSL(true, "api.example.com" as CFString)
        for policies in [[server, strict, easy], [easy, server, strict]] {
            #expect(SecTrustSetPolicies(trust, policies as CFArray) == errSecSuccess)
            #expect(!TrustScenarios.evaluate(trust).isTrusted)
        }
    }

    @Test("Without a known flag, no policy is created")
    func unknownFlag() throws {
        #expect(SecPolicyCreateRevocation(0) == nil)
        #expect(SecPolicyCreateRevocation(1 << 7) == nil)
        #expect(SecPolicyCreateRevocation(.max) == nil)
        let trust = try servers.trust()
        #expect(TrustScenarios.checkRevocation(trust, host: "api.example.com", 1 << 9) == errSecParam)
    }
}
