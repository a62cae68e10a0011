// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing

@Suite("Rejections")
struct RejectionTests {
    // MARK: No path to an anchor

    @Test("The rejection names a missing intermediate")
    func missingIntermediate() throws {
        let chain = try TestChain()
        let found = try failures(chain.leaf(), anchors: [chain.root.certificate])
        #expect(found.map(\.code) == [.unknownIssuer])
        #expect(found.first?.certificate == 0 && found.first?.role == .leaf)
        #expect(found.first?.found == .text("CN=Test Intermediate,O=Test"))
    }

    @Test("The rejection reports an unknown CA at the end of the chain")
    func endsHalfway() throws {
        let root = try TestAuthority.root()
        let a = try root.intermediate(.authority("A"))
        let b = try a.intermediate(.authority("B"))
        let leaf = try b.issue(.leaf("www.example.com")).certificate
        let outcome = try validate(leaf, [b.certificate], anchors: [root.certificate])
        #expect(outcome.codes == [.unknownIssuer])
        #expect(outcome.failures.first?.certificate == 1)
        #expect(outcome.failures.first?.found == .text("CN=A,O=Test"))
        #expect(outcome.rejection?.best.certificates == [leaf, b.certificate])
        #expect(outcome.rejection?.best.reachesAnchor == false)
        #expect(outcome.failures.first?.role == .intermediate)
    }

    @Test("The rejection reports an untrusted root as such")
    func untrustedRoot() throws {
        let chain = try TestChain()
        let outcome = try validate(
            chain.leaf(), [chain.intermediate.certificate, chain.root.certificate],
            anchors: [TestAuthority.root(.authority("Other")).certificate])
        #expect(outcome.codes == [.untrustedRoot])
        #expect(outcome.failures.first?.certificate == 2)
        #expect(outcome.failures.first?.role == .intermediate)
        #expect(outcome.failures.first?.found == .text("CN=Test Root,O=Test"))
    }

    @Test("An untrusted root is reported as such even if the engine can't verify the signature of its own key")
    func unverifiableRoot() throws {
        let name = ASN1.name("Old Root")
        let junk = SigningKey.shared.with(algorithm: ASN1.algorithm("1.2.3.4"))
        let root = try CraftedCertificate.authority(name).certificate(signedBy: junk)
        let leaf = try CraftedCertificate.leaf(issuer: name).certificate()
        let found = try failures(leaf, [root], anchors: [])
        #expect(found.first { $0.code == .untrustedRoot }?.certificate == 1)
        // For a leaf, the signature decides: any CA can issue a leaf that has the CA's name.
        let alone = try CraftedCertificate.leaf(issuer: name).with { $0.subject = name }.certificate(signedBy: junk)
        let own = try codes(alone, anchors: [])
        #expect(own.contains(.unknownIssuer) && !own.contains(.selfSignedLeaf))
    }

    @Test("The rejection also reports other failures of a chain that leads to no anchor")
    func deadEndWithMore() throws {
        let chain = try TestChain()
        let leaf = try chain.leaf(.leaf("www.example.com").with { $0.notAfter = TestAuthority.now.advanced(by: -1) })
        let found = try failures(
            leaf, [chain.intermediate.certificate], anchors: [TestAuthority.root(.authority("Other")).certificate],
            host: "other.example")
        #expect(Set(found.map(\.code)) == [.certificateExpired, .hostMismatch, .unknownIssuer])
        // The intermediate's failure is more specific than the leaf's.
        let expired = try TestChain(
            intermediate: .authority("CA").with { $0.notAfter = TestAuthority.now.advanced(by: -1) })
        let sorted = try failures(
            expired.leaf(), [expired.intermediate.certificate], anchors: [], host: "other.example")
        #expect(sorted.map(\.code) == [.certificateExpired, .hostMismatch, .unknownIssuer])
        #expect(sorted.map(\.certificate) == [1, 0, 1])
    }

    @Test("A reported chain that leads to no anchor is no longer than the budget allows")
    func longDeadEnd() throws {
        let chain = try CraftedChain((0..<8).map { CraftedChain.Link("CA \($0)") })
        for depth in [1, 2, 5, 9, 10] {
            let found = try validate(
                chain.leaf(), chain.intermediates, anchors: [],
                policy: ValidationPolicy(budget: ValidationBudget(depth: depth)))
            #expect(found.rejection?.best.certificates.count == min(depth, 9))
        }
    }

