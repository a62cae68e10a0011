// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

// Compares pins with the valid paths of known servers.

extension PinLintContext {
    mutating func checkServers() {
        var met: Set<PinRule.Requirement> = []
        var isKnown: [Bool] = Array(repeating: false, count: configuration.rules.count)
        for server in linter.servers where !server.paths.isEmpty {
            guard let rule = table.rule(for: server.host), rule.mode != .unpinned else { continue }
            check(server, rule, &met)
            checkAppleRules(server, rule)
            for (index, rule) in configuration.rules.enumerated()
            where rule.isForAnyHost || rule.hosts.contains(where: { $0.matches(server.host) }) {
                isKnown[index] = true
            }
        }
        for (index, rule) in configuration.rules.enumerated() where isKnown[index] { checkUnmatched(rule, met) }
    }

    private mutating func check(_ server: PinnedServer, _ rule: PinRule, _ met: inout Set<PinRule.Requirement>) {
        let matches = server.paths.map { PathMatch(of: rule, in: $0) }
        for match in matches { met.formUnion(match.pins.map { PinRule.Requirement($0.pin) }) }
        let good = matches.filter(\.isComplete)
        guard let best = good.first else {
            let missing = missing(rule, server.paths, matches)
            add(
                .notInPath, rule.mode == .enforced ? nil : .warning, at: rule.location, subject: "\(server.host)",
                "\(server.host): " + missing)
            return
        }
        if let other = zip(server.paths, matches).first(where: { !$0.1.isComplete }) {
            add(
                .dependsOnPath, at: rule.location, subject: "\(server.host)",
                "\(server.host): a pin is in \(good.count) of \(matches.count) valid paths, but not in "
                    + other.0.map(\.description).joined(separator: " < "))
        }
        tellRenewal(server, rule, best)
        checkForecast(server, rule)
    }

    /// Checks the certificate of an app's server against the rules of Apple's systems, if the app is for these systems.
    private mutating func checkAppleRules(_ server: PinnedServer, _ rule: PinRule) {
        guard let format, [.ats, .trustKit, .isp].contains(format) else { return }
        let failures = server.paths.map { path -> [TrustFailure] in
            let isPublic = linter.anchorsArePublic && path.last.map(linter.anchorSet.contains) == true
            return AppleRequirementsTrustEvaluator.failures(of: path[0], belowPublicRoot: isPublic)
        }
        guard let first = failures.first, failures.allSatisfy({ !$0.isEmpty }) else { return }
        add(
            .refusedByApple, at: rule.location, subject: "\(server.host)",
            "\(server.host): " + first.map(\.message).joined(separator: "; "))
    }

    /// Describes the difference between the keys of the paths and the pins.
    private func missing(_ rule: PinRule, _ paths: [[Certificate]], _ matches: [PathMatch]) -> String {
        let scopes = matches[0].missing
        let what = scopes.contains(.leaf) ? "the server's key" : "a CA's key"
        let wanted = scopes == [.anywhere] ? "a key in the path" : what
        let found = paths[0].map { "\($0) \(SPKIPin($0))" }.joined(separator: " < ")
        // Formats with separate lists don't compare the keys in one list with the certificates for the other list.
        let misplaced = rule.pins.first { pin in
            scopes.contains(.authority) && pin.scope == .authority && paths.contains { SPKIPin($0[0]) == pin.key }
        }
        let place = misplaced.map { "; \($0.value) is the server's own key, but is pinned as a CA's" } ?? ""
        return "no pin is \(wanted), found \(found)\(place)"
    }

    private mutating func tellRenewal(_ server: PinnedServer, _ rule: PinRule, _ match: PathMatch) {
        guard let end = match.end else { return }
        let hasReserve = Set(rule.pins.map(\.key)).count > Set(match.pins.map(\.pin.key)).count
        let isNear = end.certificate.notAfter < linter.horizonEnd
        let what =
            end.isLeaf
            ? "only the server's key is pinned, so the next certificate breaks the pins by \(end.certificate.notAfter) unless it has this key"
            : "the pins match as long as the server's certificates come from \(end.certificate), at most until \(end.certificate.notAfter)"
        let pins = match.pins.map { "\($0.pin.value) is \($0.certificate)" }.joined(separator: "; ")
        add(
            .renewal, isNear && !hasReserve ? .warning : .note, at: rule.location, subject: "\(server.host)",
            "\(server.host): \(pins); \(what)")
    }

    private mutating func checkUnmatched(_ rule: PinRule, _ met: Set<PinRule.Requirement>) {
        guard rule.mode != .unpinned else { return }
        let unmatched = rule.pins.filter {
            !met.contains(PinRule.Requirement($0)) && $0.role != .backup && !isStandIn($0)
        }
        // If no pin matches, there already is a finding. If a single pin doesn't match, it is the backup, which most
        // formats can't mark.
        guard unmatched.count < rule.pins.count else { return }
        let stale = unmatched.filter { $0.role == .inUse }
        let unclear = unmatched.filter { $0.role == nil }
        for pin in stale + (unclear.count > 1 ? unclear : []) {
            add(
                .unmatched, pin.role == .inUse ? .warning : nil, on: rule, at: pin,
                "\(pin.value) matches no certificate of a valid path"
                    + (pin.role == .inUse ? ", although it is marked as in use" : ""))
        }
    }
}

/// The pins of a rule that match a path.
private struct PathMatch {
    let pins: [(pin: Pin, certificate: Certificate, isLeaf: Bool)]
    /// The scopes without a matching pin.
    let missing: [PinScope]

    init(of rule: PinRule, in path: [Certificate]) {
        var pins: [(pin: Pin, certificate: Certificate, isLeaf: Bool)] = []
        for pin in rule.pins {
            for index in pin.scope.indices(count: path.count) where pin.matches(path[index]) {
                pins.append((pin, path[index], index == 0))
            }
        }
        self.pins = pins
        self.missing = rule.scopes.filter { scope in !pins.contains { $0.pin.scope == scope } }
    }

    var isComplete: Bool { missing.isEmpty }

    /// The certificate whose expiry ends the match. Within a scope, a CA's certificate takes precedence over a
    /// server's, and among CAs, the certificate that is valid longest. Among the scopes, a server's certificate
    /// decides. Otherwise, the first certificate to expire decides.
    var end: (certificate: Certificate, isLeaf: Bool)? {
        PinScope.allCases.compactMap { scope -> (certificate: Certificate, isLeaf: Bool)? in
            let met = pins.filter { $0.pin.scope == scope }
            return (met.filter { !$0.isLeaf }.max { $0.certificate.notAfter < $1.certificate.notAfter } ?? met.first)
                .map { ($0.certificate, $0.isLeaf) }
        }
        .min { ($0.isLeaf ? 0 : 1, $0.certificate.notAfter) < ($1.isLeaf ? 0 : 1, $1.certificate.notAfter) }
    }
}
