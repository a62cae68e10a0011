// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

extension PinForecast {
    /// Creates the forecast for a server.
    /// - Parameters:
    ///   - rule: the rule for the host.
    ///   - host: the host.
    ///   - paths: every valid path of the server, leaf first.
    ///   - successors: the CA certificates that may follow.
    ///   - renewal: the time when the CA suggests renewing, or nil if unknown.
    ///   - time: the time of the forecast.
    package init(
        of rule: PinRule, host: Hostname, paths: [[Certificate]], successors: SuccessorIndex,
        renewal: RenewalWindow? = nil, at time: Time
    ) {
        self.host = host
        let met = paths.filter { path in
            !path.isEmpty && ForecastPath(elements: path.map { .certificate($0) }).missingScopes(of: rule).isEmpty
        }
        guard rule.mode != .unpinned, let first = met.first else {
            events = []
            return
        }
        let forecaster = Forecaster(
            rule: rule, paths: met, longest: met.max { $0.count < $1.count } ?? first, successors: successors,
            renewal: renewal, time: time)
        events = forecaster.events()
    }
}

/// Replaces certificates in the paths of one server.
private struct Forecaster {
    let rule: PinRule
    /// The paths that match the rule today. None of them is empty.
    let paths: [[Certificate]]
    /// The path that provides the names of the CA's certificates.
    let longest: [Certificate]
    let successors: SuccessorIndex
    let renewal: RenewalWindow?
    let time: Time

    func events() -> [PinForecast.Event] {
        let leaf = longest[0]
        var events = [renewalEvent(leaf)]
        if longest.count > 2 { events.append(issuerEvent(longest[1])) }
        if longest.count > 1, let root = longest.last { events.append(rootEvent(root)) }
        return events
    }

    private func renewalEvent(_ leaf: Certificate) -> PinForecast.Event {
        let changed = paths.map { path in [.unknown] + path.dropFirst().map(ForecastPath.Element.certificate) }
        let outcome = best(changed)
        var due = PinForecast.Due(until: leaf.notAfter)
        if let renewal { due = PinForecast.Due(from: renewal.start, until: renewal.end, isSuggested: true) }
        return PinForecast.Event(
            change: .renewal, outcome: outcome, replaced: leaf.description, due: due, successors: [],
            outcomeOfUnknown: outcome, additions: additions(for: changed, outcome))
    }

    private func issuerEvent(_ issuer: Certificate) -> PinForecast.Event {
        func changed(_ element: ForecastPath.Element) -> [[ForecastPath.Element]] {
            paths.filter { $0.count > 2 }.map { path in
                [.unknown, element] + path.dropFirst(2).map(ForecastPath.Element.certificate)
            }
        }
        let unknown = best(changed(.unknown))
        var known = successors.successors(of: issuer, at: time).compactMap { next -> PinForecast.Successor? in
            let elements: [[ForecastPath.Element]]
            if next.issuer == issuer.issuer {
                // If the next issuer has the same parent, the certificates above it are the same as in today's paths.
                elements = changed(.certificate(next))
            } else {
                elements = pathsUnderRoot(above: next)
            }
            guard !elements.isEmpty else { return nil }
            return PinForecast.Successor(name: next.description, key: SPKIPin(next), outcome: best(elements))
        }
        let listed = Set(known.map(\.key))
        known += KnownPins.siblings(of: SPKIPin(issuer)).filter { !listed.contains($0.key) }.map { sibling in
            PinForecast.Successor(name: sibling.name, key: sibling.key, outcome: best(changed(.key(sibling.key))))
        }
        let outcome = worst(known) ?? unknown
        return PinForecast.Event(
            change: .nextIssuer, outcome: outcome, replaced: issuer.description,
            due: PinForecast.Due(from: renewal?.start, until: issuer.notAfter), successors: known,
            outcomeOfUnknown: unknown, additions: additions(for: changed(.unknown), outcome))
    }

