// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A column of boxes that shows a report's chain or path, leaf first. The drawing, its list and the tree for terminals
/// use this model.
struct ChainColumn {
    /// The kinds of columns.
    enum Kind {
        case presented
        /// The validated path, or the best candidate of a refused peer.
        case path
        /// Another path. It is valid if the peer is trusted, and refused otherwise.
        case other
    }

    /// A certificate in the column, or a placeholder for missing or omitted certificates.
    struct Box {
        /// The index in ``TrustReport/certificates``, or nil for a missing issuer and for a placeholder.
        var certificate: Int?
        var name: String
        /// `leaf`, `intermediate` or `anchor`, or a description of the placeholder.
        var role: String
        /// `sent as number 2`, `not sent`, …
        var origin: String
        /// The expiry date, empty for a placeholder.
        var end = ""
        var tone: HTMLTone?
        /// The codes of the certificate's failures.
        var codes: [String] = []
        /// Whether the server sent the certificate. Then ``origin`` contains its number.
        var isSent = false
        var isDashed = false
        var isAnchor = false
        /// Whether the box is drawn faintly because the path doesn't use the certificate.
        var isFaint = false
        /// The link to the next box, or nil for the last box.
        var link: Link?
    }

    /// The link from a certificate to the next one.
    struct Link {
        /// `signed by`, `names as issuer`, or the code of the failure.
        var words: String
        var tone: HTMLTone?
        /// Whether the arrow is omitted because the next certificate isn't the issuer.
        var isBroken = false
    }

    let kind: Kind
    let title: String
    let tone: HTMLTone?
    /// The line below the title.
    let subtitle: String
    let boxes: [Box]
    /// The codes of failures that concern the whole path.
    let codes: [String]

    /// The maximum number of boxes. A longer chain is shortened in the middle.
    static let maximumBoxes = 8

    /// Returns the boxes, with a single box that counts the omitted middle of a long chain.
    static func shortened(_ boxes: [Box]) -> [Box] {
        guard boxes.count > maximumBoxes else { return boxes }
        let count = boxes.count - maximumBoxes + 1
        let gap = Box(
            name: "\(count) more certificates", role: "not shown here", origin: "", isDashed: true, isFaint: true,
            link: Link(words: "", isBroken: true))
        return boxes.prefix(maximumBoxes / 2) + [gap] + boxes.suffix(maximumBoxes / 2 - 1)
    }

    /// A sentence that describes the column, for screen readers.
    var summary: String {
        let boxes = boxes.map { box in
            let words = [box.role, box.origin] + box.codes
            return "\(box.name) (\(words.filter { !$0.isEmpty }.joined(separator: ", ")))"
        }
        return "\(subtitle): " + boxes.joined(separator: ", then ") + "."
    }

    /// The column as a list, for screen readers and for copying.
    var blocks: [Report.Block] {
        let text: Report.Words = "\(title): \(subtitle)"
        let list: [Report.Block] = [
            .heading(tone.map { [.sign($0), " "] + text } ?? text),
            .list(boxes.map(\.words), isNumbered: true),
        ]
        let whole = Report.Words(listing: codes.map { .code($0) })
        return codes.isEmpty ? list : list + [.paragraph("For the whole path: " + whole)]
    }
}

extension TrustReport {
    /// The columns to draw: the presented chain, the path, and up to ``drawnPaths`` other paths.
    var columns: [ChainColumn] {
        var columns: [ChainColumn] = []
        if !presented.isEmpty { columns.append(presentedColumn) }
        return columns + pathColumns(limit: 1 + Self.drawnPaths)
    }

    /// Returns columns for the path and the other paths, at most `limit` in total.
    func pathColumns(limit: Int) -> [ChainColumn] {
        let main = path.map { [column($0, kind: .path, number: nil)] } ?? []
        let others = otherPaths.prefix(max(0, limit - main.count)).enumerated().map { index, path in
            column(path, kind: .other, number: index + 2)
        }
        return main + others
    }

