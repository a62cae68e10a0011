// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

@testable import SecurityCompatibility
@testable import ServerTrustLab
@testable import ServerTrustURLSession

/// The snippet that many apps contain, in one of the two methods or both.
private final class AcceptingDelegate: NSObject, URLSessionDataDelegate {
    enum Level: Sendable, CaseIterable { case session, task, own }

    private let level: Level
    /// A change that the delegate makes to the challenge's trust before it answers.
    private let tamper: (@Sendable (SecTrust) -> Void)?
    private let asked = Locked(0)

    init(_ level: Level, tamper: (@Sendable (SecTrust) -> Void)? = nil) {
        self.level = level
        self.tamper = tamper
    }

    var count: Int { asked.withLock { $0 } }

    private func accept(
        _ challenge: URLAuthenticationChallenge,
        _ completionHandler: (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let serverTrust = challenge.protectionSpace.serverTrust else {
            return completionHandler(.performDefaultHandling, nil)
        }
        asked.withLock { $0 += 1 }
        tamper?(serverTrust)
        completionHandler(.useCredential, URLCredential(trust: serverTrust))
    }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard level == .session else { return completionHandler(.performDefaultHandling, nil) }
        accept(challenge, completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard level != .session else { return completionHandler(.performDefaultHandling, nil) }
        accept(challenge, completionHandler)
    }
}

/// Records the verdicts of a manager's events.
private final class EventLog: TrustEventObserver {
    private let events = Locked<[TrustEvent]>([])

    func observe(_ event: TrustEvent) { events.withLock { $0.append(event) } }

    var accepted: [TrustVerdict] {
        events.withLock { $0.compactMap { if case .acceptedByDelegate(let verdict) = $0 { verdict } else { nil } } }
    }
    var refused: [TrustVerdict] {
        events.withLock { $0.compactMap { if case .refused(let verdict) = $0 { verdict } else { nil } } }
    }
}

private struct Refusing: TrustEvaluator {
    func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
        throw TrustFailures(TrustFailure(.evaluatorRefused))
    }
}

