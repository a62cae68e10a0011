// SPDX-License-Identifier: Apache-2.0

/// The state of one run of ``CRLPrefetch``: the remaining addresses, the failing hosts, and the report.
struct CRLPrefetchRun {
    /// An address, and whether it is the address of a CRL's delta.
    struct Item: Sendable {
        let resource: TrustResource
        let isDelta: Bool
    }

    private(set) var report = CRLPrefetchReport()
    private var items: [Item] = []
    private var position = 0
    private var seen: Set<TrustResource> = []
    private var backOff = BackOff(TrustResourceLimits())
    private var cacheFailures = 0
    private let limits: CRLPrefetchLimits
    private let start = ContinuousClock.now

    init(_ addresses: [String], _ limits: CRLPrefetchLimits) {
        self.limits = limits
        for address in addresses { add(address, isDelta: false) }
    }

    /// Adds an address unless it was added before. Counts an address beyond the limit as skipped.
    private mutating func add(_ address: String, isDelta: Bool) {
        let resource = TrustResource(.crl, url: address)
        guard seen.insert(resource).inserted else { return }
        report.addresses += 1
        if isDelta { report.deltas += 1 }
        guard items.count < limits.maximumAddresses else {
            return skip(resource, "tooManyAddresses", "over \(limits.maximumAddresses)")
        }
        items.append(Item(resource: resource, isDelta: isDelta))
    }

    private mutating func skip(_ resource: TrustResource, _ reason: String, _ detail: String) {
        report.skipped.append(
            CRLPrefetchReport.Failure(url: resource.url, reason: reason, detail: detail, isHeld: false))
    }

    /// Returns the next address to request and the time-out of its exchange, or nil if no address is left. Skips
    /// addresses that may no longer be requested.
    mutating func next() -> (Item, timeout: Duration)? {
        while position < items.count {
            let item = items[position]
            position += 1
            let elapsed = ContinuousClock.now - start
            if item.resource.url.utf8.count > TrustResource.maximumURLSize {
                skip(item.resource, "unsupportedAddress", "\(item.resource.url.utf8.count) bytes")
            } else if elapsed >= limits.timeout {
                skip(item.resource, "timedOut", "the time for the whole run is over")
            } else if report.heldBytes >= limits.maximumTotalBytes {
                skip(item.resource, "cacheFull", "the cache is limited to \(limits.maximumTotalBytes) bytes")
            } else if cacheFailures >= limits.maximumCacheFailures {
                skip(item.resource, "cacheFailed", "earlier writes to the cache failed")
            } else if let refusal = backOff.refusal(of: item.resource, at: elapsed) {
                skip(item.resource, refusal.reportedName, refusal.detail)
            } else {
                return (item, min(limits.fetchTimeout, limits.timeout - elapsed))
            }
        }
        return nil
    }

    /// Adds the outcome for an address to the report, and the deltas that its CRL names to the addresses.
    mutating func settle(_ item: Item, _ outcome: CRLPrefetchOutcome) {
        switch outcome {
        case .held(let way, let held):
            switch way {
            case .fetched:
                report.fetched += 1
                report.fetchedBytes += held.entry.bytes.count
            case .notModified: report.notModified += 1
            case .fresh: report.fresh += 1
            }
            if way != .fresh { backOff.succeeded(item.resource) }
            keep(held, item)
        case .failed(let error, let held):
            backOff.failed(item.resource, error, at: ContinuousClock.now - start, random: 0)
            fail(item, error.reportedName, error.detail, held)
        case .notStored(let error, let held):
            cacheFailures += 1
            fail(item, "cacheFailed", error.detail, held)
        }
    }

    private mutating func fail(_ item: Item, _ reason: String, _ detail: String, _ held: HeldResource?) {
        report.failures.append(
            CRLPrefetchReport.Failure(
                url: item.resource.url, reason: reason, detail: detail, isHeld: held != nil))
        if let held { keep(held, item) }
    }

    /// Counts a CRL in the cache and adds its deltas. A delta CRL names no deltas (RFC 5280 § 5.2.6). So a CRL that is
    /// a delta or was found as one adds no addresses, and a chain of CRLs that name each other ends.
    private mutating func keep(_ held: HeldResource, _ item: Item) {
        report.heldBytes += held.entry.bytes.count + item.resource.url.utf8.count + Self.overhead
        guard !item.isDelta, let list = held.list, !list.isDelta else { return }
        for url in CRLAddresses.http(in: list.freshestCRL).prefix(limits.maximumDeltasPerCRL) {
            // A CRL forged by an attacker on the network must not fill the memory with addresses.
            guard items.count < limits.maximumAddresses, url.utf8.count <= TrustResource.maximumURLSize else {
                report.unusedDeltas += 1
                continue
            }
            add(url, isDelta: true)
        }
    }

    /// The bytes that a cache counts for an entry in addition to the entry's own.
    private static let overhead = 512
}
