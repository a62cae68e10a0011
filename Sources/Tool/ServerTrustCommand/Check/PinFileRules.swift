// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinLint
import ServerTrust
import ServerTrustPins

/// The rules of a pin file. They evaluate hosts in the same way as the software that the format belongs to.
struct PinFileRules: Sendable {
    /// The display name of the file.
    let name: String
    /// The format, or nil if it isn't a `PinFormat`.
    let format: PinFormat?
    /// The rules of the file by host, created once for all servers.
    let table: PinTable
    /// The keys and certificates that a signed list denies for every host, or nil for none.
    var denied: DeniedList?
    /// The rules with the anchors of the file, or nil if these apply.
    private let withAnchors: PinTable?
    /// The configuration with its evaluators. Nil if the pins are for any host, because each host then gets its own
    /// configuration.
    private let made: ServerTrustConfiguration?

    /// Prepares the rules of a file.
    /// - Parameters:
    ///   - source: the parsed file, without problems that would prevent its use.
    ///   - ignoresAnchors: whether the anchors of the command line replace those of the file.
    /// - Throws: ``CommandFailure`` with every reason why the rules can't be enforced.
    init(_ source: PinLintSource, ignoresAnchors: Bool) throws(CommandFailure) {
        name = source.file
        format = source.format
        do throws(PinFileError) {
            let read = try source.contents.get()
            table = PinTable(ignoresAnchors ? read.withoutAnchors : read)
            withAnchors = ignoresAnchors ? PinTable(read) : nil
        } catch {
            throw CommandFailure(errors: error.problems.map(\.description))
        }
        let configuration = table.configuration
        made = configuration.rules.contains(where: \.isForAnyHost) ? nil : try Self.made(configuration, name)
    }

    /// The hosts, pins and anchors of the file.
    var configuration: PinConfiguration { table.configuration }

    /// Whether the file sets the anchors for hosts without their own anchors.
    var hasAnchors: Bool { !configuration.anchors.isEmpty }

    /// Returns whether the file has other anchors than the system's for a host, which are ignored. Linux has no anchors
    /// of users.
    func ignoresAnchors(of host: Hostname) -> Bool {
        guard let withAnchors else { return false }
        let ofRule = withAnchors.rule(for: host)?.anchors ?? []
        let anchors = ofRule.isEmpty ? withAnchors.configuration.anchors : ofRule
        let others = anchors.filter { $0.kind != .user && $0 != .system }
        return !others.isEmpty || (!anchors.isEmpty && !anchors.contains(.system))
    }

    /// Returns the configuration with the evaluators for a host.
    func trust(for host: Hostname) throws(CommandFailure) -> ServerTrustConfiguration {
        if let made { return made }
        return try Self.made(configuration.bound(to: host), name)
    }

    /// Returns a sentence about a host whose pins aren't in force, or nil if they are.
    func remark(on host: Hostname, at time: Time) -> String? {
        let effective = EffectivePins(of: host, in: configuration, format: format, at: time)
        let owner = format?.owner ?? "its owner"
        switch effective.reason {
        case .inForce: return nil
        case .noAnchor: return "\(name) has no anchor for \(host): every server is refused"
        case .reportOnly: return "the pins in \(name) for \(host) are only reported, not enforced"
        case .expired:
            let end = effective.expiry.map { $0.time.description } ?? ""
            return effective.outcome == .refused
                ? "the pins in \(name) for \(host) expired at \(end): the host is refused"
                : "the pins in \(name) for \(host) expired at \(end): \(owner) no longer pins the host"
        case .noPin: return "\(name) has a rule for \(host), but the rule contains no pin"
        case .noRule:
            let near = effective.near.first.map { "; nearest: \($0.explanation(for: host))" } ?? ""
            return "\(name) has no rule for \(host)\(near)"
        }
    }

    private static func made(
        _ configuration: PinConfiguration, _ name: String
    ) throws(CommandFailure) -> ServerTrustConfiguration {
        let enforcement = PinEnforcement(memory: nil) { AppResources.certificates(named: $0, beside: name) }
        do throws(PinEnforcementError) {
            return try configuration.serverTrustConfiguration(enforcement)
        } catch {
            let isResource = error.problems.contains { $0.code == .pinEnforcementResourceMissing }
            throw CommandFailure(
                errors: error.problems.map { "\(name): \($0)" },
                hint: isResource
                    ? "resources are looked up next to the file, as in an app (../raw/NAME); you can also name anchors with --anchors"
                    : nil)
        }
    }
}

/// The resources of an Android app, in folders next to its configuration.
private enum AppResources {
    /// Returns the certificates of a resource, `raw/NAME`. Returns nil if there is no such file, or if it contains
    /// anything other than certificates.
    static func certificates(named resource: String, beside file: String) -> [Certificate]? {
        let parts = resource.split(separator: "/", omittingEmptySubsequences: false)
        // The name comes from the file, so it must not point outside the folder.
        guard parts.count == 2, parts[0] == "raw", !parts[1].isEmpty,
            parts[1].utf8.allSatisfy({ $0 == UInt8(ascii: "_") || isAlphanumeric($0) })
        else { return nil }
        let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
        for place in ["../raw/", "raw/", ""] {
            for ending in ["", ".pem", ".crt", ".cer", ".der"] {
                let path = folder + place + parts[1] + ending
                guard let read = try? CertificateInput.intermediates([path]), read.leftOut.isEmpty else { continue }
                return read.certificates
            }
        }
        return nil
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
    }
}

extension PinConfiguration {
    /// The configuration with the system's anchors for every host, without debug anchors.
    fileprivate var withoutAnchors: PinConfiguration {
        let rules = rules.map { rule in
            (try? PinRule(
                hosts: rule.hosts, mode: rule.mode, pins: rule.pins, expiry: rule.expiry, reportURIs: rule.reportURIs,
                comment: rule.comment, settings: rule.settings, location: rule.location)) ?? rule
        }
        let changed = try? PinConfiguration(
            rules: rules, selection: selection, unlistedHosts: unlistedHosts, comment: comment, settings: settings,
            allowsNoRule: true)
        return changed?.adding(oddities: oddities) ?? self
    }
}

extension PinFormat {
    /// The name of the software that the format belongs to, for people.
    var owner: String {
        switch self {
        case .ats: "App Transport Security"
        case .trustKit: "TrustKit"
        case .android: "Android"
        case .okHttp: "OkHttp"
        case .curl: "curl"
        case .reactNative: "React Native's library"
        case .git: "git"
        case .tlsa: "DANE"
        case .envoy: "Envoy"
        case .isp: "ISPCertificatePinning"
        default: "this format"
        }
    }
}
