// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

/// The conditions of rows in the table of advice, and the rule for dates of renewal.
@Suite("Conditions of advice")
struct ConditionAdviceTests {
    private static let now = TestAuthority.now

    private static func texts(_ trust: Trust, suggestedBy end: Time? = nil) -> [String] {
        trust.evaluate().advice(presented: trust.presentedChain, renewalSuggestedBy: end).map(\.text)
    }

    // MARK: - Names

    @Test("Every product that the book names is recognized by each of its names")
    func names() throws {
        var count = 0
        for row in Book(packed: PackedBook.advice).entries where row["codes"].contains("unknownIssuer") {
            for name in row.all("is") + row.all("contains").map({ "My \($0) 2026" }) {
                let scene = try TrustScene(root: .authority(name))
                let trust = scene.trust { $0.anchors = .only([]) }
                let text = Self.texts(trust).first ?? ""
                let expected = (row.all("any").first ?? "").replacing(
                    "{issuer}", with: "CN=\(name.replacing(",", with: "\\,")),O=Test")
                #expect(text == expected, "\(name)")
                count += 1
            }
        }
        #expect(count > 60)
    }

    @Test("A development server's certificate is recognized for other names")
    func localhost() throws {
        let leaf = try TestAuthority.selfSigned(.leaf("localhost")).certificate
        #expect(
            Self.texts(try TrustScene().trust([leaf])).first?.hasPrefix("The server sent a certificate for localhost")
                == true)
        let own = try TrustScene().trust([leaf], host: Hostname("localhost"))
        #expect(Self.texts(own).map { $0.prefix(29) } == ["Give the server a certificate"])
    }

    @Test(
        "A name that is only similar changes nothing",
        arguments: [
            "kubernetes.example.com", "localhost.localdomain", "Entrust Corporation", "cluster.local.example",
            "Cloudflare",
        ])
    func similarNames(_ name: String) throws {
        let trust = try TrustScene(root: .authority(name)).trust { $0.anchors = .only([]) }
        #expect(Self.texts(trust).first?.hasPrefix("CN=\(name),O=Test isn't trusted here.") == true)
    }

    @Test("A name changes only the advice, and never the verdict")
    func verdict() throws {
        for name in ["TRAEFIK DEFAULT CERT", "Zscaler Root CA", "Entrust Root Certification Authority"] {
            let scene = try TrustScene(root: .authority(name))
            #expect(scene.trust().evaluate().isTrusted)
            #expect(Self.texts(scene.trust()).isEmpty)
        }
    }

    // MARK: - Logs

    /// Returns the remedy for a certificate with timestamps of logs.
    private static func remedy(_ timestamps: [TestTimestamp], known: [TestLog]) throws -> String? {
        let scene = try TrustScene(leaf: .leaf(TrustScene.name).with { $0.timestamps = timestamps })
        var settings = TransparencySettings(
            logs: try CTLogList(json: TestLog.list(known), now: now), policy: .mozilla, mode: .require)
        settings.includesPrivateAnchors = true
        let trust = scene.trust { $0.transparency = settings }
        let verdict = trust.evaluate()
        #expect(verdict.failures.map(\.code) == [.transparencyNotMet])
        return verdict.advice(presented: trust.presentedChain).first?.text
    }

    @Test("If the list lacks the logs of the timestamps, the list must be updated, and not the certificate")
    func unlistedLogs() throws {
        let logs = try ["One", "Two", "Three"].map { try TestLog("\($0) log", operatedBy: $0) }
        let old = "Update the list of logs, which is dated"
        let all = try Self.remedy(logs.prefix(2).map { $0.timestamp() }, known: [logs[2]])
        #expect(all?.hasPrefix(old) == true)
        #expect(all?.contains("it lacks the logs of 2 of the certificate's 2 timestamps.") == true)
        let one = try Self.remedy(logs.prefix(2).map { $0.timestamp() }, known: [logs[0]])
        #expect(one?.contains("it lacks the logs of 1 of the certificate's 2 timestamps.") == true)
        // Even with a current list, one timestamp isn't enough.
        let few = try Self.remedy([logs[0].timestamp()], known: [logs[2]])
        #expect(
            few
                == "Have the CA issue another certificate with timestamps from as many logs as the policy requires.")
    }

    // MARK: - Unreadable certificates

    @Test("A complete leaf that breaks a rule must be reissued, and a damaged one installed again")
    func misencoded() throws {
        let scene = try TrustScene()
        var wrong = scene.leaf.der
        // The version 3 becomes version 4.
        let version = try #require(wrong.indices.first { wrong[$0...].starts(with: [0xa0, 3, 2, 1, 2]) })
        wrong[version + 4] = 3
        func text(_ der: [UInt8]) -> String? {
            Self.texts(scene.trust(presented: PresentedChain(der: [der]))).first
        }
        let reissue = try #require(text(wrong))
        #expect(reissue.hasPrefix("Have the certificate reissued without this fault: "))
        #expect(reissue.hasSuffix("The server's copy is complete, so installing it again doesn't help."))
        for damaged in [Array(wrong.dropLast(9)), wrong + [0], [0x30, 0]] {
            #expect(
                text(damaged)
                    == "Reinstall the certificate exactly as the CA delivered it. The one in use can't be read.")
        }
    }

    // MARK: - Pins

    @Test("A pin of a whole certificate that was sent beside the path is recognized")
    func fingerprint() throws {
        let scene = try TrustScene()
        let other = try TestAuthority.root(.authority("Other Root")).certificate
        let trust = scene.trust(scene.chain + [other])
        let pin = try SPKIPin("sha256/\(Base64.encode(other.sha256))")
        let verdict = SPKIPinsTrustEvaluator(try SPKIPinSet(pinsRiskingLockout: [pin])).evaluate(trust)
        #expect(verdict.failures.map(\.code) == [.pinNotMatched])
        let text = verdict.advice(presented: trust.presentedChain).first?.text
        #expect(
            text
                == "The pin \(pin) is the SHA-256 of the whole certificate (CN=Other Root,O=Test). Pin the key instead: \(SPKIPin(other))."
        )
    }

    // MARK: - Renewal

    struct Lifetime: Sendable, CustomTestStringConvertible {
        let hours: Int
        let left: Int
        let advice: String?
        var testDescription: String { "\(left) of \(hours) hours left" }
    }

    @Test(
        "Renewal is advised when less than 14 days and less than a sixth of the lifetime remain",
        arguments: [
            Lifetime(hours: 160, left: 159, advice: nil), Lifetime(hours: 160, left: 54, advice: nil),
            Lifetime(hours: 160, left: 27, advice: nil),
            Lifetime(hours: 160, left: 26, advice: "Renew the certificate: 1 day is left."),
            Lifetime(hours: 24, left: 5, advice: nil),
            Lifetime(hours: 24, left: 3, advice: "Renew the certificate: 3 hours are left."),
            Lifetime(hours: 90 * 24, left: 15 * 24, advice: nil),
            Lifetime(hours: 90 * 24, left: 14 * 24 - 1, advice: "Renew the certificate: 13 days are left."),
            Lifetime(hours: 47 * 24, left: 8 * 24, advice: nil),
            Lifetime(hours: 47 * 24, left: 7 * 24, advice: "Renew the certificate: 7 days are left."),
            Lifetime(hours: 397 * 24, left: 15 * 24, advice: nil),
            Lifetime(hours: 397 * 24, left: 1, advice: "Renew the certificate: 1 hour is left."),
        ])
    func renewal(_ row: Lifetime) throws {
        let end = Self.now.advanced(by: .hours(row.left))
        let template = CertificateTemplate.leaf(TrustScene.name).with {
            $0.notBefore = end.advanced(by: .hours(-row.hours))
            $0.notAfter = end
        }
        let scene = try TrustScene(leaf: template)
        #expect(Self.texts(scene.trust()) == [row.advice].compactMap(\.self))
    }

    @Test("Renewal is advised when the CA's suggested window has passed")
    func suggestion() throws {
        let trust = try TrustScene().trust()
        let past = Self.now.advanced(by: -1)
        #expect(
            Self.texts(trust, suggestedBy: past) == ["Renew the certificate: the CA suggested to do it by \(past)."])
        #expect(Self.texts(trust, suggestedBy: Self.now.advanced(by: 1)).isEmpty)
    }
}
