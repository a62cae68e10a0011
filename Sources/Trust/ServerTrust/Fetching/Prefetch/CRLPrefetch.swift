// SPDX-License-Identifier: Apache-2.0

/// A run that fetches the CRLs of a list of addresses, and the delta CRLs they name, into a cache.
///
/// It requests each address once, with a conditional request if the cache has validators. It parses a CRL but doesn't
/// check the signature: the issuer may be unknown here, and every evaluation checks the signature. It rejects a body
/// that isn't a CRL, and a CRL that has expired, is dated in the future or is older than the cached one. The cached CRL
/// then stays. Each entry is written as soon as it arrives, so a run that is killed loses only the exchanges in
/// progress.
package struct CRLPrefetch: Sendable {
    let fetcher: any TrustFetcher
    let cache: any TrustResourceCache
    let limits: CRLPrefetchLimits
    /// Whether the prefetch also requests CRLs that aren't due yet.
    let refreshesAll: Bool
    let clock: @Sendable () -> Time

    /// Creates a run.
    /// - Parameters:
    ///   - fetcher: the transport, with its rules for addresses.
    ///   - cache: the storage.
    ///   - limits: see ``CRLPrefetchLimits``.
    ///   - refreshesAll: whether to request CRLs that aren't due yet, too. The default is false.
    ///   - clock: the date and time. The default is the system's clock.
    package init(
        fetcher: any TrustFetcher, cache: any TrustResourceCache, limits: CRLPrefetchLimits = CRLPrefetchLimits(),
        refreshesAll: Bool = false, clock: @escaping @Sendable () -> Time = { .now() }
    ) {
        self.fetcher = fetcher
        self.cache = cache
        self.limits = limits
        self.refreshesAll = refreshesAll
        self.clock = clock
    }

    /// Runs until every address is settled or the time is over.
    /// - Parameters:
    ///   - addresses: the addresses of CRLs. An address that occurs twice counts once.
    ///   - progress: called after each address with the numbers of settled and known addresses.
    package func run(
        _ addresses: [String], progress: (_ settled: Int, _ total: Int) -> Void = { _, _ in }
    ) async -> CRLPrefetchReport {
        var run = CRLPrefetchRun(addresses, limits)
        await withTaskGroup(of: (CRLPrefetchRun.Item, CRLPrefetchOutcome).self) { group in
            var running = 0
            while true {
                while running < max(1, limits.jobs), let (item, timeout) = run.next() {
                    running += 1
                    group.addTask {
                        let outcome = await self.outcome(of: item.resource, timeout)
                        return (item, outcome)
                    }
                }
                progress(run.report.settled, run.report.addresses)
                guard running > 0, let (item, outcome) = await group.next() else { break }
                running -= 1
                run.settle(item, outcome)
            }
        }
        return run.report
    }

    /// Returns the date when a CRL is due to be requested again. This is the end of the lifetime that its server
    /// states: at most a day, or an hour if the server states none. The date is never later than the time when a fifth
    /// of the CRL's own validity is left.
    static func dueDate(_ held: HeldResource) -> Time {
        let age = held.entry.maximumAge ?? CRLPrefetchLimits.lifetimeWithoutAge
        let end = held.entry.fetched.advanced(by: min(max(.zero, age), CRLPrefetchLimits.longestLifetime))
        guard let begin = held.dates.thisUpdate, let last = held.dates.nextUpdate else { return end }
        let fifth = max(
            0, last.secondsSinceEpoch.subtractingReportingOverflow(begin.secondsSinceEpoch).partialValue / 5)
        return min(end, last.advanced(by: -fifth))
    }
}

/// The outcome for one address. A CRL of an earlier run may still be usable.
enum CRLPrefetchOutcome: Sendable {
    /// The CRL is in the cache, with the way it got there.
    case held(CRLPrefetchReport.Way, HeldResource)
    case failed(TrustFetchError, HeldResource?)
    case notStored(TrustResourceCacheError, HeldResource?)
}

extension CRLPrefetchReport {
    /// The way a CRL got into the cache.
    enum Way: Sendable { case fetched, notModified, fresh }
}

// MARK: - One address

