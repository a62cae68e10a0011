// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import Testing

@testable import ServerTrustLab
@testable import ServerTrustTesting

/// `servertrust cache prefetch` with the lab's repository.
@Suite struct CRLPrefetchLiveTests {
    @Test(
        "Prefetch fetches a chain's CRLs and refreshes them with 304 responses, and a check then finds a revocation only from disk"
    )
    func fromDisk() async throws {
        let scene = try await PrefetchScene()
        defer { scene.folder.remove() }
        let intermediate = try scene.root.intermediate(
            scene.current(.authority("Prefetch CA")).with { $0.crlDistributionPoints = scene.points(["/root.crl"]) })
        let leaf = try intermediate.issue(
            scene.current(.leaf(Lab.host)).with { $0.crlDistributionPoints = scene.points(["/ca.crl"]) }
        ).certificate
        try scene.publish("/root.crl")
        try scene.publish("/ca.crl", by: intermediate) { $0.revoke(leaf) }
        let chain = try scene.folder.write("chain.pem", pem(leaf) + pem(intermediate.certificate)).path
        let first = try scene.prefetch(["--issuers", chain])
        #expect(first.status == 0 && first.errors.isEmpty)
        #expect(try first.json([Report].self).map(\.fetched) == [2])
        let fresh = try scene.prefetch(["--issuers", chain])
        #expect(try fresh.json([Report].self).map(\.fresh) == [2])
        #expect(scene.server.requests == 2)
        let second = try scene.prefetch(["--issuers", chain, "--refresh"])
        #expect(second.status == 0)
        #expect(try second.json([Report].self).map(\.notModified) == [2])
        #expect(scene.server.unmodifiedCount == 2)
        await scene.server.stop()
        let verified = try Tool.run([
            "verify", chain, "--host", Lab.host, "--anchors",
            try scene.folder.write("root.pem", pem(scene.root.certificate)).path, "--revocation", "required",
            "--fetch", "--cache", scene.cache,
        ])
        #expect(verified.status == 1)
        #expect(verified.text.contains("certificateRevoked"))
        // Without the cache, the status would be unknown.
        let without = try Tool.run([
            "verify", chain, "--host", Lab.host, "--anchors", scene.folder.url.appendingPathComponent("root.pem").path,
            "--revocation", "required", "--fetch", "--no-cache",
        ])
        #expect(!without.text.contains("certificateRevoked"))
    }

    @Test("Prefetch reads CRLs and shards from CCADB's CSV and then fetches their delta CRLs") func ccadb() async throws
    {
        let scene = try await PrefetchScene()
        defer { scene.folder.remove() }
        try scene.publish("/full.crl") { $0.freshestCRL = scene.points(["/delta.crl"]) }
        try scene.publish("/delta.crl") { $0.deltaBase = 1 }
        for number in 0..<3 { try scene.publish("/shard\(number).crl") }
        let shards = (0..<3).map { "\"\"\(scene.server.url)/shard\($0).crl\"\"" }.joined(separator: ",\r\n ")
        let csv = """
            "CA Owner","Full CRL Issued By This CA","JSON Array of Partitioned CRLs","Comments"
            "One, Inc.","\(scene.server.url)/full.crl","[]","of ""one""
            and two"
            "Two","","[\(shards)]",""
            "Three","ldap://ldap.example.com/ca","",""

            """
        let file = try scene.folder.write("ccadb.csv", Data(csv.utf8)).path
        let outcome = try scene.prefetch(["--issuers", file])
        let report = try #require(try outcome.json([Report].self).first)
        #expect(outcome.status == 0)
        #expect(report.fetched == 5 && report.deltas == 1 && report.skipped == 1 && report.complete)
        #expect(report.skips.map(\.url) == ["ldap://ldap.example.com/ca"])
    }

