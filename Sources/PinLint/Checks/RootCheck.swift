// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

// Whether pinned roots are in the system's store, and how long they will be.

extension PinLintScope {
    /// Long enough to see it coming, since paths move to other roots well before.
    private static let leavingSoon: Int64 = 2 * 365 * 86_400

    mutating func checkRoots(_ rule: PinRule) {
        guard let store = linter.anchors, rule.mode != .unpinned, endsInSystem(rule) else { return }
        for pin in rule.pins where pin.scope != .leaf {
            let roots = known.certificates(withKey: pin.key).filter { store.contains($0) }
            if roots.isEmpty {
                if case .certificate(let certificate) = pin.value, certificate.isAuthority, certificate.isSelfIssued {
                    add(
                        .rootNotInStore, at: pin.place ?? rule.place, subject: rule.subject,
                        "\(rule.subject): the pinned root \(certificate) is not among the \(store.count) anchors of the system"
                    )
                }
                continue
            }
            // The one that stays longest decides.
            guard let root = roots.max(by: { $0.notAfter < $1.notAfter }) else { continue }
            checkEnd(of: root, pin, rule)
        }
    }

    private func endsInSystem(_ rule: PinRule) -> Bool {
        let anchors = rule.anchors.isEmpty ? configuration.anchors : rule.anchors
        return anchors.isEmpty || anchors.contains { $0.kind == .system }
    }

    private mutating func checkEnd(of root: Certificate, _ pin: Pin, _ rule: PinRule) {
        let place = pin.place ?? rule.place
        if root.notAfter < linter.time.advanced(by: linter.horizon) {
            let verb = root.notAfter < linter.time ? "expired" : "expires"
            add(
                .rootExpires, root.notAfter < linter.time ? .error : nil, at: place, subject: rule.subject,
                "\(rule.subject): the pinned root \(root) \(verb) \(root.notAfter)")
            return
        }
        guard linter.anchorsArePublic else { return }
        let leaves = RootLifecycle.end(ofRootFrom: root.notBefore)
        guard leaves < linter.time.advanced(by: Self.leavingSoon), leaves < root.notAfter else { return }
        let isNear = leaves < linter.time.advanced(by: linter.horizon)
        add(
            .rootLeaves, isNear ? nil : .note, at: place, subject: rule.subject,
            "\(rule.subject): the pinned root \(root) of \(root.notBefore) \(leaves < linter.time ? "left" : "leaves") Mozilla's store for web sites \(leaves)"
        )
    }
}

/// How long Mozilla trusts a root for web sites: Mozilla Root Store Policy § 7.4 (15 years from the making of the key) and the
/// transition schedule of https://wiki.mozilla.org/CA/Root_CA_Lifecycles.
///
/// The making of the key is taken to be the certificate's `notBefore`, as Mozilla does where no report of it exists. Single roots leave
/// earlier, for other reasons; that isn't known here.
enum RootLifecycle {
    /// Until when keys were made, exclusively, and when trust in them ends.
    private static let transition: [(madeBefore: Time, end: Time)] = [
        (day(2006, 1, 1), day(2025, 4, 15)), (day(2008, 1, 1), day(2026, 4, 15)),
        (day(2010, 1, 1), day(2027, 4, 15)), (day(2012, 1, 1), day(2028, 4, 15)),
        (day(2014, 4, 15), day(2029, 4, 15)),
    ]

    static func end(ofRootFrom made: Time) -> Time {
        if let row = transition.first(where: { made < $0.madeBefore }) { return row.end }
        // A fourth of the years has a leap day.
        return made.advanced(by: (15 * 365 + 4) * 86_400)
    }

    private static func day(_ year: Int, _ month: Int, _ day: Int) -> Time {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        // A day that doesn't exist would end trust in everything, which the tests of the table would see.
        return (try? Time(rfc3339: "\(year)-\(two(month))-\(two(day))")) ?? Time(secondsSinceEpoch: 0)
    }
}
