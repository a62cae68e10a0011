// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import ServerTrust

/// `servertrust cache update`: fetches filters of revoked certificates into a folder.
struct CacheUpdate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Fetch filters of revoked certificates into a folder.",
        usage: "servertrust cache update --filters <folder> --from <url> [<options>]",
        discussion: HelpDetail.discussion(
            """
            The server provides manifest.json in upki's format, and the filters next to it.
            There is no default: for Mozilla's filters, use your own mirror or upki's.

            $ servertrust cache update --filters /var/lib/filters \\
                  --from https://filters.example.com/
            37 filters of 2026-03-22T12:19:21Z, 1 fetched, 1 removed
            $ servertrust check example.com --filter /var/lib/filters

            A file gets its name only if its size and SHA-256 match the manifest and it
            parses as a filter. The manifest comes last. If a run ends early, the previous
            filters stay in force, and the next run continues. A manifest older than the one
            in force is refused. Use the folder only for filters: files that the manifest
            doesn't name are removed.

            The manifest is as trustworthy as the server, unless it comes from a signed list
            (servertrust pins list sign --filters):
            $ servertrust cache update --filters /var/lib/filters \\
                  --from https://filters.example.com/ --list list.json \\
                  --key office.key.pub --audience com.example.app

            Exit codes: 0 the folder is up to date; 2 it isn't.
            """))

    @Option(
        help: ArgumentHelp("Store the filters in this folder, and create it if needed.", valueName: "folder"),
        completion: .directory)
    var filters: String

    @Option(
        help: ArgumentHelp(
            "Fetch manifest.json and the filters from this https or http URL.", valueName: "url"),
        transform: reading(FilterServer.init))
    var from: FilterServer

    @OptionGroup(visibility: .wholePage) var signed: FilterListOptions

    @OptionGroup(visibility: .wholePage) var proxies: ProxyOptions

    @Option(help: "Set the report format.")
    var format: OutputFormat = .text

    func run() async throws {
        let manifest = try signed.manifest()
        if manifest == nil, from.url.scheme == "http" {
            Diagnostics.warn(
                "\(from.url.absoluteString): with http, anyone on the network can replace the manifest")
        }
        let outcome = try await FilterDownload(from: from.url, through: proxies.selection()).run(filters, manifest)
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
}

/// The value of `--from`.
struct FilterServer {
    let url: URL

    /// Parses a URL.
    /// - Throws: ``ArgumentProblem`` for a scheme other than https and http, a user, a query or a fragment.
    init(_ text: String) throws(ArgumentProblem) {
        guard let url = URL(string: text), url.scheme == "https" || url.scheme == "http", url.host?.isEmpty == false,
            url.user == nil, url.query == nil, url.fragment == nil
        else {
            throw ArgumentProblem(
                description: "expected a URL such as https://filters.example.com/, without user, query and fragment")
        }
        self.url = url
    }
}
