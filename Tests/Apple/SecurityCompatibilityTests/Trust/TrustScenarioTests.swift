// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import SecurityCompatibility
import ServerTrust
import ServerTrustTesting
import Testing

/// Uses a deprecated name without the compiler's warning.
private protocol OldResults {
    static var confirm: SecTrustResultType { get }
}

extension SecTrustResultType: OldResults {}

@Suite("HTTPS server trust evaluation scenarios")
struct TrustScenarioTests {
    let servers: TestServers

    init() throws { self.servers = try TestServers() }

    @Test("Reading the result of an object that has never been evaluated evaluates it")
    func resultWithoutEvaluation() throws {
        let selfSigned = try TestAuthority.selfSigned(.leaf("api.example.com"))
        let objects = [
            try servers.trust(), try servers.trust(host: "localhost"), try servers.trust([servers.leafData]),
            try servers.trust([Data(selfSigned.certificate.der)]),
        ]
        let results: [SecTrustResultType] = [
            .unspecified, .recoverableTrustFailure, .recoverableTrustFailure, .recoverableTrustFailure,
        ]
        for (trust, expected) in zip(objects, results) {
            var result = SecTrustResultType.invalid
            #expect(SecTrustGetTrustResult(trust, &result) == errSecSuccess)
            #expect(result == expected)
        }
    }

    @Test("Code that accepts the old result `confirm` thereby accepts only trusted results")
    func oldResult() {
        let old: any OldResults.Type = SecTrustResultType.self
        let trusted: [SecTrustResultType] = [.proceed, .unspecified]
        let refused = (0...7).compactMap(SecTrustResultType.init(rawValue:)).filter { !trusted.contains($0) }
        #expect(refused.count == 5)
        #expect(!refused.map(\.rawValue).contains(old.confirm.rawValue))
    }

    @Test("After exceptions are set, the result comes from an evaluation with the exceptions")
    func resultAfterExceptions() throws {
        let selfSigned = try TestAuthority.selfSigned(.leaf("api.example.com"))
        let trust = try servers.trust([Data(selfSigned.certificate.der)])
        let exceptions = try #require(TrustScenarios.exceptions(for: trust))
        #expect(TrustScenarios.apply(exceptions: exceptions, to: trust))
        var result = SecTrustResultType.invalid
        SecTrustGetTrustResult(trust, &result)
        #expect(result == .proceed)
        #expect(!TrustScenarios.apply(exceptions: nil, to: trust))
        SecTrustGetTrustResult(trust, &result)
        #expect(result == .recoverableTrustFailure)
    }

