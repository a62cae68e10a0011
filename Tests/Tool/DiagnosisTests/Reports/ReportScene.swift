// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting
import Testing
import TrustScenes

@testable import Diagnosis

/// An evaluation with a name, and its report.
struct ReportScene: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let report: TrustReport

    private init(
        _ name: String, _ trust: Trust, evaluator: any TrustEvaluator = DefaultTrustEvaluator(),
        findsPaths: Bool = false
    ) {
        self.init(name, evaluator.evaluate(trust), trust, findsPaths: findsPaths)
    }

    private init(_ name: String, _ verdict: TrustVerdict, _ trust: Trust, findsPaths: Bool = false) {
        testDescription = name
        report = TrustReport(
            verdict, presented: trust.presentedChain, name: "www.example.com:443",
            facts: [TrustReport.Field("TLS version", "TLS 1.3")], otherPaths: findsPaths ? trust.validPaths() : [])
    }

    static let good = scene { lab in ReportScene("good", try lab.trust(try lab.leaf())) }
    static let expired = scene { lab in ReportScene("expired", try lab.trust(try lab.expiredLeaf())) }
    static let wrongHost = scene { lab in
        ReportScene("wrong host", try lab.trust(try lab.leaf(), host: "other.example.org"))
    }
    static let withoutIntermediate = scene { lab in
        ReportScene("missing intermediate", try Trust.lab([try lab.leaf()], anchors: [lab.root.certificate]))
    }
    static let forged = scene { lab in
        ReportScene("forged", try lab.trust(try lab.leaf().withFlippedSignatureBit()))
    }
    static let selfSigned = scene { lab in
        ReportScene("self-signed", try Trust.lab([try TrustLab.selfSigned()], anchors: [lab.root.certificate]))
    }
    static let empty = scene { lab in
        ReportScene("no certificate", try Trust.lab([], anchors: [lab.root.certificate]))
    }
    static let disabled = scene { lab in
        ReportScene(
            "disabled", try lab.trust(try lab.expiredLeaf()),
            evaluator: DisabledTrustEvaluator.insecurelyTrustingAnyServer)
    }
    static let revoked = scene { lab in
        let leaf = try lab.leaf()
        var trust = try lab.trust(leaf)
        trust.revocation = .required
        trust.revocationData.crls = [try lab.root.crl().der, try lab.intermediate.crl { $0.revoke(leaf) }.der]
        return ReportScene("revoked", trust)
    }
    static let notRevoked = scene { lab in
        var trust = try lab.trust(try lab.leaf())
        trust.revocation = .required
        trust.revocationData.crls = [try lab.root.crl().der, try lab.intermediate.crl().der]
        return ReportScene("not revoked", trust)
    }
    static let pinned = scene { lab in
        let leaf = try lab.leaf()
        let pins = try SPKIPinSet(pins: [SPKIPin(lab.root.certificate)], backup: [try .unused(1)])
        return ReportScene("pinned", try lab.trust(leaf), evaluator: SPKIPinsTrustEvaluator(pins))
    }
    static let misspinned = scene { lab in
        let pins = try SPKIPinSet(pins: [try .unused(2)], backup: [try .unused(3)])
        return ReportScene("pin not matched", try lab.trust(try lab.leaf()), evaluator: SPKIPinsTrustEvaluator(pins))
    }
    static let manyNames = scene { lab in
        ReportScene(
            "100 names",
            try lab.trust(try lab.leaf { $0.dnsNames = (1...99).map { "host-\($0).example.com" } + [TrustLab.host] }))
    }
    static let hostile = scene { lab in
        let text = "</svg><script>alert('1')</script>\u{202e}\u{2066}\u{0}\n<a href=\"https://evil.test\">x</a>\u{3164}"
        let lab = try TrustLab(intermediate: .authority(text))
        return ReportScene(
            "hostile names",
            try lab.trust(
                try lab.leaf {
                    $0.commonName = text
                    $0.organization = String(repeating: "é\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}", count: 40)
                    $0.caIssuers = ["javascript:alert(1)", "http://x.test/\"onmouseover=\"alert(1)"]
                    $0.dnsNames += ["<img src=x onerror=alert(1)>"]
                }))
    }
    static let crossSigned = Result { () -> ReportScene in
        let lab = try CrossSignedLab()
        return ReportScene("cross-signed", try lab.trusts()[0], findsPaths: true)
    }

    /// A leaf that is itself an anchor.
    static let leafAnchor = scene { _ in
        let leaf = try TrustLab.selfSigned()
        return ReportScene("leaf that is an anchor", try Trust.lab([leaf], anchors: [leaf]))
    }
    /// An expired leaf with an exception that the user agreed to.
    static let excepted = scene { lab in
        var trust = try lab.trust(try lab.expiredLeaf())
        trust.setExceptions(try trust.evaluate().exceptions())
        return ReportScene("excepted", trust)
    }
    static let leafNotRevoked = scene { lab in
        var trust = try lab.trust(try lab.leaf())
        trust.revocation = .required
        trust.settings.revocation.scope = .leaf
        trust.revocationData.crls = [try lab.intermediate.crl().der]
        return ReportScene("leaf not revoked", trust)
    }
    static let wrongPurpose = scene { lab in
        ReportScene("wrong purpose", try lab.trust(try lab.leaf { $0.extendedKeyUsage = [.clientAuth] }))
    }
    /// A trusted server that a rule in report-only mode would refuse.
    static let reported = scene { lab in
        let trust = try lab.trust(try lab.leaf())
        let pins = SPKIPinsTrustEvaluator(try SPKIPinSet(pinsRiskingLockout: [try .unused(4)]))
        let manager = try ServerTrustManager(rules: [(try HostPattern(TrustLab.host), .reportOnly(pins))])
        return ReportScene("report only", manager.evaluate(trust), trust)
    }

    static let all: [ReportScene] = [
        leafAnchor, excepted, leafNotRevoked, wrongPurpose, reported,
        good, expired, wrongHost, withoutIntermediate, forged, selfSigned, empty, disabled, revoked, notRevoked, pinned,
        misspinned, manyNames, hostile, crossSigned, published, unpublished, unpublishedRequired,
    ].compactMap { try? $0.get() }

    static let published = scene { lab in
        try transparency("published", lab, .report) { logs in logs.map { $0.timestamp() } }
    }
    static let unpublished = scene { lab in
        try transparency("not published, reported", lab, .report) { logs in
            [logs[1].timestamp(), logs[0].timestamp().with { $0.hasWrongSignature = true }]
        }
    }
    static let unpublishedRequired = scene { lab in
        try transparency("not published, refused", lab, .require) { _ in [] }
    }

    /// Returns the evaluation of a leaf with timestamps, under a root with a constraint.
    private static func transparency(
        _ name: String, _ lab: TrustLab, _ mode: TransparencySettings.Mode,
        _ timestamps: ([TestLog]) -> [TestTimestamp]
    ) throws -> ReportScene {
        let logs = try [
            TestLog("One log", operatedBy: "One"),
            TestLog("<b>Two</b> \u{202e}log", operatedBy: "</td><script>alert(2)</script>"),
        ]
        var trust = try lab.trust(try lab.leaf { $0.timestamps = timestamps(logs) })
        var constraints = AnchorConstraints()
        constraints.dates = [
            IssuanceLimit(.notAfter, TestAuthority.now.advanced(by: 86_400), clock: .notBeforeOrTimestamp)
        ]
        let conditions = AnchorConditions(source: "Mozilla, 2026-06-13", alternatives: [constraints])
        trust.anchors = TrustAnchors(
            AnchorStore([TrustAnchor(lab.root.certificate, conditions: [conditions], isPublic: true)]))
        trust.settings.transparency = TransparencySettings(
            logs: try CTLogList(json: TestLog.list(logs), now: TestAuthority.now), policy: .mozilla, mode: mode)
        return ReportScene(name, trust)
    }

    private static func scene(_ make: (TrustLab) throws -> ReportScene) -> Result<ReportScene, any Error> {
        Result { try make(TrustLab()) }
    }
}
