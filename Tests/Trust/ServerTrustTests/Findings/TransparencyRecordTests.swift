// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrustTesting
import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust

@Suite("Transparency and anchors in verdict records")
struct TransparencyRecordTests {
    private func encode(_ verdict: TrustVerdict) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        return try encoder.encode(verdict)
    }

    private static func limited(_ date: Time) -> AnchorConditions {
        var constraints = AnchorConstraints()
        constraints.dates = [IssuanceLimit(.notAfter, date, clock: .timestamps)]
        return AnchorConditions(source: "Example, 2026-11-01", alternatives: [constraints])
    }

    @Test("A verdict is the same after encoding and decoding", arguments: [0, 2])
    func roundTrip(count: Int) throws {
        let scene = try TransparencyScene(timestamps: count)
        let conditions = count == 0 ? [] : [Self.limited(TestAuthority.now)]
        for settings in [nil, scene.settings(), scene.settings(.require)] {
            let verdict = scene.trust(settings) { $0.anchors = scene.anchors(conditions) }.evaluate()
            let data = try encode(verdict)
            let read = try JSONDecoder().decode(TrustVerdict.self, from: data)
            #expect(read == verdict && read.description == verdict.description)
            let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            #expect((object["transparency"] != nil) == (settings != nil))
            #expect((object["anchor"] != nil) == verdict.isTrusted)
        }
    }

    @Test("A limit at the end of time encodes as the last date that RFC 3339 allows")
    func farDate() throws {
        let scene = try TransparencyScene()
        let verdict = scene.trust(scene.settings()) {
            $0.anchors = scene.anchors([Self.limited(Time(secondsSinceEpoch: .max))])
        }.evaluate()
        #expect(verdict.anchor?.limits.first?.date == .latest)
        #expect(try JSONDecoder().decode(TrustVerdict.self, from: encode(verdict)) == verdict)
    }

    @Test(
        "96 timestamps with long names take less than 64 KB in addition to the certificates, and omissions are counted")
    func size() throws {
        let scene = try TransparencyScene()
        var verdict = scene.trust(scene.settings()).evaluate()
        let name = String(repeating: "\"", count: 100)
        let timestamps = (0..<96).map { index in
            TransparencyFinding.Timestamp(
                origin: "handshake", logID: Base64.encode([UInt8](repeating: UInt8(index), count: 32)), log: name,
                operatorName: name, state: "qualified", milliseconds: .max, signature: .unknownLog, reason: .unknownLog)
        }
        verdict.transparency = TransparencyFinding(
            status: .notEnough, policy: name, listDate: TestAuthority.now, listVersion: name, count: 0, required: 2,
            timestamps: timestamps)
        let data = try encode(verdict)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let certificates = try #require(object["certificates"] as? [String: String])
        let size = data.count - certificates.values.reduce(0) { $0 + $1.utf8.count + $1.utf8.count { $0 == 0x2f } }
        #expect(size < 64 << 10)
        let finding = try #require(object["transparency"] as? [String: Any])
        let kept = try #require(finding["timestamps"] as? [Any]).count
        #expect(kept >= 24 && kept + (object["timestampsOmitted"] as? Int ?? 0) == 96)
        #expect(try JSONDecoder().decode(TrustVerdict.self, from: data).transparency?.timestamps.count == kept)
    }

    @Test(
        "A leaf with too long a validity under a public anchor causes a warning, and a failure under the strict rules"
    )
    func validity() throws {
        let scene = try TransparencyScene { $0.notAfter = TestAuthority.notBefore.advanced(by: 200 * 86_400) }
        #expect(scene.trust().evaluate().warnings.count == 1)
        let own = scene.trust { $0.anchors = scene.anchors(isPublic: false) }
        #expect(own.evaluate().warnings == [])
        let strict = scene.trust { $0.policy.isStrict = true }.evaluate()
        #expect(strict.codes.contains(.strictValidityPeriod))
    }

    @Test("A configuration with an old list or without a list causes a warning")
    func configurations() throws {
        let old = try TransparencyScene(listedAt: TestAuthority.now.advanced(by: -70 * 86_400))
        let current = try TransparencyScene()
        func codes(_ settings: TransparencySettings?, _ evaluator: any TrustEvaluator) throws -> [String] {
            var configuration = ServerTrustConfiguration(
                try ServerTrustManager(evaluators: [TrustScene.name: evaluator]))
            configuration.verifyDate = .at(TestAuthority.now)
            configuration.transparency = settings
            return configuration.warnings.map(\.code)
        }
        let rule = TransparencyTrustEvaluator(logs: old.list, policy: .mozilla)
        let composite = try CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(), rule])
        #expect(try codes(nil, DefaultTrustEvaluator()) == [])
        #expect(try codes(current.settings(), DefaultTrustEvaluator()) == [])
        #expect(try codes(old.settings(), DefaultTrustEvaluator()) == ["transparencyListOutOfDate"])
        #expect(try codes(nil, composite) == ["transparencyListOutOfDate"])
        for mode in TransparencySettings.Mode.allCases {
            let missing = TransparencySettings(logs: nil, policy: .mozilla, mode: mode)
            #expect(try codes(missing, rule) == ["transparencyWithoutList", "transparencyListOutOfDate"])
        }
    }
}
