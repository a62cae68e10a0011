// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The changes that a replay makes to records before it evaluates them, read once and used by all threads.
struct ReplayChanges: Sendable {
    /// The pins instead of the recorded ones.
    enum Pins: Sendable {
        /// One of these keys, for every host.
        case keys([SPKIPin])
        /// The rules of a pin file.
        case rules(PinFileRules)
    }

    /// The options that the user gave, with their values.
    private(set) var options: [Option] = []
    /// The changes of parts that a record can express.
    private(set) var records: [@Sendable (inout TrustRecord) -> Void] = []
    /// The changes of settings that a record can't express.
    private(set) var settings: [@Sendable (inout TrustSettings) -> Void] = []
    var pins: Pins?
    /// The anchors instead of the recorded ones, by purpose.
    var anchors: [ValidationPolicy.Purpose: Result<TrustAnchors, CommandFailure>]?
    /// The list whose conditions apply instead of the recorded ones.
    var overlay: RootsOverlay?
    /// Additional intermediates.
    var intermediates: [Certificate] = []
    /// Additional CRLs and OCSP responses. Filters replace the recorded ones.
    var evidence = RevocationData()
    /// Whether the transparency check replaces all parts of the recorded one.
    var replacesTransparency = false
    var purpose: ValidationPolicy.Purpose?
    var withoutAnchors: [CertificateSelector] = []
    var withoutIntermediates: [CertificateSelector] = []
    /// The CAs that other CAs replace, or nil.
    var renewal: ReplayRenewal?
    /// The period of the timeline (`--until`), or nil for none. It isn't a change.
    var period: ReplayPeriod?

    /// An option of the command line.
    struct Option: Sendable, Hashable {
        /// The name, such as `--pins`.
        var name: String
        /// The value, or nil for a flag.
        var value: String?

        var words: String { value.map { "\(name) \($0)" } ?? name }
    }

    /// Adds an option with its values.
    mutating func add(_ name: String, _ values: [String?]) {
        options += values.compactMap(\.self).map { Option(name: name, value: $0) }
    }

    /// Adds a flag, if the user gave it, and its change of records.
    mutating func add(_ name: String, _ isGiven: Bool, _ change: @escaping @Sendable (inout TrustRecord) -> Void) {
        guard isGiven else { return }
        options.append(Option(name: name))
        records.append(change)
    }

    /// Adds an option, if the user gave it, and its change of records.
    mutating func add<Value: Sendable>(
        _ name: String, _ value: Value?, as words: (Value) -> String,
        _ change: @escaping @Sendable (inout TrustRecord, Value) -> Void
    ) {
        guard let value else { return }
        add(name, [words(value)])
        records.append { change(&$0, value) }
    }

    /// Adds a change of settings, if there is a value for it.
    mutating func add<Value: Sendable>(
        _ value: Value?, _ change: @escaping @Sendable (inout TrustSettings, Value) -> Void
    ) {
        if let value { settings.append { change(&$0, value) } }
    }

    /// Whether the replay evaluates the records as they are.
    var isEmpty: Bool { options.isEmpty }

    /// The name that ``ReplaySummary/used`` has for a listed host of the pin file.
    static func key(ofListed name: Hostname) -> String { "host \(name)" }

    /// The hosts of the pin file that no record is about, and the selectors that no record matched.
    func unused(_ used: Set<String>) -> (hosts: [String], selectors: [String]) {
        var hosts: [String] = []
        if case .rules(let rules) = pins {
            hosts = rules.table.names.filter { !used.contains(Self.key(ofListed: $0)) }.map(\.description)
        }
        return (hosts, selectors.map(\.words).filter { !used.contains($0) })
    }

    private var selectors: [CertificateSelector] {
        withoutAnchors + withoutIntermediates + (renewal?.selectors ?? [])
    }
}

/// A certificate that an option names, by its common name, subject or SHA-256.
struct CertificateSelector: Sendable {
    /// The option, such as `--without-anchor`.
    let option: String
    let text: String
    private let digest: [UInt8]?