    @Test("Of several issuers without an anchor, the rejection reports the first with the best key identifier")
    func reportedIssuer() throws {
        let name = ASN1.name("CA")
        let leaf = try CraftedCertificate.leaf(issuer: name, [.authorityKeyIdentifier([7])]).unsigned()
        func candidate(_ index: Int, _ identifier: [UInt8]?) throws -> Certificate {
            let extensions: [Extension] = identifier.map { [.subjectKeyIdentifier($0)] } ?? []
            return try CraftedCertificate.authority(name, issuer: ASN1.name("Nowhere"), extensions)
                .with { $0.serialNumber = ASN1.integer(index) }.unsigned()
        }
        let rows: [([[UInt8]?], Int)] = [
            ([nil, nil], 0), ([[1], [2]], 0), ([[1], nil, nil], 1), ([[1], nil, [7], [7]], 2), ([[7], nil, [7]], 0),
        ]
        for (identifiers, expected) in rows {
            let others = try identifiers.enumerated().map { try candidate($0, $1) }
            let found = try validate(leaf, others, anchors: [])
            #expect(found.rejection?.best.certificates == [leaf, others[expected]])
        }
        // The report reads at most 512 candidates, and says if there are more.
        for (place, isRead) in [(511, true), (512, false)] {
            let others = try (0..<600).map { try candidate($0, $0 == place ? [7] : [1]) }
            let found = try validate(leaf, others, anchors: [])
            #expect(found.rejection?.best.certificates == [leaf, others[isRead ? place : 0]])
            #expect(found.codes.contains(.stepBudgetExceeded))
            let few = try validate(leaf, Array(others.prefix(512)), anchors: [])
            #expect(few.codes == [.unknownIssuer])
        }
    }

    @Test("A chain that leads to no anchor and costs too much to check completely is undecided")
    func unfinishedDeadEnd() throws {
        let address = ASN1.ia5("https://cps.example/" + String(repeating: "a", count: 1_500))
        let qualifiers = ASN1.sequence(ASN1.sequence(ASN1.oid("1.3.6.1.5.5.7.2.1"), address))
        let policies = ASN1.sequence((0..<100).map { ASN1.sequence(ASN1.oid("1.2.840.\($0)"), qualifiers) })
        let leaf = try CraftedCertificate.leaf(
            issuer: ASN1.name("Unknown"), [.unknown("2.5.29.32", critical: true, policies)]
        ).certificate()
        let anchor = try CraftedCertificate.authority().certificate()
        let outcome = try validate(leaf, anchors: [anchor], host: "other.example")
        #expect(outcome.codes.contains(.unknownIssuer))
        // The report has its own budget.
        let exhausted = try #require(outcome.failures.first { $0.code == .workBudgetExceeded })
        #expect(exhausted.expected == .number(2_000_000))
    }

    @Test("A leaf that only has its issuer's name isn't reported as self-signed")
    func selfIssuedLeaf() throws {
        // A CA with the leaf's own name issued it, and the CA's certificate is missing.
        let leaf = try TestAuthority.root(.authority("Same")).issue(
            .leaf("www.example.com").with {
                $0.commonName = "Same"
                $0.organization = "Test"
            }
        ).certificate
        #expect(leaf.isSelfIssued)
        #expect(try codes(leaf, anchors: []) == [.unknownIssuer])
    }

    // MARK: Several failures, several paths

