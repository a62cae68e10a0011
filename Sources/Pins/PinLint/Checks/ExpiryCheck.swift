// SPDX-License-Identifier: Apache-2.0

import ServerTrustPins

// Checks the expiry of pins and the behavior after it.

extension PinLintContext {
    /// Two years. Most users have updated an app by then.
    private static let far: Int64 = 2 * 365 * 86_400

    /// Reports pins without an expiry, in formats that support one. There is one finding per file.
    mutating func checkNoExpiry() {
        guard format == .android || format == .trustKit else { return }
        let pinned = configuration.rules.filter { $0.mode == .enforced }
        let lasting = pinned.filter { $0.expiry == nil }
        guard let first = lasting.first else { return }
        let count = lasting.count == 1 ? "" : " and \(lasting.count - 1) more"
        add(.noExpiry, at: first.location, subject: first.subject, "the pins of \(first.subject)\(count) never expire")
    }

    mutating func checkExpiry(_ rule: PinRule) {
        guard let expiry = rule.expiry else { return }
        let afterwards = expiry.onExpiry == .failOpen ? "not pinned" : "refused"
        if expiry.hasPassed(at: linter.time) {
            add(.expired, on: rule, "the pins expired \(expiry.time), and the hosts are \(afterwards)")
            return
        }
        if expiry.time < linter.horizonEnd {
            add(.expiresSoon, on: rule, "the pins expire \(expiry.time), and then the hosts are \(afterwards)")
        } else if expiry.time > linter.time.advanced(by: Self.far) {
            add(.expiresLate, on: rule, "the pins expire \(expiry.time), in more than two years")
        }
        if expiry.onExpiry == .failOpen {
            // TrustKit and Android always fail open. In this package's own format, the author chose to.
            add(
                .expiryFailsOpen, format == .json ? .warning : nil, on: rule,
                "after \(expiry.time) every valid path is accepted")
        }
    }
}
