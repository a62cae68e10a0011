// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Makes records of evaluations. One thread uses it at a time.
struct RecordMaker {
    private var stores: [ObjectIdentifier: IndexedStore] = [:]

    /// The maximum number of stores that the maker keeps. A program has one or two.
    private static let maximumStores = 8

    /// A store of anchors by subject, with the digest of the whole store.
    private struct IndexedStore {
        /// Keeps the store, so that no other gets its identifier.
        let store: AnchorStore
        let bySubject: [DistinguishedName: [TrustAnchor]]
        let sha256: String

        init(_ store: AnchorStore) {
            self.store = store
            bySubject = Dictionary(grouping: store.anchors) { $0.certificate.subject }
            let digests = store.anchors.map(\.certificate.sha256).sorted { $0.lexicographicallyPrecedes($1) }
            sha256 = Hex.encode(Digests.sha256(Array(digests.joined())))
        }

        /// Returns the anchors with one of these subjects, ordered by their digests.
        func anchors(named names: Set<DistinguishedName>) -> [TrustAnchor] {
            names.flatMap { bySubject[$0] ?? [] }
                .sorted { $0.certificate.sha256.lexicographicallyPrecedes($1.certificate.sha256) }
        }
    }

    /// Returns a record of an evaluation, and whether only a second evaluation can prove that it is reproducible.
    mutating func record(of evaluation: ObservedEvaluation) -> (record: TrustRecord, needsProof: Bool) {
        let verdict = evaluation.verdict
        let plain = evaluation.plain
        let trust = plain.trust
        let settings = trust.settings
        var record = TrustRecord(time: verdict.evaluationDate, recorded: TrustRecord.Outcome(verdict))
        record.host = trust.referenceName.map { .name($0) } ?? .none
        record.unrecorded = plain.others
        record.rule = evaluation.rule?.description
        record.chain = trust.presentedChain.der
        record.pinRules = plain.requirements
        record.policy = settings.policy
        record.policy.budget = ValidationBudget()
        if settings.policy.budget != record.policy.budget { record.unrecorded.append("budget") }
        record.staple = trust.presentedChain.staple
        // Without a leaf that requires one, it doesn't matter whether the server was asked for a staple.
        if record.staple == .none, trust.presentedChain.leaf?.requiresStaple != true { record.staple = .unknown }
        if let list = trust.presentedChain.signedCertificateTimestampList { record.timestamps = [list] }
        let reached = reach(trust, plain, evaluation.trust.settings.anchors, into: &record)
        record.addDenied(settings.denied, among: reached)
        record.addTransparency(trust, anchors: reached.effectiveAnchors)
        record.addRevocation(trust, reached, verdict)
        return (record, plain.isReduced || record.ruleAnchors != nil)
    }

    /// Adds the intermediates and anchors that the search can reach, and returns them.
    /// - Parameter anchors: the anchors of the evaluation, without those of the rule.
    private mutating func reach(
        _ trust: Trust, _ plain: PlainEvaluation, _ anchors: TrustAnchors, into record: inout TrustRecord
    ) -> ReachedCertificates {
        var reached = ReachedCertificates(trust)
        record.intermediates = reached.intermediates.map(\.der)
        if let ruleAnchors = plain.ruleAnchors {
            guard let store = try? ruleAnchors.store() else {
                record.unrecorded.append("system anchors")
                return reached
            }
            let found = indexed(store).anchors(named: reached.names)
            reached.ruleAnchors = found
            // Without anchors, no path is valid, whatever its keys.
            if !found.isEmpty {
                record.ruleAnchors = found.map(\.certificate.der)
                if record.pinRules.isEmpty {
                    record.pinRules = [KeyRequirement(found.map { SPKIPin($0.certificate) })]
                }
            }
            if found.contains(where: { !$0.conditions.isEmpty }) { record.unrecorded.append("conditions") }
        }
        guard let store = try? (record.ruleAnchors == nil ? trust.settings.anchors : anchors).store() else {
            if record.ruleAnchors == nil { record.unrecorded.append("system anchors") } else { record.anchors = [] }
            return reached
        }
        let indexed = indexed(store)
        reached.anchors = indexed.anchors(named: reached.names)
        record.anchors = reached.anchors.map(\.certificate.der)
        let conditions = RecordedConditions(
            reached, kind: anchors.kind, distrusted: trust.settings.anchors.distrustedCertificates,
            purpose: trust.settings.policy.purpose)
        record.conditions = conditions.lists
        if !conditions.isComplete { record.unrecorded.append("conditions") }
        record.anchorStore = TrustRecord.Store(
            name: conditions.storeName, count: store.count, sha256: indexed.sha256)
        return reached
    }

    private mutating func indexed(_ store: AnchorStore) -> IndexedStore {
        if let known = stores[ObjectIdentifier(store)] { return known }
        if stores.count >= Self.maximumStores { stores = [:] }
        let indexed = IndexedStore(store)
        stores[ObjectIdentifier(store)] = indexed
        return indexed
    }
}

/// The certificates and lists that an evaluation can reach from the presented certificates.
struct ReachedCertificates {
    let presented: [Certificate]
    let intermediates: [Certificate]
    /// The subjects and issuers of both. An anchor of a path has one of these names.
    let names: Set<DistinguishedName>
    /// The CRLs about them, without those that the caller supplied in DER.
    let lists: [CertificateRevocationList]
    /// The evaluation's anchors.
    var anchors: [TrustAnchor] = []
    /// The anchors that the rule has instead, or nil for none.
    var ruleAnchors: [TrustAnchor]?

