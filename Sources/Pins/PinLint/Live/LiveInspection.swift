// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

/// Probes the servers of pinned hosts, and the servers that they redirect to.
struct LiveInspection: Sendable {
    /// The results of all probes.
    struct Result: Sendable {
        /// The servers with a valid path.
        var servers: [PinnedServer] = []
        /// The findings of the rules for live servers, in the order of the probes.
        var findings: [PinFinding] = []
    }

    /// A function that receives the number of completed probes and the total number of probes.
    typealias Progress = @Sendable (_ completed: Int, _ total: Int) -> Void

    private let tables: [PinTable]
    private let probe: any PinServerProbe
    private let progress: Progress?

    /// The maximum number of alternative names to probe per certificate. Certificates of large sites have hundreds.
    private static let maximumAlternativeNames = 20
    /// The maximum number of concurrent probes: enough to hide latency, but within a process's limit of file
    /// descriptors.
    private static let maximumConcurrentProbes = 32

    init(sources: [PinLintSource], probe: any PinServerProbe, progress: Progress?) {
        self.tables = sources.compactMap(\.configuration).map { PinTable($0) }
        self.probe = probe
        self.progress = progress
    }

    /// Probes every pinned name. Then probes the alternative names in their certificates that have rules.
    ///
    /// If a rule leaves out its name (`*.example.com`), the name is also probed, because it usually exists and
    /// redirects. If it is untrusted or unreachable, the finding is only a note.
    func run() async throws -> Result {
        var result = Result()
        var names: [Hostname: Bool] = [:]
        var order: [Hostname] = []
        for rule in tables.flatMap(\.configuration.rules) where rule.mode != .unpinned {
            for domain in rule.hosts {
                if names[domain.name] == nil { order.append(domain.name) }
                names[domain.name] = (names[domain.name] ?? false) || domain.includesName
            }
        }
        let first = try await trails(from: order)
        for trail in first { add(trail, isPinned: names[trail.origin] == true, to: &result) }
        let others = alternativeNames(in: first, except: Set(order + first.flatMap(\.steps).map(\.endpoint.host)))
        for trail in try await trails(from: others) { add(trail, isPinned: false, to: &result) }
        return result
    }
}

// MARK: - Probes

extension LiveInspection {
    /// A probed endpoint.
    private struct Step: Sendable {
        let endpoint: ServerEndpoint
        let outcome: Swift.Result<ProbedServer, any Error>
        /// The reason why the linter doesn't follow the redirect, or nil for none.
        var redirectProblem: String?

        var server: ProbedServer? { try? outcome.get() }

        /// The reason why there is no response, or nil if there is a response or none was requested.
        var error: String? {
            switch outcome {
            case .success(let server): server.interruption
            case .failure(let error): "\(error)"
            }
        }
    }

    /// A host with the servers that it redirects to.
    private struct Trail: Sendable {
        let origin: Hostname
        /// The steps, starting with the origin's. At least one.
        let steps: [Step]
    }

    /// Probes hosts concurrently.
    /// - Returns: a trail for each host, in the same order.
    private func trails(from hosts: [Hostname]) async throws -> [Trail] {
        try await withThrowingTaskGroup(of: (Int, Trail).self) { group in
            var waiting = hosts.enumerated().makeIterator()
            func startNext() {
                guard let (index, host) = waiting.next() else { return }
                group.addTask {
                    let trail = try await trail(from: host)
                    return (index, trail)
                }
            }
            for _ in 0..<Self.maximumConcurrentProbes { startNext() }
            var trails: [Int: Trail] = [:]
            for try await (index, trail) in group {
                trails[index] = trail
                startNext()
                progress?(trails.count, hosts.count)
            }
            return hosts.indices.compactMap { trails[$0] }
        }
    }

    private func trail(from host: Hostname) async throws -> Trail {
        var steps: [Step] = []
        let origin = ServerEndpoint(host: host)
        var redirects = RedirectTrail(from: origin)
        var next: ServerEndpoint? = origin
        while let endpoint = next {
            try Task.checkCancellation()
            var step = Step(endpoint: endpoint, outcome: await outcome(endpoint, from: steps.last?.endpoint))
            next = nil
            if let response = step.server?.response {
                switch redirects.step(status: response.status, location: response.location, from: endpoint) {
                case .end: break
                case .follow(let target): next = target
                case .problem(let problem): step.redirectProblem = problem
                }
            }
            steps.append(step)
        }
        return Trail(origin: host, steps: steps)
    }

