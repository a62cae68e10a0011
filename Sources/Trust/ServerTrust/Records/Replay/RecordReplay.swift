// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Evaluates records again, with nothing but their contents. One thread uses it at a time.
///
/// It keeps the anchors of earlier records, because most records of a program have the same ones.
package struct RecordReplay {
    private let memory: SignatureMemory?
    private var stores = LeastRecentlyUsedCache<AnchorsKey, Anchors>(capacity: 4 << 20)

    /// The parts of a record that determine its anchors.
    private struct AnchorsKey: Hashable {
        let anchors: [[UInt8]]
        let conditions: [[UInt8]]
        let refusesUnlisted: Bool

        var size: Int { (anchors + conditions).reduce(256) { $0 + $1.count } }
    }

    private struct Anchors {
        let anchors: TrustAnchors
        let unreadable: [UnreadableCertificate]
    }

    /// Creates a replay.
    /// - Parameter memory: the memory of verified signatures, which several threads may share.
    package init(memory: SignatureMemory? = .shared) { self.memory = memory }

    /// Evaluates a record.
    ///
    /// The caller decides about ``TrustRecord/unrecorded``. This method evaluates the rest of the record.
    /// - Parameters:
    ///   - record: the record. For another set of pins, anchors or lists, change it before.
    ///   - change: changes the trust object, for settings that a record can't express. Changes nothing by default.
    ///   - evaluate: evaluates the trust object. By default, the path must meet the record's ``TrustRecord/pinRules``.
    /// - Throws: ``TrustRecordError`` if a list or a filter in the record can't be read.
    package mutating func evaluate(
        _ record: TrustRecord, changing change: (inout Trust) -> Void = { _ in },
        by evaluate: ((Trust) -> TrustVerdict)? = nil
    ) throws(TrustRecordError) -> TrustVerdict {
        var (trust, unreadable) = try trust(of: record)
        change(&trust)
        var verdict = evaluate?(trust) ?? record.verdict(on: trust)
        if case .hashed(_, isMatched: false) = record.host, verdict.isTrusted {
            // The leaf has the name that stands for the unknown host.
            verdict = trust.refused([TrustFailure(.hostMismatch, certificate: 0, role: .leaf)])
        }
        return verdict.naming(unreadableIssuers: unreadable)
    }

    /// Returns the trust object of a record, and the certificates that can't be read.
    /// - Throws: ``TrustRecordError`` if a list or a filter in the record can't be read.
    package mutating func trust(
        of record: TrustRecord
    ) throws(TrustRecordError) -> (Trust, [UnreadableCertificate]) {
        var settings = TrustSettings()
        var host: Hostname?
        switch record.host {
        case .none: settings.identity = .insecurelyAnyName
        case .name(let name): host = name
        case .hashed(let hash, let isMatched):
            settings.identity = isMatched ? .insecurelyAnyName : .name(try Self.otherName(hash))
        }
        let (anchors, unreadableAnchors) = try anchors(of: record)
        settings.anchors = anchors
        var unreadable = unreadableAnchors
        if let ruleAnchors = record.ruleAnchors {
            let certificates = Self.certificates(ruleAnchors, "pinRules.anchors", &unreadable)
            settings.anchors = anchors.replaced(by: .only(certificates))
        }
        settings.intermediates = Self.certificates(record.intermediates, "intermediates", &unreadable)
        settings.policy = record.policy
        settings.verifyDate = .at(record.time)
        settings.revocation = RevocationPolicy(record.revocation)
        settings.revocation.shortLivedExemption =
            record.exemptsShortLived.map { $0 ? .all : .none } ?? (record.anchors == nil ? .publicAnchors : .none)
        settings.revocationData = RevocationData(ocspResponses: record.ocspResponses, crls: record.crls)
        settings.revocationData.filters = try Self.filters(record.filters)
        settings.denied = try Self.denied(record.denied)
        settings.signatureMemory = memory
        // A list that isn't used must be readable, too.
        let logs = try Self.logs(record.logs)
        if let transparency = record.transparency, let policy = CTPolicy.named(transparency.policy) {
            settings.transparency = TransparencySettings(
                logs: logs, policy: policy, mode: transparency.mode)
            settings.transparency?.includesPrivateAnchors = true
        }
        let chain = PresentedChain(
            der: record.chain, staple: record.staple, signedCertificateTimestampList: record.timestamps.first)
        guard record.timestamps.count <= 1 else { throw TrustRecordError("timestamps: expected one list") }
        return (Trust(presentedChain: chain, optionalHost: host, settings: settings), unreadable)
    }

    /// Returns a name that no certificate is valid for, instead of the unknown host. It is different for each hash, so
    /// that no certificate can have them all.
    private static func otherName(_ hash: String) throws(TrustRecordError) -> Hostname {
        let label = Hex.encode(Digests.sha256(Array(hash.utf8)).prefix(16))
        do throws(HostnameError) { return try Hostname("\(label).hidden.invalid") } catch {
            throw TrustRecordError("hostHash: \(error)")
        }
    }

    private mutating func anchors(
        of record: TrustRecord
    ) throws(TrustRecordError) -> (TrustAnchors, [UnreadableCertificate]) {
        guard let ders = record.anchors else {
            guard record.conditions.isEmpty else { throw TrustRecordError("conditions require anchors") }
            return (.system, [])
        }
        let key = AnchorsKey(
            anchors: ders, conditions: record.conditions,
            refusesUnlisted: record.anchorStore?.name == TrustRecord.Store.system)
        if let known = stores.value(for: key) { return (known.anchors, known.unreadable) }
        var unreadable: [UnreadableCertificate] = []
        let certificates = Self.certificates(ders, "anchors", &unreadable)
        let anchors = TrustAnchors(
            try Self.store(certificates, record.conditions, refusesUnlisted: key.refusesUnlisted))
        stores.insert(Anchors(anchors: anchors, unreadable: unreadable), for: key, cost: key.size)
        return (anchors, unreadable)
    }

    private static func store(
        _ certificates: [Certificate], _ conditions: [[UInt8]], refusesUnlisted: Bool
    ) throws(TrustRecordError) -> AnchorStore {
        var lists: [RootList] = []
        for bytes in conditions {
            do throws(RootListError) { lists.append(try RootList(bytes)) } catch {
                throw TrustRecordError("conditions: \(error)")
            }
        }
        return store(certificates, lists, refusesUnlisted: refusesUnlisted)
    }

    /// Returns a store of certificates with the conditions of lists.
    /// - Parameter refusesUnlisted: whether a complete list refuses certificates that it doesn't contain.
    package static func store(
        _ certificates: [Certificate], _ lists: [RootList], refusesUnlisted: Bool
    ) -> AnchorStore {
        let anchors = certificates.map { certificate in
            let found = lists.map { ($0, $0.conditions(for: certificate, unlistedIsDistrusted: refusesUnlisted)) }
            return TrustAnchor(
                certificate, conditions: found.compactMap(\.1),
                isPublic: found.contains { $0.isComplete && $1?.isListed == true })
        }
        return AnchorStore(anchors, distrusted: lists.compactMap { $0.distrustedCertificates(among: certificates) })
    }
}

