// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// Flights that have no place yet, first come first served.
struct FetchQueue {
    private var members: [(resource: TrustResource, number: Int)] = []
    private var served = 0

    var first: (resource: TrustResource, number: Int)? { served < members.count ? members[served] : nil }

    mutating func append(_ resource: TrustResource, _ number: Int) { members.append((resource, number)) }

    mutating func removeFirst() {
        served += 1
        // Half of it is behind us: so much is moved that each member is moved once.
        guard served * 2 >= members.count else { return }
        members.removeFirst(served)
        served = 0
    }
}

/// Who may start before whom.
struct FetchQueues {
    /// What validated certificates point to: a CA's responders and CRLs.
    var revocation = FetchQueue()
    /// Issuers: whose they are hasn't been validated, and any address may be named.
    var issuers = FetchQueue()
    /// What nobody waits for.
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

    /// Issuers have half of the places: strangers who name slow addresses must not keep others from what their CA says.
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
