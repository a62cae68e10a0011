// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import PeerScripts
import ServerTrustTesting

@testable import ServerTrust
@testable import ServerTrustLab

/// A change of what a manager accepts.
enum RuleChange: CaseIterable {
    /// A rule that denies the host.
    case host
    /// A list that denies the leaf's key.
    case key
    /// Pins that the server doesn't have.
    case pins
    /// The exception for an expired certificate, which is removed.
    case exception

    static let ofRules: [RuleChange] = [.host, .key, .pins]

    /// The scenario of the server that is accepted or refused.
    var scenario: LabScenario { self == .exception ? .expired : .good }

    /// The reason for the refusal.
    var code: TrustFailure.Code {
        switch self {
        case .host: .hostDenied
        case .key: .certificateDenied
        case .pins: .pinNotMatched
        case .exception: .certificateExpired
        }
    }
}

/// A server, and the rules of its clients, which a test changes between those that accept and those that refuse the
/// server.
final class ChangingRules: Sendable {
    let change: RuleChange
    let server: LabServer
    let trust: ServerTrustConfiguration
    let store: ExceptionStore
    private let agreed: TrustExceptions?

    var manager: ServerTrustManager { trust.manager }
    var expected: LabOutcome { .refused(change.code) }

    /// - Parameter anchors: additional anchors, such as those of a proxy on `localhost`.
    init(
        _ change: RuleChange, _ versions: LabServer.TLSVersions = .both, anchors: [Certificate] = [],
        accepts: Bool = true
    ) async throws {
        var options = LabServer.Options()
        options.versions = versions
        let server = try await LabServer.start(change.scenario, options: options)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("rules-\(UUID()).json").path
        let store = try ExceptionStore(file: path)
        var trust = try server.certificates.configuration(throughProxyWith: anchors)
        trust.manager = try ServerTrustManager(
            evaluators: [server.host.description: DefaultTrustEvaluator(), "localhost": DefaultTrustEvaluator()],
            exceptions: store, memory: nil)
        let verdict = server.certificates.evaluate(PresentedChain(server.certificates.chain))
        self.agreed = change == .exception ? try verdict.exceptions() : nil
        self.change = change
        self.server = server
        self.trust = trust
        self.store = store
        if accepts { try accept() } else { try refuse() }
    }

    deinit { try? FileManager.default.removeItem(atPath: store.file) }

    private func rules(_ rule: HostRule, proxy: HostRule = .enforced(DefaultTrustEvaluator())) throws
        -> ServerTrustManager
    {
        try ServerTrustManager(rules: [server.host.description: rule, "localhost": proxy], memory: nil)
    }

    /// Replaces the rules with others that accept the server.
    func accept() throws {
        if let agreed { return try store.add(agreed) }
        manager.replaceRules(by: try rules(.enforced(DefaultTrustEvaluator())), denied: nil)
    }

    /// Replaces the rules with others that refuse the server.
    func refuse() throws {
        switch change {
        case .host: manager.replaceRules(by: try rules(.denied), denied: nil)
        case .key:
            let leaf = server.certificates.chain[0]
            manager.replaceRules(
                by: try rules(.enforced(DefaultTrustEvaluator())), denied: DeniedList(keys: [SPKIPin(leaf)]))
        case .pins:
            let others = try SPKIPinSet(pinsRiskingLockout: [SPKIPin(TestAuthority.root().certificate)])
            manager.replaceRules(by: try rules(.enforced(SPKIPinsTrustEvaluator(others))), denied: nil)
        case .exception: try store.removeAll(for: server.host)
        }
    }

    /// Replaces the rules with others that refuse only the proxy.
    func refuseProxy() throws {
        manager.replaceRules(by: try rules(.enforced(DefaultTrustEvaluator()), proxy: .denied), denied: nil)
    }
}

/// A source whose verdicts wait.
final class WaitingVerdicts: Sendable {
    private struct State {
        var verdicts: [Bool] = []
        var limit = 0
        var passing: Set<Int> = []
    }

    private let state: Locked<State>
    let source: VerdictSource

    /// - Parameter count: how many verdicts don't wait.
    init(_ trust: ServerTrustConfiguration, passing count: Int = 0) {
        let state = Locked(State(limit: count))
        self.state = state
        var source = VerdictSource.waiting(
            { chain, host in
                let verdict = trust.evaluateWithoutFetching(chain, host: host)
                let number = state.withLock { state in
                    state.verdicts.append(verdict.isTrusted)
                    return state.verdicts.count
                }
                while state.withLock({ $0.limit < number && !$0.passing.contains(number) }), !Task.isCancelled {
                    try? await Task.sleep(for: .milliseconds(2))
                }
                return verdict
            }, denying: { trust.denial(of: $0) })
        source.follow(trust.manager)
        self.source = source
    }

    /// The verdicts so far, including the one that waits.
    var verdicts: [Bool] { state.withLock { $0.verdicts } }

    /// Waits until an evaluation has its verdict.
    func reach(_ count: Int) async throws {
        while verdicts.count < count { try await Task.sleep(for: .milliseconds(2)) }
    }

    /// Ends the wait of the first verdicts.
    func pass(_ count: Int) { state.withLock { $0.limit = count } }

    /// Lets a later verdict pass while an earlier one waits.
    func pass(only number: Int) { state.withLock { _ = $0.passing.insert(number) } }

    /// Ends the wait of all verdicts.
    func release() { state.withLock { $0.limit = .max } }
}
