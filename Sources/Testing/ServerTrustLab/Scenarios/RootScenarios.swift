// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrust
import ServerTrustTesting

// Servers below roots in the client's store that a root program no longer trusts, or trusts only under conditions.

extension LabScenario {
    /// A leaf that was issued before the root program withdrew its trust.
    static let issuedBeforeDistrust = roots(
        "issued-before-distrust", "issued before the root program withdrew its trust", .trusted
    ) { lab in
        [lab.root.certificate: .issued(notAfter: lab.issued.advanced(by: 10 * 86_400))]
    }

    /// A leaf that was issued after the root program withdrew its trust.
    static let issuedAfterDistrust = roots(
        "issued-after-distrust", "issued after the root program withdrew its trust",
        .refused(.anchorDistrustedAfter)
    ) { lab in
        [lab.root.certificate: .issued(notAfter: lab.issued.advanced(by: -10 * 86_400))]
    }

    /// A leaf that claims a date before the root program's distrust date, but has log timestamps from a later date.
    static let backdated = LabScenario(
        "backdated", "dated before the distrust, but published after it", .refused(.anchorDistrustedAfter)
    ) { fixture in
        let lab = try ScenarioLogs(fixture)
        let timestamps = lab.logs.map { $0.timestamp(at: lab.issued.advanced(by: 20 * 86_400)) }
        var client = try fixture.client(
            trusting: [fixture.root.certificate: .issued(notAfter: lab.issued.advanced(by: 10 * 86_400))])
        try client.checkTransparency(lab)
        return try fixture.below(client: client) { $0.timestamps = timestamps }
    }

    /// A root that the root program trusts only for another country's names.
    static let rootForOtherNames = roots(
        "root-for-other-names", "a root that is trusted for other names", .refused(.anchorNameNotPermitted)
    ) { [$0.root.certificate: .permittedDomains("example")] }

    /// A root that the root program trusts only for client certificates.
    static let rootForOtherPurposes = roots(
        "root-for-other-purposes", "a root that is trusted for other purposes", .refused(.anchorPurposeNotPermitted)
    ) { [$0.root.certificate: .purposes("clientAuth")] }

    /// A root in the client's store that isn't in the root program.
    static let rootNotInProgram = roots(
        "root-not-in-program", "a root that isn't in the root program", .refused(.anchorNotInProgram)
    ) { [try $0.authorities.rsaRoot().certificate: nil] }

    /// A CA with certificates from two roots. The root program distrusts the root that issued the first one.
    static let aroundDistrustedRoot = LabScenario(
        "around-distrusted-root", "a CA under two roots, one of them distrusted", .trusted
    ) { lab in
        let other = try lab.authorities.rsaRoot()
        let issuing = try lab.root.intermediate(lab.authority("Lab Cross-signed CA"))
        let crossSigned = try issuing.crossSigned(by: other)
        let leaf = try issuing.issue(lab.leaf())
        return try lab.certificates(
            leaf, [issuing.certificate, crossSigned.certificate],
            anchors: [lab.root.certificate, other.certificate],
            client: lab.client(trusting: [
                lab.root.certificate: .issued(notAfter: lab.issued.advanced(by: -86_400)), other.certificate: nil,
            ]))
    }

    private static func roots(
        _ name: String, _ summary: String, _ expected: LabOutcome,
        _ list: @escaping @Sendable (ScenarioFixture) throws -> [Certificate: RootCondition?]
    ) -> LabScenario {
        LabScenario(name, summary, expected) { lab in try lab.below(client: lab.client(trusting: list(lab))) }
    }
}

/// A root program's condition in the lab's list of roots.
enum RootCondition {
    case issued(notAfter: Time)
    case permittedDomains(String)
    case purposes(String)

    /// The set of constraints in JSON.
    fileprivate var json: String {
        switch self {
        case .issued(let date): #"{ "issuedNotAfter": "\#(date)" }"#
        case .permittedDomains(let domain): #"{ "permittedDomains": ["\#(domain)"] }"#
        case .purposes(let purpose): #"{ "purposes": ["\#(purpose)"] }"#
        }
    }
}

extension ScenarioFixture {
    /// The date on which leaves are issued.
    var issued: Time { leaf().notBefore }

    /// Returns a client that uses an operating system's anchors, restricted by a root program's list.
    /// - Parameter roots: all roots of the program, with nil for a root without a condition.
    func client(trusting roots: [Certificate: RootCondition?]) throws -> ScenarioClient {
        let entries = roots.map { root, condition in
            #""\#(Hex.encode(root.sha256))": [\#(condition?.json ?? "")]"#
        }
        let json = """
            { "schemaVersion": 1, "program": "Lab Root Program", "date": "\(now.advanced(by: -86_400))", "complete": true,
              "roots": { \(entries.sorted().joined(separator: ", ")) } }
            """
        var client = ScenarioClient()
        client.rootListJSON = Array(json.utf8)
        client.rootList = try RootList(Array(json.utf8))
        return client
    }
}

#endif
