// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerTrustLab

/// `servertrust verify --fetch` and `servertrust cache` with the lab's repository.
@Suite struct FetchLiveTests {
    private struct Listed: Decodable {
        let schemaVersion: Int
        let kind: String
        let url: String
        let bytes: Int
    }

    private struct Removed: Decodable {
        let removed: Int
    }

    @Test("verify fetches, reports and caches a missing intermediate, and the cache command lists and removes it")
    func whatTheServerForgotIsFetchedToldKeptListedAndForgotten() async throws {
        let server = try await LabRepository.start()
        let address = "\(server.url)/ca.cer"
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        let root = try TestAuthority.root()
        let intermediate = try root.intermediate()
        let leaf = try intermediate.issue(.leaf(Lab.host).with { $0.caIssuers = [address] }).certificate
        server.publish(.issuer(intermediate.certificate), at: "/ca.cer")
        let arguments = [
            "verify", try folder.write("leaf.pem", pem(leaf)).path, "--host", Lab.host, "--anchors",
            try folder.write("root.pem", pem(root.certificate)).path, "--time", Lab.time,
        ]
        #expect(try Tool.run(arguments).status == 1)
        let cache = folder.url.appendingPathComponent("cache.sqlite").path
        let fetching = arguments + ["--fetch", "--cache", cache]
        // The user must allow loopback.
        let forbidden = try Tool.run(fetching)
        #expect(forbidden.status == 1)
        #expect(forbidden.text.contains("hint:  certificates name addresses that aren't public"))
        #expect(forbidden.text.contains("if these hosts are yours, add --fetch-from 127.0.0.1\n"))
        #expect(server.requests == 0)
        let first = try Tool.run(fetching + ["--fetch-from", "127.0.0.1", "--long"])
        #expect(first.status == 0)
        #expect(first.text.contains("issuer \(address): network"))
        #expect(!first.text.contains("--fetch-from"))
        #expect(server.requests == 1)
        await server.stop()
        let second = try Tool.run(fetching + ["--format", "json"])
        #expect(try second.json([TrustVerdict].self).first?.fetched.map(\.source) == [.cache])

        let listed = try Tool.run(["cache", "list", "--cache", cache, "--format", "json"]).json([Listed].self)
        #expect(listed.map(\.url) == [address])
        #expect(listed.map(\.kind) == ["issuer"] && listed.map(\.schemaVersion) == [1])
        #expect(listed.map(\.bytes) == [intermediate.certificate.der.count])
        #expect(try Tool.run(["cache", "list", "--cache", cache]).lines.count == 2)
        let cleared = try Tool.run(["cache", "clear", "--cache", cache, "--format", "json"])
        #expect(try cleared.json([Removed].self).map(\.removed) == [1])
        #expect(try Tool.run(["cache", "list", "--cache", cache]).lines.count == 1)
        #expect(try Tool.run(fetching).status == 1)
    }

    @Test("A CRL's address that answers 404 is named with the number, in text and JSON")
    func unpublished() async throws {
        let server = try await LabRepository.start()
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        let address = "\(server.url)/ca.crl"
        let root = try TestAuthority.root()
        let leaf = try root.issue(.leaf(Lab.host).with { $0.crlDistributionPoints = [.init(stringLiteral: address)] })
        let arguments = [
            "verify", try folder.write("leaf.pem", pem(leaf.certificate)).path, "--host", Lab.host, "--anchors",
            try folder.write("root.pem", pem(root.certificate)).path, "--time", Lab.time, "--fetch-from", "127.0.0.1",
            "--fetch",
        ]
        let reason = "the evidence's server returned a status other than 200 (status, \(address): 404)"
        let required = try Tool.run(arguments + ["--revocation", "required"])
        #expect(required.status == 1)
        #expect(required.text.contains("can't be checked for revocation: \(reason) [revocationUnavailable]"))
        #expect(
            required.lines.contains(
                "fix:   Fetching failed: \(reason). Provide a CRL or an OCSP response, try again later, or ask the CA that publishes it."
            ))
        let json = try Tool.run(arguments + ["--revocation", "required", "--format", "json"]).text
        #expect(json.replacingOccurrences(of: "\\/", with: "/").components(separatedBy: "\(address): 404").count > 2)
        // The certificate is trusted all the same if the check isn't required.
        let optional = try Tool.run(arguments + ["--revocation", "best-effort"])
        #expect(optional.status == 0)
        #expect(optional.text.contains("revocation unknown: \(reason)"))
        await server.stop()
    }

    @Test("If a named cache doesn't exist, the command exits with 2") func aCacheThatIsNamedHasToBeThere() throws {
        for verb in ["list", "clear"] {
            let outcome = try Tool.run(["cache", verb, "--cache", "/nonexistent/cache.sqlite"])
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("/nonexistent/cache.sqlite"))
        }
        try TemporaryFolder.with { folder in
            let leaf = try folder.write("leaf.pem", pem(try Lab.shared().leaf)).path
            let outcome = try Tool.run(["verify", leaf, "--anchors", leaf, "--fetch", "--cache", "/nonexistent/c"])
            #expect(outcome.status == 2)
            #expect(outcome.output.isEmpty)
        }
    }
}
