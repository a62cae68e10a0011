// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// Which of the candidates are to be pinned.
public enum PinSelection: String, Sendable, Hashable, CaseIterable {
    /// The leaves' keys, keys without a certificate, and backups.
    case leaf
    /// The CAs' keys, anchors included.
    case issuers
    /// All of them.
    case all
}

extension PinCandidates {
    /// What a format can make good use of: ATS asks for a leaf **and** a CA if both are given, curl knows leaves alone.
    public func defaultSelection(for format: PinFormat) -> PinSelection {
        switch format {
        case .curl: candidates.contains { $0.kind == .leaf || $0.kind == .key } ? .leaf : .all
        case .ats:
            candidates.contains { $0.kind == .issuer || $0.kind == .anchor } && !candidates.contains(where: \.isBackup)
                ? .issuers : .leaf
        case .isp, .trustKit, .android, .okHttp, .json: .all
        default: .all
        }
    }

    /// The chosen candidates.
    public func chosen(_ selection: PinSelection) -> [PinCandidate] {
        candidates.filter { candidate in
            switch (selection, candidate.kind) {
            case (.all, _), (.leaf, .leaf), (.leaf, .key), (.issuers, .issuer), (.issuers, .anchor): true
            case (.leaf, .issuer), (.leaf, .anchor), (.issuers, .leaf), (.issuers, .key): false
            }
        }
    }

    /// A configuration that pins the chosen candidates for some hosts.
    /// - Parameters:
    ///   - hosts: whom they are for; empty for whatever host is asked for (curl).
    ///   - selection: which candidates.
    ///   - asCertificates: whole certificates instead of their keys, where there is one.
    ///   - added: the day that is written beside them.
    /// - Throws: ``PinRuleError`` if nothing is chosen.
    public func configuration(
        for hosts: [PinnedHosts], _ selection: PinSelection, asCertificates: Bool = false, added: Time? = nil
    ) throws(PinRuleError) -> PinConfiguration {
        let scope: PinScope =
            switch selection {
            case .leaf: .leaf
            case .issuers: .authority
            case .all: .anywhere
            }
        let pins = chosen(selection).map { candidate in
            let certificate = asCertificates ? candidate.certificate : nil
            return Pin(
                certificate.map { .certificate($0) } ?? .key(candidate.pin), scope: scope,
                role: candidate.isBackup ? .backup : .inUse, comment: candidate.remark, added: added)
        }
        let rule = try PinRule(hosts: hosts, pins: pins)
        do throws(PinConfigurationError) {
            return try PinConfiguration(rules: [rule])
        } catch {
            // One rule can only be at odds with itself by naming hosts twice.
            throw PinRuleError(problems: hosts.map { .duplicateHosts($0) })
        }
    }
}

extension PinCandidate {
    /// Kind and name on one line.
    var remark: String { (isBackup ? "backup: " : "\(kind.rawValue): ") + clipped(name) }
}
