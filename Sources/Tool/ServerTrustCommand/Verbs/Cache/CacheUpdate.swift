// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import ServerTrust

/// `servertrust cache update`: fetches filters of revoked certificates into a folder.
struct CacheUpdate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "cache update", abstract: "Fetch filters of revoked certificates into a folder.")

    @Option(help: .book("cache update --filters"), completion: .directory)
    var filters: String

    @Option(help: .book("cache update --from"), transform: reading(Self.server))
    var from: URL

    @OptionGroup(visibility: .wholePage) var signed: FilterListOptions

    @OptionGroup(visibility: .wholePage) var proxies: ProxyOptions

    @Option(help: "Set the report format.")
    var format: OutputFormat = .text

    func run() async throws {
        let manifest = try signed.manifest()
        if manifest == nil, from.scheme == "http" {
            Diagnostics.warn(
                "\(from.absoluteString): with http, anyone on the network can replace the manifest")
        }
        let outcome = try await FilterDownload(from: from, through: proxies.selection()).run(filters, manifest)
        try format.write { _ in
            "\(counted(outcome.manifest.files.count, "filter")) of \(outcome.manifest.date), "
                + "\(outcome.fetched.count) fetched, \(outcome.removed.count) removed\n"
        } json: {
            JSONWriter.answer { json in
                json.member("date", outcome.manifest.date.description)
                json.member("unchanged", outcome.isUnchanged)
                json.member("filters", outcome.manifest.files.map(\.name))
                json.member("fetched", outcome.fetched)
                json.member("removed", outcome.removed)
            }
        }
    }

    /// Returns the value of `--from`.
    /// - Throws: ``ArgumentProblem`` for a scheme other than https and http, a user, a query or a fragment.
    @Sendable private static func server(_ text: String) throws(ArgumentProblem) -> URL {
        guard let url = URL(string: text), url.scheme == "https" || url.scheme == "http", url.host?.isEmpty == false,
            url.user == nil, url.query == nil, url.fragment == nil
        else {
            throw ArgumentProblem(
                description: "expected a URL such as https://filters.example.com/, without user, query and fragment")
        }
        return url
    }
}