@Suite("A delegate that accepts everything")
struct DelegateLimitsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let scenario: LabScenario
        var rule: @Sendable () throws -> HostRule? = { .enforced(DefaultTrustEvaluator()) }
        var revocation: RevocationPolicy.Mode?
        /// The error code of the task, or nil if it succeeds.
        var refused: TrustFailure.Code?
        var excused: Set<TrustFailure.Code> = []
        /// The number of times the delegate is called.
        var questions = 1
    }

    private static let pins: @Sendable () throws -> HostRule? = {
        .enforced(
            SPKIPinsTrustEvaluator(
                try SPKIPinSet(pinsRiskingLockout: [SPKIPin(try TestAuthority.root().certificate)])))
    }

    static let rows: [Row] = [
        // Stricter than default evaluation: refused.
        Row(testDescription: "pins that don't match", scenario: .good, rule: pins, refused: .pinNotMatched),
        Row(
            testDescription: "pins, and a server of another CA", scenario: .untrustedRoot, rule: pins,
            refused: .untrustedRoot),
        Row(
            testDescription: "a rule that denies", scenario: .good, rule: { .denied }, refused: .hostDenied,
            questions: 0),
        Row(
            testDescription: "no rule, and also an unknown CA", scenario: .selfSigned, rule: { nil },
            refused: .hostNotListed, questions: 0),
        Row(
            testDescription: "the app's own evaluator that refuses", scenario: .good,
            rule: { .enforced(Refusing()) }, refused: .evaluatorRefused),
        Row(
            testDescription: "the app's own evaluator, and a past date", scenario: .expired,
            rule: { .enforced(try CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(), Refusing()])) },
            refused: .certificateExpired),
        Row(
            testDescription: "a required revocation check that can't be made", scenario: .good, revocation: .required,
            refused: .revocationUnavailable),
        Row(
            testDescription: "revocation required by the rule", scenario: .good,
            rule: { .enforced(RevocationTrustEvaluator(.required)) },
            refused: .revocationUnavailable),
        // Fatal failures: default evaluation refuses them too.
        Row(
            testDescription: "a withdrawn certificate", scenario: .revokedByCRL, revocation: .bestEffort,
            refused: .certificateRevoked),
        Row(testDescription: "an RSA key of 1024 bits", scenario: .rsa1024, refused: .rsaKeyTooSmall),
        Row(testDescription: "a missing must-staple response", scenario: .mustStaple, refused: .stapleMissing),
        // Recoverable failures: accepted and reported.
        Row(testDescription: "another name", scenario: .wrongHost, excused: [.hostMismatch]),
        Row(testDescription: "a missing intermediate", scenario: .missingIntermediate, excused: [.unknownIssuer]),
        Row(testDescription: "an unknown CA", scenario: .untrustedRoot, excused: [.untrustedRoot]),
        Row(testDescription: "a development certificate", scenario: .selfSigned, excused: [.selfSignedLeaf]),
        Row(testDescription: "a past date", scenario: .expired, excused: [.certificateExpired]),
        Row(
            testDescription: "another CA, with pins that only report", scenario: .untrustedRoot,
            rule: {
                try pins().flatMap { $0.evaluator }.map { .reportOnly($0) }
            }, excused: [.untrustedRoot]),
        // No failure.
        Row(testDescription: "a good server", scenario: .good),
    ]

    private static func session(
        _ lab: SessionLab, _ row: Row, _ delegate: (any URLSessionDelegate)?
    ) throws -> (URLSession, EventLog) {
        let rule = try row.rule()
        let manager = try ServerTrustManager(rules: rule.map { [lab.server.host.description: $0] } ?? [:], memory: nil)
        let log = EventLog()
        manager.events.add(log)
        var trust = SessionLab.configuration(manager, lab.server.certificates)
        if let revocation = row.revocation { trust.revocation.mode = revocation }
        let configuration = URLSessionConfiguration.ephemeral.withServerTrust(trust, connectingTo: lab.addresses)
        return (URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil), log)
    }

    @Test(
        "A delegate that accepts everything only accepts recoverable failures, and only under default evaluation",
        arguments: rows, AcceptingDelegate.Level.allCases)
    private func accept(row: Row, level: AcceptingDelegate.Level) async throws {
        try await SessionLab.with(row.scenario) { lab in
            let delegate = AcceptingDelegate(level)
            let (session, log) = try Self.session(lab, row, level == .own ? nil : delegate)
            let result: Result<Int, any Error>
            do {
                let (_, response) = try await session.data(
                    for: URLRequest(url: lab.url), delegate: level == .own ? delegate : nil)
                result = .success((response as? HTTPURLResponse)?.statusCode ?? 0)
            } catch {
                result = .failure(error)
            }
            #expect(delegate.count == row.questions)
            switch result {
            case .success(let status):
                #expect(row.refused == nil)
                #expect(status == 200)
                #expect(log.refused.isEmpty)
            case .failure(let error):
                let verdict = (error as? URLError)?.serverTrustVerdict
                #expect(verdict?.headline?.code == row.refused)
                #expect(lab.server.counts.requestBytes == 0)
                #expect(log.refused.map(\.headline?.code) == [row.refused])
                #expect(verdict?.isAcceptedByDelegate == false)
                if row.questions == 0 { #expect(lab.server.counts.connections == 0) }
            }
            #expect(log.accepted.count == (row.excused.isEmpty ? 0 : 1))
            if let verdict = log.accepted.first {
                #expect(verdict.isAcceptedByDelegate && verdict.result == .proceed)
                #expect(Set(verdict.excused.map(\.code)) == row.excused)
            }
        }
    }

    @Test("Anchors, dates or exceptions that a delegate sets on the challenge's trust have no effect")
    func tampering() async throws {
        let row = Self.rows[1]
        try await SessionLab.with(row.scenario) { lab in
            let seen = Locked<Bool?>(nil)
            let chain = lab.server.certificates.chain
            let delegate = AcceptingDelegate(.session) { peer in
                var trust = peer.trust
                trust.anchors = .only(chain)
                trust.identity = .insecurelyAnyName
                trust.verifyDate = .at(.now())
                if let exceptions = try? trust.evaluate().exceptions() { trust.setExceptions(exceptions) }
                let isTrusted = trust.evaluate().isTrusted
                seen.withLock { $0 = isTrusted }
            }
            let (session, log) = try Self.session(lab, row, delegate)
            #expect(await session.failure(lab.url)?.serverTrustVerdict?.headline?.code == row.refused)
            // The delegate's copy keeps its changes.
            #expect(seen.withLock { $0 } == true)
            #expect(log.refused.count == 1)
            #expect(lab.server.counts.requestBytes == 0)
        }
    }

    @Test("Reading the challenge's verdict emits no event, and the manager reports the verdict once")
    func looking() async throws {
        let row = Self.rows.first { $0.scenario == .wrongHost } ?? Self.rows[0]
        try await SessionLab.with(row.scenario) { lab in
            let delegate = AcceptingDelegate(.session) { peer in _ = (peer.verdict, peer.verdict) }
            let (session, log) = try Self.session(lab, row, delegate)
            #expect(try await session.text(lab.url).status == 200)
            #expect(log.refused.isEmpty && log.accepted.count == 1)
        }
    }

    @Test("A delegate's answer doesn't count if stricter rules replaced the rules that applied when it was called")
    func rulesChange() async throws {
        let replacements: [(@Sendable () throws -> HostRule?, TrustFailure.Code)] = [
            ({ .denied }, .hostDenied), ({ nil }, .hostNotListed), (Self.pins, .untrustedRoot),
        ]
        for (replacement, code) in replacements {
            try await SessionLab.with(.untrustedRoot) { lab in
                let name = lab.server.host.description
                let manager = try ServerTrustManager(evaluators: [name: DefaultTrustEvaluator()], memory: nil)
                let stricter = try ServerTrustManager(rules: replacement().map { [name: $0] } ?? [:], memory: nil)
                let delegate = AcceptingDelegate(.session) { _ in
                    manager.replaceRules(by: stricter, denied: nil)
                }
                let session = URLSession(
                    configuration: URLSessionConfiguration.ephemeral.withServerTrust(
                        SessionLab.configuration(manager, lab.server.certificates), connectingTo: lab.addresses),
                    delegate: delegate, delegateQueue: nil)
                #expect(await session.failure(lab.url)?.serverTrustVerdict?.headline?.code == code)
                #expect(lab.server.counts.requestBytes == 0)
            }
        }
    }

    /// Gives a test's answers later, from another thread, and more than once.
    private final class Restless: NSObject, URLSessionDataDelegate {
        private let answers: [URLSession.AuthChallengeDisposition]

        init(_ answers: [URLSession.AuthChallengeDisposition]) { self.answers = answers }

        func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let trust = challenge.protectionSpace.serverTrust
            let answers = answers
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: 0.02)
                for answer in answers { completionHandler(answer, trust.map { URLCredential(trust: $0) }) }
            }
        }
    }

    @Test("The delegate's first answer counts, on any thread")
    func restless() async throws {
        let row = Row(testDescription: "", scenario: .wrongHost, excused: [.hostMismatch])
        let all: [URLSession.AuthChallengeDisposition] = [
            .useCredential, .performDefaultHandling, .cancelAuthenticationChallenge, .rejectProtectionSpace,
        ]
        for first in all {
            try await SessionLab.with(row.scenario) { lab in
                let (session, log) = try Self.session(lab, row, Restless([first] + all + all.reversed()))
                let error = await session.failure(lab.url)
                #expect((error == nil) == (first == .useCredential))
                #expect(log.accepted.count + log.refused.count == 1)
            }
        }
        // With a rule in effect, no answer makes the session accept the server.
        for first in all {
            try await SessionLab.with(.good) { lab in
                let (session, log) = try Self.session(lab, Self.rows[0], Restless([first] + all))
                #expect(await session.failure(lab.url)?.serverTrustVerdict?.headline?.code == .pinNotMatched)
                #expect(log.accepted.isEmpty && lab.server.counts.requestBytes == 0)
            }
        }
    }

    @Test(
        "A delegate isn't called about a redirect to a denied host and can't send a request there itself")
    func redirects() async throws {
        let target = try await LabServer.start(.good)
        for name in ["denied.lab.test", "unlisted.lab.test"] {
            for isRewritten in [false, true] {
                let address = "https://\(name):\(target.port)/"
                try await SessionLab.with(
                    .good, { $0.response = .redirect(to: isRewritten ? "/else" : address) }
                ) { lab in
                    let manager = try ServerTrustManager(
                        rules: [
                            lab.server.host.description: .enforced(DefaultTrustEvaluator()), "denied.lab.test": .denied,
                        ], memory: nil)
                    let delegate = ScriptedDelegate()
                    delegate.onSession = {
                        (.useCredential, $0.protectionSpace.serverTrust.map { URLCredential(trust: $0) })
                    }
                    let url = try #require(URL(string: address))
                    if isRewritten { delegate.onRedirect = { _ in URLRequest(url: url) } }
                    let session = URLSession(
                        configuration: URLSessionConfiguration.ephemeral.withServerTrust(
                            SessionLab.configuration(manager, lab.server.certificates),
                            connectingTo: lab.addresses.merging([name: "127.0.0.1"]) { $1 }),
                        delegate: delegate, delegateQueue: nil)
                    let code = await session.failure(lab.url)?.serverTrustVerdict?.headline?.code
                    #expect(code == (name == "denied.lab.test" ? .hostDenied : .hostNotListed))
                    #expect(delegate.record.asked.count == 1)
                    #expect(target.counts.connections == 0)
                }
            }
        }
        await target.stop()
    }

    @Test("The session refuses a denied host before the name lookup and the cache, with every kind of delegate")
    func denied() async throws {
        try await SessionLab.with(
            .good, { $0.response = LabResponse(headers: [("cache-control", "max-age=600")], chunks: ["kept"]) }
        ) { lab in
            let name = lab.server.host.description
            let manager = try ServerTrustManager(
                rules: [name: .enforced(DefaultTrustEvaluator()), "denied.invalid": .denied], memory: nil)
            let configuration = URLSessionConfiguration.ephemeral
            configuration.urlCache = URLCache(memoryCapacity: 10 << 20, diskCapacity: 0, diskPath: nil)
            let session = URLSession(
                configuration: configuration.withServerTrust(
                    SessionLab.configuration(manager, lab.server.certificates), connectingTo: lab.addresses,
                    environment: [:]))
            // These names aren't in DNS, so a lookup would end with a different error.
            for host in ["denied.invalid", "unlisted.invalid"] {
                for delegate in [nil, AcceptingDelegate(.task)] {
                    let url = try #require(URL(string: "https://\(host)/"))
                    await #expect {
                        _ = try await session.data(for: URLRequest(url: url), delegate: delegate)
                    } throws: {
                        ($0 as? URLError)?.serverTrustVerdict?.result == .deny
                    }
                    #expect(delegate?.count ?? 0 == 0)
                }
            }
            #expect(try await session.text(lab.url).text == "kept")
            #expect(try await session.text(lab.url).text == "kept")
            #expect(lab.server.counts.requests == 1)
            manager.replaceRules(by: try ServerTrustManager(rules: [name: .denied]), denied: nil)
            #expect(await session.failure(lab.url)?.serverTrustVerdict?.headline?.code == .hostDenied)
            #expect(lab.server.counts.connections == 1)
        }
    }
}
