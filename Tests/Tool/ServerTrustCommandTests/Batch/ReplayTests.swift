// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing
import TrustScenes

/// Records in files, with `audit --replay` and `pins rehearse`.
@Suite("Replay of records")
struct ReplayTests {
    private func with(_ body: (ReplayScene) throws -> Void) async throws {
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        try body(try await ReplayScene(folder))
    }

    private func report(_ outcome: Tool.Outcome) throws -> ReplayJSON {
        try #require(try outcome.json([ReplayJSON].self).first, "\(outcome.errors)")
    }

    @Test("A replay without changes finds no difference, without the machine's roots")
    func equal() async throws {
        try await with { scene in
            let outcome = try scene.replay([])
            #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
            let report = try report(outcome)
            #expect(report.records["stillTrusted"] == 1)
            #expect(report.records["stillRefused"] == 1)
            #expect(report.records["otherDetails"] == 0)
            #expect(report.examples.isEmpty)
        }
    }

    @Test("A record whose verdict was edited is a finding")
    func edited() async throws {
        try await with { scene in
            let file = try scene.file()
            let text = try String(contentsOf: file, encoding: .utf8)
            try text.replacing(#""codes":["hostMismatch"]"#, with: #""codes":["certificateExpired"]"#)
                .write(to: file, atomically: true, encoding: .utf8)
            let outcome = try scene.replay([])
            #expect(outcome.status == 1)
            let report = try report(outcome)
            #expect(report.records["otherDetails"] == 1)
            #expect(report.examples.first?.replayed?.codes == ["hostMismatch"])
        }
    }

    @Test("New pins refuse a connection if no key matches, and trust it if a backup does")
    func pins() async throws {
        try await with { scene in
            let lost = try scene.pins([(TrustScene.name, [TrustScene.pin(1), TrustScene.pin(2)])])
            let refused = try scene.replay(["--pins", lost])
            #expect(refused.status == 1)
            let report = try report(refused)
            #expect(report.headline == "1 of 2 connections would be refused")
            #expect(report.examples.first?.replayed?.codes == ["pinNotMatched"])
            #expect(report.examples.first?.remedy != nil)
            let backup = try scene.pins([(TrustScene.name, [TrustScene.pin(1), scene.issuerPin])])
            #expect(try scene.replay(["--pins", backup]).status == 0)
            #expect(try scene.replay(["--pins", backup, "--fail-on", "newly-trusted"]).status == 0)
            // The remedy is for the author of the pins.
            let row = try #require(report.hosts.first)
            #expect(row.outcome == "breaks" && row.code == "pinNotMatched" && row.party == "program")
            #expect(row.since == "\(TestAuthority.now)")
            #expect(row.remedy?.contains("Add \(scene.issuerPin)") == true, "\(row.remedy ?? "")")
            #expect(row.remedy?.contains("for the backup key \(TrustScene.pin(2))") == true)
            #expect(row.command?.contains("--explain") == true)
        }
    }

    @Test("Hosts of the pin file without a record are listed")
    func withoutRecord() async throws {
        try await with { scene in
            let pins = try scene.pins([
                (TrustScene.name, [scene.leafPin, TrustScene.pin(2)]),
                ("new.example.com", [TrustScene.pin(1), TrustScene.pin(2)]),
            ])
            let outcome = try scene.replay(["--pins", pins])
            #expect(outcome.status == 3)
            let report = try report(outcome)
            #expect(report.headline == "0 of 2 connections would be refused; 1 host has no record")
            #expect(report.outcome == "notKnown")
            #expect(report.hostsWithoutRecord == ["new.example.com"])
            #expect(report.gaps.map(\.host) == ["new.example.com"])
            let junit = try Tool.run(["audit", "--replay", scene.records, "--pins", pins, "--format", "junit"])
            #expect(junit.status == 3)
            #expect(junit.text.contains("<skipped message=\"not known: no record is about this host\"/>"))
            let allowed = try scene.replay(["--pins", pins, "--allow-unknown", "NEW.example.com"])
            #expect(allowed.status == 0, "\(allowed.errors)")
            #expect(allowed.errors.isEmpty)
            let needless = try scene.replay(["--pins", pins, "--allow-unknown", TrustScene.name])
            #expect(needless.status == 3)
            #expect(needless.errors.contains("--allow-unknown \(TrustScene.name): everything about this host is known"))
        }
    }

    @Test("A removed root, a clock that is wrong by 400 days and a denied issuer refuse the connection")
    func changes() async throws {
        try await with { scene in
            let issuer = scene.scene.intermediate.certificate
            let denied = try scene.folder.write(
                "onecrl.json",
                Data(
                    #"{"data":[{"issuerName":"\#(Base64.encode(issuer.issuer.der))","serialNumber":"\#(Base64.encode(issuer.serialNumber.bytes))"}]}"#
                        .utf8))
            let digest = Hex.encode(scene.scene.root.certificate.sha256)
            for (options, code) in [
                (["--without-anchor", "Test Root"], "unknownIssuer"), (["--without-anchor", digest], "unknownIssuer"),
                (["--without-intermediate", "test intermediate"], "unknownIssuer"),
                (["--shift", "400d"], "certificateExpired"), (["--shift", "-400d"], "certificateNotYetValid"),
                (["--at", "2040-01-01"], "certificateExpired"), (["--denied", denied.path], "certificateDenied"),
            ] {
                let outcome = try scene.replay(options)
                #expect(outcome.status == 1, "\(options) \(outcome.errors)")
                let report = try report(outcome)
                #expect(report.connections["newlyRefused"] == 1, "\(options)")
                #expect(report.examples.first?.replayed?.codes.contains(code) == true, "\(options)")
            }
        }
    }

    @Test("A CRL that revokes the leaf refuses the connection")
    func revoked() async throws {
        try await with { scene in
            let crl = try scene.scene.intermediate.crl { $0.revoke(scene.scene.leaf) }
            let file = try scene.folder.write("revoked.crl", Data(crl.der))
            let report = try report(try scene.replay(["--crl", file.path]))
            #expect(report.connections["newlyRefused"] == 1)
            #expect(report.examples.first?.replayed?.codes == ["certificateRevoked"])
        }
    }

    @Test("A name that no certificate has ends the run")
    func unused() async throws {
        try await with { scene in
            let outcome = try scene.replay(["--without-anchor", "Tset Root"])
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("--without-anchor Tset Root: no record has such a certificate"))
        }
    }

