// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import TrustScenes

@testable import ServerTrustPins
@testable import ServerTrustTesting

/// A change to a fleet: the options that rehearse it, and the change itself.
struct FleetChange {
    /// The order in which changes happen.
    enum Step: Int {
        case pins, anchors, lists, removedAnchors, clock, settings, chain, renewal
    }

    let name: String
    let step: Step
    /// The options of `audit --replay`.
    let options: [String]
    /// Changes the inputs of a service's evaluation.
    let make: (inout FleetSituation, FleetService) throws -> Void

    /// The options that can be given once.
    private static let single: Set<String> = [
        "--pins", "--anchors", "--roots-overlay", "--at", "--shift", "--strict", "--profile", "--maximum-intermediates",
        "--revocation", "--renew",
    ]

    /// Whether two changes can happen together.
    func isCompatible(with other: FleetChange) -> Bool {
        Set(options).intersection(other.options).isDisjoint(with: Self.single)
    }

    static func + (left: FleetChange, right: FleetChange) -> FleetChange {
        let (first, second) = left.step.rawValue <= right.step.rawValue ? (left, right) : (right, left)
        return FleetChange(
            name: "\(first.name); \(second.name)", step: second.step, options: first.options + second.options
        ) { situation, service in
            try first.make(&situation, service)
            try second.make(&situation, service)
        }
    }
}

/// The changes to a fleet, with the files of their options.
struct FleetChanges {
    private let fleet: Fleet
    private(set) var all: [FleetChange] = []

    init(_ fleet: Fleet) throws {
        self.fleet = fleet
        try addPins()
        try addPinsInJSON()
        try addPinsWithAnchors()
        try addRoots()
        try addLists()
        try addDenied()
        try addRevocation()
        addSettings()
        try addChains()
        try addRenewals()
    }

    private mutating func add(
        _ name: String, _ step: FleetChange.Step, _ options: [String],
        _ make: @escaping (inout FleetSituation, FleetService) throws -> Void
    ) {
        all.append(FleetChange(name: name, step: step, options: options, make: make))
    }

    private func file(_ bytes: [UInt8], _ ending: String) throws -> String {
        try fleet.folder.write("\(all.count)-\(UUID().uuidString.prefix(4)).\(ending)", Data(bytes)).path
    }

    private func pem(_ certificates: [Certificate]) throws -> String {
        try file(Array(certificates.map(\.pem).joined().utf8), "pem")
    }

    // MARK: - Pins

    private mutating func add(_ name: String, _ pins: FleetPinFile, _ further: [String] = []) throws {
        let path = try file(pins.bytes, "pins")
        add("pins: \(name)", .pins, ["--pins", path, "--pins-from", pins.format.name] + further) { situation, _ in
            situation.pins = .file(pins)
        }
    }

    private mutating func addPins() throws {
        let services = fleet.services
        for shape in PinShape.severalHosts {
            try add("kept in \(shape.format)", FleetPinFile(services.map(shape.rule), as: shape.format))
            try add(
                "wrong in \(shape.format)",
                FleetPinFile(services.map { try shape.wrongRule(for: $0.host) }, as: shape.format))
        }
        for shape in PinShape.all where shape.expiry != .none && (shape.format == .android || shape.format == .trustKit)
        {
            try add(
                "wrong in \(shape.format), expiry \(shape.expiry.rawValue)",
                FleetPinFile(services.map { try shape.wrongRule(for: $0.host) }, as: shape.format))
        }
        let leaves = services.map { SPKIPin($0.leaf.certificate) }
        for (name, keys) in [("all leaves", leaves), ("some leaves", Array(leaves.prefix(leaves.count / 2)))] {
            let text = keys.map { "sha256//" + Base64.encode($0.sha256) }.joined(separator: ";")
            try add("\(name) in curl", FleetPinFile(text, as: .curl))
        }
        let roots = fleet.anchors.map { SPKIPin($0) }
        for (name, keys) in [("keys of all roots", roots), ("the key of one root", Array(roots.prefix(1)))] {
            add("pins: \(name)", .pins, keys.flatMap { ["--pins", $0.description] }) { situation, _ in
                situation.pins = .keys(keys)
            }
        }
    }

    private typealias ScopedKeys = [(certificate: Certificate, scope: PinScope)]