    @Test("The rejection reports all failures of a path, most specific first, and the leaf's first among equals")
    func allFailures() throws {
        let past = TestAuthority.now.advanced(by: -1)
        let root = try TestAuthority.root(.authority("Root").with { $0.notAfter = past })
        let intermediate = try root.intermediate(
            .authority("CA").with {
                $0.notAfter = past
                $0.keyUsage = [.cRLSign]
                $0.permittedDNSNames = ["other.example"]
            })
        let leaf = try intermediate.issue(
            .leaf("www.example.com").with {
                $0.notAfter = past
                $0.extendedKeyUsage = [.clientAuth]
                $0.extensions = [.unknown(critical: true)]
            }
        ).certificate
        let found = try failures(leaf, [intermediate.certificate], anchors: [root.certificate], host: "evil.example")
        #expect(
            found.map(\.code) == [
                .criticalExtensionUnhandled, .keyUsageLacksCertSign, .extendedKeyUsageNotAllowed, .nameNotPermitted,
                .certificateExpired, .certificateExpired, .certificateExpired, .hostMismatch,
            ])
        #expect(found.map(\.certificate) == [0, 1, 0, 0, 0, 1, 2, 0])
        #expect(found.map(\.code.rank) == found.map(\.code.rank).sorted(by: >))
    }

    @Test("The rejection keeps all rejected paths, the one with the fewest failures first")
    func severalPaths() throws {
        let root = try TestAuthority.root()
        let key = TestKey.p256()
        let past = TestAuthority.now.advanced(by: -1)
        let better = try root.intermediate(.authority("CA").with { $0.notAfter = past }, key: key)
        let worse = try root.intermediate(
            .authority("CA").with {
                $0.notAfter = past
                $0.keyUsage = [.cRLSign]
            }, key: key)
        let fatal = try root.intermediate(.authority("CA"))
        let leaf = try better.issue(.leaf("www.example.com")).certificate
        for others in [[better, worse, fatal], [fatal, worse, better], [worse, fatal, better]] {
            let rejection = try #require(
                try validate(leaf, others.map(\.certificate), anchors: [root.certificate]).rejection)
            #expect(rejection.paths.count == 3)
            #expect(
                rejection.paths.map { $0.failures.map(\.code) } == [
                    [.certificateExpired], [.keyUsageLacksCertSign, .certificateExpired], [.signatureInvalid],
                ])
            #expect(rejection.best.certificates == [leaf, better.certificate, root.certificate])
            #expect(rejection.paths.allSatisfy { $0.reachesAnchor })
            #expect(rejection.headline == rejection.failures.first)
        }
    }

    @Test("The best rejected path is found among all of them, not only among the first")
    func bestOfMany() throws {
        // Seventy CAs with one name whose keys didn't sign the leaf, and an expired one whose key did, which is the one
        // to report.
        let root = try CraftedCertificate.authority().certificate()
        let decoys = try (0..<70).map { index in
            try CraftedCertificate.authority(ASN1.name("CA"), issuer: ASN1.name("Handmade Root"), key: .p256())
                .with { $0.serialNumber = ASN1.integer(index) }.certificate()
        }
        let key = SigningKey.p256()
        let expired = try CraftedCertificate.authority(ASN1.name("CA"), issuer: ASN1.name("Handmade Root"), key: key)
            .with { $0.notAfter = ASN1.time(TestAuthority.now.advanced(by: -1)) }.certificate()
        let leaf = try CraftedCertificate.leaf(issuer: ASN1.name("CA")).certificate(signedBy: key)
        let outcome = try validate(leaf, decoys + [expired], anchors: [root])
        #expect(outcome.codes == [.certificateExpired])
        #expect(outcome.rejection?.best.certificates.dropFirst().first == expired)
        #expect(outcome.rejection?.paths.count == 64)
    }

    @Test("A rejected leaf that is its own anchor is reported as a path of one certificate")
    func leafAnchor() throws {
        let leaf = try TestAuthority.selfSigned(.leaf("www.example.com")).certificate
        let rejection = try #require(try validate(leaf, anchors: [leaf], host: "other.example").rejection)
        #expect(rejection.best.certificates.first == leaf)
        #expect(rejection.failures.map(\.code) == [.hostMismatch])
    }

    @Test("You can throw a rejection, and its description is its headline")
    func throwing() throws {
        let outcome = try validate(TestAuthority.selfSigned(.leaf("a.example")).certificate, anchors: [])
        do throws(PathRejection) {
            _ = try outcome.get()
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.headline == outcome.rejection?.headline)
        }
        #expect(outcome.rejection?.description == outcome.rejection?.headline.message)
        #expect(outcome.path == nil)
        let chain = try TestChain()
        let good = try validate(chain.leaf(), [chain.intermediate.certificate], anchors: [chain.root.certificate])
        let path = try good.get()
        #expect(path == good.path)
        #expect(good.rejection == nil)
    }

    // MARK: Messages

    @Test("A message names the certificate, the expected value and the found value, with times in RFC 3339")
    func messages() throws {
        let chain = try TestChain()
        let past = TestAuthority.now.advanced(by: -60)
        let leaf = try chain.leaf(.leaf("www.example.com").with { $0.notAfter = past })
        let found = try chain.failures(of: leaf, host: "api.example.com")
        #expect(found.map(\.code) == [.certificateExpired, .hostMismatch])
        #expect(found[0].message.contains("certificate 0 (leaf)"))
        #expect(found[0].message.contains("expired 2026-11-18T11:05:40Z"))
        #expect(found[0].message.contains("2026-11-18T11:06:40Z"))
        #expect(found[1].message.contains("www.example.com") && found[1].message.contains("api.example.com"))
        #expect(found.allSatisfy { !$0.message.contains("{") && !$0.message.contains("?") })
    }
}

