// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import SecurityCompatibility
import ServerTrust
import ServerTrustLab
import ServerTrustURLSession
import Testing

private typealias Completion = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

/// Counts the calls of each method.
private final class Calls: Sendable {
    private let counts = Locked((session: 0, task: 0))

    var session: Int { counts.withLock { $0.session } }
    var task: Int { counts.withLock { $0.task } }

    func countSession() { counts.withLock { $0.session += 1 } }
    func countTask() { counts.withLock { $0.task += 1 } }
}

/// A task-level method found in many apps. It answers password challenges and cancels all unknown ones.
private class TaskLevel: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    let calls = Calls()

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        calls.countTask()
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
}

/// Adds a session-level method, in the forms found in apps, to that task-level method.
private final class BothLevels: NSObject, URLSessionTaskDelegate {
    enum Form: Sendable, CaseIterable {
        /// Reads the protection space and leaves the decision to the system.
        case reading
        /// Answers later, without reading the challenge.
        case late
        /// Only reads the number of failures.
        case readingFailures
        /// Prints the challenge.
        case describing
        /// Answers immediately and reads the challenge afterward, as for a log.
        case readingAfterwards
        /// Answers immediately, without reading the challenge.
        case blind
    }

    let form: Form
    let calls = Calls()

    init(_ form: Form) { self.form = form }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        calls.countSession()
        switch form {
        case .reading: _ = challenge.protectionSpace.authenticationMethod
        case .readingFailures: guard challenge.previousFailureCount == 0 else { return }
        case .describing: _ = "\(challenge)"
        case .late:
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) {
                completionHandler(.performDefaultHandling, nil)
            }
            return
        case .readingAfterwards:
            completionHandler(.performDefaultHandling, nil)
            _ = challenge.protectionSpace.host
            return
        case .blind: break
        }
        completionHandler(.performDefaultHandling, nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        calls.countTask()
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
}

/// A subclass of the base class that has the session-level method.
private final class Subclass: ServerTrustSessionDelegate, @unchecked Sendable {
    let calls = Calls()

    override func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        calls.countTask()
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
}

/// A delegate without any challenge method.
private final class Silent: NSObject, URLSessionDataDelegate {}

@Suite("Session-level and task-level challenges")
struct ChallengeLevelTests {
    @Test(
        "The task-level method isn't called after the session-level method chose default handling",
        arguments: BothLevels.Form.allCases.filter { $0 != .blind })
    private func bothLevels(form: BothLevels.Form) async throws {
        for scenario in [LabScenario.good, .expired] {
            try await SessionLab.with(scenario) { lab in
                let delegate = BothLevels(form)
                let error = try await lab.failure(delegate: delegate)
                #expect((error == nil) == scenario.expected.isTrusted)
                #expect(error == nil || error?.code == .serverCertificateHasBadDate)
                #expect(delegate.calls.session == 1)
                #expect(delegate.calls.task == 0)
            }
        }
    }

    @Test(
        "A session-level method that answers like Foundation's default counts as missing, so the session calls the task-level method"
    )
    func blind() async throws {
        try await SessionLab.with { lab in
            let delegate = BothLevels(.blind)
            let error = try await lab.failure(delegate: delegate)
            #expect(error?.serverTrustVerdict?.headline?.code == .evaluatorRefused)
            #expect(delegate.calls.session == 1 && delegate.calls.task == 1)
        }
    }

    @Test("The session calls a delegate that has only the task-level method, and its refusal counts")
    func taskLevel() async throws {
        try await SessionLab.with { lab in
            let delegate = TaskLevel()
            let error = try await lab.failure(delegate: delegate)
            #expect(error?.serverTrustVerdict?.headline?.code == .evaluatorRefused)
            #expect(delegate.calls.task == 1)
            #expect(lab.server.counts.requestBytes == 0)
        }
    }

    @Test(
        "A delegate without a challenge method leaves the server to the rules", arguments: [LabScenario.good, .expired])
    func noMethod(scenario: LabScenario) async throws {
        try await SessionLab.with(scenario) { lab in
            let error = try await lab.failure(delegate: Silent())
            #expect((error == nil) == scenario.expected.isTrusted)
        }
    }

    @Test(
        "A subclass inherits its base class's session-level method, so its task-level method isn't called for servers"
    )
    func subclass() async throws {
        for scenario in [LabScenario.good, .expired] {
            try await SessionLab.with(scenario) { lab in
                let delegate = Subclass(try lab.trust.manager)
                let session = URLSession(
                    configuration: try lab.configuration(), delegate: delegate as any URLSessionDelegate,
                    delegateQueue: nil)
                let error = await session.failure(lab.url)
                #expect(delegate.calls.task == 0)
                #expect(lab.server.counts.requestBytes == 0 || error == nil)
            }
        }
    }

    @Test("A delegate of both the session and the task is called once")
    func sameDelegate() async throws {
        try await SessionLab.with { lab in
            let delegate = BothLevels(.reading)
            let session = try lab.session(delegate: delegate)
            let (_, response) = try await session.data(for: URLRequest(url: lab.url), delegate: delegate)
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            #expect(delegate.calls.session == 1 && delegate.calls.task == 0)
        }
    }

    @Test(
        "After the session's delegate leaves the server to the rules, the session calls the task's own delegate, which can refuse it"
    )
    func ownDelegate() async throws {
        try await SessionLab.with { lab in
            let (shared, own) = (BothLevels(.reading), TaskLevel())
            let session = try lab.session(delegate: shared)
            await #expect { _ = try await session.data(for: URLRequest(url: lab.url), delegate: own) } throws: {
                ($0 as? URLError)?.serverTrustVerdict?.headline?.code == .evaluatorRefused
            }
            #expect(shared.calls.session == 1 && shared.calls.task == 0)
            #expect(own.calls.task == 1)
            #expect(lab.server.counts.requestBytes == 0)
        }
    }
}
