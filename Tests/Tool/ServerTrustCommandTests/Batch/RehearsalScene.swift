// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustLab
import TrustScenes

@testable import ServerTrustTesting

/// A change to certificates, pins or settings, with the options of its rehearsal and of the real check.
struct RehearsedChange {
    let name: String
    /// The options of `check` before the change.
    var before: [String] = []
    /// The options of `audit --replay`.
    let rehearsal: [String]
    /// The options of `check` after the change.
    let real: [String]
    /// The first code after the change, or nil for a trusted server.
    let code: String?
    /// The server after the change, or nil if it stays the same.
    var after: LabScenario?
    /// The system's roots before the change, and after it.
    var roots: (before: URL, after: URL)?
    /// Whether the server is refused before the change.
    var isRefusedBefore = false
}

/// A server with a leaf below an intermediate and a root, whose certificates and settings change.
struct RehearsalScene {
    static let host = "api.example.com"

    let folder: TemporaryFolder
    let now = Time.now()
    let root: TestAuthority
    let issuer: TestAuthority
    let next: TestAuthority
    let constrained: TestAuthority
    /// A CA that is valid longer than the others.
    let late: TestAuthority
    let other: TestAuthority
    /// A CA of another organization, below the other root.
    let foreign: TestAuthority
    let leaf: TestIdentity
    let logs: [TestLog]
    private let rootFile: URL
    private let otherFile: URL

    init(_ folder: TemporaryFolder) throws {
        self.folder = folder
        let now = now
        func authority(_ name: String) -> CertificateTemplate { .authority(name).valid(around: now) }
        root = try .root(authority("Rehearsal Root").until(now.advanced(by: .days(200))))
        other = try .root(authority("Other Root"))
        foreign = try other.intermediate(authority("Foreign CA").with { $0.organization = "Other" })
        late = try root.intermediate(authority("Rehearsal CA 4").until(now.advanced(by: .days(200))))
        issuer = try root.intermediate(authority("Rehearsal CA 1"))
        next = try root.intermediate(authority("Rehearsal CA 2"))
        constrained = try root.intermediate(authority("Rehearsal CA 3").with { $0.excludedDNSNames = ["example.com"] })
        logs = try ["One", "Two"].map { name in
            try TestLog("\(name) log", operatedBy: name).with { $0.isTiled = true }
        }
        // The leaf has timestamps, and no identifier of its issuer's key, which only the strict rules require.
        leaf = try issuer.issue(Self.template(now, logs))
        rootFile = try folder.write("root.pem", pem(root.certificate))
        otherFile = try folder.write("other.pem", pem(other.certificate))
    }

    private static func template(_ now: Time, _ logs: [TestLog]) -> CertificateTemplate {
        .leaf(host).valid(around: now).with {
            $0.hasAuthorityKeyIdentifier = false
            $0.timestamps = logs.map { $0.timestamp(at: now.advanced(by: .days(-2))) }
        }
    }

    private func served(_ leaf: TestIdentity, _ others: [Certificate]) -> LabScenario {
        .custom(host: Self.host, leaf: leaf, others: others, anchors: [root.certificate])
    }

    /// The server before every change.
    var server: LabScenario { served(leaf, [issuer.certificate]) }

    /// The server with a leaf for the same key from another CA.
    private func renewed(by issuer: TestAuthority, at time: Time? = nil) throws -> LabScenario {
        let template = Self.template(now, logs).with { $0 = time.map($0.valid(around:)) ?? $0 }
        return served(try issuer.issue(template, key: leaf.key), [issuer.certificate])
    }

    func roots(_ change: RehearsedChange) -> (before: URL, after: URL) {
        change.roots ?? (rootFile, rootFile)
    }

    // MARK: - Files

