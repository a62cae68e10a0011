// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

/// A selection of candidates to pin.
package enum PinSelection: String, Sendable, Hashable, CaseIterable {
    /// The leaves' keys, keys without a certificate, and backups.
    case leaf
    /// The CAs' keys, including anchors.
    case issuers
    /// All candidates.
    case all
}

extension PinCandidates {
    /// Returns the selection that suits a format. ATS requires a leaf **and** a CA if both are listed, and curl only
    /// supports leaves.
    package func defaultSelection(for format: PinFormat) -> PinSelection {
        switch format {
        case .curl, .git, .envoy, .tlsa: candidates.contains { $0.kind == .leaf || $0.kind == .key } ? .leaf : .all
        case .ats:
            candidates.contains { $0.kind == .issuer || $0.kind == .anchor } && !candidates.contains(where: \.isBackup)
                ? .issuers : .leaf
        case .isp, .trustKit, .android, .okHttp, .json: .all
        default: .all
        }
    }

    /// Returns the selected candidates.
    package func chosen(_ selection: PinSelection) -> [PinCandidate] {
        candidates.filter { candidate in
            switch (selection, candidate.kind) {
            case (.all, _), (.leaf, .leaf), (.leaf, .key), (.issuers, .issuer), (.issuers, .anchor): true
            case (.leaf, .issuer), (.leaf, .anchor), (.issuers, .leaf), (.issuers, .key): false
            }
        }
    }

    /// Returns a configuration that pins the selected candidates for hosts.
    /// - Parameters:
    ///   - hosts: the hosts. Empty for any host (curl).
    ///   - selection: the selection of candidates.
    ///   - asCertificates: whether to pin whole certificates instead of their keys, where certificates exist.
    ///   - added: the day when the pins are added.
    /// - Throws: `PinRuleError` if no candidate is selected.
    package func configuration(
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
        return try PinConfiguration(rules: [rule])
    }
}

extension PinCandidate {
    /// The kind and name on one line.
    var remark: String { (isBackup ? "backup: " : "\(kind.rawValue): ") + clipped(name) }
}
