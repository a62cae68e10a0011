// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustCache
import ServerTrustTesting

/// CRLs that outlive the process: one process fetches them, and the next reads them from a file.
///
/// The fetcher's answers are prepared, and nothing uses the network.
@main
struct EvidenceCache {
    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("trust.sqlite").path

        let root = try TestAuthority.root()
        let address = "http://ca.example.com/root.crl"
        let leaf = try root.issue(
            .leaf("api.example.com").with { $0.crlDistributionPoints = [TestDistributionPoint(stringLiteral: address)] }
        )
        let fetcher = CannedFetcher()
        fetcher.answer(address, with: try root.identity.crl().der)

        var trust = Trust(presentedChain: [leaf.certificate], host: try Hostname("api.example.com"))
        trust.anchors = .only([root.certificate])
        trust.verifyDate = .at(TestAuthority.now)
        trust.revocation = .required

        for process in ["first process", "second process"] {
            // The folder has to exist. The closure is called if the file was damaged and a new one was created.
            let cache = try SQLiteTrustCache(file: file, maximumBytes: 64 << 20) { print("cache: \($0)") }
            // Create one of each per process, for all its clients.
            let coordinator = TrustFetchCoordinator(fetcher: fetcher, cache: cache, clock: { TestAuthority.now })
            for evaluation in 1...2 {
                let verdict = await trust.evaluate(fetching: coordinator)
                let sources = verdict.fetched.map { "\($0.resource) from \($0.source?.rawValue ?? "nowhere")" }
                print("\(process), evaluation \(evaluation): \(verdict.isTrusted), \(sources.joined(separator: ", "))")
            }
            // An answer is written in the background, so no evaluation waits for the disk.
            while try await cache.bytes == 0 { try await Task.sleep(for: .milliseconds(10)) }
        }
        print("requests: \(fetcher.count(of: address))")
    }
}
