// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The resources to fetch, in order, for one certificate whose status is open. A phase ends when each of its groups has
/// an answer or nothing left to try. The next phase begins only if the status is still open.
struct RevocationPlan {
    typealias Outcomes = [TrustResource: TrustFetchCoordinator.Outcome]

    private struct Attempt {
        let resource: TrustResource
        /// The GET form of an OCSP request. The responder must have refused it before this one is sent.
        let otherForm: TrustResource?
    }

    /// The need, with the certificate to check and the certificates above it.
    let need: RevocationNeed
    /// The groups of each phase, with their attempts. A group needs one answer. A phase needs one answer for
    /// each group.
    private var ocsp: [[Attempt]]
    private var crls: [[Attempt]]

    init(_ need: RevocationNeed) {
        self.need = need
        self.ocsp = need.responders.map { [Self.attempts($0)] } ?? []
        self.crls = need.crls.map { location in
            location.urls.map { Attempt(resource: TrustResource(.crl, url: $0), otherForm: nil) }
        }
    }

    /// Adds the groups of a later plan for the same certificate that are missing here: delta CRLs named by a CRL that
    /// was fetched meanwhile.
    mutating func add(_ later: RevocationPlan) {
        let known = Set(resources)
        ocsp += later.ocsp.filter { group in !group.contains { known.contains($0.resource) } }
        crls += later.crls.filter { group in !group.contains { known.contains($0.resource) } }
    }

    /// Returns attempts with GET and POST. Answers to GET may come from HTTP caches (RFC 5019 § 5). POST is for
    /// requests that would be too long or that the responder refuses.
    private static func attempts(_ responders: RevocationNeed.Responders) -> [Attempt] {
        responders.urls.flatMap { url in
            let post = TrustResource(.ocsp, url: url, request: responders.request.der)
            guard let getURL = responders.request.url(at: url) else { return [Attempt(resource: post, otherForm: nil)] }
            let get = TrustResource(.ocsp, url: getURL)
            return [Attempt(resource: get, otherForm: nil), Attempt(resource: post, otherForm: get)]
        }
    }

    /// All resources of the plan.
    var resources: [TrustResource] { (ocsp + crls).joined().map(\.resource) }

    /// Returns the resources to fetch next. Empty if nothing is left.
    func next(after outcomes: Outcomes) -> [TrustResource] {
        for phase in need.prefersCRLs ? [crls, ocsp] : [ocsp, crls] {
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
            // If a server can't be reached with GET, it can't be reached with POST.
            guard case .failure(let error) = outcomes[otherForm] else { return false }
            return error.code == .fetchStatus || error.code == .fetchMalformed
        }?.resource
    }
}
