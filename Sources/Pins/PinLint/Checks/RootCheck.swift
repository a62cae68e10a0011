// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

// Checks whether pinned roots are in the system's store, and when they will be removed.

extension PinLintContext {
    /// Two years, because paths move to other roots long before the removal.
    private static let leavingSoon: Int64 = 2 * 365 * 86_400

    mutating func checkRoots(_ rule: PinRule) {
        guard linter.anchors != nil, rule.mode != .unpinned, endsInSystem(rule) else { return }
        for pin in rule.pins where pin.scope != .leaf {
            let roots = known.certificates(withKey: pin.key).filter { linter.anchorSet.contains($0) }
            if roots.isEmpty {
                let count = linter.anchorSet.count
                if case .certificate(let certificate) = pin.value, certificate.isAuthority, certificate.isSelfIssued {
                    add(
                        .rootNotInStore, on: rule, at: pin,
                        "the pinned root \(certificate) isn't among the system's \(count) anchors")
                }
                continue
            }
            // If a root has several certificates, the one that is valid longest decides.
            guard let root = roots.max(by: { $0.notAfter < $1.notAfter }) else { continue }
            checkEnd(of: root, pin, rule)
        }
    }

    private func endsInSystem(_ rule: PinRule) -> Bool {
        let anchors = rule.anchors.isEmpty ? configuration.anchors : rule.anchors
        return anchors.isEmpty || anchors.contains { $0.kind == .system }
    }

    private mutating func checkEnd(of root: Certificate, _ pin: Pin, _ rule: PinRule) {
        if root.notAfter < linter.horizonEnd {
            let verb = root.notAfter < linter.time ? "expired" : "expires"
            add(
                .rootExpires, root.notAfter < linter.time ? .error : nil, on: rule, at: pin,
                "the pinned root \(root) \(verb) \(root.notAfter)")
            return
        }
        guard linter.anchorsArePublic else { return }
        let leaves = RootLifecycle.end(ofRootFrom: root.notBefore)
        guard leaves < linter.time.advanced(by: Self.leavingSoon), leaves < root.notAfter else { return }
        let isNear = leaves < linter.horizonEnd
        let verb = leaves < linter.time ? "left" : "leaves"
        add(
            .rootLeaves, isNear ? nil : .note, on: rule, at: pin,
            "the pinned root \(root) from \(root.notBefore) \(verb) Mozilla's store for web sites \(leaves)")
    }
}

/// The end of Mozilla's trust in a root for web sites: Mozilla Root Store Policy § 7.4 (15 years from the creation of
/// the key) and the transition schedule of https://wiki.mozilla.org/CA/Root_CA_Lifecycles.
///
/// The certificate's `notBefore` counts as the creation of the key. Mozilla also uses it if it has no report of the
/// creation. Earlier removals of single roots aren't known here.
enum RootLifecycle {
    /// The cutoff date for the creation of keys, and the date when trust in older keys ends.
    private static let transition: [(madeBefore: Time, end: Time)] = [
        (day("2006-01-01"), day("2025-04-15")), (day("2008-01-01"), day("2026-04-15")),
        (day("2010-01-01"), day("2027-04-15")), (day("2012-01-01"), day("2028-04-15")),
        (day("2014-04-15"), day("2029-04-15")),
    ]

    static func end(ofRootFrom made: Time) -> Time {
        if let row = transition.first(where: { made < $0.madeBefore }) { return row.end }
        // Every fourth year has a leap day.
        return made.advanced(by: (15 * 365 + 4) * 86_400)
    }

    private static func day(_ text: String) -> Time {
        // An invalid date would end the trust in every root. The tests of the table detect this.
        (try? Time(rfc3339: text)) ?? Time(secondsSinceEpoch: 0)
    }
}
