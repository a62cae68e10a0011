// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerTrustPins

/// A CA with the services whose certificates it issues.
struct FleetAuthority {
    let root: TestAuthority
    let issuer: TestAuthority
    /// The CAs above the issuer, without the root.
    var above: [TestAuthority] = []
    /// The root's certificate from an older root, which servers send, and the older root.
    var crossSigned: (certificate: Certificate, issuer: TestAuthority)?

    /// Returns the chain that servers send.
    func chain(_ leaf: TestIdentity) -> [Certificate] {
        issuer.chain(leaf) + [crossSigned?.certificate].compactMap(\.self)
    }

    /// Returns CRLs of all CAs of a path.
    func crls(at time: Time, isStale: Bool = false) throws -> [[UInt8]] {
        let signers = [issuer, root] + above + [crossSigned?.issuer].compactMap(\.self)
        return try signers.map { signer in
            try signer.crl {
                $0.thisUpdate = time.advanced(by: .days(isStale ? -30 : -1))
                $0.nextUpdate = time.advanced(by: .days(isStale ? -20 : 9))
            }.der
        }
    }
}

/// A server, with the pins and the settings of its client.
struct FleetService {
    let host: Hostname
    let template: CertificateTemplate
    let leaf: TestIdentity
    let authority: FleetAuthority
    /// The inputs of the recorded evaluation.
    var situation: FleetSituation

    /// Certificates that no service uses.
    static let spares = ["Spare 1", "Spare 2"].compactMap { try? TestAuthority.root(.authority($0)).certificate }

    /// A service without pins.
    static func plain() throws -> FleetService {
        let root = try TestAuthority.root(Fleet.template("Root", "Test", years: 10))
        let authority = FleetAuthority(root: root, issuer: try root.intermediate(Fleet.template("CA", "Test")))
        let host = try Hostname("www.example.com")
        let template = CertificateTemplate.leaf(host.description)
        let leaf = try authority.issuer.issue(template)
        return FleetService(
            host: host, template: template, leaf: leaf, authority: authority,
            situation: FleetSituation(host, authority.chain(leaf), anchors: [root.certificate]))
    }

    /// The certificate of a path that pins with a scope usually match.
    func certificate(in scope: PinScope) -> Certificate {
        switch scope {
        case .leaf: leaf.certificate
        case .authority: authority.issuer.certificate
        case .anywhere: authority.root.certificate
        }
    }
}

/// The inputs of an evaluation.
struct FleetSituation {
    enum Pins {
        case none
        case keys([SPKIPin])
        case file(FleetPinFile)
    }

    let host: Hostname
    var presented: PresentedChain
    /// The machine's anchors, and the lists that apply to them.
    var anchors: [Certificate]
    var lists: [RootList] = []
    var settings = TrustSettings()
    var pins = Pins.none

    init(_ host: Hostname, _ chain: [Certificate], anchors: [Certificate]) {
        self.host = host
        self.presented = PresentedChain(chain)
        self.anchors = anchors
        settings.verifyDate = .at(TestAuthority.now)
    }

    var time: Time {
        get { settings.verifyDate.time }
        set { settings.verifyDate = .at(newValue) }
    }

    /// Returns the manager and the trust object that the client has.
    func evaluation() throws -> (manager: ServerTrustManager, trust: Trust) {
        var settings = settings
        settings.anchors = lists.reduce(.only(anchors)) { $0.applying($1) }
        let trust = Trust(presentedChain: presented, host: host, settings: settings)
        switch pins {
        case .file(let file): return (try file.manager(for: host), trust)
        case .none:
            return (try ServerTrustManager(evaluators: [host.description: DefaultTrustEvaluator()], memory: nil), trust)
        case .keys(let keys):
            let evaluator = SPKIPinsTrustEvaluator(try SPKIPinSet(pinsRiskingLockout: keys))
            return (try ServerTrustManager(evaluators: [host.description: evaluator], memory: nil), trust)
        }
    }

    func verdict() throws -> TrustVerdict {
        let (manager, trust) = try evaluation()
        return manager.evaluate(trust)
    }

    /// Changes the anchors in the pin file's rules.
    mutating func setRuleAnchors(_ anchors: FleetPinFile.RuleAnchors) {
        guard case .file(var file) = pins else { return }
        file.ruleAnchors = anchors
        pins = .file(file)
    }
}

/// Services of several CAs, whose evaluations are recorded.
struct Fleet {
    let folder: TemporaryFolder
    let now = TestAuthority.now
    var random: Generator
    /// A private CA, two of one organization, a cross-signed one, a root that issues itself, and a long path.
    let authorities: [FleetAuthority]
    private(set) var services: [FleetService] = []
    /// The verdicts that were recorded.
    private(set) var recorded: [String: TrustVerdict] = [:]
    private let roots: [Certificate]
    private let publicList: RootList

    var records: String { folder.url.appendingPathComponent("records").path }
    /// The anchors of the machine.
    var anchors: [Certificate] { roots }