    /// Follows the issuers' names, as the engine does.
    init(_ trust: Trust) {
        let data = trust.settings.revocationData
        presented = trust.presentedChain.certificates
        let bySubject = Dictionary(grouping: trust.settings.intermediates, by: \.subject)
        var reached: Set<Certificate> = []
        var names = Set(presented.flatMap { [$0.subject, $0.issuer] })
        var next = Array(names)
        while let name = next.popLast() {
            for certificate in bySubject[name] ?? [] where reached.insert(certificate).inserted {
                if names.insert(certificate.issuer).inserted { next.append(certificate.issuer) }
            }
        }
        lists = data.lists.filter { list in
            names.contains(list.issuer) || list.issuingDistributionPoint?.isIndirect == true
        }
        // A CRL may have a signer outside of the path.
        let signers = Set(lists.map(\.issuer) + data.crls.compactMap { try? CertificateRevocationList(der: $0).issuer })
        for name in signers { reached.formUnion(bySubject[name] ?? []) }
        intermediates = trust.settings.intermediates.filter { reached.contains($0) }
        self.names = names
    }

    /// The anchors of the verdict's paths.
    var effectiveAnchors: [TrustAnchor] { ruleAnchors ?? anchors }

    var all: [Certificate] { presented + intermediates + (anchors + (ruleAnchors ?? [])).map(\.certificate) }
}

extension PresentedChain {
    /// All certificates in DER, in the order sent, including the unreadable ones.
    fileprivate var der: [[UInt8]] {
        var rest = certificates[...]
        var unreadable = Dictionary(uniqueKeysWithValues: unreadable.map { ($0.index, $0.der) })
        var der: [[UInt8]] = []
        while !rest.isEmpty || !unreadable.isEmpty {
            if let bytes = unreadable.removeValue(forKey: der.count) {
                der.append(bytes)
            } else if let certificate = rest.popFirst() {
                der.append(certificate.der)
            } else {
                break
            }
        }
        return der
    }
}

// MARK: - Lists and evidence

extension TrustRecord {
    /// Adds the entries of a list that deny one of the certificates, in the form of OneCRL.
    fileprivate mutating func addDenied(_ list: DeniedList?, among reached: ReachedCertificates) {
        guard let list else { return }
        let all = reached.all
        let denied = all.compactMap { certificate -> (Certificate, TrustFailure.DeniedEntry)? in
            let issuers = all.filter { $0.subject == certificate.issuer }
            return list.entry(denying: certificate, issuers: issuers).map { (certificate, $0) }
        }
        guard !denied.isEmpty else { return }
        var json = JSONWriter(isIndented: false)
        json.object { json in
            json.objects("data", of: denied) { json, denial in
                let (certificate, entry) = denial
                switch entry.kind {
                case .certificate, .issuerAndSerial:
                    json.member("issuerName", Base64.encode(certificate.issuer.der))
                    json.member("serialNumber", Base64.encode(certificate.serialNumber.bytes))
                case .key, .subjectAndKey:
                    json.member("subject", Base64.encode(certificate.subject.der))
                    json.member("pubKeyHash", Base64.encode(certificate.subjectPublicKeyInfoSHA256))
                }
            }
        }
        self.denied = [json.bytes]
    }

    fileprivate mutating func addTransparency(_ trust: Trust, anchors: [TrustAnchor]) {
        guard let settings = trust.settings.transparency else { return }
        if let host = trust.host, settings.exemptHosts.contains(where: { $0.matches(host) }) { return }
        let isAsked = settings.includesPrivateAnchors || anchors.allSatisfy(\.isPublic)
        guard isAsked || anchors.contains(where: \.isPublic) else { return }
        let isDecidable = settings.mode == .report || isAsked
        guard let policy = settings.policy.recordName, isDecidable else {
            unrecorded.append("transparency")
            return
        }
        transparency = Transparency(policy: policy, mode: settings.mode)
        guard let list = settings.logs else { return }
        if settings.ignoresListAge || list.mimicCount > 0 { unrecorded.append("logs") }
        logs = list.recordExcerpt(for: trust.presentedChain)
    }

    fileprivate mutating func addRevocation(
        _ trust: Trust, _ reached: ReachedCertificates, _ verdict: TrustVerdict
    ) {
        let policy = trust.settings.revocation
        let data = trust.settings.revocationData
        revocation = policy.mode
        var standard = RevocationPolicy(policy.mode, prefersCRLs: policy.prefersCRLs, fetching: policy.fetching)
        standard.shortLivedExemption = policy.shortLivedExemption
        if policy != standard { unrecorded.append("revocation policy") }
        if policy.mode != .off {
            switch policy.shortLivedExemption {
            case .none: break
            case .all: exemptsShortLived = true
            case .publicAnchors:
                let isPublic = Set(reached.effectiveAnchors.map(\.isPublic))
                if isPublic == [true] { exemptsShortLived = true }
                if isPublic.count > 1 { unrecorded.append("short-lived exemption") }
            }
        }
        ocspResponses = data.ocspResponses + data.responses.map(\.der)
        crls = data.crls + reached.lists.map(\.der)
        // Without an answer of a filter, an evaluation without filters finds the same. A refusal may have prevented the
        // answer, for example of an expired chain, and a replay at another date must find it.
        guard !data.filters.isEmpty,
            !verdict.isTrusted || verdict.revocation.contains(where: { $0.source == .filter })
        else { return }
        // A record has the complete filter first, and only changes after it.
        guard data.filters.first?.isDelta == false, data.filters.dropFirst().allSatisfy(\.isDelta) else {
            unrecorded.append("filters")
            return
        }
        filters = data.filters.map(\.bytes)
    }
}
