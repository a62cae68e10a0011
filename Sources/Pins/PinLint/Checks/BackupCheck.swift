// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

// Checks which pins remain after the loss of a key.

extension PinLintContext {
    mutating func checkBackup(_ rule: PinRule) {
        guard rule.mode != .unpinned else { return }
        let severity: PinFinding.Severity? = rule.mode == .enforced ? nil : .note
        if rule.pins.count < 2, rule.isForTrustKitAndroid {
            add(
                .noBackup, .error, on: rule,
                "only one key is pinned, but trustkit-config requires two, so TrustKit ends the app when it starts")
            return
        }
        for scope in rule.scopes {
            let pins = rule.pins.filter { $0.scope == scope }
            // A pin that no key matches isn't a backup. It has a separate finding.
            let keys = Set(pins.filter { !isDud($0) }.map(\.key))
            // If no key can match any pin, there is no pin to back up yet.
            if keys.count == 1 {
                add(.noBackup, severity, on: rule, "only one key is pinned\(scope.suffix), expected a backup too")
            } else if keys.count > 1, pins.allSatisfy({ $0.role == .inUse }) {
                add(
                    .noBackup, severity, on: rule,
                    "\(pins.count) keys are pinned\(scope.suffix) and all of them are in use, expected a backup too")
            }
            checkBackupKeys(rule, pins)
        }
    }

    /// Reports a key that is pinned twice: as a key and as a certificate, or in two certificates.
    private mutating func checkBackupKeys(_ rule: PinRule, _ pins: [Pin]) {
        var first: [SPKIPin: Pin] = [:]
        for pin in pins {
            guard let other = first[pin.key] else {
                first[pin.key] = pin
                continue
            }
            let backup = pin.role != .backup && other.role == .backup ? other : pin
            add(
                .backupIsPinned, at: backup.location ?? rule.location, subject: rule.subject,
                "\(rule.subject): \(pin.value) and \(other.value) are the same key")
        }
    }
}

extension PinRule {
    /// Whether the rule is an Android rule with TrustKit's element. TrustKit-Android requires two pins
    /// (DomainPinningPolicy.java).
    var isForTrustKitAndroid: Bool {
        settings.contains { $0.format == .android && $0.key.hasPrefix("trustkit-config@") }
    }
}

extension PinScope {
    /// The text after the word *pinned*.
    fileprivate var suffix: String {
        switch self {
        case .leaf: " for servers"
        case .authority: " for CAs"
        case .anywhere: ""
        }
    }
}
