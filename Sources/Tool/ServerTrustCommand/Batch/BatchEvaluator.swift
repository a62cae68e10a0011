// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

/// An evaluator of lines of `verify --batch` for one thread. All threads share the signature cache.
struct BatchEvaluator {
    /// The maximum size of a line in bytes. A longer line is answered without being parsed. The limit allows four times
    /// the certificates that one evaluation uses, and the worst line takes 160 MB to parse.
    static let maximumLineSize = 16 << 20

    /// The approximate maximum size in bytes of the anchors in memory. The roots of the public web are 250 KB as base64.
    private static let anchorsSize = 4 << 20
    /// The maximum number of sets of anchors in memory.
    private static let maximumAnchorSets = 8

    private let memory: SignatureMemory
    private let settings: BatchSettings
    private let systemAnchors: TrustAnchors
    /// The anchors of recent requests, because clients send the same ones with every line. A typical client uses one or
    /// two sets.
    private var anchorStores = LeastRecentlyUsedCache<[BatchBytes], RequestAnchors>(capacity: Self.anchorsSize)
    private let issuers = IssuerCache()
    private var records: BatchRecords
    private let reader: RowReader

    /// Creates an evaluator.
    /// - Parameters:
    ///   - format: the format of the blocks.
    ///   - memory: the signature cache that all threads share.
    ///   - settings: the settings that all rows have in common.
    ///   - systemAnchors: the system's anchors with the list of `settings` applied, for all threads.
    init(_ format: InputFormat, memory: SignatureMemory, _ settings: BatchSettings, systemAnchors: TrustAnchors) {
        self.memory = memory
        self.settings = settings
        self.systemAnchors = systemAnchors
        reader = RowReader(format: format, maximumRowSize: Self.maximumLineSize)
        records = BatchRecords(memory: memory, blobs: settings.blobs, denied: settings.trust.denied)
    }

    /// Replaces the answers by one to each row of `block`. Blank lines have no answer.
    mutating func answer(_ block: RowBlock, header: CSVHeader?, into answers: inout AnswerBuffer) {
        answers.removeAll()
        var rows = reader.rows(of: block, header: header)
        if reader.format == .requests, case .line(let last) = rows.last?.content,
            BatchRecords.isIncomplete(last, in: block)
        {
            rows.removeLast()
        }
        for row in rows { answers.append(answer(row)) }
        answers.count(lines: rows.count)
    }

    private mutating func answer(_ row: SourceRow) -> BatchAnswer {
        do throws(BatchRequest.Unreadable) {
            var request: BatchRequest
            switch row.content {
            case .line(let line):
                // Most options don't apply to a record, so a row of a table must not choose to be one.
                if settings.columns == nil, let answer = try records.answer(line, name: row.name) { return answer }
                request = try BatchRequest.read(line, settings)
            case .cells(let cells): request = try BatchRequest.read(cells, settings)
            case .unreadable(let failure): throw BatchRequest.Unreadable(failures: [failure])
            }
            request.id = request.id ?? row.name
            return try evaluate(request)
        } catch {
            return BatchAnswer(unreadable: error.failures, id: error.id ?? row.name)
        }
    }
}

// MARK: - Evaluating

extension BatchEvaluator {
    private mutating func evaluate(_ request: BatchRequest) throws(BatchRequest.Unreadable) -> BatchAnswer {
        var bytes = RequestBytes(issuers)
        let chain = bytes.certificates(request.chain, "chain", firstIsLeaf: true)
        let intermediates = bytes.certificates(
            request.intermediates.map(BatchBytes.base64), "intermediates", firstIsLeaf: false)
        let evidence = RevocationData(
            ocspResponses: bytes.decoded(request.ocspResponses, "ocspResponses"),
            crls: bytes.decoded(request.crls, "crls"))
        let anchors = try anchors(of: request, &bytes)
        guard bytes.failures.isEmpty else { throw BatchRequest.Unreadable(id: request.id, failures: bytes.failures) }
        guard !chain.isEmpty else {
            throw BatchRequest.Unreadable(
                id: request.id, failures: [TrustFailure(.requestKeyMissing, expected: .text("the leaf in chain"))])
        }
        let trust = Trust(
            presentedChain: PresentedChain(chain), optionalHost: settings.ignoresHosts ? nil : request.host,
            settings: trustSettings(request, anchors, intermediates, evidence))
        let evaluator: any TrustEvaluator =
            request.pins.map { KeyRequirementsEvaluator([KeyRequirement($0)]) } ?? DefaultTrustEvaluator()
        let found = evaluator.evaluate(trust)
        if anchors != nil { settings.recorder?.record(ObservedEvaluation(found, of: trust, by: evaluator)) }
        let verdict = found.naming(unreadableIssuers: bytes.unreadable)
        let finding = request.transparency.flatMap { _ in verdict.transparency }
        // Clients that send requests put the leaf first. Other inputs may come from scans, in any order.
        if reader.format.isTable, let misplaced = trust.presentedChain.misplacedLeaf(for: trust.host) {
            // This warning comes before those about certificates that were left out, because there may be too many of
            // those.
            bytes.warnings.insert(misplaced.description, at: 0)
        }
        guard anchors != nil else { return Self.withoutSystemAnchors(request, bytes.warnings, finding) }
        bytes.note(verdict)
        return BatchAnswer(
            id: request.id, host: trust.host, verdict: verdict.isTrusted ? .trusted : .rejected,
            result: verdict.result, path: verdict.path, leaf: chain.first,
            root: verdict.anchor == nil ? nil : verdict.path.last, failures: verdict.failures,
            nameMismatch: verdict.nameMismatch.flatMap { $0.hasNearName ? $0 : nil }, warnings: bytes.warnings,
            transparency: finding,
            revocation: request.revocation == .off ? nil : verdict.revocation)
    }

