// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// Loads the anchors from sources, once for each set of sources.
struct AnchorResolver {
    struct Resolved {
        let anchors: TrustAnchors
        let overriding: OverridingAnchors?
    }

    private let enforcement: PinEnforcement
    private var resolved: [[PinAnchorSource]: Resolved] = [:]
    private(set) var problems: [PinEnforcementError.Problem] = []
    private var missing: Set<String> = []

    init(_ enforcement: PinEnforcement) { self.enforcement = enforcement }

    /// - Returns: the anchors, or nil if there is no source, so that the anchors stay as they are.
    mutating func resolve(_ sources: [PinAnchorSource]) -> Resolved? {
        guard !sources.isEmpty else { return nil }
        if let known = resolved[sources] { return known }
        var certificates: [Certificate] = []
        var overriding: [Certificate] = []
        for source in sources {
            let found = self.certificates(of: source)
            certificates += found
            if source.overridesPins { overriding += found }
        }
        let includesSystem = sources.contains { $0.kind == .system }
        let overridesSystem = sources.contains { $0.kind == .system && $0.overridesPins }
        let anchors: TrustAnchors =
            !includesSystem ? .only(certificates) : certificates.isEmpty ? .system : .system(adding: certificates)
        let result = Resolved(
            anchors: anchors,
            overriding: overridesSystem || !overriding.isEmpty
                ? OverridingAnchors(
                    certificates: overriding, includesSystem: overridesSystem,
                    areAll: sources.allSatisfy(\.overridesPins)) : nil)
        resolved[sources] = result
        return result
    }

    private mutating func certificates(of source: PinAnchorSource) -> [Certificate] {
        switch source.kind {
        case .system, .none: return []
        case .user: return enforcement.userAnchors
        case .certificate(let certificate): return [certificate]
        case .resource(let name):
            if let certificates = enforcement.resource(name), !certificates.isEmpty { return certificates }
            if missing.insert(name).inserted { problems.append(.resourceMissing(name)) }
            return []
        }
    }
}

/// Anchors whose paths need no pin (Android's `overridePins`).
struct OverridingAnchors: Sendable {
    let certificates: [Certificate]
    let includesSystem: Bool
    /// Whether the rule has no other anchors.
    let areAll: Bool

    /// Returns whether an anchor is one of these. As in Android, anchors are the same if their subjects and keys are
    /// the same. A certificate that occurs in several sources counts as part of the overriding source.
    func contain(_ anchor: Certificate) -> Bool {
        if certificates.contains(where: { $0.isSameAnchor(as: anchor) }) { return true }
        guard includesSystem, let system = try? TrustAnchors.system.store() else { return false }
        return system.contains(anchor)
    }
}

extension Certificate {
    fileprivate func isSameAnchor(as other: Certificate) -> Bool {
        self == other || (subject == other.subject && subjectPublicKeyInfo == other.subjectPublicKeyInfo)
    }
}