    /// Returns the changed paths with an issuer from elsewhere in the CA that end in one of today's roots. A move to
    /// another root is a separate event.
    private func pathsUnderRoot(above next: Certificate) -> [[ForecastPath.Element]] {
        let roots = Set(paths.compactMap(\.last).map { SPKIPin($0) })
        return successors.paths(above: next).filter { path in path.last.map { roots.contains(SPKIPin($0)) } == true }
            .map { path in [.unknown] + path.map(ForecastPath.Element.certificate) }
    }

    private func rootEvent(_ root: Certificate) -> PinForecast.Event {
        let unknown = best([[.unknown, .unknown]])
        let known = successors.roots(beside: root, at: time).map { next in
            PinForecast.Successor(
                name: next.description, key: SPKIPin(next), outcome: best([[.unknown, .unknown, .certificate(next)]]))
        }
        let outcome = worst(known) ?? unknown
        let needsLeaf = ForecastPath(elements: [.unknown, .unknown]).missingScopes(of: rule).contains(.leaf)
        return PinForecast.Event(
            change: .nextRoot, outcome: outcome, replaced: root.description,
            due: PinForecast.Due(from: renewal?.start, until: root.notAfter), successors: known,
            outcomeOfUnknown: unknown,
            additions: needsLeaf
                ? [] : known.filter { $0.outcome != .survives }.map { PinForecast.Addition(name: $0.name, key: $0.key) }
        )
    }

    private func worst(_ successors: [PinForecast.Successor]) -> PinForecast.Outcome? {
        successors.map(\.outcome).max { $0.isMilder(than: $1) }
    }

    /// Returns the mildest outcome of several paths, because clients accept any valid path that matches the rule.
    private func best(_ paths: [[ForecastPath.Element]]) -> PinForecast.Outcome {
        paths.map { outcome(ForecastPath(elements: $0)) }.min { $0.isMilder(than: $1) } ?? .breaks
    }

    private func outcome(_ path: ForecastPath) -> PinForecast.Outcome {
        let missing = path.missingScopes(of: rule)
        guard !missing.isEmpty else { return .survives }
        let key = SPKIPin(longest[0])
        let unknownAuthority = path.elements.dropFirst().contains { if case .unknown = $0 { true } else { false } }
        var reserves: [SPKIPin] = []
        var isCovered = true
        for scope in missing {
            let pins = scope == .authority && !unknownAuthority ? [] : reserve(of: scope)
            if pins.isEmpty { isCovered = false }
            reserves += pins
        }
        let isKept = missing.allSatisfy { scope in
            scope != .authority && rule.pins.contains { $0.scope == scope && $0.value == .key(key) }
        }
        if isKept { return .keptKey(orReserve: isCovered ? reserves : []) }
        return isCovered ? .reserve(reserves) : .breaks
    }

    /// Returns the pinned keys without a known certificate. They may belong to a future certificate.
    private func reserve(of scope: PinScope) -> [SPKIPin] {
        let present = Set(paths.joined().map { SPKIPin($0) })
        return rule.pins.compactMap { pin in
            guard pin.scope == scope, case .key(let key) = pin.value, !present.contains(key),
                KnownPins.kind(of: key) == nil, !successors.hasAuthority(withKey: key)
            else { return nil }
            return key
        }
    }

    /// Returns the root's key if this is the key that the rule lacks. Every path under the root contains it.
    private func additions(
        for changed: [[ForecastPath.Element]], _ outcome: PinForecast.Outcome
    ) -> [PinForecast.Addition] {
        guard outcome != .survives, let root = longest.last, longest.count > 1,
            let missing = changed.map({ ForecastPath(elements: $0).missingScopes(of: rule) }).min(by: {
                $0.count < $1.count
            }),
            !missing.contains(.leaf)
        else { return [] }
        return [PinForecast.Addition(name: root.description, key: SPKIPin(root))]
    }
}