    @Test("Each failure has its own row and leaves nothing in the cache") func failures() async throws {
        let scene = try await PrefetchScene()
        defer { scene.folder.remove() }
        try scene.publish("/good.crl")
        let page = LabResource(Array("<html></html>".utf8), mediaType: "text/html")
        scene.server.publish(page, at: "/page.crl")
        scene.server.publish(page.with(.oversized(bytes: 34 << 20)), at: "/large.crl")
        scene.server.publish(page.with(.redirect(to: "file:///etc/passwd")), at: "/file.crl")
        scene.server.publish(page.with(.redirect(to: "http://127.0.0.2:1/x.crl")), at: "/private.crl")
        scene.server.publish(page.with(.truncated), at: "/cut.crl")
        let names = ["good", "page", "large", "file", "private", "cut", "missing"]
        let urls = names.map { "\(scene.server.url)/\($0).crl" }
        let outcome = try scene.prefetch(["--issuers", try scene.csv(urls)])
        let report = try #require(try outcome.json([Report].self).first)
        #expect(outcome.status == 1 && !report.complete)
        #expect(report.fetched == 1 && report.failed == 6)
        let reasons = Dictionary(report.failures.map { ($0.url, $0.reason) }) { $1 }
        let expected = [
            "page": "malformed", "large": "tooLarge", "file": "unsupportedAddress", "private": "forbiddenAddress",
            "cut": "protocolViolation", "missing": "status",
        ]
        for (name, reason) in expected { #expect(reasons["\(scene.server.url)/\(name).crl"] == reason) }
        #expect(try Tool.run(["cache", "list", "--cache", scene.cache]).lines.count == 2)
        let text = try scene.prefetch(["--issuers", try scene.csv(urls)], format: "text")
        #expect(text.lines.first?.hasPrefix("1 of 7 CRLs are in the cache: 0 fetched (0 bytes), ") == true)
        #expect(text.lines.count(where: { $0.hasPrefix("failed") || $0.hasPrefix("skipped") }) == 6)
    }

    @Test("Prefetch contacts loopback only with --fetch-from, and the hint names this option") func loopback()
        async throws
    {
        let scene = try await PrefetchScene()
        defer { scene.folder.remove() }
        try scene.publish("/good.crl")
        let outcome = try Tool.run([
            "cache", "prefetch", "--issuers", try scene.csv(["\(scene.server.url)/good.crl"]), "--cache", scene.cache,
        ])
        #expect(outcome.status == 1)
        #expect(outcome.text.contains("forbiddenAddress"))
        #expect(outcome.text.contains("add --fetch-from 127.0.0.1\n"))
        #expect(scene.server.requests == 0)
    }

    @Test("Prefetch fetches the CRLs of chains that servers present, and reports a server that doesn't respond")
    func hosts()
        async throws
    {
        let scene = try await PrefetchScene()
        defer { scene.folder.remove() }
        let server = try await LabServer.start(.revokedByCRL)
        let name = "\(server.host):\(server.port)"
        let list = try scene.folder.write("hosts.txt", Data("# ours\n\(name)\n".utf8)).path
        let outcome = try scene.prefetch(["--hosts", list, "--connect", "127.0.0.1"])
        #expect(outcome.status == 0)
        #expect(try outcome.json([Report].self).map(\.fetched) == [1])
        // check uses the disk, because the repository has stopped.
        await server.repository?.stop()
        let anchors = try scene.folder.write("anchors.pem", Data(server.certificates.anchorsPEM.utf8)).path
        let check = [
            "check", name, "--connect", "127.0.0.1", "--anchors", anchors, "--revocation", "best-effort", "--fetch",
        ]
        let checked = try Tool.run(check + ["--cache", scene.cache])
        #expect(checked.status == 1 && checked.text.contains("certificateRevoked"))
        #expect(try Tool.run(check + ["--no-cache"]).text.contains("certificateRevoked") == false)
        await server.stop()
        let dead = try scene.prefetch(["--hosts", list, "--connect", "127.0.0.1"])
        #expect(dead.status == 1)
        #expect(try dead.json([Report].self).first?.servers.count == 1)
    }

    @Test("The command exits with 64 for incorrect usage and with 2 for an unreadable file, and creates no cache")
    func wrongUsage() async throws {
        let scene = try await PrefetchScene()
        defer { scene.folder.remove() }
        let bad = try scene.folder.write("bad.csv", Data("a,Full CRL Issued By This CA\n\"x".utf8)).path
        let unreadable = try scene.prefetch(["--issuers", bad], format: "text")
        #expect(unreadable.status == 2)
        #expect(unreadable.errors.contains("bad.csv:1:1: no column \"JSON Array of Partitioned CRLs\""))
        #expect(try scene.prefetch(["--issuers", "/nonexistent"]).status == 2)
        #expect(try scene.prefetch([]).status == 64)
        #expect(try scene.prefetch(["--issuers", bad, "--hosts", bad]).status == 64)
        #expect(!FileManager.default.fileExists(atPath: scene.cache))
    }

    @Test("A killed run leaves no partially written file, and the next run continues", .timeLimit(.minutes(10)))
    func killed() async throws {
        // The number of killed runs, from SERVERTRUST_PREFETCH_KILLS. The default is 20.
        let kills = ProcessInfo.processInfo.environment["SERVERTRUST_PREFETCH_KILLS"].flatMap { Int($0) } ?? 20
        let scene = try await PrefetchScene()
        defer { scene.folder.remove() }
        let names = (0..<60).map { "/\($0).crl" }
        for (number, name) in names.enumerated() {
            try scene.publish(name) { template in
                for serial in 0..<number { template.entries.append(.init(serialNumber: [1, UInt8(serial)])) }
            }
        }
        let file = try scene.csv(names.map { scene.server.url + $0 })
        let asked = { names.reduce(0) { $0 + scene.server.requests(for: $1) } }
        let start = ContinuousClock.now
        #expect(try scene.prefetch(["--issuers", file]).status == 0)
        let duration = (ContinuousClock.now - start).components
        var whole = max(2000, Int(duration.seconds) * 1_000_000 + Int(duration.attoseconds / 1_000_000_000_000))
        var (killed, partly, runs) = (0, 0, 0)
        while killed < kills, runs < 5 * kills {
            // Two of three runs start with an empty cache, and the others refresh a full one.
            if runs % 3 != 2 { scene.removeCache() }
            runs += 1
            let process = try scene.start(["--issuers", file, "--refresh"])
            if runs.isMultiple(of: 2) {
                usleep(UInt32(whole / kills * killed + Int.random(in: 0...(whole / kills + 1))))
            } else {
                // In the middle of the run, however busy the machine is.
                let limit = asked() + Int.random(in: 10...50)
                while asked() < limit, process.isRunning { usleep(500) }
            }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            // A run that ends before it is killed was faster than the first one.
            if process.terminationReason == .uncaughtSignal { killed += 1 } else { whole = whole * 9 / 10 }
            let (stored, wrong) = try await scene.stored(names)
            #expect(wrong.isEmpty)
            if stored > 0, stored < names.count { partly += 1 }
            // The next run only requests what is missing.
            let next = try scene.prefetch(["--issuers", file])
            let report = try #require(try next.json([Report].self).first)
            #expect(next.status == 0 && report.complete)
            #expect(report.fresh == stored && report.fetched == names.count - stored)
        }
        #expect(killed == kills && partly > 0)
        print("prefetch: \(killed) runs killed of \(runs), \(partly) with a part of the CRLs stored")
    }
}

/// The JSON report of a run.
private struct Report: Decodable {
    struct Failure: Decodable {
        let url: String
        let reason: String
    }
    struct Server: Decodable {
        let server: String
    }
    let fetched: Int
    let notModified: Int
    let fresh: Int
    let failed: Int
    let skipped: Int
    let deltas: Int
    let complete: Bool
    let failures: [Failure]
    let skips: [Failure]
    let servers: [Server]
}
