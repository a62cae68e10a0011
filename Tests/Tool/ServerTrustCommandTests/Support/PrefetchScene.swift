// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustCache
import ServerTrustTesting

@testable import ServerTrustLab

/// A repository with CRLs, and a cache for them.
final class PrefetchScene: Sendable {
    let server: LabRepository
    let folder: TemporaryFolder
    let root: TestAuthority

    init() async throws {
        server = try await LabRepository.start()
        folder = try TemporaryFolder.make()
        root = try TestAuthority.root(.authority("Prefetch Root").valid(around: .now()))
    }

    /// Returns a template that is valid at the current time.
    func current(_ template: CertificateTemplate) -> CertificateTemplate { template.valid(around: .now()) }

    func removeCache() {
        for suffix in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: cache + suffix) }
    }

    var cache: String { folder.url.appendingPathComponent("cache.sqlite").path }

    func points(_ names: [String]) -> [TestDistributionPoint] {
        names.map { TestDistributionPoint(fullName: [.uri(server.url + $0)]) }
    }

    /// Publishes a CRL that is valid at the current time, with an entity tag.
    func publish(
        _ name: String, by authority: TestAuthority? = nil, _ change: (inout TestCRL.Template) -> Void = { _ in }
    ) throws {
        let now = Time.now()
        var crl = LabResource.crl(
            try (authority ?? root).crl {
                $0.thisUpdate = now.advanced(by: -3600)
                $0.nextUpdate = now.advanced(by: 30 * 86_400)
                change(&$0)
            })
        crl.entityTag = "\"\(name)\""
        server.publish(crl, at: name)
    }

    /// Writes a CSV file in CCADB's format, with one record for each address.
    func csv(_ urls: [String]) throws -> String {
        let rows = urls.map { "\"\($0)\",\"[]\"\n" }.joined()
        let text = "Full CRL Issued By This CA,JSON Array of Partitioned CRLs\n" + rows
        return try folder.write("addresses.csv", Data(text.utf8)).path
    }

    private func arguments(_ arguments: [String], _ format: String) -> [String] {
        ["cache", "prefetch", "--cache", cache, "--fetch-from", "127.0.0.1", "--format", format] + arguments
    }

    func prefetch(_ arguments: [String], format: String = "json") throws -> Tool.Outcome {
        try Tool.run(self.arguments(arguments, format))
    }

    func start(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = Tool.url
        process.arguments = self.arguments(arguments, "json")
        process.environment = Tool.environment(anchors: nil)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Reads the cache's entries after a run was killed.
    /// - Returns: the number of CRLs in the cache, and the names of the CRLs that aren't complete.
    func stored(_ names: [String]) async throws -> (count: Int, wrong: [String]) {
        guard FileManager.default.fileExists(atPath: cache) else { return (0, []) }
        let cache = try SQLiteTrustCache(file: cache, damaged: .leave) { _ in }
        var (count, wrong) = (0, [String]())
        for name in names {
            guard let entry = try await cache.entry(for: TrustResource(.crl, url: server.url + name)) else { continue }
            count += 1
            guard (try? CertificateRevocationList(der: entry.bytes)) != nil else {
                wrong.append(name)
                continue
            }
        }
        return (count, wrong)
    }
}