    private func outcome(
        _ endpoint: ServerEndpoint, from origin: ServerEndpoint?
    ) async -> Swift.Result<ProbedServer, any Error> {
        do { return .success(try await probe.probe(endpoint, redirectedFrom: origin)) } catch { return .failure(error) }
    }

    private func alternativeNames(in trails: [Trail], except known: Set<Hostname>) -> [Hostname] {
        var known = known
        return trails.flatMap { trail -> [Hostname] in
            let leaf = trail.steps.first?.server?.presentedChain.leaf
            let names = (leaf?.subjectAlternativeNames ?? []).compactMap { name -> Hostname? in
                guard case .dnsName(let text) = name, let host = try? Hostname(text), rule(for: host) != nil,
                    known.insert(host).inserted
                else { return nil }
                return host
            }
            return Array(names.prefix(Self.maximumAlternativeNames))
        }
    }
}

// MARK: - Findings

extension LiveInspection {
    /// Adds the servers and findings of a trail.
    /// - Parameter isPinned: whether a rule includes the origin itself.
    private func add(_ trail: Trail, isPinned: Bool, to result: inout Result) {
        let origin = trail.origin
        // The name above `*.example.com` may have its own rule or none.
        let location = (rule(for: origin) ?? ruleNaming(origin))?.location ?? PinFileLocation(file: "")
        for (index, step) in trail.steps.enumerated() {
            let host = step.endpoint.host
            func add(_ rule: PinLintRule, _ severity: PinFinding.Severity? = nil, _ message: String) {
                result.findings.append(
                    PinFinding(rule, severity, at: location, subject: "\(host)", message.escapingUnprintable, fix: nil))
            }
            let route = index == 0 ? "\(host)" : "\(origin) redirects to \(step.endpoint.url)"
            let severity: PinFinding.Severity? = isPinned || index > 0 ? nil : .note
            if index > 0, rule(for: host) == nil {
                add(.redirectUncovered, nil, "\(route), but no rule covers \(host)")
            }
            switch step.server?.validation {
            case .failed(let failure):
                let message = failure.message(on: [], sentIn: step.server?.presentedChain ?? PresentedChain([]))
                add(.untrusted, severity, "\(route): \(message) [\(failure.code)]")
            case .valid(let paths):
                result.servers.append(PinnedServer(host: host, paths: paths, renewal: step.server?.renewal))
            case nil: break
            }
            if let error = step.error { add(.unreachable, severity, "\(route): \(error)") }
            if let problem = step.redirectProblem { add(.redirectInsecure, nil, "\(host) \(problem)") }
        }
    }

    /// The host's rule in the first file that pins the host.
    private func rule(for host: Hostname) -> PinRule? {
        tables.lazy.compactMap { $0.rule(for: host) }.first { $0.mode != .unpinned }
    }

    /// The first rule with the name, even if the rule is only for hosts below it.
    private func ruleNaming(_ name: Hostname) -> PinRule? {
        tables.lazy.flatMap(\.configuration.rules).first { $0.hosts.contains { $0.name == name } }
    }
}

extension PinLinter {
    /// Checks the files of one app, and probes the servers of their pinned hosts.
    ///
    /// The linter probes each pinned host and each redirect target once per redirect chain. The offline rules use the
    /// paths found, in addition to those in ``servers``. Rules for any host name no server, so they cause no probe.
    /// - Parameters:
    ///   - sources: the files.
    ///   - probe: the TLS client.
    ///   - progress: receives the number of completed probes and the total. The linter calls it once for each completed
    ///     probe, from any thread.
    /// - Returns: the findings, ordered by file and line. Within a line, the most severe finding comes first.
    /// - Throws: `CancellationError` if the task is canceled. Errors of the probe are findings (`live/unreachable`).
    public func findings(
        in sources: [PinLintSource], probing probe: any PinServerProbe,
        progress: (@Sendable (_ completed: Int, _ total: Int) -> Void)? = nil
    ) async throws -> [PinFinding] {
        let live = try await LiveInspection(sources: sources, probe: probe, progress: progress).run()
        var linter = self
        linter.servers += live.servers
        let findings = live.findings + linter.unreviewedFindings(in: sources)
        return Self.sorted(linter.accepting(findings, in: sources), by: sources)
    }
}