    init(option: String, _ text: String) {
        self.option = option
        self.text = text
        let digits = text.filter { $0 != ":" }.lowercased()
        digest = digits.utf8.count == 64 ? Hex.decode(digits) : nil
    }

    /// The option with its value, which is also the selector's name in ``ReplaySummary/used``.
    var words: String { "\(option) \(text)" }

    func matches(_ certificate: Certificate) -> Bool {
        digest.map { certificate.sha256 == $0 } ?? matches(certificate.subject)
    }

    /// Returns whether the option has this name. A SHA-256 doesn't name a subject.
    func matches(_ subject: DistinguishedName) -> Bool {
        subject.values(of: .commonName).contains { $0.lowercased() == text.lowercased() }
            || subject.description.lowercased() == text.lowercased()
    }
}

// MARK: - Applying

extension ReplayChanges {
    /// Returns whether the changes replace a part that a record doesn't contain.
    private func replaces(_ name: String, of record: TrustRecord) -> Bool {
        switch name {
        case _ where PlainEvaluation.pinNames.contains(name): pins != nil
        // In older records, an evaluator of a pin file may have had its own anchors.
        case "SPKIPinsTrustEvaluator": pins != nil
        case "ConfiguredTrustEvaluator":
            pins != nil && (anchors != nil || record.anchorStore?.name == TrustRecord.Store.system)
        case "system anchors": anchors != nil
        case "conditions": anchors != nil || overlay != nil
        case "filters": !evidence.filters.isEmpty
        case "transparency", "logs": replacesTransparency
        default: false
        }
    }

    /// Returns the parts that a record doesn't contain and the changes don't replace.
    func missing(in record: TrustRecord) -> [String] { record.unrecorded.filter { !replaces($0, of: record) } }

    /// Returns the names of the selectors that one of a record's certificates matches.
    func selectors(in record: TrustRecord) -> [String] {
        let ders = record.chain + record.intermediates + (record.anchors ?? []) + (record.ruleAnchors ?? [])
        let certificates = ders.compactMap { try? Certificate(der: $0) }
        return selectors.filter { certificates.contains(where: $0.matches) }.map(\.words)
    }

    /// Returns the host of the pin file whose rules a record concerns, or nil for none.
    func listed(_ record: TrustRecord) -> Hostname? {
        guard case .rules(let rules) = pins, case .name(let host) = record.host else { return nil }
        return host.namesUpward.first(where: rules.table.lists)
    }

    /// Returns the reason why the changes have no answer for a record, or nil if they do.
    func obstacle(to record: TrustRecord) -> String? {
        if let anchors, case .failure = anchors[purpose ?? record.policy.purpose] {
            return "--anchors has no anchor for \((purpose ?? record.policy.purpose).rawValue)"
        }
        guard case .rules(let rules) = pins else { return nil }
        switch record.host {
        case .name(let host):
            return anchors == nil && rules.ignoresAnchors(of: host)
                ? "the pin file has other anchors for the host, which --anchors can name" : nil
        case .none: return "the record has no host, and the pin file has rules for hosts"
        case .hashed: return "the record hides its host, and the pin file has rules for hosts"
        }
    }

    /// Returns the reason why a refusal with the changes isn't known, or nil if it is.
    ///
    /// A record contains the anchors that its own certificates can reach. Additional intermediates can reach others.
    func obstacle(to verdict: TrustVerdict, of record: TrustRecord) -> String? {
        guard !intermediates.isEmpty, !verdict.isTrusted, !verdict.reachesAnchor, anchors == nil,
            record.ruleAnchors == nil
        else { return nil }
        let known = Set(record.chain + record.intermediates)
        var names = Set(record.chain.compactMap { try? Certificate(der: $0).issuer })
        var added = intermediates.filter { !known.contains($0.der) }
        while let index = added.firstIndex(where: { names.contains($0.subject) }) {
            let issuer = added.remove(at: index).issuer
            guard record.anchors?.contains(where: { (try? Certificate(der: $0).subject) == issuer }) == true else {
                return "the record may lack the anchors above --intermediates, which --anchors can name"
            }
            names.insert(issuer)
        }
        return nil
    }