    private mutating func addJSON(
        _ name: String, _ services: [FleetService]? = nil, expiry: PinShape.Expiry = .none,
        mode: PinRule.Mode = .enforced, unlisted: PinConfiguration.UnlistedHosts = .evaluatedByDefault,
        _ keys: (FleetService) -> ScopedKeys
    ) throws {
        let rules = try (services ?? fleet.services).map { service in
            try PinRule(
                hosts: [.only(service.host)], mode: mode,
                pins: mode == .unpinned
                    ? [] : keys(service).map { Pin(.key(SPKIPin($0.certificate)), scope: $0.scope) },
                expiry: mode == .unpinned ? nil : expiry.end)
        }
        try add(name, FleetPinFile(rules, as: .json, unlisted: unlisted))
    }

    private mutating func addPinsInJSON() throws {
        let half = Array(fleet.services.prefix(fleet.services.count / 2))
        let spare = FleetService.spares[0]
        let leaf = { (service: FleetService) in service.leaf.certificate }
        let issuer = { (service: FleetService) in service.authority.issuer.certificate }
        try addJSON("leaf pinned") { [(leaf($0), .leaf)] }
        try addJSON("leaf pinned as a CA") { [(leaf($0), .authority)] }
        try addJSON("CA pinned") { [(issuer($0), .authority)] }
        try addJSON("CA pinned as a leaf") { [(issuer($0), .leaf)] }
        try addJSON("leaf and CA pinned") { [(leaf($0), .leaf), (issuer($0), .authority)] }
        try addJSON("leaf and wrong CA pinned") { [(leaf($0), .leaf), (spare, .authority)] }
        try addJSON("wrong leaf and CA pinned") { [(spare, .leaf), (issuer($0), .authority)] }
        try addJSON("backup used") { [(spare, .anywhere), (issuer($0), .anywhere)] }
        for expiry in PinShape.Expiry.allCases where expiry != .none {
            try addJSON("wrong, expiry \(expiry.rawValue)", expiry: expiry) { _ in [(spare, .anywhere)] }
            try addJSON("right, expiry \(expiry.rawValue)", expiry: expiry) { [(leaf($0), .leaf)] }
        }
        try addJSON("wrong, only reported", mode: .reportOnly) { _ in [(spare, .anywhere)] }
        try addJSON("unpinned", mode: .unpinned) { _ in [] }
        try addJSON("half of the hosts", half) { _ in [(spare, .anywhere)] }
        try addJSON("half of the hosts, others refused", half, unlisted: .refused) { [(leaf($0), .anywhere)] }
        if let domain = PinnedHosts.host(try Hostname("example.com"), andBelow: .anyDepth) {
            let roots = fleet.anchors.dropFirst().map { Pin(.key(SPKIPin($0)), scope: .authority) }
            try add("roots for the domain", FleetPinFile([PinRule(hosts: [domain], pins: roots)], as: .json))
        }
    }

    private mutating func addPinsWithAnchors() throws {
        let roots = Array(fleet.anchors.dropFirst())
        let rules = try fleet.services.map { service in
            try PinRule(
                hosts: [.only(service.host)], pins: [Pin(.key(SPKIPin(service.leaf.certificate)))],
                anchors: [PinAnchorSource(.resource("raw/roots"))])
        }
        try FileManager.default.createDirectory(
            at: fleet.folder.url.appendingPathComponent("raw"), withIntermediateDirectories: true)
        try fleet.folder.write("raw/roots.pem", Data(roots.map(\.pem).joined().utf8))
        var pins = try FleetPinFile(rules, as: .android)
        pins.resources = ["raw/roots": roots]
        try add("anchors in Android's file", pins)
        try add("anchors in Android's file, named", pins, ["--anchors", try pem(roots)])
    }

    // MARK: - Anchors and lists

