// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust
import ServerTrustCache
import ServerTrustHTTP

/// `servertrust cache prefetch`: fetches CRLs into the cache, so that later evaluations read them from disk.
struct CRLPrefetchVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "cache prefetch", abstract: "Fetch CRLs for chains, servers or CCADB into the cache.")

    @Option(help: .book("cache prefetch --issuers"), completion: .file())
    var issuers: String?

    @Option(help: .book("cache prefetch --hosts"), completion: .file())
    var hosts: String?

    @Option(help: .book("cache prefetch --cache"), completion: .file())
    var cache: String?

    @Option(help: .book("cache prefetch --cache-size"))
    var cacheSize = 2048

    @Flag(help: "Also request CRLs that aren't due yet.")
    var refresh = false

    @Option(help: .wholePage("Make at most this many requests at a time, up to 16.", valueName: "number"))
    var jobs = 8

    @Option(help: .book("cache prefetch --max-addresses"))
    var maxAddresses = 20_000

    @Option(help: .book("cache prefetch --timeout"), transform: reading(TimeSpan.init))
    var timeout = TimeSpan(milliseconds: 1_800_000)

    @Option(help: .book("cache prefetch --fetch-from"), transform: reading(Hostname.init))
    var fetchFrom: [Hostname] = []

    @Option(help: .book("cache prefetch --connect"))
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
        try await CommandFailure.awaiting { try await store.reserve(cacheSize << 20) }
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
        let report = CRLPrefetchOutput(sources: sources, result: result)
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
