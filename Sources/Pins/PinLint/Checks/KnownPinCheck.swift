// SPDX-License-Identifier: Apache-2.0

import ServerTrustPins

// Checks for pins that no server of the app matches, and for pins that match only until a CA's next change.

extension PinLintContext {
    mutating func checkKnownPins(_ rule: PinRule) {
        guard rule.mode != .unpinned else { return }
        var others = 0
        var rotating: [String] = []
        for pin in rule.pins {
            guard case .key(let key) = pin.value, let kind = KnownPins.kind(of: key) else {
                others += 1
                continue
            }
            if isStandIn(pin) { continue }
            if case .rotating(let name) = kind {
                rotating.append(name)
            } else {
                addDud(kind, pin, rule)
            }
        }
        // With two other keys, one can be in use and one in reserve, whatever the CA does.
        guard !rotating.isEmpty, others < 2 else { return }
        add(
            .rotatingAuthority, on: rule,
            "the reserve is \(rotating.joined(separator: ", ")), which the CA replaces without notice")
    }

    private mutating func addDud(_ kind: KnownPins.Kind, _ pin: Pin, _ rule: PinRule) {
        let lintRule: PinLintRule =
            switch kind {
            case .nothing: .pinOfNothing
            case .placeholder: .placeholder
            case .sample: .sample
            case .retired: .retiredAuthority
            case .rotating: .rotatingAuthority
            }
        add(lintRule, on: rule, at: pin, "\(pin.value) is \(kind.words)")
    }

    /// Returns whether a pin replaces a string that isn't a pin.
    func isStandIn(_ pin: Pin) -> Bool { pin.location.map(standIns.contains) ?? false }

    /// Returns whether a pin can't match any server of the app.
    func isDud(_ pin: Pin) -> Bool {
        if pin.scope == .leaf, authority(withKeyOf: pin) != nil { return true }
        if mistake(of: pin) != nil { return true }
        guard case .key(let key) = pin.value else { return false }
        return switch KnownPins.kind(of: key) {
        case .nothing, .placeholder, .sample, .retired: true
        case .rotating, nil: false
        }
    }
}
