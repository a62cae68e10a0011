// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// Fetches that wait for one of the concurrent exchanges, in order of arrival.
struct FetchQueue {
    private var members: [(resource: TrustResource, number: Int)] = []
    private var served = 0

    var first: (resource: TrustResource, number: Int)? { served < members.count ? members[served] : nil }

    mutating func append(_ resource: TrustResource, _ number: Int) { members.append((resource, number)) }

    mutating func removeFirst() {
        served += 1
        // Served members are removed when they are half of the array, so each member is moved at most once.
        guard served * 2 >= members.count else { return }
        members.removeFirst(served)
        served = 0
    }
}

/// Queues by priority: revocation first, then issuers, then background refreshes.
struct FetchQueues {
    /// Resources that validated certificates point to: OCSP responses and CRLs of a CA.
    var revocation = FetchQueue()
    /// Issuers. The certificates that name their addresses haven't been validated and may name any address.
    var issuers = FetchQueue()
    /// Refreshes without a waiter.
    var background = FetchQueue()

    mutating func append(_ resource: TrustResource, _ number: Int) {
        if resource.kind == .issuer { issuers.append(resource, number) } else { revocation.append(resource, number) }
    }
}

/// The exchanges under way, and whether one more may start.
struct RunningFetches {
    private(set) var count = 0
    private var bytes = 0
    private var issuers = 0

    /// Returns whether one more exchange may start. Issuers have half of the places: addresses in certificates that
    /// aren't validated must not delay revocation data of validated ones.
    func hasRoom(for kind: TrustResource.Kind, _ limits: TrustResourceLimits) -> Bool {
        guard count > 0 else { return true }
        guard kind != .issuer || issuers < max(1, limits.maximumConcurrentFetches / 2) else { return false }
        return count < limits.maximumConcurrentFetches
            && bytes + limits.maximumBytes(of: kind) <= limits.maximumBytesInFlight
    }

    mutating func begin(_ kind: TrustResource.Kind, _ limits: TrustResourceLimits) {
        count += 1
        bytes += limits.maximumBytes(of: kind)
        if kind == .issuer { issuers += 1 }
    }

    mutating func end(_ kind: TrustResource.Kind, _ limits: TrustResourceLimits) {
        count -= 1
        bytes -= limits.maximumBytes(of: kind)
        if kind == .issuer { issuers -= 1 }
    }
}