    private mutating func addRoots() throws {
        let roots = fleet.anchors
        func removed(_ certificate: Certificate) -> (inout FleetSituation, FleetService) -> Void {
            { situation, service in
                situation.anchors.removeAll { $0 == certificate }
                // An app can't have a rule without anchors.
                if service.authority.root.certificate == certificate {
                    situation.setRuleAnchors(.replaced([FleetService.spares[0]]))
                }
            }
        }
        for root in roots {
            let name = root.subject.values(of: .commonName).first ?? ""
            add("root removed: \(name)", .removedAnchors, ["--without-anchor", name], removed(root))
        }
        if let root = roots.first {
            add(
                "root removed by digest", .removedAnchors, ["--without-anchor", Hex.encode(root.sha256)], removed(root))
        }
        var all = roots + [FleetService.spares[0]]
        for authority in fleet.authorities where !all.contains(authority.root.certificate) {
            all.append(authority.root.certificate)
        }
        for (name, certificates) in [
            ("all roots", all), ("the same roots", roots), ("half of the roots", Array(roots.prefix(roots.count / 2))),
            ("another root", [FleetService.spares[0]]),
        ] {
            add("anchors: \(name)", .anchors, ["--anchors", try pem(certificates)]) { situation, _ in
                situation.anchors = certificates
                situation.lists = []
                // As in `check`, the option replaces the anchors of a pin file.
                situation.setRuleAnchors(.ignored)
            }
        }
    }

    private mutating func addList(_ name: String, complete: Bool = false, _ set: String, distrusted: [Certificate] = [])
        throws
    {
        let text = Fleet.listText(
            complete: complete, fleet.anchors.enumerated().map { ($1, $0.isMultiple(of: 2) ? set : "") },
            distrusted: distrusted)
        let list = try RootList(Array(text.utf8))
        add("list: \(name)", .lists, ["--roots-overlay", try file(Array(text.utf8), "json")]) { situation, _ in
            situation.lists = [list]
        }
    }

