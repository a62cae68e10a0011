// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

// Anchors besides the system's, and their effect on pins.

extension PinLintContext {
    mutating func checkAnchors(_ rule: PinRule) {
        guard rule.mode != .unpinned else { return }
        check(rule.anchors, at: rule.location, subject: rule.subject)
    }

    /// Checks the values for the whole file.
    mutating func checkFile() {
        // Rules with anchors of their own don't use these.
        if configuration.rules.contains(where: { $0.mode != .unpinned && $0.anchors.isEmpty }) {
            check(configuration.anchors, at: nil, subject: nil)
        }
        if !configuration.debugAnchors.isEmpty {
            let list = configuration.debugAnchors.map(\.description).joined(separator: ", ")
            add(.debugAnchors, at: nil, "while the app is debugged, trust ends in \(list) as well")
        }
        if configuration.unlistedHosts == .refused {
            add(.unlistedRefused, at: nil, "hosts of which no rule speaks are refused")
        }
    }

    private mutating func check(_ anchors: [PinAnchorSource], at location: SourceLocation?, subject: String?) {
        for anchor in anchors {
            let whose = subject.map { "\($0): " } ?? ""
            if anchor.overridesPins {
                add(
                    .overridesPins, at: location, subject: subject,
                    "\(whose)paths that end in \(anchor) need no pin")
            } else if anchor.kind == .user {
                add(
                    .userAnchors, at: location, subject: subject,
                    "\(whose)trust ends in what the user has added as well")
            }
        }
    }
}
