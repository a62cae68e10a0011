// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import TrustSupport

/// An evaluator of lines of `verify --batch`, used by one thread. The memory of signatures is shared by all threads.
struct BatchEvaluator {
    /// The maximum size of a line in bytes; a longer one is answered unread. It has room for four times the certificates that one
    /// evaluation uses, and a JSON parser needs 400 MB for the worst line.
    static let maximumLineSize = 16 << 20

    private let memory: SignatureMemory
    private let transparency: BatchTransparency
    private let filters: [RevocationFilter]
    private let decoder = JSONDecoder()
    private var anchorStores = AnchorStoreCache()

    private let systemAnchors: TrustAnchors
    private let overlay: RootsOverlay?
    private let denied: DeniedCertificates?

    /// Creates an evaluator.
    /// - Parameters:
    ///   - memory: the memory of signatures, for all threads.
    ///   - systemAnchors: the system's anchors, for all threads.
    ///   - overlay: the list over the anchors of requests; nil for none.
    ///   - filters: the filters of revoked certificates, for requests that ask for a check of revocation.
    ///   - denied: the certificates that are denied for every request; nil for none.
    ///   - transparency: the list of logs for requests that ask for a check of timestamps.
    init(
        memory: SignatureMemory, systemAnchors: TrustAnchors = .system, overlay: RootsOverlay? = nil,
        filters: [RevocationFilter] = [], denied: DeniedCertificates? = nil,
        transparency: BatchTransparency = BatchTransparency()
    ) {
        self.denied = denied
        self.memory = memory
        self.systemAnchors = systemAnchors
        self.overlay = overlay
        self.filters = filters
        self.transparency = transparency
    }

    /// Appends an answer to each line of `block`; blank lines have none.
    mutating func answer(_ block: LineBlock, into json: inout JSONWriter) {
        switch block {
        case .tooLong: Self.tooLong.write(to: &json)
        case .lines(let data):
            for line in data.lines() { answer(line).write(to: &json) }
        }
    }

    private mutating func answer(_ line: Data) -> BatchAnswer {
        guard line.count <= Self.maximumLineSize else { return Self.tooLong }
        do throws(BatchRequest.Unreadable) {
            return try evaluate(BatchRequest.read(line, with: decoder))
        } catch {
            return BatchAnswer(unreadable: error.failures, id: error.id)
        }
    }

    private static let tooLong = BatchAnswer(
        unreadable: [TrustFailure(.requestTooLong, expected: .number(maximumLineSize))], id: nil)
}

// MARK: - Evaluating

extension BatchEvaluator {
    private mutating func evaluate(_ request: BatchRequest) throws(BatchRequest.Unreadable) -> BatchAnswer {
        var bytes = RequestBytes()
        let chain = bytes.certificates(request.chain, "chain", firstIsLeaf: true)
        let intermediates = bytes.certificates(request.intermediates, "intermediates")
        let evidence = RevocationData(
            ocspResponses: bytes.decoded(request.ocspResponses, "ocspResponses"),
            crls: bytes.decoded(request.crls, "crls"))
        let anchors = try anchors(of: request, &bytes)
        guard bytes.failures.isEmpty else { throw BatchRequest.Unreadable(id: request.id, failures: bytes.failures) }
        guard !chain.isEmpty else {
            throw BatchRequest.Unreadable(
                id: request.id, failures: [TrustFailure(.requestKeyMissing, expected: .text("the leaf in chain"))])
        }
        var settings = TrustSettings()
        settings.anchors = anchors ?? .only([])
        settings.policy = request.policy
        settings.verifyDate = request.time.map { .at($0) } ?? .now
        settings.intermediates = intermediates
        settings.revocation = request.revocation
        settings.revocationData = evidence
        settings.revocationData.filters = filters
        // A request with anchors of its own has to ask for the exemption.
        settings.revocationRules.shortLivedExemption =
            request.shortLivedExemption ?? (request.anchors == nil ? .publicAnchors : .none)
        settings.signatureMemory = memory
        settings.denied = denied
        settings.transparency = transparency.settings(request.transparency)
        let trust = Trust(presentedChain: PresentedChain(chain), optionalHost: request.host, settings: settings)
        let verdict = request.pins.map { AnyPinEvaluator($0).verdict(on: trust) } ?? trust.evaluate()
        let finding = request.transparency.flatMap { _ in verdict.transparency }
        guard anchors != nil else { return Self.withoutSystemAnchors(request, bytes.warnings, finding) }
        bytes.note(verdict)
        return BatchAnswer(
            id: request.id, verdict: verdict.isTrusted ? .trusted : .rejected, result: verdict.result,
            path: verdict.path, failures: verdict.failures, warnings: bytes.warnings,
            transparency: finding, revocation: request.revocation == .off ? nil : verdict.revocation)
    }

    /// Returns the request's anchors, else the system's; nil if the system has none.
    private mutating func anchors(
        of request: BatchRequest, _ bytes: inout RequestBytes
    ) throws(BatchRequest.Unreadable) -> TrustAnchors? {
        guard let texts = request.anchors else { return (try? systemAnchors.store()) == nil ? nil : systemAnchors }
        var made = RequestBytes()
        let entry = anchorStores.entry(for: texts) {
            let certificates = made.certificates(texts, "anchors")
            return made.failures.isEmpty
                ? AnchorStoreCache.Entry(
                    anchors: TrustAnchors.only(certificates).overlaid(by: overlay), warnings: made.warnings) : nil
        }
        guard let entry else {
            throw BatchRequest.Unreadable(id: request.id, failures: bytes.failures + made.failures)
        }
        bytes.warnings += entry.warnings
        return entry.anchors
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

/// A decoder of the base64 of a request, with its failures and warnings.
private struct RequestBytes {
    /// The failures that make the whole request unreadable.
    var failures: [TrustFailure] = []
    /// The certificates that were left out, and other warnings.
    var warnings: [String] = []

    mutating func certificates(_ texts: [String], _ key: String, firstIsLeaf: Bool = false) -> [Certificate] {
        var certificates: [Certificate] = []
        certificates.reserveCapacity(texts.count)
        for (index, text) in texts.enumerated() {
            guard let der = decode(text, key, index) else { continue }
            do throws(DERError) {
                certificates.append(try Certificate(der: der))
            } catch {
                if firstIsLeaf, index == 0 {
                    fail(
                        TrustFailure(
                            .certificateMalformed, certificate: 0, role: .leaf, found: .text(error.description)))
                } else if warnings.count < BatchAnswer.maximumCount {
                    warnings.append("\(key)[\(index)] left out: \(error)")
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

    /// Adds the verdict's warnings, and one for each certificate of a trusted path whose revocation status is unknown.
    mutating func note(_ verdict: TrustVerdict) {
        // Gaps of these certificates are in the lines below, which are the contract's. A leaf that is its own anchor has no line.
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