    private func rootList(_ constraints: String) throws -> String {
        let digest = Hex.encode(root.certificate.sha256)
        return try folder.write(
            "roots-\(UUID().uuidString).json",
            Data(
                #"{"schemaVersion":1,"program":"Test","complete":true,"roots":{"\#(digest)":[\#(constraints)]}}"#.utf8)
        ).path
    }

    private func logList(_ logs: [TestLog]) throws -> String {
        try folder.write("logs-\(UUID().uuidString).json", Data(try TestLog.list(logs, at: now))).path
    }

    private func crl(_ authority: TestAuthority, revoking certificate: Certificate) throws -> String {
        let crl = try authority.crl {
            $0.thisUpdate = now.advanced(by: .days(-1))
            $0.nextUpdate = now.advanced(by: .days(7))
            $0.revoke(certificate)
        }
        return try folder.write("\(UUID().uuidString).crl", Data(crl.der)).path
    }

    private func pinFile(_ pins: [String]) throws -> String {
        try pinFile(
            keys: pins.enumerated().map { place, pin in
                #"{"key":"\#(pin)","scope":"anywhere","role":"\#(place == 0 ? "inUse" : "backup")"}"#
            })
    }

    private func pinFile(leaf: String?, authority: String?, expired: String? = nil) throws -> String {
        let keys = [("leaf", leaf), ("authority", authority)].compactMap { scope, pin in
            pin.map { #"{"key":"\#($0)","scope":"\#(scope)"}"# }
        }
        let end = now.advanced(by: .days(-1))
        return try pinFile(
            keys: keys, expired.map { #","expires":{"at":"\#(end)","afterwards":"\#($0)"}"# } ?? "")
    }

    private func pinFile(keys: [String], _ further: String = "") throws -> String {
        return try folder.write(
            "pins-\(UUID().uuidString).json",
            Data(
                """
                {"schemaVersion":1,"selection":"mostSpecific","unlistedHosts":"evaluatedByDefault","rules":[{"mode":"enforced",\
                "hosts":[{"name":"\(Self.host)","includesName":true,"below":"nothing"}],"pins":[\(keys.joined(separator: ","))]\(further)}]}
                """.utf8)
        ).path
    }

    private func pin(_ certificate: Certificate) -> String { SPKIPin(certificate).description }

    // MARK: - Changes

    func changes() throws -> [RehearsedChange] {
        try pinChanges() + scopeChanges() + authorityChanges() + moves() + rootChanges() + listChanges()
    }

    private func pinChanges() throws -> [RehearsedChange] {
        let rotated = try pinFile([TrustScene.pin(1), TrustScene.pin(2)])
        let backup = try pinFile([TrustScene.pin(1), pin(issuer.certificate)])
        let signed = try signedList(rotated)
        return [
            RehearsedChange(
                name: "pin replaced", before: ["--pins", pin(leaf.certificate)],
                rehearsal: ["--pins", TrustScene.pin(1)],
                real: ["--pins", TrustScene.pin(1)], code: "pinNotMatched"),
            RehearsedChange(
                name: "pin file rotated", before: ["--pins", pin(leaf.certificate)], rehearsal: ["--pins", rotated],
                real: ["--pins", rotated], code: "pinNotMatched"),
            RehearsedChange(
                name: "backup pin used", before: ["--pins", pin(leaf.certificate)], rehearsal: ["--pins", backup],
                real: ["--pins", backup], code: nil),
            RehearsedChange(
                name: "signed list rotated", before: ["--pins", pin(leaf.certificate)],
                rehearsal: ["--pins", signed.list, "--pins-key", signed.key],
                real: ["--pins", signed.list, "--pins-key", signed.key], code: "pinNotMatched"),
        ]
    }

    private func scopeChanges() throws -> [RehearsedChange] {
        let (leaf, issuer, wrong) = (pin(leaf.certificate), pin(issuer.certificate), TrustScene.pin(1))
        func change(_ name: String, _ file: String, _ code: String?) -> RehearsedChange {
            RehearsedChange(name: name, rehearsal: ["--pins", file], real: ["--pins", file], code: code)
        }
        return [
            change("leaf pinned", try pinFile(leaf: leaf, authority: nil), nil),
            change("leaf pinned as a CA", try pinFile(leaf: nil, authority: leaf), "pinNotMatched"),
            change("CA pinned", try pinFile(leaf: nil, authority: issuer), nil),
            change("CA pinned as a leaf", try pinFile(leaf: issuer, authority: nil), "pinNotMatched"),
            change("leaf and CA pinned", try pinFile(leaf: leaf, authority: issuer), nil),
            change("leaf and wrong CA pinned", try pinFile(leaf: leaf, authority: wrong), "pinNotMatched"),
            change("wrong leaf and CA pinned", try pinFile(leaf: wrong, authority: issuer), "pinNotMatched"),
            change("expired pins", try pinFile(leaf: wrong, authority: nil, expired: "unpinned"), nil),
            change(
                "expired pins that refuse", try pinFile(leaf: leaf, authority: nil, expired: "refused"), "pinsExpired"),
        ]
    }

    /// Moves to a named CA, most of them together with the reason for the move.
    private func moves() throws -> [RehearsedChange] {
        func move(
            _ name: String, _ next: TestAuthority, _ options: [String] = [], real: [String]? = nil,
            before: [String] = [],
            at time: Time? = nil, roots: (URL, URL)? = nil, _ code: String? = nil
        ) throws -> RehearsedChange {
            let file = try folder.write("\(UUID().uuidString).pem", pem(next.certificate)).path
            return RehearsedChange(
                name: "CA moves: \(name)", before: before,
                rehearsal: ["--renew", "Rehearsal CA 1", "--to", file] + options, real: before + (real ?? options),
                code: code, after: try renewed(by: next, at: time), roots: roots)
        }
        func denied(_ certificate: Certificate) throws -> [String] {
            let list = DeniedListBytes.oneCRL(DeniedListBytes.record(serialOf: certificate))
            return ["--denied", try folder.write("\(UUID().uuidString).json", Data(list)).path]
        }
        let scoped = ["--pins", try pinFile(leaf: pin(leaf.certificate), authority: pin(issuer.certificate))]
        let revoked = ["--crl", try crl(root, revoking: issuer.certificate)]
        let later = now.advanced(by: .days(100))
        return [
            try move("sibling", next),
            try move("leaf and CA pinned", next, before: scoped, "pinNotMatched"),
            try move("old CA denied", next, denied(issuer.certificate)),
            try move("old CA denied and pinned", next, denied(issuer.certificate), before: scoped, "pinNotMatched"),
            try move("next CA denied", next, denied(next.certificate), "certificateDenied"),
            try move("old CA revoked", next, revoked),
            try move("old CA revoked and pinned", next, revoked, before: scoped, "pinNotMatched"),
            try move("old CA no longer sent", next, ["--without-intermediate", "Rehearsal CA 1"], real: []),
            try move("old CA expired", late, ["--shift", "100d"], real: ["--time", "\(later)"], at: later),
            try move(
                "old root removed, another organization", foreign, ["--anchors", otherFile.path], real: [],
                roots: (rootFile, otherFile)),
        ]
    }

    private func signedList(_ file: String) throws -> (list: String, key: String) {
        let (key, list) = ("\(folder.url.path)/office", "\(folder.url.path)/list.json")
        _ = try Tool.run(["pins", "list", "keygen", "--algorithm", "ed25519", "--out", key])
        _ = try Tool.run([
            "pins", "list", "sign", file, "--key", key, "--audience", "com.example.app", "--sequence", "1", "--expires",
            now.advanced(by: .days(30)).description, "--output", list,
        ])
        return (list, key + ".pub")
    }

    private func authorityChanges() throws -> [RehearsedChange] {
        let pool = try folder.write("next.pem", pem(next.certificate)).path
        let constrainedPool = try folder.write("constrained.pem", pem(constrained.certificate)).path
        let renew = ["--renew", "Rehearsal CA 1", "--ccadb"]
        let revoked = try crl(root, revoking: next.certificate)
        let pinned = ["--pins", pin(issuer.certificate)]
        let rootPins = try pinFile([pin(root.certificate), TrustScene.pin(2)])
        return [
            RehearsedChange(
                name: "CA replaced, pinned CA", before: pinned, rehearsal: renew + [pool], real: pinned,
                code: "pinNotMatched", after: try renewed(by: next)),
            RehearsedChange(
                name: "CA replaced, pinned root", before: pinned, rehearsal: renew + [pool, "--pins", rootPins],
                real: ["--pins", rootPins], code: nil, after: try renewed(by: next)),
            RehearsedChange(
                name: "CA replaced, pin file of the old CA",
                rehearsal: renew + [
                    pool, "--pins",
                    try pinFile([
                        pin(issuer.certificate), TrustScene.pin(2),
                    ]),
                ], real: pinned, code: "pinNotMatched", after: try renewed(by: next)),
            RehearsedChange(
                name: "CA replaced, no pins", rehearsal: renew + [pool], real: [], code: nil,
                after: try renewed(by: next)),
            RehearsedChange(
                name: "CA replaced by a constrained one", rehearsal: renew + [constrainedPool], real: [],
                code: "nameExcluded", after: try renewed(by: constrained)),
            RehearsedChange(
                name: "CA replaced by a revoked one", rehearsal: renew + [pool, "--crl", revoked],
                real: ["--crl", revoked], code: "certificateRevoked", after: try renewed(by: next)),
            RehearsedChange(
                name: "intermediate no longer sent", rehearsal: ["--without-intermediate", "Rehearsal CA 1"], real: [],
                code: "unknownIssuer", after: served(leaf, [])),
        ]
    }

    private func rootChanges() throws -> [RehearsedChange] {
        let distrusted = try rootList(#"{"issuedNotAfter":"\#(now.advanced(by: .days(-40)))"}"#)
        let later = try rootList(#"{"issuedNotAfter":"\#(now.advanced(by: .days(40)))"}"#)
        let conditions = try rootList(#"{"permittedDomains":["example.org"]}"#)
        func overlay(_ name: String, _ file: String, _ code: String?) -> RehearsedChange {
            RehearsedChange(
                name: name, rehearsal: ["--roots-overlay", file], real: ["--roots-overlay", file], code: code)
        }
        let date = { (days: Int) in now.advanced(by: .days(days)).description }
        return [
            RehearsedChange(
                name: "root removed", rehearsal: ["--without-anchor", "Rehearsal Root"], real: [],
                code: "unknownIssuer", roots: (rootFile, otherFile)),
            RehearsedChange(
                name: "root added", rehearsal: ["--anchors", rootFile.path], real: ["--anchors", rootFile.path],
                code: nil, roots: (otherFile, otherFile), isRefusedBefore: true),
            overlay("root distrusted after a date", distrusted, "anchorDistrustedAfter"),
            overlay("root distrusted after a later date", later, nil),
            overlay("root for other domains", conditions, "anchorNameNotPermitted"),
            RehearsedChange(
                name: "clock 400 days fast", rehearsal: ["--shift", "400d"], real: ["--time", date(400)],
                code: "certificateExpired"),
            RehearsedChange(
                name: "clock 400 days slow", rehearsal: ["--shift", "-400d"], real: ["--time", date(-400)],
                code: "certificateNotYetValid"),
            RehearsedChange(
                name: "rules applied strictly", rehearsal: ["--strict"], real: ["--strict"],
                code: "strictAuthorityKeyIdentifier"),
        ]
    }

    private func listChanges() throws -> [RehearsedChange] {
        let revoked = try crl(issuer, revoking: leaf.certificate)
        let usable = try logList(logs)
        let retired = try logList(
            logs.map { log in log.with { $0.state = .retired(since: now.advanced(by: .days(-9))) } })
        let denied = try folder.write(
            "denied.json", Data(DeniedListBytes.oneCRL(DeniedListBytes.record(serialOf: leaf.certificate)))
        ).path
        let milliseconds = UInt64(now.secondsSinceEpoch) * 1_000
        let filter = try folder.write(
            "revoked.filter",
            Data(
                TestRevocationFilter(
                    logs: logs.map { ($0.logID, 0, milliseconds) },
                    issuers: [(issuer.certificate.subjectPublicKeyInfoSHA256, true)]
                ).bytes)
        ).path
        let transparency = ["--ct-logs", usable, "--ct", "require", "--ct-policy", "chrome"]
        return [
            RehearsedChange(
                name: "leaf revoked", rehearsal: ["--crl", revoked], real: ["--crl", revoked],
                code: "certificateRevoked"),
            RehearsedChange(
                name: "leaf revoked in a filter", rehearsal: ["--filter", filter], real: ["--filter", filter],
                code: "certificateRevoked"),
            RehearsedChange(
                name: "revocation data required", rehearsal: ["--revocation", "required"],
                real: ["--revocation", "required"], code: "revocationUnavailable"),
            RehearsedChange(
                name: "leaf denied", rehearsal: ["--denied", denied], real: ["--denied", denied],
                code: "certificateDenied"),
            RehearsedChange(
                name: "logs retired", before: transparency, rehearsal: ["--ct-logs", retired],
                real: ["--ct-logs", retired, "--ct", "require", "--ct-policy", "chrome"], code: "transparencyNotMet"),
            RehearsedChange(
                name: "another log policy", before: transparency,
                rehearsal: ["--ct-logs", usable, "--ct-policy", "apple"],
                real: ["--ct-logs", usable, "--ct", "require", "--ct-policy", "apple"], code: "transparencyNotMet"),
        ]
    }
}
