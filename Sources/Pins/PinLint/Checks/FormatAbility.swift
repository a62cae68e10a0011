// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// The statements that files of a format can make, as far as files of one app are compared.
///
/// Sources: Apple's `NSPinnedDomains` (`NSIncludesSubdomains` covers one label; no expiry, no report, enforcement alone), TrustKit's
/// configuration (any depth, date, `kTSKEnforcePinning`, `kTSKReportUris`), Android's `network_security_config.xml` (any depth, date), OkHttp's
/// `CertificatePinner` (one label or any depth), ISPCertificatePinning (exact names).
struct FormatAbility {
    /// The most remote hosts below a name that can be pinned.
    var below = PinnedHosts.Below.anyDepth
    /// Whether pins can expire.
    var expiry = true
    /// Whether pins can be reported without being enforced.
    var reportOnly = true
    /// Whether URLs for reports can be given.
    var reports = true
    /// Whether a key of the server and one of a CA can both be required.
    var scopes = true

    /// The statements of a format; all of them for a configuration without a format and for this package's own.
    init(_ format: PinFormat?) {
        switch format {
        case .ats?: self = Self(below: .oneLabel, expiry: false, reportOnly: false, reports: false, scopes: true)
        case .trustKit?: scopes = false
        case .android?: self = Self(below: .anyDepth, expiry: true, reportOnly: false, reports: true, scopes: false)
        case .okHttp?: self = Self(below: .anyDepth, expiry: false, reportOnly: false, reports: false, scopes: false)
        case .reactNative?:
            self = Self(below: .anyDepth, expiry: true, reportOnly: false, reports: false, scopes: false)
        case .git?: self = Self(below: .oneLabel, expiry: false, reportOnly: false, reports: false, scopes: false)
        case .isp?, .curl?, .tlsa?, .envoy?:
            self = Self(below: .nothing, expiry: false, reportOnly: false, reports: false, scopes: false)
        default: break
        }
    }

    private init(below: PinnedHosts.Below, expiry: Bool, reportOnly: Bool, reports: Bool, scopes: Bool) {
        self.below = below
        self.expiry = expiry
        self.reportOnly = reportOnly
        self.reports = reports
        self.scopes = scopes
    }

    /// Returns whether the hosts of a row can have pins of the mode.
    func canSay(_ mode: PinRule.Mode, for row: HostPattern) -> Bool {
        guard mode != .reportOnly || reportOnly else { return false }
        return switch row.kind {
        case .exact: true
        case .oneLabel: below >= .oneLabel
        case .anyDepth: below == .anyDepth
        }
    }
}
