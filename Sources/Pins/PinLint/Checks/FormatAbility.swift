// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

/// The rules that files in a format can express, as far as the linter compares the files of one app.
///
/// Sources: Apple's `NSPinnedDomains` (`NSIncludesSubdomains` covers one label; no expiry, no report, only
/// enforcement), TrustKit's configuration (any depth, date, `kTSKEnforcePinning`, `kTSKReportUris`), Android's
/// `network_security_config.xml` (any depth, date), OkHttp's `CertificatePinner` (one label or any depth),
/// ISPCertificatePinning (exact names).
struct FormatAbility {
    /// The greatest depth below a name that the format can pin.
    var below = PinnedHosts.Below.anyDepth
    /// Whether pins can expire.
    var expiry = true
    /// Whether failures of pins can be reported without enforcing the pins.
    var reportOnly = true
    /// Whether rules can have URLs for reports.
    var reports = true
    /// Whether a rule can require both a server's key and a CA's key.
    var scopes = true
}

extension FormatAbility {
    /// Creates the abilities of a format. A configuration without a format, and this package's own format, have all
    /// abilities.
    init(_ format: PinFormat?) {
        self.init()
        switch format {
        case .ats?: self = Self(below: .oneLabel, expiry: false, reportOnly: false, reports: false)
        case .trustKit?: scopes = false
        case .android?: self = Self(reportOnly: false, scopes: false)
        case .okHttp?: self = Self(expiry: false, reportOnly: false, reports: false, scopes: false)
        case .reactNative?: self = Self(reportOnly: false, reports: false, scopes: false)
        case .git?: self = Self(below: .oneLabel, expiry: false, reportOnly: false, reports: false, scopes: false)
        case .isp?, .curl?, .tlsa?, .envoy?:
            self = Self(below: .nothing, expiry: false, reportOnly: false, reports: false, scopes: false)
        default: break
        }
    }

    /// Returns whether the hosts of a row can have pins with this mode.
    func canSay(_ mode: PinRule.Mode, for row: HostPattern) -> Bool {
        guard mode != .reportOnly || reportOnly else { return false }
        return switch row.kind {
        case .exact: true
        case .oneLabel: below >= .oneLabel
        case .anyDepth: below == .anyDepth
        }
    }
}
