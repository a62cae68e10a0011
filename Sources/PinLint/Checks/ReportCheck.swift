// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinModel
import ServerTrust
import TrustSupport

// The URLs to which failures are reported.

extension PinLintContext {
    mutating func checkReports(_ rule: PinRule) {
        for uri in rule.reportURIs {
            guard let target = URLComponents(string: uri) else { continue }
            if target.scheme?.lowercased() != "https" {
                add(
                    .reportNotHTTPS, at: rule.location, subject: rule.subject,
                    "\(rule.subject): failures are reported to \(clipped(uri)), expected https")
            }
            guard let text = target.host, let host = try? Hostname(text), let own = table.rule(for: host),
                own.mode == .enforced
            else { continue }
            add(
                .reportHostPinned, at: rule.location, subject: rule.subject,
                "\(rule.subject): failures are reported to \(host), which is itself under enforced pins")
        }
    }
}