    init(_ folder: TemporaryFolder, seed: UInt64, services count: Int) throws {
        self.folder = folder
        random = Generator(state: seed)
        func root(_ name: String, _ organization: String) throws -> TestAuthority {
            try .root(Self.template(name, organization, years: 10))
        }
        let own = try root("Private Root", "Private Org")
        let first = try root("Alpha Root 1", "Alpha Trust")
        let second = try root("Alpha Root 2", "Alpha Trust")
        let (old, new) = (try root("Beta Root 1", "Beta"), try root("Beta Root 2", "Beta"))
        let direct = try root("Gamma Root", "Gamma")
        let long = try root("Delta Root", "Delta")
        func issuer(_ name: String, _ organization: String, below root: TestAuthority) throws -> FleetAuthority {
            FleetAuthority(root: root, issuer: try root.intermediate(Self.template(name, organization)))
        }
        var beta = try issuer("Beta CA", "Beta", below: new)
        beta.crossSigned = (try new.crossSigned(by: old).certificate, old)
        let policy = try long.intermediate(Self.template("Delta Policy CA", "Delta", years: 5))
        authorities = [
            try issuer("Private CA 1", "Private Org", below: own),
            try issuer("Alpha CA 1", "Alpha Trust", below: first),
            try issuer("Alpha CA 2", "Alpha Trust", below: second), beta, FleetAuthority(root: direct, issuer: direct),
            FleetAuthority(
                root: long, issuer: try policy.intermediate(Self.template("Delta CA", "Delta")), above: [policy]),
        ]
        // Some machines only trust the old root of the cross-signed CA, and some no longer do.
        let beta1 = [[old], [old, new], [new]].randomElement(using: &random) ?? [old]
        roots = ([own, first, second, direct, long] + beta1).map(\.certificate)
        publicList = try Self.list(
            complete: true,
            [
                (first.certificate, #"{"issuedNotAfter":"2027-06-01T00:00:00Z"}"#),
                (second.certificate, #"{"permittedDomains":["example.com"]}"#),
            ])
        try addServices(count)
    }

    static func template(_ name: String, _ organization: String, years: Int = 3) -> CertificateTemplate {
        .authority(name).with {
            $0.organization = organization
            $0.notBefore = TestAuthority.now.advanced(by: .days(-365 * years))
            $0.notAfter = TestAuthority.now.advanced(by: .days(365 * years))
        }
    }

    /// Returns a root program's list with the conditions of roots.
    static func list(complete: Bool, _ roots: [(Certificate, String)], distrusted: [Certificate] = []) throws
        -> RootList
    {
        try RootList(Array(listText(complete: complete, roots, distrusted: distrusted).utf8))
    }

    static func listText(complete: Bool, _ roots: [(Certificate, String)], distrusted: [Certificate] = []) -> String {
        let entries = roots.map { #""\#(Hex.encode($0.sha256))":[\#($1)]"# }.joined(separator: ",")
        let others = distrusted.map { "\"\(Hex.encode($0.sha256))\"" }.joined(separator: ",")
        return
            #"{"schemaVersion":1,"program":"Test","complete":\#(complete),"roots":{\#(entries)},"distrusted":[\#(others)]}"#
    }

    private mutating func addServices(_ count: Int) throws {
        let shapes = PinShape.all.shuffled(using: &random)
        for number in 0..<count {
            let authority = authorities[number % authorities.count]
            let host = try Hostname("s\(number).example.com")
            let kind = Int.random(in: 0..<12, using: &random)
            let template = CertificateTemplate.leaf(host.description).with {
                $0.notBefore = now.advanced(by: .days(-60))
                $0.notAfter = now.advanced(by: .days(kind == 0 ? 5 : kind == 1 ? -1 : 45))
                $0.hasAuthorityKeyIdentifier = kind != 2
                $0.mustStaple = kind == 3
            }
            let leaf = try authority.issuer.issue(template)
            // One server forgets its intermediates.
            let chain = kind == 4 ? [leaf.certificate] : authority.chain(leaf)
            var situation = FleetSituation(host, chain, anchors: roots)
            situation.lists = [publicList]
            if kind == 3 || kind == 5 || kind == 6 {
                let staple = try Self.staple(authority.issuer, leaf.certificate, at: now, isStale: kind == 6)
                situation.presented.staple = .given(staple)
                situation.settings.revocation = .bestEffort
            }
            if kind == 5 || kind == 7 {
                situation.settings.revocation = .required
                situation.settings.revocationData = RevocationData(
                    crls: try authority.crls(at: now))
            }
            var service = FleetService(
                host: host, template: template, leaf: leaf, authority: authority, situation: situation)
            if number % 8 != 0 {
                let shape = shapes[number % shapes.count]
                var rule = try shape.rule(for: service)
                if number % 11 == 5 { rule = try shape.wrongRule(for: host) }
                service.situation.pins = .file(try FleetPinFile([rule], as: shape.format))
            } else if number % 16 == 8 {
                // A rule with its own anchors.
                let rule = try PinRule(
                    hosts: [.only(host)], pins: [Pin(.key(SPKIPin(authority.root.certificate)))],
                    anchors: [PinAnchorSource(.certificate(authority.root.certificate))])
                service.situation.pins = .file(try FleetPinFile([rule], as: .json))
                // The machine doesn't need to trust the root.
                service.situation.anchors.removeAll { $0 == authority.root.certificate }
            }
            services.append(service)
        }
    }

    /// Returns a staple of a day ago, or of a month ago.
    static func staple(
        _ issuer: TestAuthority, _ leaf: Certificate, at time: Time, isStale: Bool = false
    ) throws -> [UInt8] {
        try issuer.ocspResponse { response in
            response.producedAt = time.advanced(by: .days(isStale ? -30 : -1))
            response.add(leaf) {
                $0.thisUpdate = time.advanced(by: .days(isStale ? -30 : -1))
                $0.nextUpdate = time.advanced(by: .days(isStale ? -20 : 9))
            }
        }.der
    }

    /// Evaluates all services with a recorder.
    mutating func record() async throws {
        let recorder = TrustRecorder(folder: records, recording: .all)
        for service in services {
            let (manager, trust) = try service.situation.evaluation()
            manager.events.add(recorder)
            recorded[service.host.description] = manager.evaluate(trust)
        }
        await recorder.flush()
        #expect(recorder.counts.written == services.count)
    }
}