    /// Changes the parts of a record that it can express.
    /// - Parameter used: receives the changes that have an effect.
    func apply(to record: inout TrustRecord, used: inout Set<String>) {
        for change in records { change(&record) }
        switch pins {
        case nil: break
        case .keys(let keys): (record.pinRules, record.ruleAnchors) = ([KeyRequirement(keys)], nil)
        case .rules: (record.pinRules, record.ruleAnchors) = ([], nil)
        }
        if !withoutAnchors.isEmpty {
            // If the system's store can't be read, the record keeps it, and its evaluation ends as not known.
            if record.anchors == nil { record.anchors = try? TrustAnchors.system.certificates.map(\.der) }
            record.anchors = record.anchors.map { Self.removing(withoutAnchors, from: $0, &used) }
            record.ruleAnchors = record.ruleAnchors.map { Self.removing(withoutAnchors, from: $0, &used) }
        }
        if !withoutIntermediates.isEmpty {
            let leaf = record.chain.prefix(1)
            record.chain = leaf + Self.removing(withoutIntermediates, from: Array(record.chain.dropFirst()), &used)
            record.intermediates = Self.removing(withoutIntermediates, from: record.intermediates, &used)
        }
    }

    private static func removing(
        _ selectors: [CertificateSelector], from ders: [[UInt8]], _ used: inout Set<String>
    ) -> [[UInt8]] {
        ders.filter { der in
            guard let certificate = try? Certificate(der: der) else { return true }
            let matching = selectors.filter { $0.matches(certificate) }
            used.formUnion(matching.map(\.words))
            return matching.isEmpty
        }
    }

    /// Changes the settings that a record can't express.
    /// - Parameter stores: the anchors of earlier records with the list's conditions.
    func apply(to trust: inout Trust, of record: TrustRecord, _ stores: OverlaidStores) {
        if case .success(let given) = anchors?[record.policy.purpose] {
            trust.anchors = given
        } else if let overlay {
            let overlaid = stores.anchors(of: record, trust, overlay)
            // A list sets no conditions for a rule's own anchors, but no path may contain a distrusted certificate.
            let ofRule = record.ruleAnchors?.compactMap { try? Certificate(der: $0) }
            trust.anchors = ofRule.map { overlaid.replaced(by: .only($0)) } ?? overlaid
        }
        trust.intermediates += intermediates.filter { certificate in
            !withoutIntermediates.contains { $0.matches(certificate) }
        }
        if case .rules(let rules) = pins {
            trust.settings.denied = .union(trust.settings.denied, rules.denied)
        }
        trust.revocationData.ocspResponses += evidence.ocspResponses
        trust.revocationData.crls += evidence.crls
        trust.revocationData.lists += evidence.lists
        if !evidence.filters.isEmpty { trust.revocationData.filters = evidence.filters }
        for change in settings { change(&trust.settings) }
    }
}

/// The anchors of records with the conditions of another list, kept because most records have the same anchors. One thread
/// uses it at a time.
final class OverlaidStores {
    private struct Key: Hashable {
        let anchors: [[UInt8]]
        let isSystem: Bool
    }

    private var known = LeastRecentlyUsedCache<Key, TrustAnchors>(capacity: 4 << 20)

    /// Returns the anchors of a record with the list's conditions instead of the recorded ones.
    /// - Parameter trust: the trust object of the record, which may have other anchors than the system's.
    func anchors(of record: TrustRecord, _ trust: Trust, _ overlay: RootsOverlay) -> TrustAnchors {
        guard let ders = record.anchors else { return trust.anchors.applying(overlay) }
        let key = Key(anchors: ders, isSystem: record.anchorStore?.name == TrustRecord.Store.system)
        if let anchors = known.value(for: key) { return anchors }
        let anchors = TrustAnchors(
            RecordReplay.store(
                ders.compactMap { try? Certificate(der: $0) }, [overlay.list],
                refusesUnlisted: key.isSystem && overlay.unlisted == .refuse))
        known.insert(anchors, for: key, cost: ders.reduce(256) { $0 + $1.count })
        return anchors
    }
}
