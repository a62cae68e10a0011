// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting

/// The curves of path validation: the numbers of anchors, certificates and names.
struct PathCurves {
    let roots: SystemRoots
    let rounds: Int

    private static let time = Curve.Axis(label: "time for one validation", quantity: .time)
    private static let peers = "All contenders parse the chain, verify every signature and check the host name."

    // MARK: - Anchors

    private static let anchorCounts = [140, 300, 1_000, 3_000, 10_000]

    func anchors() async throws -> Curve {
        var path = try PresentedPath()
        var others = roots.anchors
        for index in others.count..<(Self.anchorCounts.last ?? 0) {
            others.append(try TestAuthority.root(.authority("Root \(index)")).certificate)
        }
        var lines = CurveLines(Self.verifiers)
        for count in Self.anchorCounts {
            path.anchors = others.prefix(count - 1) + [path.root]
            lines.add(size: Double(count), try await race(path))
        }
        var curve = Curve(
            file: "anchors", title: "Anchors in the store", size: .init(label: "anchors", quantity: .count),
            cost: Self.time, lines: lines.lines, finding: "",
            growth: """
                **constant**, apart from two binary searches, which are O(log n). The meter of the search charges the \
                same for 200 and 400 anchors. It has no charge for a step of a binary search, which compares two numbers.
                """,
            peers: Self.peers)
        curve.finding = """
            With 10,000 anchors instead of 140, the validation of a chain of three certificates takes \
            \(factor(curve, ContenderName.ours)) times as long (swift-certificates \
            \(factor(curve, ContenderName.certificates)), OpenSSL \(factor(curve, ContenderName.openSSL))).
            """
        return curve
    }

    // MARK: - Certificates

    func chains() async throws -> Curve {
        var lines = CurveLines(Self.verifiers + [("only the signatures", .raw)])
        for count in 2...10 {
            let path = try PresentedPath(certificates: count)
            let signatures = try RawSignatures(path.pairs, .p256)
            for timing in try await race(path, and: signatures) {
                let name = timing.name == ContenderName.raw ? "only the signatures" : timing.name
                lines.add(size: Double(count), cost: timing.fastest, name: name)
            }
        }
        var curve = Curve(
            file: "chains", title: "Length of the chain",
            size: .init(label: "certificates from leaf to root", quantity: .count), cost: Self.time,
            lines: lines.lines, finding: "",
            growth: """
                **n**. The meter charges exactly one signature for each certificate below the root, and at most twice \
                the work for twice as many further certificates.
                """,
            peers: Self.peers + " The lower bound is the signatures, verified with swift-crypto and prepared keys.")
        let ours = curve.line(ContenderName.ours)?.ends.last ?? .nan
        func ratio(_ name: String) -> String {
            (ours / (curve.line(name)?.ends.last ?? .nan)).formatted(decimals: 2)
        }
        curve.finding = """
            A chain of ten certificates takes \(factor(curve, ContenderName.ours)) times as long as a chain of two, \
            and has nine times as many signatures.
            """
        curve.remark = """
            With ten certificates, the time is \(ratio("only the signatures")) of that for only the signatures, \
            \(ratio(ContenderName.certificates)) of that of swift-certificates and \(ratio(ContenderName.openSSL)) of \
            that of OpenSSL.
            """
        return curve
    }

    // MARK: - Names

    func names() async throws -> Curve {
        var lines = CurveLines(Self.verifiers)
        for count in [1, 3, 10, 30, 100, 300, 1_000] {
            lines.add(size: Double(count), try await race(try PresentedPath(names: count)))
        }
        var curve = Curve(
            file: "names", title: "Names of the leaf",
            size: .init(label: "DNS names, the host is the last", quantity: .count),
            cost: Self.time, lines: lines.lines, finding: "",
            growth: """
                **n**. The meter charges at most twice the work for twice as many names. Each time includes two \
                signatures, whose cost hardly depends on the names.
                """,
            peers: Self.peers)
        curve.finding = """
            With 1,000 names instead of one, the validation takes \(factor(curve, ContenderName.ours)) times as long \
            (swift-certificates \(factor(curve, ContenderName.certificates)), OpenSSL \
            \(factor(curve, ContenderName.openSSL))).
            """
        if let ends = curve.line(ContenderName.ours)?.ends {
            curve.remark = """
                The further 999 names add \(Quantity.time.text(ends.last - ends.first)) to the \
                \(Quantity.time.text(ends.first)) of a leaf with one name.
                """
        }
        return curve
    }

    // MARK: - Races

    private static let verifiers: [(String, Curve.Style)] = [
        (ContenderName.ours, .ours), (ContenderName.certificates, .certificates), (ContenderName.openSSL, .openSSL),
    ]

    private func race(_ path: PresentedPath, and others: any Contender...) async throws -> [Timing] {
        try await Race(rounds: rounds).run(
            [try EnginePath(path, memory: nil), CertificatesPath(path), try OpenSSLPath(path)] + others)
    }

    private func factor(_ curve: Curve, _ name: String) -> String {
        let factor = curve.line(name)?.factor ?? .nan
        return factor.formatted(decimals: factor < 10 ? 2 : 0)
    }
}
