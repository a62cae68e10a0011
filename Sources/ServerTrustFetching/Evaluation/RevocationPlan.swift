// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The resources to fetch for one certificate whose status is open, in order. A phase is over when each of its groups
/// has an answer or nothing left to try; the next begins only if the status is still open then.
struct RevocationPlan {
    typealias Outcomes = [TrustResource: Result<TrustResourceAnswer, TrustResourceError>]

    private struct Attempt {
        let resource: TrustResource
        /// The other form of an OCSP request (GET), which must have been refused before this one is sent.
        let otherForm: TrustResource?
    }

    /// The phases, their groups, and the attempts of each group. A group needs one answer; a phase needs one for each
    /// group.
    private let phases: [[[Attempt]]]
    /// Whether resources may be fetched; otherwise they are taken from memory or the cache alone.
    let usesNetwork: Bool

    init(_ need: RevocationNeed) {
        self.usesNetwork = need.usesNetwork
        let ocsp = need.responders.map { [Self.attempts($0)] } ?? []
        let crls = need.crls.map { location in
            location.urls.map { Attempt(resource: TrustResource(.crl, url: $0), otherForm: nil) }
        }
        self.phases = need.prefersCRLs ? [crls, ocsp] : [ocsp, crls]
    }

    /// Attempts with GET, whose answers may come from HTTP caches (RFC 5019 § 5), and with POST for requests that would
    /// be too long or that the responder refuses.
    private static func attempts(_ responders: RevocationNeed.Responders) -> [Attempt] {
        responders.urls.flatMap { url in
            let post = TrustResource(.ocsp, url: url, request: responders.request.der)
            guard let getURL = responders.request.url(at: url) else { return [Attempt(resource: post, otherForm: nil)] }
            let get = TrustResource(.ocsp, url: getURL)
            return [Attempt(resource: get, otherForm: nil), Attempt(resource: post, otherForm: get)]
        }
    }

    /// All resources of the plan.
    var resources: [TrustResource] { phases.joined().joined().map(\.resource) }

    /// Returns the resources to fetch next; empty if nothing is left.
    func next(after outcomes: Outcomes) -> [TrustResource] {
        for phase in phases {
            let next = phase.compactMap { Self.next(of: $0, after: outcomes) }
            if !next.isEmpty { return next }
        }
        return []
    }

    private static func next(of group: [Attempt], after outcomes: Outcomes) -> TrustResource? {
        let hasAnswer = group.contains { attempt in
            if case .success = outcomes[attempt.resource] { true } else { false }
        }
        guard !hasAnswer else { return nil }
        return group.first { attempt in
            guard outcomes[attempt.resource] == nil else { return false }
            guard let otherForm = attempt.otherForm else { return true }
            // A server that can't be reached by GET can't be reached by POST.
            guard case .failure(let error) = outcomes[otherForm] else { return false }
            return error.reason == .fetch(.status) || error.reason == .malformed
        }?.resource
    }
}
