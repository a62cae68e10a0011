// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustNIO

/// A run of `cache update --filters`, which downloads the filters in a URL's manifest to a folder.
struct FilterDownload {
    /// The result of a run.
    struct Outcome {
        /// The manifest that is now in force.
        var manifest: RevocationFilterManifest
        /// The names of the downloaded files.
        var fetched: [String]
        /// The names of the removed files.
        var removed: [String]
        /// Whether the server has no new manifest.
        var isUnchanged: Bool
    }

    private let base: String
    private let client: TrustedHTTPClient

    /// The time limit for the manifest. Each filter has its own limit.
    private static let manifestTimeout = Duration.seconds(60)
    private static let filterTimeout = Duration.seconds(1_800)

    /// Prepares a run.
    /// - Parameter base: the URL of the folder that contains `manifest.json`.
    init(from base: URL, through proxy: ProxySelection) throws {
        let text = base.absoluteString
        self.base = text.hasSuffix("/") ? text : text + "/"
        var configuration = TrustedHTTPConfiguration()
        configuration.proxy = proxy
        // The user chose this host, and each file is compared with the manifest.
        if base.scheme == "http", let host = base.host.flatMap({ try? Hostname($0) }) {
            configuration.insecurelyPlainHosts = [host]
        }
        client = try TrustedHTTPClient(trust: .publicWeb, configuration: configuration)
    }

    /// Updates a folder.
    /// - Parameter signed: the manifest that replaces the server's, or nil to use the server's.
    /// - Throws: ``CommandFailure`` with the URL or the file. Then the folder's previous filters stay in force.
    func run(_ folder: String, _ signed: RevocationFilterManifest?) async throws(CommandFailure) -> Outcome {
        let result: Result<Outcome, any Error>
        do { result = .success(try await update(folder, signed)) } catch { result = .failure(error) }
        await client.shutdown()
        return try CommandFailure.of(hint: "the folder's previous filters stay in force", result.get)
    }

    private func update(_ folder: String, _ signed: RevocationFilterManifest?) async throws -> Outcome {
        let update = try RevocationFilterFolderUpdate(folder)
        let tags = ManifestTag(folder: folder, url: base)
        let (manifest, tag, isUnchanged) = try await manifest(after: update.current, tags, signed)
        if let current = update.current, manifest.date < current.date {
            throw CommandFailure(
                "\(signed == nil ? base : "")\(RevocationFilterManifest.fileName): dated \(manifest.date), but the manifest in force is dated \(current.date)",
                hint: "a server with older filters is out of date or hides revocations")
        }
        var fetched: [String] = []
        for file in update.missing(manifest) {
            let url = base + file.name
            try await CommandFailure.awaiting(url, hint: "the folder's previous filters stay in force") {
                try await client.download(
                    url: url, to: update.receivingPath(file), size: file.size, sha256: Hex.encode(file.digest),
                    within: Self.filterTimeout)
            }
            try update.take(file)
            fetched.append(file.name)
        }
        let removed = try update.finish(manifest)
        if let tag { tags.write(tag, of: manifest) }
        return Outcome(manifest: manifest, fetched: fetched, removed: removed, isUnchanged: isUnchanged)
    }

    /// Returns the signed manifest, or without one the server's manifest. Fetches the server's manifest unless it is
    /// already in force.
    private func manifest(
        after current: RevocationFilterManifest?, _ tags: ManifestTag, _ signed: RevocationFilterManifest?
    ) async throws -> (RevocationFilterManifest, tag: String?, isUnchanged: Bool) {
        if let signed { return (signed, nil, signed == current) }
        let url = base + RevocationFilterManifest.fileName
        let response = try await CommandFailure.awaiting(url) {
            try await client.get(
                url: url, unlessTagged: current.flatMap(tags.read), within: Self.manifestTimeout,
                maximum: RevocationFilterManifest.maximumSize)
        }
        if response.status == 304, let current { return (current, nil, true) }
        guard response.status == 200 else { throw CommandFailure("\(url): status \(response.status), expected 200") }
        let manifest = try RevocationFilterManifest(response.body, name: url)
        return (manifest, response.tag, manifest == current)
    }
}

/// The entity tag of the manifest in force, for the next request. Without a tag, the manifest is fetched again.
private struct ManifestTag {
    let folder: String
    let url: String

    private var path: String { "\(folder)/manifest.json.tag" }

    /// Returns the tag of a manifest from this URL.
    func read(of manifest: RevocationFilterManifest) -> String? {
        guard let bytes = try? FileContents(ofFile: path, maximumSize: 1 << 14, onlyRegular: true).bytes else {
            return nil
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 3, lines[0] == Self.digest(manifest), lines[1] == url else { return nil }
        return String(lines[2])
    }

    func write(_ tag: String, of manifest: RevocationFilterManifest) {
        let text = [Self.digest(manifest), url, tag].joined(separator: "\n")
        guard
            let file = try? ReplacementFile(
                Array(text.utf8), for: path, suffix: ".new", mode: .open, replacesRemnant: true)
        else { return }
        do { try file.replace() } catch { file.discard() }
    }

    private static func digest(_ manifest: RevocationFilterManifest) -> String {
        Hex.encode(Digests.sha256(manifest.json))
    }
}