    @Test("Default evaluation trusts a good server, with the documented results before and after it")
    func defaultEvaluation() throws {
        let trust = try servers.trust()
        var result = SecTrustResultType.otherError
        #expect(SecTrustGetTrustResult(trust, &result) == errSecSuccess)
        #expect(result == .unspecified)
        #expect(TrustScenarios.evaluate(trust) == .trusted)
        #expect(TrustScenarios.details(of: trust).result == SecTrustResultType.unspecified.rawValue)
        #expect(TrustScenarios.details(of: trust).date == TestServers.now)
        #expect(TrustScenarios.failures(of: trust) == [])
        #expect(TrustScenarios.policies(of: trust) == ["1.2.840.113635.100.1.3 api.example.com"])
        let chain = try #require(SecTrustCopyCertificateChain(trust) as? [SecCertificate])
        #expect(
            chain.map { SecCertificateCopyData($0) } == [servers.leafData, servers.intermediateData, servers.rootData])
    }

    @Test("A different name is refused until the policy names it")
    func overrideName() throws {
        let trust = try servers.trust(host: "localhost")
        #expect(TrustScenarios.evaluate(trust) == .recoverable(errSecHostNameMismatch))
        #expect(TrustScenarios.override(trust, name: "api.example.com") == errSecSuccess)
        #expect(TrustScenarios.evaluate(trust) == .trusted)
        #expect(TrustScenarios.override(trust, name: "other.example.com") == errSecSuccess)
        #expect(TrustScenarios.evaluate(trust) == .recoverable(errSecHostNameMismatch))
    }

    @Test("A new object with the same policies can supply a missing intermediate")
    func missingIntermediate() throws {
        let trust = try servers.trust([servers.leafData])
        #expect(TrustScenarios.evaluate(trust) == .recoverable(errSecCreateChainFailed))
        let complete = try #require(TrustScenarios.adding(intermediate: servers.intermediateData, to: trust))
        #expect(TrustScenarios.customAuthority(complete, [servers.rootData], only: true) == errSecSuccess)
        #expect(TrustScenarios.setDate(complete, TestServers.now) == errSecSuccess)
        #expect(TrustScenarios.evaluate(complete) == .trusted)
        #expect(TrustScenarios.policies(of: complete) == TrustScenarios.policies(of: trust))
    }

    @Test("The app can compare a specific certificate byte by byte")
    func specificCertificate() throws {
        let trust = try servers.trust()
        #expect(TrustScenarios.isServer(of: trust, servers.leafData))
        #expect(!TrustScenarios.isServer(of: trust, try TestServers().leafData))
    }

    @Test("A custom authority replaces the system's, and no other authority is trusted")
    func customAuthority() throws {
        let other = try TestServers()
        let trust = try servers.trust(roots: [other.rootData])
        #expect(!TrustScenarios.evaluate(trust).isTrusted)
        #expect(TrustScenarios.customAuthorities(of: trust) == [other.rootData])
        #expect(TrustScenarios.customAuthority(trust, [other.rootData, servers.rootData], only: true) == errSecSuccess)
        #expect(TrustScenarios.evaluate(trust) == .trusted)
        #expect(TrustScenarios.customAuthority(trust, [], only: true) == errSecSuccess)
        #expect(!TrustScenarios.evaluate(trust).isTrusted)
    }

    @Test("An object without its own anchors uses the system's, which don't include a test's root")
    func systemAnchors() throws {
        let trust = try #require(TrustScenarios.trust(servers.chain, host: "api.example.com"))
        #expect(TrustScenarios.setDate(trust, TestServers.now) == errSecSuccess)
        #expect(!TrustScenarios.evaluate(trust).isTrusted)
        #expect(TrustScenarios.customAuthorities(of: trust) == nil)
        #expect(SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess)
        #expect(!TrustScenarios.evaluate(trust).isTrusted)
    }

    @Test(
        "A custom authority can be added to the system's",
        .enabled(if: (try? TrustAnchors.readSystem()) != nil, "this system has no store of anchors"))
    func addedAuthority() throws {
        let trust = try servers.trust()
        #expect(TrustScenarios.customAuthority(trust, [servers.rootData], only: false) == errSecSuccess)
        #expect(TrustScenarios.evaluate(trust) == .trusted)
        #expect(TrustScenarios.customAuthorities(of: trust) == [servers.rootData])
    }

    @Test("Exceptions cover one server and its failures, and an impostor with another certificate is refused")
    func exceptions() throws {
        let selfSigned = try TestAuthority.selfSigned(.leaf("api.example.com"))
        let trust = try servers.trust([Data(selfSigned.certificate.der)])
        #expect(TrustScenarios.evaluate(trust) == .recoverable(errSecNotTrusted))
        let exceptions = try #require(TrustScenarios.exceptions(for: trust))

        let later = try servers.trust([Data(selfSigned.certificate.der)])
        #expect(TrustScenarios.apply(exceptions: exceptions, to: later))
        #expect(TrustScenarios.evaluate(later) == .excepted)
        // Exceptions that are already set don't affect new ones.
        #expect(TrustScenarios.exceptions(for: later) != nil)

        let impostor = try TestAuthority.selfSigned(.leaf("api.example.com"))
        let attacked = try servers.trust([Data(impostor.certificate.der)])
        #expect(!TrustScenarios.apply(exceptions: exceptions, to: attacked))
        #expect(TrustScenarios.evaluate(attacked) == .recoverable(errSecNotTrusted))

        #expect(!TrustScenarios.apply(exceptions: nil, to: later))
        #expect(TrustScenarios.evaluate(later) == .recoverable(errSecNotTrusted))
    }

    @Test("The evaluation date can be set, and a certificate that isn't valid then is refused")
    func verifyDate() throws {
        let trust = try servers.trust()
        #expect(TrustScenarios.date(of: trust) == TestServers.now)
        for days in [-91.0, 91.0] {
            #expect(TrustScenarios.setDate(trust, TestServers.now.addingTimeInterval(days * 86_400)) == errSecSuccess)
            #expect(TrustScenarios.evaluate(trust) == .recoverable(errSecCertificateExpired))
        }
    }

    @Test("Evaluation on another queue has the same result and stores it")
    func later() async throws {
        for (host, expected) in [("api.example.com", nil), ("other.example.com", Int(errSecHostNameMismatch))] {
            let trust = try servers.trust(host: host)
            let found: (Bool, Int?) = await withCheckedContinuation { continuation in
                let status = TrustScenarios.evaluateLater(trust, on: DispatchQueue(label: "test")) {
                    continuation.resume(returning: ($0, $1))
                }
                #expect(status == errSecSuccess)
            }
            #expect(found == (expected == nil, expected))
            var result = SecTrustResultType.invalid
            SecTrustGetTrustResult(trust, &result)
            #expect(result == (expected == nil ? .unspecified : .recoverableTrustFailure))
        }
    }

    @Test("The functions that older code uses have the same results")
    func older() async throws {
        let older: any OlderTrustFunctions = OlderTrustScenarios()
        let trust = try servers.trust()
        #expect(older.evaluate(trust) == .unspecified)
        #expect(older.certificates(of: trust) == servers.chain + [servers.rootData])
        #expect(older.key(of: trust) == SecTrustCopyKey(trust))
        let refused = try servers.trust(host: "other.example.com")
        let result = await withCheckedContinuation { continuation in
            #expect(older.evaluateLater(refused) { continuation.resume(returning: $0) } == errSecSuccess)
        }
        #expect(result == .recoverableTrustFailure)
    }

    @Test("Human-readable messages name each failure")
    func properties() throws {
        let trust = try servers.trust([servers.leafData], host: "other.example.com")
        #expect(!TrustScenarios.evaluate(trust).isTrusted)
        #expect(TrustScenarios.failures(of: trust).count == 2)
    }

    @Test("Path validation by itself needs an anchor but no name")
    func pathAlone() throws {
        #expect(TrustScenarios.isPathValid(servers.chain, root: servers.rootData, at: TestServers.now))
        #expect(!TrustScenarios.isPathValid(servers.chain, root: try TestServers().rootData, at: TestServers.now))
        #expect(!TrustScenarios.isPathValid(servers.chain, root: servers.rootData, at: .distantPast))
    }

    @Test("An app can forbid network access for a trust object")
    func network() throws {
        let trust = try servers.trust()
        var isAllowed: DarwinBoolean = false
        SecTrustGetNetworkFetchAllowed(trust, &isAllowed)
        #expect(isAllowed.boolValue)
        #expect(TrustScenarios.forbidNetwork(trust))
        SecTrustSetPolicies(trust, SecPolicyCreateBasicX509())
        SecTrustSetNetworkFetchAllowed(trust, true)
        SecTrustGetNetworkFetchAllowed(trust, &isAllowed)
        #expect(isAllowed.boolValue)
    }
}
