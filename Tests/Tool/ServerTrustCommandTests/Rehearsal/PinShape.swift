// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinLint
import ServerTrust
import ServerTrustTesting

@testable import ServerTrustPins

/// A form of pins that a format can express.
struct PinShape: Hashable {
    /// The end of the pins at ``TestAuthority/now``.
    enum Expiry: String, CaseIterable {
        case none, later, passed
        case laterClosed = "later, then refused"
        case passedClosed = "passed, then refused"

        var end: PinExpiry? {
            // Formats with days end at midnight.
            let midnight = Time(secondsSinceEpoch: 1_794_960_000)
            let (days, onExpiry): (Int, PinExpiry.OnExpiry)
            switch self {
            case .none: return nil
            case .later: (days, onExpiry) = (90, .failOpen)
            case .passed: (days, onExpiry) = (-30, .failOpen)
            case .laterClosed: (days, onExpiry) = (90, .failClosed)
            case .passedClosed: (days, onExpiry) = (-30, .failClosed)
            }
            return PinExpiry(midnight.advanced(by: .days(days)), onExpiry: onExpiry)
        }
    }

    let format: PinFormat
    let scopes: [PinScope]
    let expiry: Expiry

    /// The shapes that read back as written. Chromium's option pins nothing.
    static let all: [PinShape] = PinFormat.all.flatMap { format in
        [[PinScope.leaf], [.authority], [.anywhere], [.leaf, .authority]].flatMap { scopes in
            Expiry.allCases.map { PinShape(format: format, scopes: scopes, expiry: $0) }
        }
    }.filter { $0.format != .chromium && $0.isExpressible }

    /// The formats whose files can have rules for several hosts, with their usual scopes.
    static let severalHosts = PinFormat.all.filter { $0 != .curl && $0 != .envoy }.compactMap { format in
        all.first { $0.format == format && $0.expiry == .none }
    }

    var words: String { scopes.map(\.rawValue).joined(separator: " and ") }

    private var isExpressible: Bool {
        guard let host = try? Hostname("www.example.com"), let rule = try? wrongRule(for: host),
            let file = try? FleetPinFile([rule], as: format), let read = try? file.configuration(for: host).rules.first
        else { return false }
        let (end, found) = (expiry.end, read.expiry)
        return Set(read.scopes) == Set(scopes) && found?.onExpiry == end?.onExpiry
            && found?.hasPassed(at: TestAuthority.now) == end?.hasPassed(at: TestAuthority.now)
    }

    /// Returns a rule with the pins of each scope.
    func rule(_ host: Hostname, _ values: [[Pin.Value]]) throws -> PinRule {
        try PinRule(
            hosts: [.only(host)],
            pins: zip(scopes, values).flatMap { scope, values in values.map { Pin($0, scope: scope) } },
            expiry: expiry.end)
    }

    /// Returns a rule with a matching pin and a backup for each scope.
    func rule(for service: FleetService) throws -> PinRule {
        try rule(service.host, scopes.map { [value(service.certificate(in: $0)), value(FleetService.spares[0])] })
    }

    /// Returns a rule whose pins match nothing.
    func wrongRule(for host: Hostname) throws -> PinRule {
        try rule(host, scopes.map { _ in FleetService.spares.map(value) })
    }

    private func value(_ certificate: Certificate) -> Pin.Value {
        format == .isp ? .certificate(certificate) : .key(SPKIPin(certificate))
    }
}

/// A pin file, and what its anchors are.
struct FleetPinFile {
    /// The treatment of the anchors in rules.
    enum RuleAnchors {
        case kept, ignored
        /// These anchors instead.
        case replaced([Certificate])
    }

    let bytes: [UInt8]
    let format: PinFormat
    var ruleAnchors = RuleAnchors.kept
    /// The certificates in the app's resources.
    var resources: [String: [Certificate]] = [:]

    init(_ rules: [PinRule], as format: PinFormat, unlisted: PinConfiguration.UnlistedHosts = .evaluatedByDefault)
        throws
    {
        let written = try PinConfiguration(rules: rules, unlistedHosts: unlisted).written(as: format)
        (bytes, self.format) = (written.bytes, format)
    }

    init(_ text: String, as format: PinFormat) { (bytes, self.format) = (Array(text.utf8), format) }

    /// Returns the rules for a host. Pins for any host are bound to it.
    func configuration(for host: Hostname) throws -> PinConfiguration {
        let read = try PinConfiguration(importing: bytes, as: format, file: format.name).bound(to: host)
        let anchors: [PinAnchorSource]?
        switch ruleAnchors {
        case .kept: return read
        case .ignored: anchors = []
        case .replaced(let certificates): anchors = certificates.map { PinAnchorSource(.certificate($0)) }
        }
        let rules = try read.rules.map { rule in
            try PinRule(
                hosts: rule.hosts, mode: rule.mode, pins: rule.pins, expiry: rule.expiry,
                anchors: rule.anchors.isEmpty ? [] : anchors ?? [])
        }
        return try PinConfiguration(rules: rules, selection: read.selection, unlistedHosts: read.unlistedHosts)
    }

    func manager(for host: Hostname) throws -> ServerTrustManager {
        let resources = resources
        return try configuration(for: host).serverTrustManager(
            PinEnforcement(memory: nil) { resources[$0] })
    }
}