    /// The maximum number of presented certificates that are drawn or listed. It also applies to decoded reports.
    static let maximumPresented = 32

    /// The number of other paths that are drawn. The rest are listed.
    static let drawnPaths = 3

    /// Whether the peer is trusted. Also true if a certificate expires soon.
    var isTrusted: Bool { outcome.isTrusted }

    /// Whether the peer is trusted although the path wasn't checked.
    var isExempted: Bool {
        // If the leaf itself is an anchor, its own fields are checked, but there is no signature to verify.
        isTrusted && !checks.contains { $0.status == .passed && CheckGroup(rawValue: $0.name)?.check == .path }
    }

    private var presentedColumn: ChainColumn {
        let used = Set(path?.bounded.certificates ?? [])
        let elsewhere = Set(otherPaths.prefix(64).flatMap(\.bounded.certificates))
        let presented = self.presented.prefix(Self.maximumPresented)
        var seen: Set<Int> = []
        var boxes: [ChainColumn.Box] = []
        for (place, index) in presented.enumerated() {
            guard let certificate = certificate(at: index) else { continue }
            var box = box(of: certificate, index)
            let isRepeated = !seen.insert(index).inserted
            box.origin = isRepeated ? "sent again" : certificate.origin ?? "sent"
            box.role = certificate.role.map(\.rawValue) ?? (elsewhere.contains(index) ? "other path" : "not used")
            if isRepeated { box.role = "sent twice" }
            box.isFaint = isRepeated || !used.contains(index)
            if presented.indices.contains(place + 1), let next = self.certificate(at: presented[place + 1]) {
                let isIssuer = certificate.issuer == next.subject
                box.link = ChainColumn.Link(
                    words: isIssuer ? "named as issuer" : "not its issuer", tone: nil, isBroken: !isIssuer)
            }
            boxes.append(box)
        }
        let count = self.presented.count + omissions(of: "presented")
        return ChainColumn(
            kind: .presented, title: "As presented", tone: nil,
            subtitle: "\(counted(count, "certificate")), in the order sent",
            boxes: ChainColumn.shortened(boxes), codes: [])
    }

    private func column(_ whole: Path, kind: ChainColumn.Kind, number: Int?) -> ChainColumn {
        let path = whole.bounded
        var boxes: [ChainColumn.Box] = []
        for (place, index) in path.certificates.enumerated() {
            guard let certificate = certificate(at: index) else { continue }
            boxes.append(self.box(certificate, index, at: place, of: path))
        }
        let isMissingIssuer = !isTrusted && path.failures.contains { $0.code == "unknownIssuer" }
        if isMissingIssuer, let last = path.certificates.last.flatMap({ certificate(at: $0) }), !boxes.isEmpty {
            boxes[boxes.count - 1].link = ChainColumn.Link(words: "unknownIssuer", tone: .bad, isBroken: true)
            boxes.append(
                ChainColumn.Box(
                    name: last.issuerName, role: "issuer", origin: "missing", tone: .bad,
                    isDashed: true))
        }
        let isExcused = !path.failures.isEmpty
        let tone: HTMLTone = !isTrusted ? .bad : isExempted || isExcused ? .caution : .good
        // Excused failures may concern a longer path than the accepted one.
        let codes = path.failures.filter { $0.place.map { !path.certificates.indices.contains($0) } ?? true }.map(
            \.code)
        let title =
            switch kind {
            case .path where !isTrusted: "Best candidate"
            case .path: isExempted ? "Not validated" : isExcused ? "Accepted path" : "Validated path"
            default: isTrusted ? "Valid path \(number ?? 2)" : "Refused path \(number ?? 2)"
            }
        return ChainColumn(
            kind: kind, title: title, tone: tone, subtitle: subtitle(of: whole, kind: kind),
            boxes: ChainColumn.shortened(boxes), codes: codes)
    }