    /// Returns the settings for one evaluation.
    private func trustSettings(
        _ request: BatchRequest, _ anchors: TrustAnchors?, _ intermediates: [Certificate], _ evidence: RevocationData
    ) -> TrustSettings {
        var trust = settings.trust
        trust.anchors = anchors ?? .only([])
        trust.policy = request.policy
        trust.verifyDate = request.time.map { .at($0) } ?? .now
        trust.intermediates = intermediates + trust.intermediates
        trust.revocationData.ocspResponses += evidence.ocspResponses
        trust.revocationData.crls += evidence.crls
        trust.revocation.mode = request.revocation
        // A request with its own anchors must ask for the exemption explicitly.
        trust.revocation.shortLivedExemption =
            request.shortLivedExemption ?? settings.shortLivedExemption
            ?? (request.anchors == nil ? .publicAnchors : .none)
        trust.signatureMemory = memory
        if let check = request.transparency {
            trust.transparency?.policy = check.policy
            trust.transparency?.mode = check.mode
        } else if settings.overlay == nil || trust.transparency?.logs == nil {
            // If anchors have conditions, timestamps date certificates even if a request doesn't ask for their check.
            trust.transparency = nil
        }
        return trust
    }

    /// Returns the request's anchors, or else the system's. Returns nil if the system has none.
    private mutating func anchors(
        of request: BatchRequest, _ bytes: inout RequestBytes
    ) throws(BatchRequest.Unreadable) -> TrustAnchors? {
        guard let texts = request.anchors?.map(BatchBytes.base64) else {
            guard let anchors = settings.anchors else {
                return (try? systemAnchors.store()) == nil ? nil : systemAnchors
            }
            switch anchors[request.policy.purpose] {
            case .success(let anchors): return anchors
            case .failure(let failure):
                let reason =
                    "purpose is \(request.policy.purpose.rawValue), but --anchors contains no anchor for it: \(failure)"
                throw BatchRequest.Unreadable(
                    id: request.id,
                    failures: [
                        TrustFailure(.requestValueInvalid, found: .text(reason.abridged(toBytes: 1024)))
                    ])
            case nil: return .only([])
            }
        }
        let known = anchorStores.value(for: texts)
        let found = if let known { known } else { try newAnchors(texts, request, bytes.failures) }
        bytes.warnings += found.warnings
        bytes.unreadable += found.unreadable
        return found.anchors
    }

    private mutating func newAnchors(
        _ texts: [BatchBytes], _ request: BatchRequest, _ failures: [TrustFailure]
    ) throws(BatchRequest.Unreadable) -> RequestAnchors {
        var bytes = RequestBytes(issuers)
        let certificates = bytes.certificates(texts, "anchors", firstIsLeaf: false)
        guard bytes.failures.isEmpty else {
            throw BatchRequest.Unreadable(id: request.id, failures: failures + bytes.failures)
        }
        let anchors = RequestAnchors(
            anchors: TrustAnchors.only(certificates).applying(settings.overlay), warnings: bytes.warnings,
            unreadable: bytes.unreadable)
        let size = texts.reduce(0) { $0 + $1.size }
        anchorStores.insert(anchors, for: texts, cost: max(size, Self.anchorsSize / Self.maximumAnchorSets))
        return anchors
    }

