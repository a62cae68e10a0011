// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// What is fetched for one certificate whose revocation is open, and in which order: a phase is over when each of its groups has
/// brought something or has nothing left to try, and the next begins only if the certificate is still open then.
struct RevocationPlan {
    typealias Outcomes = [TrustResource: Result<TrustResourceAnswer, TrustResourceError>]

    private struct Attempt {
        let resource: TrustResource
        /// The same question in another way, which has to have been refused first.
        let otherForm: TrustResource?
    }

    /// Of a group, one is enough; of a phase, all groups are needed.
    private let phases: [[[Attempt]]]
    /// Whether it may be fetched, or has to be in a cache.
    let usesNetwork: Bool

    init(_ need: RevocationNeed) {
        self.usesNetwork = need.usesNetwork
        let ocsp = need.responders.map { [Self.attempts($0)] } ?? []
        let crls = need.crls.map { location in
            location.urls.map { Attempt(resource: TrustResource(.crl, url: $0), otherForm: nil) }
        }
        self.phases = need.prefersCRLs ? [crls, ocsp] : [ocsp, crls]
    }

    /// GET, whose answer caches on the way may have (RFC 5019 § 5); POST if it would be too long, or if the responder refuses it.
    private static func attempts(_ responders: RevocationNeed.Responders) -> [Attempt] {
        responders.urls.flatMap { url in
            let post = TrustResource(.ocsp, url: url, request: responders.request.der)
            guard let getURL = responders.request.url(at: url) else { return [Attempt(resource: post, otherForm: nil)] }
            let get = TrustResource(.ocsp, url: getURL)
            return [Attempt(resource: get, otherForm: nil), Attempt(resource: post, otherForm: get)]
        }
    }

    /// Everything that may be asked for.
    var resources: [TrustResource] { phases.joined().joined().map(\.resource) }

    /// What to ask for next; empty if nothing is left.
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
            // A server that can't be reached isn't reached in another way.
            guard case .failure(let error) = outcomes[otherForm] else { return false }
            return error.reason == .fetch(.status) || error.reason == .malformed
        }?.resource
    }
}