    @Test("With --explain, a name that the record's certificates don't have causes a warning")
    func unusedByRecord() async throws {
        try await with { scene in
            let explain = ["audit", "--replay", scene.records, "--explain", "1", "--without-anchor"]
            let known = try Tool.run(explain + ["Test Root"])
            #expect(known.status == 0 && known.errors.isEmpty, "\(known.errors)")
            let outcome = try Tool.run(explain + ["Tset Root"])
            #expect(outcome.status == 0)
            #expect(outcome.errors.contains("--without-anchor Tset Root: the record has no such certificate"))
        }
    }

    @Test("A change isn't blamed for a record that already differs without it")
    func differingBefore() async throws {
        try await with { scene in
            let file = try scene.file()
            let text = try String(contentsOf: file, encoding: .utf8)
            try text.replacing(#""codes":["hostMismatch"]"#, with: #""codes":["certificateExpired"]"#)
                .write(to: file, atomically: true, encoding: .utf8)
            let details = try report(try scene.replay(["--shift", "1s"]))
            #expect(details.records["otherDetails"] == 0)
            #expect(details.records["stillRefused"] == 1)
            // The other way around, the verdict itself was edited.
            let trusted = #""verdict":"trusted","result":"unspecified","codes":[]"#
            let refused = #""verdict":"rejected","result":"recoverableFailure","codes":["hostMismatch"]"#
            try text.replacing(refused, with: trusted).write(to: file, atomically: true, encoding: .utf8)
            let verdicts = try report(try scene.replay(["--shift", "1s"]))
            #expect(verdicts.records["notReproducible"] == 1)
            #expect(verdicts.connections["newlyRefused"] == 0)
        }
    }

    @Test("Records of refusals alone don't say that a change breaks nothing")
    func onlyRefusals() async throws {
        try await with { scene in
            let file = try scene.file()
            let text = try String(contentsOf: file, encoding: .utf8)
            let line = try #require(text.split(separator: "\n").first { $0.contains(#""verdict":"rejected""#) })
            try "\(line)\n".write(to: file, atomically: true, encoding: .utf8)
            let outcome = try scene.replay(["--shift", "1s"])
            #expect(outcome.status == 3)
            #expect(try report(outcome).outcome == "notKnown")
            #expect(try scene.replay([]).status == 0)
        }
    }

    @Test("A rehearsal whose records can't be replayed isn't OK, unless the pins replace what they lack")
    func withoutKnowledge() async throws {
        try await with { scene in
            let file = try scene.file()
            let text = try String(contentsOf: file, encoding: .utf8)
            let line = try #require(text.split(separator: "\n").first { $0.contains(#""verdict":"trusted""#) })
            let lost = try scene.pins([(TrustScene.name, [TrustScene.pin(1), TrustScene.pin(2)])])
            for (name, status) in [
                ("CountingEvaluator", 3), ("pinned certificates", 1), ("pinned leaf", 1), ("SPKIPinsTrustEvaluator", 1),
                ("exceptions", 3),
            ] as [(String, Int32)] {
                let other = line.replacing(#""record":1"#, with: #""record":1,"unrecorded":["\#(name)"]"#)
                try "\(other)\n".write(to: file, atomically: true, encoding: .utf8)
                let outcome = try scene.replay(["--pins", lost])
                #expect(outcome.status == status, "\(name)")
                let report = try report(outcome)
                #expect(report.outcome == (status == 3 ? "notKnown" : "breaks"), "\(name)")
                guard status == 3 else { continue }
                #expect(report.headline == "no connection could be evaluated; 1 record can't be replayed")
                #expect(report.hosts.first?.reason == "not recorded: \(name)")
                let junit = try Tool.run(["audit", "--replay", scene.records, "--pins", lost, "--format", "junit"])
                #expect(junit.text.contains("<skipped message=\"not known: not recorded: \(name)\"/>"))
                #expect(junit.text.contains("no connection could be evaluated"))
                // A host that may stay unknown doesn't make the others known.
                #expect(try scene.replay(["--pins", lost, "--allow-unknown", TrustScene.name]).status == 3)
            }
        }
    }

    @Test("A case of JUnit counts the connections that were evaluated")
    func denominator() async throws {
        try await with { scene in
            let file = try scene.file()
            let text = try String(contentsOf: file, encoding: .utf8)
            let line = try #require(text.split(separator: "\n").first { $0.contains(#""verdict":"trusted""#) })
            let other = line.replacing(#""record":1"#, with: #""record":1,"unrecorded":["a rule"],"count":5"#)
            try "\(line)\n\(other)\n".write(to: file, atomically: true, encoding: .utf8)
            let outcome = try Tool.run(["audit", "--replay", scene.records, "--shift", "400d", "--format", "junit"])
            #expect(outcome.text.contains("1 of 1 connection would be refused"), "\(outcome.text)")
        }
    }

    @Test("Anchors of a pin file make the host's records not reproducible, unless you name the anchors")
    func anchorsOfPins() async throws {
        try await with { scene in
            let root = try scene.pem([scene.scene.root.certificate])
            for (sources, isReproducible) in [
                (#"<certificates src="system"/>"#, true),
                (#"<certificates src="system"/><certificates src="user"/>"#, true),
                (#"<certificates src="user"/>"#, false), (#"<certificates src="@raw/root"/>"#, false),
                (#"<certificates src="system"/><certificates src="@raw/root"/>"#, false),
            ] {
                let pins = try scene.folder.write(
                    "network_security_config.xml",
                    Data(
                        """
                        <network-security-config><domain-config><domain>\(TrustScene.name)</domain>
                        <trust-anchors>\(sources)</trust-anchors></domain-config></network-security-config>
                        """.utf8)
                ).path
                let given = try report(try scene.replay(["--pins", pins]))
                #expect(given.records["notReproducible"] == (isReproducible ? 0 : 1), "\(sources)")
                let named = try report(try scene.replay(["--pins", pins, "--anchors", root]))
                #expect(named.records["notReproducible"] == 0, "\(sources)")
                #expect(named.records["stillTrusted"] == 1, "\(sources)")
            }
        }
    }

    @Test("Records of a pin file's rules are reproducible, and a rehearsal of new pins uses them")
    func recordedRules() async throws {
        try await with { scene in
            let file = try scene.pem(scene.scene.chain)
            let root = try scene.pem([scene.scene.root.certificate])
            let old = try scene.pins([(TrustScene.name, [scene.leafPin, TrustScene.pin(2)])])
            let lost = try scene.pins([(TrustScene.name, [TrustScene.pin(1), TrustScene.pin(2)])])
            let records = scene.folder.url.appendingPathComponent("ruled").path
            for (pins, status) in [(old, 0), (lost, 1)] {
                let verified = try Tool.run([
                    "verify", file, "--host", TrustScene.name, "--anchors", root, "--time",
                    "\(TestAuthority.now)", "--pins", pins, "--record", records,
                ])
                #expect(Int(verified.status) == status, "\(verified.text)\(verified.errors)")
            }
            func replay(_ options: [String]) throws -> ReplayJSON {
                try report(try Tool.run(["audit", "--replay", records, "--format", "json"] + options))
            }
            let unchanged = try replay([])
            #expect(unchanged.records["stillTrusted"] == 1)
            #expect(unchanged.records["stillRefused"] == 1)
            #expect(unchanged.records["otherDetails"] == 0)
            let rehearsed = try replay(["--pins", old])
            #expect(rehearsed.records["stillTrusted"] == 1)
            #expect(rehearsed.records["newlyTrusted"] == 1)
        }
    }

    @Test("Rows of a batch have records of their own, which are reproducible")
    func batch() async throws {
        try await with { scene in
            func line(_ host: String, _ pin: String) throws -> String {
                let request: [String: Any] = [
                    "host": host, "chain": scene.scene.chain.map { Base64.encode($0.der) }, "pins": [pin],
                    "anchors": [Base64.encode(scene.scene.root.certificate.der)], "time": "\(TestAuthority.now)",
                ]
                return String(decoding: try JSONSerialization.data(withJSONObject: request), as: UTF8.self)
            }
            let lines = [
                try line(TrustScene.name, scene.leafPin), try line(TrustScene.name, scene.leafPin),
                try line(TrustScene.name, TrustScene.pin(1)), try line("other.example.com", scene.leafPin), "{}",
            ]
            let records = scene.folder.url.appendingPathComponent("batch").path
            let input = Data(lines.joined(separator: "\n").utf8)
            let answers = try Tool.run(["verify", "--batch", "--record", records], input: input)
            #expect(answers.status == 0, "\(answers.errors)")
            #expect(answers.lines.count == 5)
            let report = try report(try Tool.run(["audit", "--replay", records, "--format", "json"]))
            #expect(report.records["stillTrusted"] == 2)
            #expect(report.records["stillRefused"] == 2)
            #expect(report.records["otherDetails"] == 0)
            let file = try #require(try RecordFolder(records).files().first)
            let again = try Tool.run(["verify", "--batch", "\(records)/\(file.name)"])
            #expect(again.lines.count == 4)
            #expect(Set(again.lines) == Set(answers.lines.dropLast()))
        }
    }

    @Test("Unreadable lines are counted and fail, and an incomplete last line is skipped")
    func unreadable() async throws {
        try await with { scene in
            let file = try scene.file()
            let text = try String(contentsOf: file, encoding: .utf8)
            let line = try #require(text.split(separator: "\n").first)
            for bad in ["{}", "no JSON", line.replacing(#""record":1"#, with: #""record":2"#)] {
                try "\(text)\(bad)\n".write(to: file, atomically: true, encoding: .utf8)
                let outcome = try scene.replay([])
                #expect(outcome.status == 1, "\(bad)")
                #expect(try report(outcome).records["unreadable"] == 1, "\(bad)")
                #expect(try scene.replay(["--shift", "1s"]).status == 3, "\(bad)")
                // A refusal is worse than an unreadable line.
                #expect(try scene.replay(["--shift", "400d"]).status == 1, "\(bad)")
            }
            try (text + line.dropLast(20)).write(to: file, atomically: true, encoding: .utf8)
            let cut = try scene.replay([])
            #expect(cut.status == 0)
            #expect(try report(cut).records["unreadable"] == 0)
            #expect(cut.errors.contains("incomplete record"))
        }
    }

    @Test("A record with a missing blob is unreadable, and one with a missing part isn't reproducible")
    func missing() async throws {
        try await with { scene in
            let file = try scene.file()
            let text = try String(contentsOf: file, encoding: .utf8)
            let line = try #require(text.split(separator: "\n").first { $0.contains(#""verdict":"trusted""#) })
            let blob = #"{"sha256":"\#(String(repeating: "a", count: 64))","bytes":5}"#
            for (member, key) in [
                (#""crls":[\#(blob)]"#, "unreadable"), (#""unrecorded":["a rule"]"#, "notReproducible"),
            ] {
                let changed = line.replacing(#""record":1"#, with: #""record":1,"# + member, maxReplacements: 1)
                try "\(changed)\n".write(to: file, atomically: true, encoding: .utf8)
                let report = try report(try scene.replay([]))
                #expect(report.records[key] == 1, "\(member) \(report.records)")
                #expect(report.records["stillTrusted"] == 0)
            }
        }
    }

    @Test("A checkpoint of a complete run makes the same report, and refuses other options")
    func checkpoint() async throws {
        try await with { scene in
            let state = scene.folder.url.appendingPathComponent("state").path
            let first = try scene.replay(["--shift", "400d", "--checkpoint", state])
            let second = try scene.replay(["--shift", "400d", "--checkpoint", state])
            #expect(first.output == second.output)
            #expect(second.errors.contains("this run is complete"))
            #expect(try scene.replay(["--shift", "30d", "--checkpoint", state]).status == 2)
        }
    }

    @Test("Text, JUnit and HTML name the refused host, and --explain shows the record")
    func formats() async throws {
        try await with { scene in
            for format in ["text", "csv", "junit", "html"] {
                let outcome = try Tool.run(
                    ["audit", "--replay", scene.records, "--shift", "400d", "--format", format])
                #expect(outcome.status == 1)
                #expect(outcome.text.contains(TrustScene.name), "\(format)")
            }
            for number in ["1", "2"] {
                let outcome = try Tool.run(["audit", "--replay", scene.records, "--explain", number])
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.text.contains("recorded"))
            }
            #expect(try Tool.run(["audit", "--replay", scene.records, "--explain", "9"]).status == 2)
        }
    }

    @Test("A rehearsal of pins combines the replay with lint")
    func rehearsal() async throws {
        try await with { scene in
            // Lint refuses a pin of equal bytes as a placeholder.
            let backup = "sha256/fiTJqFrJyHjNvnlZi1ZX/dFW9qYBGFkPssOag9qEQKY="
            let good = try scene.pins([(TrustScene.name, [scene.leafPin, backup])])
            let placeholder = try scene.pins([(TrustScene.name, [scene.leafPin, TrustScene.pin(2)])])
            let lost = try scene.pins([(TrustScene.name, [TrustScene.pin(1), TrustScene.pin(2)])])
            func rehearse(_ file: String) throws -> Tool.Outcome {
                try Tool.run(["pins", "rehearse", file, "--against", scene.records])
            }
            let outcome = try rehearse(good)
            #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
            #expect(outcome.text.contains("0 of 2 connections would be refused"))
            #expect(try rehearse(lost).status == 1)
            let linted = try rehearse(placeholder)
            #expect(linted.status == 1)
            #expect(linted.text.hasPrefix("OK    0 of 2 connections would be refused\nFAIL  lint has 4 findings\n"))
            #expect(try Tool.run(["pins", "rehearse", good]).status == 64)
            let empty = scene.folder.url.path
            #expect(try Tool.run(["pins", "rehearse", good, "--against", empty + "/nothing"]).status == 2)
        }
    }

    @Test("Options of a replay require --replay, and options of rows exclude it")
    func usage() async throws {
        try await with { (scene) throws -> Void in
            #expect(try Tool.run(["audit", "x.csv", "--shift", "30d"]).status == 64)
            #expect(try Tool.run(["audit", "x.csv", "--format", "html"]).status == 64)
            for options in [
                ["--format", "tsv"], ["--host", "a.example"], ["--output", "x"], ["--time", "2026-01-01"],
            ] {
                #expect(try Tool.run(["audit", "--replay", scene.records] + options).status == 64, "\(options)")
            }
        }
    }
}