extension TrustRecord {
    /// Evaluates a trust object. The path must meet the record's ``pinRules``.
    package func verdict(on trust: Trust) -> TrustVerdict {
        pinRules.isEmpty ? trust.evaluate() : KeyRequirementsEvaluator(pinRules).evaluate(trust)
    }
}

// MARK: - Parts

extension RecordReplay {
    /// Returns the certificates that can be read. As in `verify --batch`, the others are left out.
    private static func certificates(
        _ ders: [[UInt8]], _ key: String, _ unreadable: inout [UnreadableCertificate]
    ) -> [Certificate] {
        var certificates: [Certificate] = []
        for (index, der) in ders.enumerated() {
            do throws(DERError) { certificates.append(try Certificate(der: der)) } catch {
                unreadable.append(UnreadableCertificate("\(key)[\(index)]", at: index, der: der, error))
            }
        }
        return certificates
    }

    private static func filters(_ files: [[UInt8]]) throws(TrustRecordError) -> [RevocationFilter] {
        var filters: [RevocationFilter] = []
        for (index, bytes) in files.enumerated() {
            // The bytes don't say whether a filter is complete. The complete one is first.
            do throws(ClubcardError) { filters.append(try RevocationFilter(bytes, isDelta: index > 0)) } catch {
                throw TrustRecordError("filters: \(error)")
            }
        }
        return filters
    }

    private static func denied(_ files: [[UInt8]]) throws(TrustRecordError) -> DeniedList? {
        var list: DeniedList?
        for bytes in files {
            do throws(DeniedListError) { list = .union(list, try DeniedList(bytes, allowsEmpty: true)) } catch {
                throw TrustRecordError("denied: \(error)")
            }
        }
        return list
    }

    private static func logs(_ file: [UInt8]?) throws(TrustRecordError) -> CTLogList? {
        guard let file else { return nil }
        do throws(CTLogListError) { return try CTLogList(json: file, now: .now()) } catch {
            throw TrustRecordError("ctLogs: \(error)")
        }
    }
}