    private mutating func addLists() throws {
        let now = fleet.now
        let date = { (days: Int) in now.advanced(by: .days(days)).description }
        try addList("distrusted after a date", #"{"issuedNotAfter":"\#(date(-100))"}"#)
        try addList("distrusted after a later date", #"{"issuedNotAfter":"\#(date(30))"}"#)
        try addList("for other domains", #"{"permittedDomains":["example.org"]}"#)
        try addList("for these domains", complete: true, #"{"permittedDomains":["example.com"]}"#)
        try addList("no conditions", "")
        try addList("a root is distrusted", "", distrusted: [fleet.authorities[0].root.certificate])
        try addList("an intermediate is distrusted", "", distrusted: [fleet.authorities[1].issuer.certificate])
        if let cross = fleet.authorities[3].crossSigned?.certificate {
            try addList("a cross-signed certificate is distrusted", "", distrusted: [cross])
        }
    }

    private mutating func addDenied() throws {
        let service = fleet.services[fleet.services.count - 1]
        let leaf = service.leaf.certificate
        let authorities = fleet.authorities
        var lists = [
            ("a leaf", DeniedListBytes.oneCRL(DeniedListBytes.record(serialOf: leaf))),
            ("the key of a leaf", DeniedListBytes.oneCRL(DeniedListBytes.record(keyOf: leaf))),
            ("a leaf's key, by a CRLSet", DeniedListBytes.crlSet(DeniedListBytes.member("BlockedSPKIs", leaf))),
        ]
        for authority in authorities.prefix(4) {
            let issuer = authority.issuer.certificate
            lists.append(("\(issuer)", DeniedListBytes.oneCRL(DeniedListBytes.record(serialOf: issuer))))
        }
        let roots = [authorities[0], authorities[4]].map { DeniedListBytes.record(keyOf: $0.root.certificate) }
        lists.append(("the keys of two roots", DeniedListBytes.oneCRL(roots[0], roots[1])))
        if let cross = authorities[3].crossSigned?.certificate {
            lists.append(
                ("a cross-signed certificate", DeniedListBytes.oneCRL(DeniedListBytes.record(serialOf: cross))))
        }
        for (name, bytes) in lists {
            let list = try DeniedList(bytes)
            add("denied: \(name)", .settings, ["--denied", try file(bytes, "denied")]) { situation, _ in
                situation.settings.denied = .union(situation.settings.denied, list)
            }
        }
    }

    // MARK: - Revocation

    private mutating func addEvidence(
        _ name: String, crls: [[UInt8]] = [], ocsp: [[UInt8]] = [], _ mode: RevocationPolicy.Mode? = nil
    ) throws {
        var options = mode.map { ["--revocation", $0 == .bestEffort ? "best-effort" : $0.rawValue] } ?? []
        for crl in crls { options += ["--crl", try file(crl, "crl")] }
        for response in ocsp { options += ["--ocsp", try file(response, "ocsp")] }
        let lists = try crls.map { try CertificateRevocationList(der: $0) }
        add("revocation: \(name)", .settings, options) { situation, _ in
            if let mode { situation.settings.revocation.mode = mode }
            situation.settings.revocationData.ocspResponses += ocsp
            situation.settings.revocationData.lists += lists
        }
    }

    private mutating func addRevocation() throws {
        let now = fleet.now
        let (leaf, issuer) = (fleet.services[0].leaf.certificate, fleet.services[0].authority.issuer)
        let fresh = try fleet.authorities.flatMap { try $0.crls(at: now) }
        let stale = try fleet.authorities.flatMap { try $0.crls(at: now, isStale: true) }
        func crl(
            _ authority: TestAuthority, _ certificate: Certificate, days: Int = -1, _ reason: RevocationReason? = nil
        ) throws -> [UInt8] {
            try authority.crl {
                $0.thisUpdate = now.advanced(by: .days(days))
                $0.nextUpdate = now.advanced(by: .days(days + 9))
                $0.revoke(certificate, at: now.advanced(by: .days(days - 1)), reason: reason)
            }.der
        }
        for mode in [RevocationPolicy.Mode.off, .bestEffort, .required] {
            try addEvidence(mode.rawValue, mode)
            try addEvidence("\(mode.rawValue) with CRLs", crls: fresh, mode)
        }
        try addEvidence("required with stale CRLs", crls: stale, .required)
        try addEvidence("best effort with stale CRLs", crls: stale, .bestEffort)
        try addEvidence("a revoked leaf", crls: [crl(issuer, leaf)])
        try addEvidence("a revoked leaf in a stale CRL", crls: [crl(issuer, leaf, days: -40)])
        try addEvidence("a revoked leaf, revocation off", crls: [crl(issuer, leaf)], .off)
        try addEvidence("a leaf on hold", crls: [crl(issuer, leaf, .certificateHold)])
        try addEvidence("a leaf removed from a CRL", crls: [crl(issuer, leaf, .removeFromCRL)])
        for authority in [fleet.authorities[0], fleet.authorities[1]] {
            let certificate = authority.issuer.certificate
            try addEvidence("revoked \(certificate)", crls: [crl(authority.root, certificate)])
        }
        if let cross = fleet.authorities[3].crossSigned {
            try addEvidence("a revoked cross-signed certificate", crls: [crl(cross.issuer, cross.certificate)])
        }
        try addEvidence(
            "a leaf revoked by OCSP",
            ocsp: [
                issuer.ocspResponse { response in
                    response.producedAt = now.advanced(by: .days(-1))
                    response.add(leaf, .revoked(at: now.advanced(by: .days(-2)))) {
                        $0.thisUpdate = now.advanced(by: .days(-1))
                        $0.nextUpdate = now.advanced(by: .days(9))
                    }
                }.der
            ])
        try addEvidence("a good OCSP response", ocsp: [Fleet.staple(issuer, leaf, at: now)], .required)
        try addEvidence(
            "a forged CRL",
            crls: [
                fleet.authorities[2].issuer.crl {
                    $0.issuer = issuer.certificate.subject; $0.revoke(leaf)
                }.der
            ])
    }

    // MARK: - Settings

    private mutating func addSettings() {
        for days in [3, 30, 60, 400, -40, -90, -400] {
            add("clock \(days) days", .clock, ["--shift", "\(days)d"]) { situation, _ in
                situation.time = situation.time.advanced(by: .days(days))
            }
        }
        let date = fleet.now.advanced(by: .days(2_000))
        add("a later date", .clock, ["--at", "\(date)"]) { situation, _ in situation.time = date }
        add("strict rules", .settings, ["--strict"]) { situation, _ in situation.settings.policy.isStrict = true }
        add("RFC 5280", .settings, ["--profile", "rfc5280"]) { situation, _ in
            situation.settings.policy.profile = .rfc5280
        }
        for count in [0, 1] {
            add("at most \(count) intermediates", .settings, ["--maximum-intermediates", "\(count)"]) { situation, _ in
                situation.settings.policy.maximumIntermediates = count
            }
        }
    }

    // MARK: - Chains

    private mutating func addChains() throws {
        for certificate in [
            fleet.authorities[0].issuer.certificate, fleet.authorities[3].issuer.certificate,
            fleet.authorities[5].above.first?.certificate, fleet.authorities[3].crossSigned?.certificate,
        ].compactMap(\.self) {
            add(
                "no longer sent: \(certificate)", .chain,
                ["--without-intermediate", Hex.encode(certificate.sha256)]
            ) { situation, _ in
                let sent = situation.presented.certificates.filter { $0 != certificate }
                let staple = situation.presented.staple
                situation.presented = PresentedChain(sent)
                situation.presented.staple = staple
            }
        }
        let supplied = fleet.authorities.map(\.issuer.certificate)
        add("intermediates supplied", .settings, ["--intermediates", try pem(supplied)]) { situation, _ in
            situation.settings.intermediates += supplied
        }
    }

    // MARK: - Renewals

    /// Adds a move of a CA, whose leaves get new certificates for the same keys.
    private mutating func addMove(
        _ name: String, from old: FleetAuthority, to next: FleetAuthority, byOrganization: Bool = false,
        further: [String] = [], also change: @escaping (inout FleetSituation) -> Void = { _ in }
    ) throws {
        let ca = old.issuer.certificate.subject.values(of: .commonName).first ?? ""
        let chain = [next.issuer] + next.above
        let file = try pem(chain.map(\.certificate) + [next.crossSigned?.certificate].compactMap(\.self))
        let options = ["--renew", ca, byOrganization ? "--ccadb" : "--to", file] + further
        add("\(ca) moves to \(name)", .renewal, options) { situation, service in
            change(&situation)
            guard service.leaf.certificate.issuer == old.issuer.certificate.subject else { return }
            let time = situation.time
            let template = service.template.with {
                let length = $0.notAfter.secondsSinceEpoch - $0.notBefore.secondsSinceEpoch
                $0.notBefore = time
                $0.notAfter = time.advanced(by: .seconds(min(length, 47 * 86_400)))
            }
            let leaf = try next.issuer.issue(template, key: service.leaf.key)
            let hadStaple = if case .given = situation.presented.staple { true } else { false }
            situation.presented = PresentedChain(next.chain(leaf))
            // A rehearsal assumes revocation data for the new leaf. It must not be newer than the change's own.
            if situation.settings.revocation.mode == .required || hadStaple {
                situation.presented.staple = .given(
                    try Fleet.staple(next.issuer, leaf.certificate, at: time.advanced(by: .days(1))))
                situation.settings.revocationData.crls += try next.crls(at: time.advanced(by: .hours(-1)))
            }
        }
    }

    private mutating func addRenewals() throws {
        let own = fleet.authorities[0], alpha = fleet.authorities[1], beta = fleet.authorities[3]
        let gamma = fleet.authorities[4], delta = fleet.authorities[5]
        func next(
            _ name: String, _ organization: String, below root: TestAuthority,
            _ change: (inout CertificateTemplate) -> Void = { _ in }
        ) throws -> FleetAuthority {
            var template = Fleet.template(name, organization)
            change(&template)
            return FleetAuthority(root: root, issuer: try root.intermediate(template))
        }
        let own2 = try next("Private CA 2", "Private Org", below: own.root)
        let alpha3 = try next("Alpha CA 3", "Alpha Trust", below: alpha.root)
        let alphaElsewhere = try next("Alpha CA 4", "Alpha Trust", below: fleet.authorities[2].root)
        let root = try TestAuthority.root(Fleet.template("Private Root 2", "Private Org", years: 10))
        let newRoot = try next("Private CA 3", "Private Org", below: root)
        var crossed = try next("Private CA 4", "Private Org", below: root)
        crossed.crossSigned = (try root.crossSigned(by: own.root).certificate, own.root)
        let gamma1 = try next("Gamma CA 1", "Gamma", below: gamma.root)
        try addMove("a sibling", from: own, to: own2)
        try addMove("a sibling in a list", from: own, to: own2, byOrganization: true)
        try addMove("the same root", from: alpha, to: alpha3, byOrganization: true)
        try addMove("another root of the organization", from: alpha, to: alphaElsewhere, byOrganization: true)
        try addMove("another organization", from: own, to: alpha)
        try addMove("another organization, back", from: beta, to: own2)
        try addMove("a longer path", from: gamma, to: gamma1)
        try addMove("a shorter path", from: delta, to: gamma1)
        try addMove("an unknown root", from: own, to: newRoot)
        try addMove("a cross-signed root", from: own, to: crossed)
        let anchors = fleet.anchors + [root.certificate]
        try addMove("a new root that is trusted", from: own, to: newRoot, further: ["--anchors", try pem(anchors)]) {
            $0.anchors = anchors
            $0.lists = []
            $0.setRuleAnchors(.ignored)
        }
        let only = anchors.filter { $0 != own.root.certificate }
        try addMove("a new root instead of the old one", from: own, to: newRoot, further: ["--anchors", try pem(only)])
        {
            $0.anchors = only
            $0.lists = []
            $0.setRuleAnchors(.ignored)
        }
        try addMove(
            "a CA for other names", from: alpha,
            to: try next("Alpha CA 5", "Alpha Trust", below: alpha.root) { $0.excludedDNSNames = ["example.com"] })
        try addMove(
            "a CA that ends soon", from: own,
            to: try next("Private CA 5", "Private Org", below: own.root) {
                $0.notAfter = fleet.now.advanced(by: .days(10))
            })
        try addMove(
            "a CA for clients", from: own,
            to: try next("Private CA 6", "Private Org", below: own.root) { $0.extendedKeyUsage = [.clientAuth] })
        let revoked = try own.root.crl {
            $0.thisUpdate = fleet.now.advanced(by: .days(-1))
            $0.revoke(own2.issuer.certificate)
        }
        let list = try CertificateRevocationList(der: revoked.der)
        try addMove("a revoked CA", from: own, to: own2, further: ["--crl", try file(revoked.der, "crl")]) {
            $0.settings.revocationData.lists.append(list)
        }
        let bytes = DeniedListBytes.oneCRL(DeniedListBytes.record(serialOf: own2.issuer.certificate))
        let denied = try DeniedList(bytes)
        try addMove("a denied CA", from: own, to: own2, further: ["--denied", try file(bytes, "denied")]) {
            $0.settings.denied = .union($0.settings.denied, denied)
        }
        try addRotations(own, to: own2, alpha)
    }

    /// Adds moves together with the reason for them.
    private mutating func addRotations(_ own: FleetAuthority, to next: FleetAuthority, _ other: FleetAuthority) throws {
        let issuer = own.issuer.certificate
        let root = own.root
        let rootName = root.certificate.subject.values(of: .commonName).first ?? ""
        try addMove(
            "another organization, old root removed", from: own, to: other, further: ["--without-anchor", rootName]
        ) {
            $0.anchors.removeAll { $0 == root.certificate }
        }
        let bytes = DeniedListBytes.oneCRL(DeniedListBytes.record(serialOf: issuer))
        let denied = try DeniedList(bytes)
        let crl = try root.crl {
            $0.thisUpdate = fleet.now.advanced(by: .days(-1))
            $0.revoke(issuer)
        }
        let list = try CertificateRevocationList(der: crl.der)
        for (name, target) in [("a sibling", next), ("another organization", other)] {
            try addMove(
                "\(name), old CA denied", from: own, to: target, further: ["--denied", try file(bytes, "denied")]
            ) {
                $0.settings.denied = .union($0.settings.denied, denied)
            }
            try addMove("\(name), old CA revoked", from: own, to: target, further: ["--crl", try file(crl.der, "crl")])
            {
                $0.settings.revocationData.lists.append(list)
            }
            try addMove(
                "\(name), old CA no longer sent", from: own, to: target,
                further: ["--without-intermediate", "Private CA 1"])
        }
        // The root stays valid longer than the old CA.
        let late = try FleetAuthority(
            root: root,
            issuer: root.intermediate(
                Fleet.template("Private CA 9", "Private Org", years: 9)))
        try addMove("a sibling, old CA expired", from: own, to: late, further: ["--shift", "1200d"]) {
            $0.time = $0.time.advanced(by: .days(1200))
        }
    }
}
