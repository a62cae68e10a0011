// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustTesting
import Testing

/// Changes that `audit --replay` rehearses with records from before, and that `check` then measures.
@Suite("Rehearsals compared with real changes", .timeLimit(.minutes(10)))
struct RehearsalLiveTests {
    /// The JSON of `check`.
    private struct Answer: Decodable {
        struct Step: Decodable { let verdict: Verdict? }
        struct Verdict: Decodable {
            struct Failure: Decodable { let code: String }
            let failures: [Failure]
        }
        let steps: [Step]
    }

    @Test("Each change has the rehearsed verdict and codes when it is made")
    func changes() async throws {
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        let scene = try RehearsalScene(folder)
        let before = try await LabServer.start(scene.server)
        let changes = try scene.changes()
        #expect(changes.count >= 40)
        for change in changes {
            let rehearsed = try rehearse(change, scene, before)
            let after: LabServer? =
                if let scenario = change.after { try await LabServer.start(scenario) } else { nil }
            let real = try check(after ?? before, change.real, roots: scene.roots(change).after).codes
            await after?.stop()
            #expect(rehearsed == real, "\(change.name)")
            #expect(real.first == change.code, "\(change.name) \(real)")
        }
        await before.stop()
    }

    /// Records a connection before the change, and returns the codes of its replay with the change.
    private func rehearse(
        _ change: RehearsedChange, _ scene: RehearsalScene, _ server: LabServer
    ) throws -> [String] {
        let records = scene.folder.url.appendingPathComponent(UUID().uuidString).path
        let recorded = try check(server, change.before + ["--record", records], roots: scene.roots(change).before)
        #expect(recorded.codes.isEmpty != change.isRefusedBefore, "\(change.name) \(recorded)")
        // Another machine replays the record, without the roots.
        let outcome = try Tool.run(["audit", "--replay", records, "--format", "json"] + change.rehearsal)
        let report = try #require(
            try? outcome.json([ReplayJSON].self).first, "\(change.name) \(outcome.errors)\(outcome.text)")
        let isTrusted = change.code == nil
        let expected =
            isTrusted == change.isRefusedBefore ? (isTrusted ? "newlyTrusted" : "newlyRefused") : "stillTrusted"
        #expect(report.records[expected] == 1, "\(change.name) \(report.records)")
        #expect((report.forecasts > 0) == change.rehearsal.contains("--renew"))
        return report.examples.first?.replayed?.codes ?? []
    }

    private func check(
        _ server: LabServer, _ options: [String], roots: URL
    ) throws -> (codes: [String], errors: String) {
        let outcome = try Tool.run(
            ["check", server.url, "--connect", server.address.rawValue, "--format", "json"] + options, anchors: roots)
        let verdict = try #require(
            try? outcome.json([Answer].self).first?.steps.first?.verdict, "\(options) \(outcome.errors)")
        return (verdict.failures.map(\.code), outcome.errors)
    }

    @Test("A forecast needs a next CA with a path to a recorded or given anchor, and a CA that a record has")
    func renewal() async throws {
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        let scene = try RehearsalScene(folder)
        let server = try await LabServer.start(scene.server)
        let records = folder.url.appendingPathComponent("records").path
        let root = try folder.write("trusted.pem", pem(scene.root.certificate))
        _ = try check(server, ["--record", records], roots: root)
        await server.stop()
        let elsewhere = try scene.other.intermediate(.authority("Rehearsal CA 9").valid(around: scene.now))
        let pool = try folder.write("elsewhere.pem", pem(elsewhere.certificate)).path
        func replay(_ options: [String]) throws -> Tool.Outcome {
            try Tool.run(["audit", "--replay", records, "--format", "json"] + options)
        }
        func report(_ options: [String]) throws -> ReplayJSON {
            let outcome = try replay(options)
            return try #require(try outcome.json([ReplayJSON].self).first, "\(outcome.errors)")
        }
        let renew = ["--renew", "Rehearsal CA 1", "--ccadb", pool]
        let unknown = try report(renew)
        #expect(unknown.records["notReproducible"] == 1)
        #expect(unknown.examples.first?.message?.contains("no recorded or given anchor is above") == true)
        let both = try folder.write("both.pem", pem(scene.root.certificate, scene.other.certificate)).path
        #expect(try report(renew + ["--anchors", both]).records["stillTrusted"] == 1)
        // A file with only the CA itself, or with only a leaf, has no next CA.
        for certificate in [scene.issuer.certificate, scene.leaf.certificate] {
            let file = try folder.write("none.pem", pem(certificate)).path
            let none = try report(["--renew", "Rehearsal CA 1", "--ccadb", file])
            #expect(none.records["notReproducible"] == 1)
        }
        // The most severe forecast counts.
        let several = try folder.write(
            "several.pem", pem(scene.next.certificate, scene.constrained.certificate)
        ).path
        let worst = try report(["--renew", "Rehearsal CA 1", "--ccadb", several])
        #expect(worst.examples.first?.replayed?.codes == ["nameExcluded"])
        // A CA with the name of the next one, which the root hasn't signed, isn't trusted.
        let imposter = try TestAuthority.root(.authority("Rehearsal Root").valid(around: scene.now))
            .intermediate(.authority("Rehearsal CA 2").valid(around: scene.now))
        let false_ = try folder.write("imposter.pem", pem(imposter.certificate)).path
        let refused = try report(["--renew", "Rehearsal CA 1", "--ccadb", false_])
        #expect(refused.records["stillTrusted"] == 0, "\(refused.records)")
        #expect(try replay(["--renew", "Rehearsal CA 9", "--ccadb", pool]).status == 2)
        #expect(try replay(["--renew", "Rehearsal CA 1"]).status == 64)
        #expect(try replay(["--ccadb", pool]).status == 64)
    }

    @Test("A checkpoint continues with the same list, and refuses a list that has changed")
    func checkpoint() async throws {
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        let scene = try RehearsalScene(folder)
        let server = try await LabServer.start(scene.server)
        let records = folder.url.appendingPathComponent("records").path
        let root = try folder.write("trusted.pem", pem(scene.root.certificate))
        _ = try check(server, ["--record", records], roots: root)
        await server.stop()
        let pool = folder.url.appendingPathComponent("next.pem")
        try pem(scene.next.certificate).write(to: pool)
        let state = folder.url.appendingPathComponent("state").path
        let options = [
            "audit", "--replay", records, "--checkpoint", state, "--renew", "Rehearsal CA 1", "--ccadb", pool.path,
        ]
        let first = try Tool.run(options)
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.text.contains("1 record with a forecast"))
        let second = try Tool.run(options)
        #expect(second.text == first.text)
        try pem(scene.constrained.certificate).write(to: pool)
        #expect(try Tool.run(options).status == 2)
    }
}
