// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The paths of a report as a tree for terminals: the leaf on the left, its issuers below it, and a branch where paths
/// diverge.
///
/// ```
/// api.example.com  leaf, sent as number 1, until 2027-01-02
/// ├─ Example CA  intermediate, sent as number 2, until 2030-06-01
/// │  └─ Example Root  anchor, trusted here, until 2035-01-01 ✓
/// └─ Example CA  intermediate, not sent, until 2030-06-01
///    └─ Old Root  missing ✗ unknownIssuer
/// ```
package struct PathTree {
    /// A certificate or a missing issuer, with the links to its issuers.
    private struct Node {
        let certificate: Int?
        let box: ChainColumn.Box
        var codes: [String]
        /// The failures of the link from the previous node.
        var wayCodes: [String] = []
        /// The failures of the whole path that ends at this node, such as a missing pin. This certificate doesn't cause
        /// them.
        var endCodes: [String] = []
        var isEnd = false
        var issuers: [Int] = []
    }

    private var nodes: [Node] = []
    private var roots: [Int] = []
    private let isTrusted: Bool
    private let isExempted: Bool
    private let unused: [String]
    private let usesLines: Bool
    private let width: Int
    private var omitted = 0

    /// The maximum number of paths, and below it the maximum number of lines.
    private static let maximumPaths = 6
    private static let maximumLines = 48

    /// Creates the tree of a verdict.
    /// - Parameters:
    ///   - width: the number of columns in a line, 40 or more.
    ///   - usesLines: whether the tree uses characters beyond ASCII.
    package init(_ verdict: TrustVerdict, presented: PresentedChain, width: Int = 80, usesLines: Bool) {
        self.init(TrustReport(outlining: verdict, presented: presented), width: width, usesLines: usesLines)
    }

    init(_ report: TrustReport, width: Int = 80, usesLines: Bool) {
        self.width = max(40, width)
        self.usesLines = usesLines
        isTrusted = report.isTrusted
        isExempted = report.isExempted
        let columns = report.pathColumns(limit: Self.maximumPaths)
        omitted = max(0, report.otherPaths.count + report.omissions(of: "otherPaths") + 1 - columns.count)
        let paths = [report.path].compactMap { $0 } + report.otherPaths.prefix(64)
        let used = Set(paths.flatMap(\.bounded.certificates))
        let rest = report.presented.prefix(TrustReport.maximumPresented).filter { !used.contains($0) }
        unused =
            rest.prefix(4).compactMap { index in
                report.certificate(at: index).map { ($0.number.map { "number \($0) " } ?? "") + $0.name }
            }
            + (rest.count > 4 ? ["\(rest.count - 4) more"] : [])
        for column in columns { add(column) }
    }

    private mutating func add(_ column: ChainColumn) {
        var parent: Int?
        var wayCode: String?
        for box in column.boxes {
            let siblings = parent.map { nodes[$0].issuers } ?? roots
            let known = siblings.first {
                nodes[$0].certificate == box.certificate && box.certificate != nil && !nodes[$0].isEnd
                    && nodes[$0].box.isAnchor == box.isAnchor && wayCode == nil && nodes[$0].wayCodes.isEmpty
                    && nodes[$0].endCodes.isEmpty
            }
            let place: Int
            if let known {
                place = known
            } else {
                place = nodes.count
                nodes.append(Node(certificate: box.certificate, box: box, codes: box.codes))
                if let wayCode { nodes[place].wayCodes.append(wayCode) }
                if let parent { nodes[parent].issuers.append(place) } else { roots.append(place) }
            }
            parent = place
            wayCode = box.link.flatMap { $0.tone == .bad || $0.tone == .caution ? $0.words : nil }
        }
        guard let parent else { return }
        nodes[parent].isEnd = true
        nodes[parent].endCodes += column.codes
    }

    /// Returns the lines, or an empty list for a report without a path.
    package func lines() -> [String] {
        var lines: [String] = []
        // The depth is at most that of a column, eight boxes.
        for root in roots { append(root, lead: "", branch: "", to: &lines) }
        if lines.count > Self.maximumLines {
            lines = lines.prefix(Self.maximumLines) + ["and \(lines.count - Self.maximumLines) more lines"]
        }
        if !lines.isEmpty, omitted > 0 { lines.append("and \(counted(omitted, "more path"))") }
        if !lines.isEmpty, !unused.isEmpty {
            lines.append(cut("sent but not used: " + unused.joined(separator: ", "), to: width))
        }
        return lines
    }

    private func append(_ index: Int, lead: String, branch: String, to lines: inout [String]) {
        let node = nodes[index]
        lines.append(line(node, lead + branch))
        let below =
            lead + (branch.isEmpty ? "" : branch.hasPrefix(usesLines ? "├" : "+") ? usesLines ? "│  " : "|  " : "   ")
        for (place, issuer) in node.issuers.enumerated() {
            let isLast = place == node.issuers.count - 1
            let next = usesLines ? isLast ? "└─ " : "├─ " : isLast ? "`- " : "+- "
            append(issuer, lead: below, branch: next, to: &lines)
        }
    }

    private func line(_ node: Node, _ start: String) -> String {
        let box = node.box
        let room = width - start.count - 18
        let mark = mark(of: node)
        // Failures come first, then the number of a certificate that was sent.
        let choices = [[box.role, box.origin, box.end], [box.role, box.origin], [box.isSent ? box.origin : box.role]]
            .map { $0.filter { !$0.isEmpty }.joined(separator: ", ") + mark }
        let text = choices.first { $0.count <= room } ?? choices[2]
        let name = cut(box.name, to: max(16, width - start.count - text.count - 2))
        return cut(start + name + "  " + text, to: width)
    }

    private func mark(of node: Node) -> String {
        let codes = node.codes + node.wayCodes + node.endCodes.map { "whole path: \($0)" }
        guard !codes.isEmpty else { return node.isEnd && isTrusted && !isExempted ? usesLines ? " ✓" : " ok" : "" }
        let more = codes.count > 2 ? " +\(codes.count - 2)" : ""
        let sign = isTrusted ? "excused" : usesLines ? "✗" : "!!"
        return " \(sign) " + codes.prefix(2).joined(separator: ", ") + more
    }

    private func cut(_ text: String, to width: Int) -> String {
        guard text.count > width else { return text }
        return usesLines ? text.prefix(width - 1) + "…" : text.prefix(width - 3) + "..."
    }
}
