// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinLint
import PinModel
import ServerTrust

/// The rules of a file of pins, by which hosts are evaluated as the owner of its format evaluates them.
struct PinFileRules: Sendable {
    /// The file's name as it is shown.
    let name: String
    /// The format; nil if it is none of `PinFormat`'s.
    let format: PinFormat?
    /// The rules of the file by host, made once for all servers.
    let table: PinTable
    /// The keys and certificates that a signed list denies, whatever host has them; nil for none.
    var denied: DeniedList?
    /// The configuration with its evaluators; nil for pins of any host, which are bound to each.
    private let made: ServerTrustConfiguration?

    /// Prepares the rules of a file.
    /// - Parameters:
    ///   - source: the file, read without a problem for which it can't be used.
    ///   - ignoresAnchors: whether the anchors of the file give way to those of the command line.
    /// - Throws: ``CommandFailure`` with every reason why the rules can't be enforced.
    init(_ source: PinLintSource, ignoresAnchors: Bool) throws(CommandFailure) {
        name = source.file
        format = source.format
        do throws(PinFileError) {
            let read = try source.contents.get()
            table = PinTable(ignoresAnchors ? read.withoutAnchors : read)
        } catch {
            throw CommandFailure(errors: error.problems.map(\.description))
        }
        let configuration = table.configuration
        made = configuration.rules.contains(where: \.isForAnyHost) ? nil : try Self.made(configuration, name)
    }

    /// The hosts, pins and anchors of the file.
    var configuration: PinConfiguration { table.configuration }

    /// Whether the file says which anchors count for hosts without anchors of their own.
    var hasAnchors: Bool { !configuration.anchors.isEmpty }

    /// Returns the configuration with the evaluators of a host.
    func trust(for host: Hostname) throws(CommandFailure) -> ServerTrustConfiguration {
        if let made { return made }
        return try Self.made(configuration.bound(to: host), name)
    }

    /// Returns a sentence about a host whose servers are accepted without a pin; nil for one whose pins are in force.
    func remark(on host: Hostname, at time: Time) -> String? {
        let effective = EffectivePins(of: host, in: configuration, format: format, at: time)
        let owner = format?.owner ?? "its owner"
        switch effective.reason {
        case .inForce: return nil
        case .noAnchor: return "\(name) has no anchor for \(host): every server is refused"
        case .reportOnly: return "the pins of \(name) for \(host) are reported and not enforced"
        case .expired:
            let end = effective.expiry.map { $0.time.description } ?? ""
            return effective.outcome == .refused
                ? "the pins of \(name) for \(host) ended at \(end): the host is refused"
                : "the pins of \(name) for \(host) ended at \(end): the host is not pinned any more, as \(owner) has it"
        case .noPin: return "\(name) has a rule for \(host), and no pin in it"
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
                    ? "resources are looked for beside the file, as in an app: ../raw/NAME; or name anchors with --anchors"
                    : nil)
        }
    }
}

/// The resources of an Android app, in the folders beside its configuration.
private enum AppResources {
    /// Returns the certificates of a resource, `raw/NAME`; nil if there is no such file, or none with certificates alone.
    static func certificates(named resource: String, beside file: String) -> [Certificate]? {
        let parts = resource.split(separator: "/", omittingEmptySubsequences: false)
        // The name is the file's: it must not lead out of the folder.
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
    /// The configuration with the system's anchors for every host, and without those of debugging.
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
    /// The software that the format belongs to, for people.
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
