// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The conditions on the anchors of a record, as lists in this package's JSON with only these anchors.
///
/// A complete list also makes the anchors public that it contains.
struct RecordedConditions {
    /// The lists, each as the contents of a file.
    private(set) var lists: [[UInt8]] = []
    /// The name of the store. Complete lists refuse the roots of a ``TrustRecord/Store/system`` that they don't list.
    let storeName: String
    /// Whether the lists express all conditions.
    private(set) var isComplete = true

    /// The entries of one list.
    private struct List {
        var roots: [(digest: String, alternatives: [AnchorConstraints])] = []
        var distrusted: [String] = []
        var isComplete = false
    }

    /// - Parameters:
    ///   - kind: the kind of the store (`TrustAnchors.kind`).
    ///   - distrusted: the certificates that no path may contain, or nil if a list can't be read.
    init(
        _ reached: ReachedCertificates, kind: String, distrusted: [DistrustedCertificates]?,
        purpose: ValidationPolicy.Purpose
    ) {
        var lists: KeyedLists = [:]
        let hasUnlisted = reached.anchors.contains { !$0.conditions.allSatisfy(\.isListed) }
        let hasAdded = reached.anchors.contains { !$0.isPublic && $0.conditions.allSatisfy(\.isListed) }
        storeName =
            !hasAdded && (hasUnlisted || kind != "only")
            ? TrustRecord.Store.system : kind == "only" ? kind : "system and added"
        if hasUnlisted, storeName != TrustRecord.Store.system { isComplete = false }
        for anchor in reached.anchors {
            let digest = Hex.encode(anchor.certificate.sha256)
            let isUnlisted = !anchor.conditions.allSatisfy(\.isListed)
            for condition in anchor.conditions {
                guard condition.isListed else {
                    lists[condition.source, default: List()].isComplete = true
                    continue
                }
                lists[condition.source, default: List()].roots.append((digest, condition.alternatives))
                let isForSome = condition.distrustedPurposes.count < ValidationPolicy.Purpose.allCases.count
                if !condition.distrustedPurposes.isEmpty, isForSome { isComplete = false }
            }
            if anchor.isPublic, !isUnlisted {
                let source = anchor.conditions.first?.source ?? TrustRecord.Store.system
                if anchor.conditions.isEmpty {
                    lists[source, default: List()].roots.append((digest, [AnchorConstraints()]))
                }
                lists[source, default: List()].isComplete = true
            }
        }
        // A complete list in which another public anchor is missing would refuse it.
        if storeName == TrustRecord.Store.system {
            let complete = lists.filter(\.value.isComplete)
            for anchor in reached.anchors where anchor.conditions.allSatisfy(\.isListed) {
                let digest = Hex.encode(anchor.certificate.sha256)
                for (source, list) in complete where !list.roots.contains(where: { $0.digest == digest }) {
                    lists[source]?.roots.append((digest, [AnchorConstraints()]))
                }
            }
        }
        if let distrusted {
            for certificate in reached.all {
                guard let entry = distrusted.entry(distrusting: certificate, for: purpose) else { continue }
                let prefix = "distrusted by "
                let source = entry.reason.hasPrefix(prefix) ? String(entry.reason.dropFirst(prefix.count)) : "list"
                lists[source, default: List()].distrusted.append(Hex.encode(certificate.sha256))
            }
        } else {
            isComplete = false
        }
        self.lists = lists.sorted { $0.key < $1.key }.map { Self.json($0.key, $0.value) }
    }

    private typealias KeyedLists = [String: List]

    private static func json(_ source: String, _ list: List) -> [UInt8] {
        var json = JSONWriter(isIndented: false)
        json.object { json in
            json.member("schemaVersion", 1)
            json.member("program", source)
            json.member("complete", list.isComplete)
            json.object("roots") { json in
                // A complete list has at least one root that it trusts. No certificate has this digest.
                if list.isComplete {
                    json.key(escaping: String(repeating: "0", count: 64))
                    json.array { _ in }
                }
                var known: Set<String> = []
                for (digest, alternatives) in list.roots where known.insert(digest).inserted {
                    json.key(escaping: digest)
                    write(alternatives, to: &json)
                }
            }
            json.member("distrusted", Set(list.distrusted).sorted())
        }
        return json.bytes
    }

    /// Writes alternative sets. A root without conditions has no set, so a root without alternatives is trusted for no
    /// purpose.
    private static func write(_ alternatives: [AnchorConstraints], to json: inout JSONWriter) {
        json.array { json in
            guard alternatives != [AnchorConstraints()] else { return }
            if alternatives.isEmpty { json.object { $0.member("purposes", [String]()) } }
            for constraints in alternatives { write(constraints, to: &json) }
        }
    }

    private static func write(_ constraints: AnchorConstraints, to json: inout JSONWriter) {
        json.object { json in
            guard !constraints.isUndecidable else { return json.member("purposes", [String]()) }
            for limit in constraints.dates {
                let key: StaticString =
                    switch (limit.side, limit.clock) {
                    case (.notAfter, .timestamps): "timestampNotAfter"
                    case (.notAfter, .notBefore), (.notAfter, .notBeforeOrTimestamp): "issuedNotAfter"
                    case (.after, .timestamps): "allTimestampsAfter"
                    case (.after, .notBefore), (.after, .notBeforeOrTimestamp): "issuedAfter"
                    }
                json.member(key, limit.date.description)
            }
            if let permitted = constraints.permittedDomains { json.member("permittedDomains", permitted) }
            if !constraints.excludedDomains.isEmpty { json.member("excludedDomains", constraints.excludedDomains) }
            if let purposes = constraints.purposes { json.member("purposes", purposes.map(\.rawValue).sorted()) }
        }
    }
}
