// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import ServerTrust
import TrustSupport

/// `servertrust cache update`: filters of revoked certificates, fetched into a folder.
struct CacheUpdate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Fetch filters of revoked certificates into a folder.",
        usage: "servertrust cache update --filters <folder> --from <url> [<options>]",
        discussion: HelpDetail.discussion(
            """
            The server has manifest.json in upki's form, and the filters beside it. None is
            named here: Mozilla's filters come from a mirror of one's own, or upki's.

            $ servertrust cache update --filters /var/lib/filters \\
                  --from https://filters.example.com/
            37 filters of 2026-03-22T12:19:21Z, 1 fetched, 1 removed
            $ servertrust check example.com --filter /var/lib/filters

            Each file has the size and the SHA-256 of the manifest and is read as a filter
            before it gets its name; the manifest comes last. A run that ends early leaves
            the filters that were there in force, and the next one goes on. An older manifest
            than the one in force is refused. The folder is for filters alone: others than
            the manifest's are removed.

            The manifest is as trustworthy as the server, unless it is that of a signed list
            (servertrust pins list sign --filters):
            $ servertrust cache update --filters /var/lib/filters \\
                  --from https://filters.example.com/ --list list.json \\
                  --key office.key.pub --audience com.example.app

            Exit codes: 0 the folder is up to date; 2 it isn't.
            """))

    @Option(
        help: ArgumentHelp("The folder of the filters; it is made unless it exists.", valueName: "folder"),
        completion: .directory)
    var filters: String

    @Option(
        help: ArgumentHelp(
            "The URL of the folder with manifest.json and the filters: https, or http.", valueName: "url"),
        transform: reading(FilterServer.init))
    var from: FilterServer

    @OptionGroup(visibility: .wholePage) var signed: FilterListOptions

    @OptionGroup(visibility: .wholePage) var proxies: ProxyOptions

    @Option(help: "The format of the report.")
    var format: OutputFormat = .text

    func run() async throws {
        let manifest = try signed.manifest()
        if manifest == nil, from.url.scheme == "http" {
            Diagnostics.warn(
                "\(from.url.absoluteString): everyone on the way can replace a manifest that comes in the clear")
        }
        let outcome = try await FilterDownload(from: from.url, through: proxies.selection()).run(filters, manifest)
        switch format {
        case .text:
            try StandardStream.output.writeLine(
                "\(RootStore.count(outcome.manifest.files.count, "filter")) of \(outcome.manifest.date), "
                    + "\(outcome.fetched.count) fetched, \(outcome.removed.count) removed")
        case .json:
            var json = JSONWriter(isIndented: true)
            json.array { json in
                json.object { json in
                    json.key("schemaVersion")
                    json.number(1)
                    json.key("date")
                    json.string(outcome.manifest.date.description)
                    json.key("unchanged")
                    json.boolean(outcome.isUnchanged)
                    json.key("filters")
                    json.array(of: outcome.manifest.files) { $0.string($1.name) }
                    json.key("fetched")
                    json.array(of: outcome.fetched) { $0.string($1) }
                    json.key("removed")
                    json.array(of: outcome.removed) { $0.string($1) }
                }
            }
            json.lineFeed()
            try StandardStream.output.write(json.bytes)
        }
    }
}

/// The value of `--from`.
struct FilterServer {
    let url: URL

    /// Reads a URL.
    /// - Throws: ``ArgumentProblem`` for another scheme, a user, a query or a fragment.
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
