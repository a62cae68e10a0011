// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing
import TrustScenes

/// The timeline of `audit --replay --until`.
@Suite("Timelines of rehearsals")
struct ReplayTimelineTests {
    /// The time at which records are made, and the start of every timeline.
    private static let start = TestAuthority.now
    private static func day(_ days: Int) -> Time { start.advanced(by: .days(days)) }

    private struct Report: Decodable {
        struct Fact: Decodable, Equatable {
            var host: String?
            var from: String
            var until: String?
            var kind: String
            var code: String?
            var reason: String?
            var withoutChange: Bool?
            var remedy: String?
        }
        struct Timeline: Decodable {
            var outcome: String
            var assumed: String?
            var records: [String: Int]
            var facts: [Fact]
        }
        struct Gap: Decodable { var reason: String }
        var outcome: String
        var gaps: [Gap]
        var timeline: Timeline
    }

    /// A scene whose leaf is valid for 10 days, its intermediate for 40 and its root for 80.
    private static func scene(leaf: Int = 10, intermediate: Int = 40, root: Int = 80) throws -> TrustScene {
        try TrustScene(
            root: .authority("Test Root").with { $0.notAfter = day(root) },
            intermediate: .authority("Test Intermediate").with { $0.notAfter = day(intermediate) },
            leaf: .leaf(TrustScene.name).with { $0.notAfter = day(leaf) })
    }

    /// Records an evaluation of a scene, and returns the folder.
    private static func record(_ scene: TrustScene, _ folder: TemporaryFolder, _ options: [String] = []) throws
        -> String
    {
        let file = try folder.write("\(UUID().uuidString).pem", pem(scene.chain)).path
        let root = try folder.write("\(UUID().uuidString).pem", pem([scene.root.certificate])).path
        let records = folder.url.appendingPathComponent(UUID().uuidString).path
        let outcome = try Tool.run(
            [
                "verify", file, "--host", TrustScene.name, "--anchors", root, "--time", "\(start)", "--record", records,
            ] + options)
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
        return records
    }

    private static func pem(_ certificates: [Certificate]) -> Data {
        Data(certificates.map { PEM.encode($0.der, label: "CERTIFICATE") }.joined().utf8)
    }

