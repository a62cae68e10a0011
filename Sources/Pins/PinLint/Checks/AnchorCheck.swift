// SPDX-License-Identifier: Apache-2.0

import ServerTrustPins

// Checks anchors other than the system's, and their effect on pins.

extension PinLintContext {
    mutating func checkAnchors(_ rule: PinRule) {
        check(rule.anchors, arePinned: rule.mode != .unpinned, at: rule.location, subject: rule.subject)
    }

    /// Checks the values that apply to the whole file.
    mutating func checkFile() {
        // Rules with their own anchors don't use these anchors. Hosts without a rule do, unless they are refused.
        let isForPins = configuration.rules.contains { $0.mode != .unpinned && $0.anchors.isEmpty }
        if configuration.unlistedHosts == .evaluatedByDefault {
            check(configuration.anchors, arePinned: false, at: configuration.anchorsLocation, subject: nil)
        } else if isForPins {
            check(
                configuration.anchors.filter { !$0.overridesPins }, arePinned: true, at: configuration.anchorsLocation,
                subject: nil)
        }
        if isForPins { checkOverrides(configuration.anchors, at: configuration.anchorsLocation, subject: nil) }
        if !configuration.debugAnchors.isEmpty {
            let list = configuration.debugAnchors.map(\.description).joined(separator: ", ")
            add(
                .debugAnchors, at: configuration.debugAnchorsLocation,
                "while the app is being debugged, it also trusts \(list)")
        }
        if configuration.unlistedHosts == .refused {
            add(.unlistedRefused, at: nil, "hosts without a rule are refused")
        }
    }

    private mutating func check(
        _ anchors: [PinAnchorSource], arePinned: Bool, at location: PinFileLocation?, subject: String?
    ) {
        let whose = subject.map { "\($0): " } ?? ""
        if arePinned { checkOverrides(anchors, at: location, subject: subject) }
        if anchors.contains(where: { $0.kind == .user && !(arePinned && $0.overridesPins) }) {
            // Pins stop such a CA. Without pins, nothing stops it.
            add(
                .userAnchors, arePinned ? nil : .warning, at: location, subject: subject,
                "\(whose)the app also trusts anchors that the user has added"
                    + (arePinned ? "" : ", and no pin prevents that"))
        }
        let bundled = anchors.filter(\.isBundled)
        guard let first = bundled.first else { return }
        let others = bundled.count > 1 ? " and \(bundled.count - 1) more" : ""
        add(
            .bundledAnchors, at: location, subject: subject,
            "\(whose)the app trusts \(first)\(others)"
                + (anchors.contains { $0.kind == .system }
                    ? " in addition to the system's anchors" : ", but none of the system's anchors"))
    }

    private mutating func checkOverrides(
        _ anchors: [PinAnchorSource], at location: PinFileLocation?, subject: String?
    ) {
        for anchor in anchors where anchor.overridesPins {
            add(
                .overridesPins, at: location, subject: subject,
                "\(subject.map { "\($0): " } ?? "")paths that end in \(anchor) need no pin")
        }
    }
}

extension PinAnchorSource {
    /// Whether the anchors are part of the app.
    fileprivate var isBundled: Bool {
        switch kind {
        case .resource, .certificate: true
        case .system, .user, .none: false
        }
    }
}