    private static func withoutSystemAnchors(
        _ request: BatchRequest, _ warnings: [String], _ transparency: TransparencyFinding?
    ) -> BatchAnswer {
        var reason = "no system anchors"
        do throws(SystemAnchorsError) { _ = try SystemAnchors.shared() } catch { reason = error.description }
        return BatchAnswer(
            id: request.id, verdict: .rejected, result: .otherError,
            failures: [TrustFailure(.systemAnchorsUnavailable, found: .text(reason))], warnings: warnings,
            transparency: transparency)
    }
}

/// The anchors of a request.
private struct RequestAnchors {
    let anchors: TrustAnchors
    /// The anchors that were left out, as texts with their errors.
    let warnings: [String]
    /// The anchors that were left out.
    let unreadable: [UnreadableCertificate]
}

/// Parsed certificates other than leaves, kept because many rows have the same ones. Not thread-safe: each worker has its
/// own cache.
private final class IssuerCache {
    /// The maximum size in bytes of a certificate in the cache. Nearly all are smaller than 2 KB.
    static let maximumSize = 4 << 10

    var certificates = LeastRecentlyUsedCache<BatchBytes, Certificate>(capacity: 16)
}

/// A decoder for the base64 values of a request. It collects failures and warnings.
private struct RequestBytes {
    /// The failures that make the whole request unreadable.
    var failures: [TrustFailure] = []
    /// The certificates that were left out, and other warnings.
    var warnings: [String] = []
    /// The certificates that were left out.
    var unreadable: [UnreadableCertificate] = []
    private let issuers: IssuerCache

    init(_ issuers: IssuerCache) { self.issuers = issuers }

    mutating func certificates(_ encoded: [BatchBytes], _ key: String, firstIsLeaf: Bool) -> [Certificate] {
        var certificates: [Certificate] = []
        certificates.reserveCapacity(encoded.count)
        var last: Certificate?
        for (index, bytes) in encoded.enumerated() {
            let predecessor = last
            last = nil
            let isIssuer = !firstIsLeaf || index > 0
            if isIssuer, let known = issuers.certificates.value(for: bytes) {
                certificates.append(known)
                if firstIsLeaf { last = known }
                continue
            }
            let decoded: [UInt8]? =
                switch bytes {
                case .base64(let text): decode(text, key, index)
                case .der(let der): der
                }
            guard let der = decoded else { continue }
            do throws(DERError) {
                let certificate = try Certificate(der: der)
                certificates.append(certificate)
                if firstIsLeaf { last = certificate }
                if isIssuer, der.count <= IssuerCache.maximumSize {
                    issuers.certificates.insert(certificate, for: bytes)
                }
            } catch {
                if firstIsLeaf, index == 0 {
                    fail(
                        TrustFailure(
                            .certificateMalformed, certificate: 0, role: .leaf, found: .text(error.description)))
                } else if warnings.count < BatchAnswer.maximumCount {
                    let place = "\(key)[\(index)]"
                    warnings.append("\(place) left out: \(error)")
                    unreadable.append(UnreadableCertificate(place, at: index, der: der, error, after: predecessor))
                }
            }
        }
        return certificates
    }

    mutating func decoded(_ texts: [String], _ key: String) -> [[UInt8]] {
        var decoded: [[UInt8]] = []
        for (index, text) in texts.enumerated() { if let bytes = decode(text, key, index) { decoded.append(bytes) } }
        return decoded
    }

    /// Adds the verdict's warnings. Also adds one for each certificate of a trusted path whose revocation status is
    /// unknown.
    mutating func note(_ verdict: TrustVerdict) {
        // The lines below already describe the gaps of these certificates, as the contract requires. A leaf that is its
        // own anchor has no line.
        let hasLines = verdict.revocation.contains { if case .unobtainable = $0.status { true } else { false } }
        warnings += verdict.warnings.filter { !hasLines || !RevocationGap.isWarning($0) }
        guard verdict.isTrusted else { return }
        for finding in verdict.revocation {
            guard case .unobtainable(let obstacles) = finding.status, warnings.count < BatchAnswer.maximumCount else {
                continue
            }
            let reasons = obstacles.map(\.name).joined(separator: ", ")
            warnings.append("certificate \(finding.certificate) not checked for revocation: \(reasons)")
        }
    }

    private mutating func decode(_ text: String, _ key: String, _ index: Int) -> [UInt8]? {
        do throws(Base64.DecodingError) {
            return try Base64.decode(text)
        } catch {
            fail(TrustFailure(.base64Malformed, found: .text("\(key)[\(index)]: \(error)")))
            return nil
        }
    }

    private mutating func fail(_ failure: TrustFailure) {
        guard failures.count < BatchAnswer.maximumCount else { return }
        failures.append(failure)
    }
}