    /// Writes a pin file with one rule.
    private static func pins(
        _ keys: [String], _ folder: TemporaryFolder, expires: (Time, String)? = nil
    ) throws -> String {
        let pins = keys.enumerated().map { place, key in
            #"{"key":"\#(key)","scope":"anywhere","role":"\#(place == 0 ? "inUse" : "backup")"}"#
        }
        let end = expires.map { #","expires":{"at":"\#($0.0)","afterwards":"\#($0.1)"}"# } ?? ""
        return try folder.write(
            "pins-\(UUID().uuidString).json",
            Data(
                """
                {"schemaVersion":1,"selection":"mostSpecific","unlistedHosts":"evaluatedByDefault","rules":[{"mode":"enforced",\
                "hosts":[{"name":"\(TrustScene.name)","includesName":true,"below":"nothing"}],"pins":[\(pins.joined(separator: ","))]\(end)}]}
                """.utf8)
        ).path
    }

    private static func run(
        _ records: String, days: Int = 60, format: String = "json", _ options: [String] = []
    ) throws -> Tool.Outcome {
        try Tool.run(
            ["audit", "--replay", records, "--at", "\(start)", "--until", "\(day(days))", "--format", format] + options)
    }

    private static func report(_ outcome: Tool.Outcome) throws -> Report {
        try #require(try outcome.json([Report].self).first, "\(outcome.errors)")
    }

    private static func after(_ days: Int) -> String { "\(day(days).advanced(by: 1))" }

    private func with(_ body: (TemporaryFolder) throws -> Void) throws {
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        try body(folder)
    }

    @Test("A leaf that ends needs a renewal, and its CA's end breaks, with or without the change")
    func ends() throws {
        try with { folder in
            let scene = try Self.scene()
            let records = try Self.record(scene, folder)
            let renewal = try Self.run(records, days: 30)
            #expect(renewal.status == 0, "\(renewal.errors)")
            let early = try Self.report(renewal).timeline
            #expect(early.facts.map(\.kind) == ["needsRenewal"])
            #expect(early.facts.first?.from == Self.after(10))
            #expect(early.facts.first?.code == "certificateExpired")
            #expect(early.records["needsRenewal"] == 1)
            #expect(early.assumed != nil)
            let nothing = try Self.run(records, days: 9)
            #expect(nothing.status == 0)
            #expect(try Self.report(nothing).timeline.facts.isEmpty)
            let broken = try Self.run(records, days: 60, ["--pins", "\(SPKIPin(scene.leaf))"])
            #expect(broken.status == 1)
            let facts = try Self.report(broken).timeline.facts
            #expect(facts.map(\.kind) == ["needsRenewal", "breaks"])
            #expect(facts.map(\.from) == [Self.after(10), Self.after(40)])
            #expect(facts.first?.until == "\(Self.day(40))")
            #expect(facts.last?.code == "certificateExpired")
            #expect(facts.last?.withoutChange == true)
            #expect(facts.last?.reason?.contains("certificate 1 (intermediate) expired") == true, "\(facts)")
        }
    }

    @Test("A move to another CA breaks when that CA ends, because of the change")
    func move() throws {
        try with { folder in
            let scene = try Self.scene(leaf: 60)
            let next = try scene.root.intermediate(
                .authority("Next").with { $0.notAfter = Self.day(20) }
            ).certificate
            let file = try folder.write("next.pem", Self.pem([next])).path
            let records = try Self.record(scene, folder)
            let move = ["--renew", "Test Intermediate", "--to", file]
            let outcome = try Self.run(records, days: 30, move)
            #expect(outcome.status == 1)
            let facts = try Self.report(outcome).timeline.facts
            #expect(facts.map(\.kind) == ["breaks"], "\(facts)")
            #expect(facts.first?.from == Self.after(20) && facts.first?.withoutChange == false)
            #expect(try Self.run(records, days: 19, move).status == 0)
        }
    }

    @Test("A root that ends breaks, and a leaf issued by the root itself is renewed")
    func root() throws {
        try with { folder in
            let records = try Self.record(try Self.scene(leaf: 10, intermediate: 80, root: 40), folder)
            let facts = try Self.report(try Self.run(records)).timeline.facts
            #expect(facts.map(\.kind) == ["needsRenewal", "breaks"])
            #expect(facts.last?.from == Self.after(40))
            let root = try TestAuthority.root(.authority("Only Root").with { $0.notAfter = Self.day(40) })
            let leaf = try root.issue(.leaf(TrustScene.name).with { $0.notAfter = Self.day(10) }).certificate
            let file = try folder.write("direct.pem", Self.pem([leaf])).path
            let anchors = try folder.write("root.pem", Self.pem([root.certificate])).path
            let direct = folder.url.appendingPathComponent("direct").path
            _ = try Tool.run([
                "verify", file, "--host", TrustScene.name, "--anchors", anchors, "--time", "\(Self.start)", "--record",
                direct,
            ])
            let own = try Self.report(try Self.run(direct)).timeline.facts
            #expect(own.map(\.kind) == ["needsRenewal", "breaks"], "\(own)")
            #expect(own.map(\.from) == [Self.after(10), Self.after(40)])
        }
    }

    @Test("A removed root breaks from the start, because of the change")
    func removedRoot() throws {
        try with { folder in
            let records = try Self.record(try Self.scene(), folder)
            let report = try Self.report(try Self.run(records, days: 30, ["--without-anchor", "Test Root"]))
            let facts = report.timeline.facts
            #expect(facts.map(\.kind) == ["breaks"], "\(facts)")
            #expect(facts.first?.code == "unknownIssuer")
            #expect(facts.first?.from == "\(Self.start)")
            #expect(facts.first?.withoutChange == false)
        }
    }

    @Test("Pins that expire break on that day if the host is then refused, and otherwise are ok afterwards")
    func pins() throws {
        try with { folder in
            let scene = try Self.scene(leaf: 60)
            let records = try Self.record(scene, folder)
            let keys = ["\(SPKIPin(scene.leaf))", TrustScene.pin(2)]
            let refused = try Self.pins(keys, folder, expires: (Self.day(20), "refused"))
            let closed = try Self.run(records, days: 30, ["--pins", refused])
            #expect(closed.status == 1)
            let fact = try #require(try Self.report(closed).timeline.facts.first)
            #expect(fact.kind == "breaks" && fact.code == "pinsExpired" && fact.from == Self.after(20), "\(fact)")
            #expect(fact.withoutChange == false)
            #expect(fact.remedy?.contains("later expiry") == true, "\(fact)")
            let unpinned = try Self.pins(keys, folder, expires: (Self.day(20), "unpinned"))
            let open = try Self.run(records, days: 30, ["--pins", unpinned])
            #expect(open.status == 0, "\(open.text)")
            #expect(try Self.report(open).timeline.facts.isEmpty)
            // Wrong pins break until they expire.
            let wrong = try Self.pins(
                [TrustScene.pin(1), TrustScene.pin(2)], folder, expires: (Self.day(20), "unpinned"))
            let facts = try Self.report(try Self.run(records, days: 30, ["--pins", wrong])).timeline.facts
            #expect(facts.map(\.kind) == ["breaks"])
            #expect(facts.first?.code == "pinNotMatched")
            #expect(facts.first?.until == "\(Self.day(20))")
        }
    }

    @Test("Recorded pins that expire break without a change, too")
    func recordedPins() throws {
        try with { folder in
            let scene = try Self.scene(leaf: 60)
            let file = try Self.pins(
                ["\(SPKIPin(scene.leaf))", TrustScene.pin(2)], folder, expires: (Self.day(20), "refused"))
            let records = try Self.record(scene, folder, ["--pins", file])
            let fact = try #require(try Self.report(try Self.run(records, days: 30)).timeline.facts.first)
            #expect(fact.kind == "breaks" && fact.code == "pinsExpired" && fact.from == Self.after(20), "\(fact)")
            #expect(fact.withoutChange == true)
        }
    }

    @Test("Required evidence that ends needs fresh evidence, and evidence that never was there breaks")
    func evidence() throws {
        try with { folder in
            let scene = try Self.scene(leaf: 60)
            let lists = try [scene.intermediate, scene.root].enumerated().map { place, authority in
                let crl = try authority.crl {
                    $0.thisUpdate = Self.day(-1)
                    $0.nextUpdate = Self.day(7)
                }
                return try folder.write("\(place).crl", Data(crl.der)).path
            }
            let records = try Self.record(
                scene, folder, ["--revocation", "required"] + lists.flatMap { ["--crl", $0] })
            let outcome = try Self.run(records, days: 30)
            #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
            let facts = try Self.report(outcome).timeline.facts
            #expect(facts.map(\.kind) == ["needsRenewal"], "\(facts)")
            #expect(facts.first?.code == "revocationUnavailable")
            #expect(facts.first?.from == Self.after(7))
            let plain = try Self.record(scene, folder)
            let never = try Self.report(try Self.run(plain, days: 70, ["--revocation", "required"])).timeline.facts
            #expect(Set(never.map(\.kind)) == ["breaks"], "\(never)")
            #expect(never.first?.from == "\(Self.start)" && never.first?.code == "revocationUnavailable")
            #expect(never.first?.withoutChange == false)
        }
    }

    @Test("A revoked certificate stays revoked after the CRL that says so")
    func revoked() throws {
        try with { folder in
            let scene = try Self.scene(leaf: 20)
            let records = try Self.record(scene, folder)
            func list(_ authority: TestAuthority, _ certificate: Certificate) throws -> String {
                let crl = try authority.crl {
                    $0.thisUpdate = Self.day(-1)
                    $0.nextUpdate = Self.day(7)
                    $0.revoke(certificate)
                }
                return try folder.write("\(UUID().uuidString).crl", Data(crl.der)).path
            }
            let leaf = try list(scene.intermediate, scene.leaf)
            let facts = try Self.report(try Self.run(records, days: 30, ["--crl", leaf])).timeline.facts
            // The renewed leaf isn't the revoked one.
            #expect(facts.map(\.kind) == ["breaks", "needsRenewal"], "\(facts)")
            #expect(facts.map(\.from) == ["\(Self.start)", Self.after(20)])
            let issuer = try list(scene.root, scene.intermediate.certificate)
            let broken = try Self.report(try Self.run(records, days: 30, ["--crl", issuer])).timeline.facts
            #expect(broken.map(\.kind) == ["breaks"], "\(broken)")
            #expect(broken.first?.code == "certificateRevoked")
        }
    }

    @Test("A record that can't be replayed isn't known, and too many dates end as not known")
    func unknown() throws {
        try with { folder in
            let scene = try Self.scene()
            let records = try Self.record(scene, folder)
            let name = try #require(
                try FileManager.default.contentsOfDirectory(atPath: records).first { $0.hasSuffix(".ndjson") })
            let file = URL(fileURLWithPath: records).appendingPathComponent(name)
            let text = try String(contentsOf: file, encoding: .utf8)
            try text.replacing(#""record":1"#, with: #""record":1,"unrecorded":["a rule"]"#, maxReplacements: 1)
                .write(to: file, atomically: true, encoding: .utf8)
            let outcome = try Self.run(records)
            #expect(outcome.status == 3)
            let facts = try Self.report(outcome).timeline.facts
            #expect(facts.map(\.kind) == ["notKnown"])
            #expect(facts.first?.reason == "not recorded: a rule")
            // A wrong pin leaves the record refused, so each certificate's start and end is a moment.
            try text.write(to: file, atomically: true, encoding: .utf8)
            let others = try (0..<80).map { place in
                try TestAuthority.root(
                    .authority("Other \(place)").with {
                        $0.notAfter = Self.start.advanced(by: .seconds(60 * place + 60))
                    }
                ).certificate
            }
            let pool = try folder.write("others.pem", Self.pem(others)).path
            let many = try Self.run(records, days: 9, ["--pins", TrustScene.pin(1), "--intermediates", pool])
            let kinds = try Self.report(many).timeline.facts
            #expect(kinds.map(\.kind) == ["breaks", "notKnown"], "\(kinds)")
            #expect(kinds.last?.reason?.contains("too many dates") == true)
        }
    }

    @Test("Every format shows the break, and a resumed checkpoint makes the same report")
    func formats() throws {
        try with { folder in
            let records = try Self.record(try Self.scene(), folder)
            for format in ["text", "csv", "junit", "html"] {
                let outcome = try Self.run(records, format: format)
                #expect(outcome.status == 1)
                let date = format == "html" ? String(Self.after(40).prefix(10)) : Self.after(40)
                #expect(outcome.text.contains(date), "\(format) \(outcome.text)")
            }
            let junit = try Self.run(records, format: "junit").text
            #expect(junit.contains("breaks at \(Self.after(40))"))
            #expect(try Self.run(records, days: 30, format: "junit").text.contains("<failure") == false)
            let state = folder.url.appendingPathComponent("state").path
            let first = try Self.run(records, ["--checkpoint", state])
            let second = try Self.run(records, ["--checkpoint", state])
            #expect(first.output == second.output)
            #expect(second.errors.contains("this run is complete"))
            #expect(try Self.run(records, days: 61, ["--checkpoint", state]).status == 2)
        }
    }

    @Test("A connection that was refused when it was recorded isn't a break")
    func stillRefused() async throws {
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        let scene = try await ReplayScene(folder)
        let outcome = try Self.run(scene.records, days: 30)
        #expect(outcome.status == 0, "\(outcome.text)")
        let facts = try Self.report(outcome).timeline.facts
        #expect(facts.map(\.kind) == ["stillRefused"])
        #expect(facts.first?.code == "hostMismatch")
    }

    @Test("A distrust date breaks the leaf that is renewed after it, because of the change")
    func distrust() throws {
        try with { folder in
            let scene = try Self.scene(leaf: 20)
            let records = try Self.record(scene, folder)
            let digest = Hex.encode(scene.root.certificate.sha256)
            let list = try folder.write(
                "roots.json",
                Data(
                    #"{"schemaVersion":1,"program":"Test","complete":true,"roots":{"\#(digest)":[{"issuedNotAfter":"\#(Self.day(25))"}]}}"#
                        .utf8)
            ).path
            let outcome = try Self.run(records, days: 35, ["--roots-overlay", list])
            #expect(outcome.status == 1)
            let facts = try Self.report(outcome).timeline.facts
            #expect(facts.map(\.kind) == ["needsRenewal", "breaks"], "\(facts)")
            #expect(facts.last?.code == "anchorDistrustedAfter" && facts.last?.from == Self.after(25))
            #expect(facts.last?.withoutChange == false)
        }
    }

    @Test("The end must be after the start, and excludes --shift and --explain")
    func usage() throws {
        try with { folder in
            let records = try Self.record(try Self.scene(), folder)
            #expect(try Self.run(records, days: 0).status == 64)
            #expect(try Self.run(records, ["--shift", "1d"]).status == 64)
            #expect(try Self.run(records, ["--explain", "1"]).status == 64)
            #expect(try Tool.run(["audit", "x.csv", "--until", "2099-01-01"]).status == 64)
            let file = try Self.pins([TrustScene.pin(1), TrustScene.pin(2)], folder)
            let rehearse = ["pins", "rehearse", file, "--against", records]
            #expect(try Tool.run(rehearse + ["--until", "2020-01-01"]).status == 64)
            let outcome = try Tool.run(rehearse + ["--until", "2099-01-01"])
            #expect(outcome.status == 1)
            #expect(outcome.text.contains("1 of 1 connection breaks by 2099-01-01T00:00:00Z"), "\(outcome.text)")
        }
    }
}
