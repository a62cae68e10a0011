// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// Looks for what goes wrong with pins, before users find it out.
///
/// ```swift
/// var linter = PinLinter(at: .now())
/// linter.anchors = try .system()
/// let findings = linter.findings(in: PinLintSource.sources(reading: bytes, file: "Info.plist"))
/// ```
///
/// Synchronous, without network; its work grows with the size of the files. What needs certificates (which pin is met, by which path,
/// until when) is found out for the ``servers`` that are known, and left out for others. ``PinLintRule/all`` lists the rules.
public struct PinLinter: Sendable {
    /// The date that is asked about.
    public var time: Time

    /// What ends within so many seconds is told; 30 days unless told.
    public var horizon: Int64 = 30 * 86_400

    /// The system's anchors, against which pinned roots are held; nil to leave that out.
    public var anchors: AnchorStore?

    /// Whether ``anchors`` are a store of public roots, which leave it by its keeper's rules.
    public var anchorsArePublic = true

    /// Certificates that are known besides, to tell whose keys are pinned. They gain no trust by it.
    public var certificates: [Certificate] = []

    /// Servers whose paths are known.
    public var servers: [PinnedServer] = []

    /// Keys that nobody may pin; those whose compromise is public unless told otherwise.
    public var denyList = PinDenyList.knownCompromised

    /// - Parameter time: the date that is asked about.
    public init(at time: Time) { self.time = time }

    /// Everything that is found in files of one app: file by file, by line, the worst first within one.
    public func findings(in sources: [PinLintSource]) -> [PinFinding] {
        let known = KnownCertificates(self)
        var scopes: [PinLintScope] = []
        var findings: [PinFinding] = []
        for source in sources {
            switch source.contents {
            case .success(let configuration):
                scopes.append(PinLintScope(source, configuration, linter: self, known: known))
            case .failure(let error): findings += error.problems.map(PinFinding.init)
            }
        }
        for index in scopes.indices { scopes[index].checkAll() }
        findings += scopes.flatMap(\.findings) + AgreementCheck.findings(among: scopes)
        return Self.sorted(findings, by: sources)
    }

    /// By file in the order given, then by line and severity.
    public static func sorted(_ findings: [PinFinding], by sources: [PinLintSource]) -> [PinFinding] {
        var order: [String: Int] = [:]
        for source in sources where order[source.file] == nil { order[source.file] = order.count }
        let keys = findings.enumerated().map { offset, finding in
            (order[finding.place.file] ?? order.count, finding.place.line ?? 0, finding.severity, offset)
        }
        return findings.indices.sorted { keys[$0] < keys[$1] }.map { findings[$0] }
    }
}

extension PinFinding {
    /// A reader's problem.
    init(_ problem: PinFileProblem) {
        let rule = PinLintRule.unreadable(problem.code)
        self.init(rule, nil, at: problem.place, problem.detail, fix: nil)
    }
}

/// One file while it is looked at.
struct PinLintScope {
    let file: String
    let format: PinFormat?
    let configuration: PinConfiguration
    let table: PinTable
    let linter: PinLinter
    let known: KnownCertificates
    private(set) var findings: [PinFinding] = []

    init(
        _ source: PinLintSource, _ configuration: PinConfiguration, linter: PinLinter, known: KnownCertificates
    ) {
        self.file = source.file
        self.format = source.format
        self.configuration = configuration
        self.table = PinTable(configuration)
        self.linter = linter
        var known = known
        for pin in configuration.rules.lazy.flatMap(\.pins) {
            if case .certificate(let certificate) = pin.value { known.add(certificate) }
        }
        self.known = known
    }

    mutating func checkAll() {
        for rule in configuration.rules {
            checkBackup(rule)
            checkPinnedKinds(rule)
            checkIssuers(rule)
            checkDenied(rule)
            checkExpiry(rule)
            checkReach(rule)
            checkReports(rule)
            checkAnchors(rule)
            checkRoots(rule)
        }
        checkFile()
        checkFamilies()
        checkServers()
    }

    /// - Parameters:
    ///   - severity: nil for the rule's own.
    ///   - place: nil for the whole file.
    ///   - fix: nil for the rule's own.
    mutating func add(
        _ rule: PinLintRule, _ severity: PinFinding.Severity? = nil, at place: PinPlace?, subject: String? = nil,
        _ message: String, fix: String? = nil
    ) {
        findings.append(
            PinFinding(
                rule, severity, at: place ?? PinPlace(file: file), subject: subject, message, fix: fix))
    }
}

extension PinRule {
    /// The hosts, for people.
    var subject: String { hosts.isEmpty ? "any host" : hosts.map(\.description).joined(separator: ", ") }
}

/// Certificates by the pins of their keys.
struct KnownCertificates {
    private var byKey: [SPKIPin: [Certificate]] = [:]
    private var bySubject: [DistinguishedName: [Certificate]] = [:]

    init(_ linter: PinLinter) {
        for anchor in linter.anchors?.anchors ?? [] { add(anchor.certificate) }
        for certificate in linter.certificates { add(certificate) }
        for certificate in linter.servers.lazy.flatMap({ $0.paths.joined() }) { add(certificate) }
    }

    mutating func add(_ certificate: Certificate) {
        let key = SPKIPin(certificate)
        if byKey[key]?.contains(certificate) == true { return }
        byKey[key, default: []].append(certificate)
        bySubject[certificate.subject, default: []].append(certificate)
    }

    /// Those that have the key.
    func certificates(withKey key: SPKIPin) -> [Certificate] { byKey[key] ?? [] }

    /// Those of a subject.
    func named(_ subject: DistinguishedName) -> [Certificate] { bySubject[subject] ?? [] }

    /// Those that meet the pin.
    func certificates(for pin: Pin) -> [Certificate] {
        switch pin.value {
        case .certificate(let certificate): [certificate]
        case .key(let key): byKey[key] ?? []
        }
    }
}