@Suite("Failure codes")
struct FailureCodeTests {
    @Test("Every code has its own name and a rank")
    func codes() {
        let codes = TrustFailure.Code.engine
        #expect(Set(codes.map(\.name)).count == codes.count)
        #expect(Set(codes).count == codes.count)
        #expect(codes.map(\.rank) == codes.map(\.rank).sorted(by: >))
        #expect(codes.allSatisfy { (1...90).contains($0.rank) || $0 == .certificateDenied })
        #expect(codes.filter { $0.name.hasSuffix("BudgetExceeded") }.allSatisfy { $0.severity == .undecided })
        #expect(codes.filter { $0.isStrictOnly }.count == codes.filter { $0.name.hasPrefix("strict") }.count)
    }

    @Test("A code's message has no gap, with or without values")
    func gaps() {
        for code in TrustFailure.Code.engine {
            let full = TrustFailure(
                code, certificate: 1, role: .intermediate, expected: .text("EXPECTED"), found: .text("FOUND"))
            #expect(!full.message.contains("{") && !full.message.contains("}"))
            #expect(full.message.contains("certificate 1 (intermediate)"))
            #expect(!full.message.contains("\n"))
            #expect(full.description == full.message)
            #expect(!TrustFailure(code).message.isEmpty)
        }
    }

    @Test("Of two failures, the more specific one comes first, even if it concerns a later certificate")
    func order() {
        let alike: [[TrustFailure.Code]] = [
            [.selfSignedLeaf, .anchorNotInProgram], [.transparencyNotMet, .transparencyLogListMissing],
            [.workBudgetExceeded, .byteBudgetExceeded],
        ]
        for (first, second) in zip(TrustFailure.Code.engine, TrustFailure.Code.engine.dropFirst())
        where !alike.contains([first, second]) {
            let failures = [TrustFailure(second, certificate: 0), TrustFailure(first, certificate: 2)]
            #expect(failures.sorted(by: TrustFailure.comesFirst).map(\.code) == [first, second])
        }
    }

    @Test("Codes with equal names are equal, and other modules can add codes")
    func equality() {
        let own = TrustFailure.Code(
            "hostMismatch", rank: 1, severity: .fatal, message: "m")
        #expect(own == .hostMismatch)
        #expect(own.hashValue == TrustFailure.Code.hostMismatch.hashValue)
        #expect(own != .certificateExpired)
    }

    @Test("A message with an unclosed brace or an unknown name doesn't cause a trap")
    func braces() async {
        await #expect(processExitsWith: .success) {
            for message in ["{", "}", "a {", "{}", "{expected", "{subject} {", "}{", "{{expected}}", "{unknown}"] {
                let code = TrustFailure.Code(
                    "own", rank: 1, severity: .recoverable, message: message)
                _ = TrustFailure(code, expected: .number(1)).message
            }
        }
    }

    @Test("A message shows the first six members of a long list and the count of the rest")
    func lists() {
        #expect(TrustFailure.Value.list([]).description == "nothing")
        #expect(TrustFailure.Value.list(["a", "b"]).description == "a, b")
        let many = TrustFailure.Value.list((1...9).map(String.init)).description
        #expect(many.contains("6") && !many.contains("7") && many.contains("3"))
        #expect(TrustFailure.Value.time(Time(secondsSinceEpoch: 0)).description == "1970-01-01T00:00:00Z")
        #expect(TrustFailure.Value.number(-5).description == "-5")
    }
}
