// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import ServerTrustPins

// Checks the URLs that receive reports of failures.

extension PinLintContext {
    /// The settings that leave TrustKit's default address in use: on Apple's systems and on Android.
    private static let defaultAddress: [PinSetting] = [
        PinSetting(.trustKit, "TSKDisableDefaultReportUri", "false"),
        PinSetting(.android, "trustkit-config@disableDefaultReportUri", "false"),
    ]

    /// Reports the default address of TrustKit. There is one finding per file.
    mutating func checkDefaultReports() {
        let reporting = configuration.rules.filter { rule in
            rule.mode != .unpinned && Self.defaultAddress.contains(where: rule.settings.contains)
        }
        guard let first = reporting.first else { return }
        let count = reporting.count == 1 ? "" : " and \(reporting.count - 1) more"
        add(
            .reportDefault, at: first.location, subject: first.subject,
            "failures of \(first.subject)\(count) are also reported to TrustKit's vendor")
    }

    mutating func checkReports(_ rule: PinRule) {
        for uri in rule.reportURIs {
            guard let target = URLComponents(string: uri) else { continue }
            if target.scheme?.lowercased() != "https" {
                add(.reportNotHTTPS, on: rule, "failures are reported to \(clipped(uri)), expected https")
            }
            guard let text = target.host, let host = try? Hostname(text), let own = table.rule(for: host),
                own.mode == .enforced
            else { continue }
            add(.reportHostPinned, on: rule, "failures are reported to \(host), which has enforced pins itself")
        }
    }
}
