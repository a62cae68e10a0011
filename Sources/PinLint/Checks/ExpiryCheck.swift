// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

// Until when pins count, and what comes then.

extension PinLintScope {
    /// A version of an app that is older than this is used by few.
    private static let far: Int64 = 2 * 365 * 86_400

    mutating func checkExpiry(_ rule: PinRule) {
        guard let expiry = rule.expiry else { return }
        let afterwards = expiry.afterwards == .unpinned ? "not pinned" : "refused"
        if expiry.hasPassed(at: linter.time) {
            add(
                .expired, at: rule.place, subject: rule.subject,
                "\(rule.subject): the pins expired \(expiry.time), and the hosts are \(afterwards)")
            return
        }
        if expiry.time < linter.time.advanced(by: linter.horizon) {
            add(
                .expiresSoon, at: rule.place, subject: rule.subject,
                "\(rule.subject): the pins expire \(expiry.time), and the hosts are \(afterwards) then")
        } else if expiry.time > linter.time.advanced(by: Self.far) {
            add(
                .expiresLate, at: rule.place, subject: rule.subject,
                "\(rule.subject): the pins expire \(expiry.time), in more than two years")
        }
        if expiry.afterwards == .unpinned {
            // TrustKit and Android have no other way; our own format has, so there it was chosen.
            add(
                .expiryFailsOpen, format == .json ? .warning : nil, at: rule.place, subject: rule.subject,
                "\(rule.subject): after \(expiry.time) every valid path is accepted")
        }
    }
}
