// SPDX-License-Identifier: Apache-2.0

/// A queue of fetches that wait for a free exchange, in order of arrival.
struct FetchQueue {
    private var members: [(resource: TrustResource, number: Int)] = []
    private var served = 0

    var first: (resource: TrustResource, number: Int)? { served < members.count ? members[served] : nil }

    mutating func append(_ resource: TrustResource, _ number: Int) { members.append((resource, number)) }

    mutating func removeFirst() {
        served += 1
        // Removes served members once they make up half of the array, so each member is moved at most once.
        guard served * 2 >= members.count else { return }
        members.removeFirst(served)
        served = 0
    }
}

/// The queues by priority: revocation first, then issuers, then background refreshes.
struct FetchQueues {
    /// OCSP responses named by validated certificates.
    var ocsp = FetchQueue()
    /// CRLs named by validated certificates. They have a separate queue, because the first CRL may wait for free bytes
    /// that an OCSP response doesn't need.
    var crls = FetchQueue()
    /// Issuers. The certificates that name their addresses aren't validated and may name any address.
    var issuers = FetchQueue()
    /// Refreshes that no caller waits for.
    var background = FetchQueue()

    mutating func append(_ resource: TrustResource, _ number: Int) {
        switch resource.kind {
        case .ocsp: ocsp.append(resource, number)
        case .crl: crls.append(resource, number)
        case .issuer: issuers.append(resource, number)
        }
    }
}

/// The exchanges in progress, and whether another exchange may start.
struct RunningFetches {
    private var counts: [TrustResource.Kind: Int] = [:]

    /// The number of exchanges in progress.
    var count: Int { counts.values.reduce(0, +) }

    /// Returns whether another exchange may start.
    ///
    /// - A single exchange may always run.
    /// - Issuers get at most half of the places. Addresses in certificates that aren't validated must not delay
    ///   revocation data of validated certificates.
    /// - A quarter of the places, at least one, is reserved for OCSP responses, and the byte limit doesn't apply to
    ///   them. So slow CRLs can't delay them.
    func hasRoom(for kind: TrustResource.Kind, _ limits: TrustResourceLimits) -> Bool {
        let count = self.count
        guard count > 0 else { return true }
        let places = limits.maximumConcurrentFetches
        guard count < places else { return false }
        if kind == .ocsp { return true }
        guard kind != .issuer || counts[.issuer, default: 0] < max(1, places / 2) else { return false }
        return count - counts[.ocsp, default: 0] < places - max(1, places / 4)
            && bytes(limits) + limits.maximumBytes(of: kind) <= limits.maximumBytesInFlight
    }

    /// Returns the sum of the maximum sizes of the CRLs and issuers in progress.
    private func bytes(_ limits: TrustResourceLimits) -> Int {
        counts[.crl, default: 0] * limits.maximumBytes(of: .crl)
            + counts[.issuer, default: 0] * limits.maximumBytes(of: .issuer)
    }

    mutating func begin(_ kind: TrustResource.Kind) { counts[kind, default: 0] += 1 }

    mutating func end(_ kind: TrustResource.Kind) { counts[kind, default: 0] -= 1 }
}
