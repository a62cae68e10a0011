// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust
import ServerTrustCache
import ServerTrustHTTP

/// `servertrust cache prefetch`: fetches CRLs into the cache, so that later evaluations read them from disk.
struct CRLPrefetchVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prefetch",
        abstract: "Fetch CRLs for chains, servers or CCADB into the cache.",
        usage: "servertrust cache prefetch --issuers <file> | --hosts <file> [<options>]",
        discussion: HelpDetail.discussion(CRLPrefetchHelp.discussion))

    @Option(
        help: ArgumentHelp(
            "Read certificates in any encoding, or CCADB's AllCertificateRecordsCSVFormat; - is standard input. (default: none)",
            valueName: "file"), completion: .file())
    var issuers: String?

    @Option(
        help: ArgumentHelp(
            "Read servers, one per line with # for comments, and fetch the CRLs of their chains. - is standard input. (default: none)",
            valueName: "file"), completion: .file())
    var hosts: String?

    @Option(
        help: ArgumentHelp("Use this cache file. (default: in the user's caches)", valueName: "file"),
        completion: .file())
    var cache: String?

    @Option(
        help: .wholePage(
            "Limit the cache to this many MiB. The file stores the limit for all its users.", valueName: "mib"))
    var cacheSize = 2048

    @Flag(help: "Also request CRLs that aren't due yet.")
    var refresh = false

    @Option(help: .wholePage("Make at most this many requests at a time, up to 16.", valueName: "number"))
    var jobs = 8

    @Option(
        help: .wholePage("Fetch from at most this many addresses, including deltas.", valueName: "number"))
    var maxAddresses = 20_000

    @Option(
        help: .wholePage("Limit the whole run to this time. (default: 30m)", valueName: "time"),
        transform: reading(TimeSpan.init))
    var timeout = TimeSpan(milliseconds: 1_800_000)

    @Option(
        help: ArgumentHelp(
            "Fetch from this host or address even if it isn't public. May be repeated.",
            valueName: "host"), transform: reading(Hostname.init))
    var fetchFrom: [Hostname] = []

    @Option(
        help: .wholePage(
            "With --hosts, connect to this address: addr or addr:port. (default: the servers' own)",
            valueName: "addr"))
    var connect: String?

    @OptionGroup(visibility: .wholePage) var clear: StartTLSOptions

    @OptionGroup(visibility: .wholePage) var proxies: ProxyOptions

    @Option(help: "Set the report format.")
    var format: OutputFormat = .text

    func validate() throws {
        try OptionRule.check(
            .exactlyOne(["--issuers": issuers, "--hosts": hosts]),
            .requires(["--hosts": hosts], for: ["--connect": connect, "--starttls": clear.starttls]),
            .range("--jobs", jobs, 1...16), .range("--max-addresses", maxAddresses, 1...1_000_000),
            .range("--cache-size", cacheSize, 1...(1 << 20)))
        _ = try ConnectAddress(connect)
    }

    func run() async throws {
        let file = try cache ?? CacheLocation.standard(isMade: true)
        let line = ProgressLine()
        // Check all arguments before creating the cache.
        let sources = try await sources(line)
        let store = try CacheLocation.open(file, isNamed: cache != nil)
        try await reportingCacheErrors { () throws(TrustResourceCacheError) in try await store.reserve(cacheSize << 20)
        }
        var rules = AddressRules.publicOnly
        for host in fetchFrom {
            rules.allowedHosts.insert(host)
            if case .ip(let address) = host.kind { rules.allowedAddresses.insert(address) }
        }
        var limits = CRLPrefetchLimits()
        limits.jobs = jobs
        limits.maximumAddresses = maxAddresses
        limits.maximumTotalBytes = cacheSize << 20
        limits.timeout = timeout.duration
        let prefetch = CRLPrefetch(
            fetcher: try HTTPTrustFetcher(rules: rules, proxy: proxies.selection()), cache: store, limits: limits,
            refreshesAll: refresh)
        let result = await prefetch.run(sources.addresses) { line?.show($0, of: $1) }
        line?.clear()
        let report = CRLPrefetchOutput(sources: sources, result: result, cache: file)
        try format.write(text: report.text, json: report.json)
        guard report.isComplete else { throw ExitCodes.rejected }
    }

    /// Returns the CRL addresses from the arguments.
    private func sources(_ line: ProgressLine?) async throws -> CRLSources {
        if let issuers { return try CRLSources.issuers(in: issuers) }
        guard let hosts else { return CRLSources() }
        let endpoints = try HostList.endpoints(
            in: try InputFile.read(hosts), name: InputFile.displayName(hosts), startTLS: clear.starttls)
        let connection = ServerConnection(
            address: try ConnectAddress(connect), timeout: TimeSpan.fiveSeconds.duration,
            proxy: try proxies.selection())
        let found = await CRLSources.chains(of: endpoints, connection, jobs: jobs) { line?.show($0, of: $1) }
        line?.clear()
        return found
    }
}