    private func subtitle(of path: Path, kind: ChainColumn.Kind) -> String {
        guard isTrusted else { return "refused" + (path.failures.first.map { ": \($0.code)" } ?? "") }
        guard kind == .path else { return "also valid, but not needed" }
        let count = path.failures.count
        return counted(path.certificates.count, "certificate")
            + (count > 0 ? ", \(counted(count, "failure")) excused" : "")
    }

    private func box(
        _ certificate: CertificateEntry, _ index: Int, at place: Int, of path: Path
    ) -> ChainColumn.Box {
        let isLast = place == path.certificates.count - 1
        let failures = path.failures.filter { $0.place == place }
        var box = self.box(of: certificate, index)
        box.isAnchor = isLast && path.reachesAnchor
        box.role = box.isAnchor ? "anchor" : place == 0 ? "leaf" : "intermediate"
        box.isDashed = !certificate.isPresented && !box.isAnchor
        box.origin = certificate.origin ?? (box.isAnchor ? "trusted here" : "not sent")
        // These codes concern the link to the issuer and are drawn there if the link is drawn.
        let linkCodes = Set((isLast ? [] : ["signatureInvalid"]) + (isTrusted ? [] : ["unknownIssuer"]))
        box.codes = failures.map(\.code).filter { !linkCodes.contains($0) }
        box.tone = !box.codes.isEmpty ? isTrusted ? .caution : .bad : isTrusted && !isExempted ? .good : nil
        guard !isLast else { return box }
        let isUnsigned = failures.contains { $0.code == "signatureInvalid" }
        let isSigned = isTrusted ? !isExempted : place < path.verifiedSignatures
        box.link = ChainColumn.Link(
            words: isUnsigned ? "signatureInvalid" : isSigned ? "signed by" : "names as issuer",
            tone: isUnsigned ? isTrusted ? .caution : .bad : isTrusted && !isExempted ? .good : nil)
        return box
    }

    private func box(of certificate: CertificateEntry, _ index: Int) -> ChainColumn.Box {
        ChainColumn.Box(
            certificate: index, name: certificate.name, role: "", origin: "",
            end: "until " + certificate.notAfter.description.prefix(10), isSent: certificate.isPresented)
    }
}

extension TrustReport.Path {
    /// The path, limited to the number of certificates and failures that this package writes. A decoded report may
    /// contain more.
    var bounded: TrustReport.Path {
        TrustReport.Path(
            certificates: Array(certificates.prefix(64)), reachesAnchor: reachesAnchor && certificates.count <= 64,
            failures: Array(failures.prefix(Self.maximumFailures)))
    }

    /// The number of signatures on a refused path that were certainly verified.
    ///
    /// The engine verifies signatures only on paths to an anchor. It starts at the leaf and stops at the first wrong
    /// signature, or at an unknown algorithm or key.
    var verifiedSignatures: Int {
        guard reachesAnchor else { return 0 }
        var count = max(0, certificates.count - 1)
        for failure in failures {
            switch TrustFailure.Code.named(failure.code).map(CheckGroup.init) {
            case .signatures: count = min(count, max(0, failure.place ?? 0))
            case .algorithms: count = min(count, max(1, failure.place ?? 0) - 1)
            case .budget: count = 0
            default: break
            }
        }
        return max(0, count)
    }
}

extension ChainColumn.Box {
    fileprivate var words: Report.Words {
        let facts = [role, origin, end].filter { !$0.isEmpty }.joined(separator: ", ")
        var words: Report.Words = [.foreign(name, maximum: 256), " ", .sentence("(\(facts))")]
        if !codes.isEmpty { words = words + ": " + Report.Words(listing: codes.map { .code($0) }) }
        guard let link, !link.words.isEmpty else { return words }
        return words + [.text(link.isBroken ? "; next: \(link.words)" : "; \(link.words) the next")]
    }
}