extension CRLPrefetch {
    private var resourceLimits: TrustResourceLimits {
        var resourceLimits = TrustResourceLimits()
        resourceLimits.maximumCRLBytes = limits.maximumCRLBytes
        return resourceLimits
    }

    private func outcome(of resource: TrustResource, _ timeout: Duration) async -> CRLPrefetchOutcome {
        let known = await held(resource)
        if let known, !refreshesAll, clock() < Self.dueDate(known) { return .held(.fresh, known) }
        var request = TrustFetchRequest(
            .crl, url: resource.url, maximumBytes: limits.maximumCRLBytes, timeout: timeout)
        request.validators = known?.entry.validators
        do throws(TrustFetchError) {
            let response = try await fetcher.fetch(request)
            return await store(response, for: resource, known)
        } catch {
            return .failed(error, known)
        }
    }

    /// Returns the CRL of an earlier run if it is still usable.
    private func held(_ resource: TrustResource) async -> HeldResource? {
        // If the entry can't be read, it is fetched again. If the cache can't be written either, the store reports it.
        guard let entry = try? await cache.entry(for: resource), entry.resource == resource,
            entry.bytes.count <= limits.maximumCRLBytes, let parsed = ResourceReader.standard.parse(entry.bytes, .crl)
        else { return nil }
        let held = HeldResource(entry, parsed, resourceLimits)
        return held.isUsable(at: clock(), tolerance: resourceLimits.clockTolerance) ? held : nil
    }

    private func store(
        _ response: TrustFetchResponse, for resource: TrustResource, _ known: HeldResource?
    ) async -> CRLPrefetchOutcome {
        let now = clock()
        var entry: TrustResourceEntry
        let held: HeldResource
        if response.isNotModified, let known {
            entry = TrustResourceEntry(
                resource: resource, bytes: known.entry.bytes, fetched: now,
                maximumAge: response.maximumAge ?? known.entry.maximumAge)
            entry.validators = known.entry.validators
            held = HeldResource(entry, ParsedResource(contents: known.contents, dates: known.dates), resourceLimits)
        } else {
            entry = TrustResourceEntry(
                resource: resource, bytes: response.body, fetched: now, maximumAge: response.maximumAge)
            entry.validators = response.validators
            do throws(TrustFetchError) { held = try checked(entry, known, at: now) } catch {
                return .failed(error, known)
            }
        }
        do throws(TrustResourceCacheError) { try await cache.store(entry) } catch { return .notStored(error, known) }
        return .held(response.isNotModified ? .notModified : .fetched, held)
    }

    /// Returns an entry with its parsed CRL.
    /// - Throws: `TrustFetchError` if it must not be stored.
    private func checked(
        _ entry: TrustResourceEntry, _ known: HeldResource?, at now: Time
    ) throws(TrustFetchError) -> HeldResource {
        let (url, count) = (entry.resource.url, entry.bytes.count)
        guard count <= limits.maximumCRLBytes else {
            throw TrustFetchError(.fetchTooLarge, url: url, detail: "\(count) bytes")
        }
        guard let parsed = ResourceReader.standard.parse(entry.bytes, .crl) else {
            throw TrustFetchError(.fetchMalformed, url: url, detail: "\(count) bytes, expected a CRL in DER")
        }
        let held = HeldResource(entry, parsed, resourceLimits)
        guard held.isUsable(at: now, tolerance: resourceLimits.clockTolerance) else {
            let dates = [held.dates.thisUpdate.map { "from \($0)" }, held.dates.nextUpdate.map { "to \($0)" }]
            throw TrustFetchError(.fetchOutOfDate, url: url, detail: dates.compactMap { $0 }.joined(separator: " "))
        }
        if let before = known?.dates.thisUpdate, let own = held.dates.thisUpdate, own < before {
            throw TrustFetchError(
                .fetchOlderThanKnown, url: url, detail: "dated \(own), but one dated \(before) is known")
        }
        return held
    }
}

extension HeldResource {
    /// The CRL, or nil for another kind of resource.
    var list: CertificateRevocationList? {
        if case .crl(let list) = contents { list } else { nil }
    }
}
