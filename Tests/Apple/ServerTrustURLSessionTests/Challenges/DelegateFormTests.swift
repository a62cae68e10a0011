// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustURLSession
import Swift5Delegates
import Testing

/// A delegate class, and which of its methods the session calls about a server.
struct DelegateForm: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (ServerTrustManager, AskedForms) -> any FoundationNetworking.URLSessionDelegate
    /// The methods that the session calls if each of them leaves the server to the session's rules.
    let asked: [String]
    /// The methods that the session calls if the first one refuses the server. Empty for a class without a method.
    var refusing: [String] { Array(asked.prefix(1)) }

    init(
        _ name: String, asks asked: [String],
        _ make: @escaping @Sendable (ServerTrustManager, AskedForms) -> any FoundationNetworking.URLSessionDelegate
    ) {
        self.testDescription = name
        self.make = make
        self.asked = asked
    }

    static let all = [
        DelegateForm("session-level async", asks: ["session async"]) { SessionAsync($1) },
        DelegateForm("session-level completion", asks: ["session completion"]) { SessionCompletion($1) },
        DelegateForm("session-level, both forms", asks: ["session completion", "session async"]) {
            SessionBoth($1, $1)
        },
        DelegateForm("task-level async", asks: ["task async"]) { TaskAsync($1) },
        DelegateForm("task-level completion", asks: ["task completion"]) { TaskCompletion($1) },
        DelegateForm("task-level, both forms", asks: ["task completion", "task async"]) { TaskBoth($1, $1) },
        DelegateForm("async at both levels, in an extension", asks: ["session async"]) { BothLevelsAsync($1) },
        DelegateForm("neither form", asks: []) { _, _ in NeitherForm() },
        DelegateForm("generic class", asks: ["session async"]) { GenericAsync<String>($1) },
        DelegateForm("subclass that overrides the async form", asks: ["session async"]) { OverridingAsync($1) },
        DelegateForm("main actor, session level", asks: ["session async"]) { MainActorAsync($1) },
        DelegateForm("main actor, task level", asks: ["task async"]) { MainActorTaskAsync($1) },
        DelegateForm("base class, async", asks: ["session async"]) { SubclassAsync($0, $1) },
        DelegateForm("base class, completion", asks: ["session completion"]) { SubclassCompletion($0, $1) },
        DelegateForm("base class, both forms", asks: ["session async"]) { SubclassBoth($0, $1) },
        DelegateForm("base class, task-level async", asks: []) { SubclassTaskAsync($0, $1) },
        DelegateForm("base class, neither", asks: []) { manager, _ in SubclassNeither(manager) },
        DelegateForm("class that an extension makes conform", asks: ["session async"]) { AdoptedAsync($1) },
        DelegateForm("Swift 5, async", asks: ["session async"]) { Swift5Async($1) },
        DelegateForm("Swift 5, task-level async", asks: ["task async"]) { Swift5TaskAsync($1) },
        DelegateForm("Swift 5, completion", asks: ["session completion"]) { Swift5Completion($1) },
        DelegateForm("Swift 5, both forms", asks: ["session completion", "session async"]) { Swift5Both($1) },
        DelegateForm("Swift 5, neither", asks: []) { _, _ in Swift5Neither() },
        DelegateForm("Swift 5, generic class", asks: ["session async"]) { Swift5Generic<Int>($1) },
        DelegateForm("Swift 5, main actor", asks: ["session async"]) { Swift5MainActor($1) },
        DelegateForm("Swift 5, base class", asks: ["session async"]) { Swift5Subclass($0, $1) },
    ]

    static let hiddenAtStart = [
        DelegateForm("async", asks: []) { ForeignAsync($1) },
        DelegateForm("task-level async", asks: []) { ForeignTaskAsync($1) },
        DelegateForm("completion", asks: []) { ForeignCompletion($1) },
        DelegateForm("neither", asks: []) { _, _ in ForeignNeither() },
        DelegateForm("superclass of Foundation's protocol", asks: []) { OverForeign($1) },
        DelegateForm("this package's protocol only at the session level", asks: []) { _, _ in HalfAdopted() },
    ]

    static let hiddenInSubclass = [
        DelegateForm("async", asks: []) { AddsAsync($1) },
        DelegateForm("completion", asks: []) { AddsCompletion($1) },
        DelegateForm("task-level async", asks: []) { AddsTaskAsync($1) },
    ]
}

@Suite("Forms of challenge methods")
struct DelegateFormTests {
    private func session(_ lab: SessionLab, _ form: DelegateForm, _ forms: AskedForms) throws -> URLSession {
        URLSession(
            configuration: try lab.configuration(), delegate: form.make(try lab.trust.manager, forms),
            delegateQueue: nil)
    }

    @Test(
        "The session calls each form of a challenge method, and each can leave the server to the rules",
        arguments: DelegateForm.all)
    func leaves(form: DelegateForm) async throws {
        for scenario in [LabScenario.good, .expired] {
            try await SessionLab.with(scenario) { lab in
                let forms = AskedForms(.performDefaultHandling)
                let error = try await session(lab, form, forms).failure(lab.url)
                #expect((error == nil) == scenario.expected.isTrusted)
                #expect(error == nil || error?.code == .serverCertificateHasBadDate)
                #expect(forms.all == form.asked)
            }
        }
    }

    @Test(
        "A refusal by any form counts, and the server gets no request",
        arguments: DelegateForm.all.filter { !$0.asked.isEmpty })
    func refuses(form: DelegateForm) async throws {
        for answer in [URLSession.AuthChallengeDisposition.cancelAuthenticationChallenge, .rejectProtectionSpace] {
            try await SessionLab.with { lab in
                let forms = AskedForms(answer)
                let error = try await session(lab, form, forms).failure(lab.url)
                #expect(error?.serverTrustVerdict?.headline?.code == .evaluatorRefused)
                #expect(forms.all == form.refusing)
                #expect(lab.server.counts.requestBytes == 0)
            }
        }
    }

    @Test("A refusal by the async form counts even after the other form left the server to the rules")
    func bothForms() async throws {
        let makers: [@Sendable (AskedForms, AskedForms) -> any FoundationNetworking.URLSessionDelegate] = [
            { SessionBoth($0, $1) }, { TaskBoth($0, $1) },
        ]
        for make in makers {
            try await SessionLab.with { lab in
                let (completion, async) = (
                    AskedForms(.performDefaultHandling), AskedForms(.cancelAuthenticationChallenge)
                )
                let session = URLSession(
                    configuration: try lab.configuration(), delegate: make(completion, async), delegateQueue: nil)
                let error = await session.failure(lab.url)
                #expect(error?.serverTrustVerdict?.headline?.code == .evaluatorRefused)
                #expect(completion.all.count == 1 && async.all.count == 1)
                #expect(lab.server.counts.requestBytes == 0)
            }
        }
    }

    @Test("The async form can accept a server just as the other form can")
    func accepts() async throws {
        final class Accepting: NSObject, URLSessionDelegate {
            func urlSession(
                _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
            ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
                guard let trust = challenge.protectionSpace.serverTrust else {
                    return (.cancelAuthenticationChallenge, nil)
                }
                return (.useCredential, URLCredential(trust: trust))
            }
        }
        for scenario in [LabScenario.expired, .good] {
            try await SessionLab.with(scenario) { lab in
                let (status, _) = try await lab.text(delegate: Accepting())
                #expect(status == 200)
            }
        }
    }

    @Test("The session calls the async form of a task's own delegate", arguments: [true, false])
    func ownDelegate(refuses: Bool) async throws {
        try await SessionLab.with { lab in
            let forms = AskedForms(refuses ? .cancelAuthenticationChallenge : .performDefaultHandling)
            let session = try lab.session(delegate: SessionAsync(AskedForms(.performDefaultHandling)))
            let isLoaded: Bool
            do {
                _ = try await session.data(for: URLRequest(url: lab.url), delegate: TaskAsync(forms))
                isLoaded = true
            } catch let error as URLError {
                #expect(error.serverTrustVerdict?.headline?.code == .evaluatorRefused)
                isLoaded = false
            }
            #expect(isLoaded != refuses)
            #expect(forms.all == ["task async"])
            #expect(lab.server.counts.requests == (refuses ? 0 : 1))
        }
    }

    @Test(
        "A task's own delegate without a method leaves the server to the session's delegate", arguments: [true, false])
    func ownDelegateWithoutMethod(isSet: Bool) async throws {
        let makers: [@Sendable (AskedForms) -> any URLSessionTaskDelegate] = [
            { TaskAsync($0) }, { TaskCompletion($0) }, { TaskBoth($0, $0) },
            { TaskBoth(AskedForms(.performDefaultHandling), $0) },
        ]
        for make in makers {
            try await SessionLab.with { lab in
                let forms = AskedForms(.cancelAuthenticationChallenge)
                let session = try lab.session(delegate: make(forms))
                let error =
                    isSet
                    ? await withCheckedContinuation { continuation in
                        let task = session.dataTask(with: lab.url) { _, _, error in
                            continuation.resume(returning: error as? URLError)
                        }
                        task.delegate = NeitherForm()
                        task.resume()
                    } : await session.failure(lab.url, ownDelegate: NeitherForm())
                #expect(error?.serverTrustVerdict?.headline?.code == .evaluatorRefused)
                #expect(!forms.all.isEmpty)
                #expect(lab.server.counts.requestBytes == 0)
            }
        }
    }

    @Test("The task-level async form answers a challenge for a password")
    func password() async throws {
        try await SessionLab.with(.good, { $0.response = .unauthorized(LabChallenge(.basic)) }) { lab in
            let right = URLCredential(user: "user", password: "secret", persistence: .none)
            let forms = AskedForms(.useCredential, right)
            let delegates: [any FoundationNetworking.URLSessionDelegate] = [
                SessionAndPassword(forms), SubclassTaskAsync(try lab.trust.manager, forms),
            ]
            for (count, delegate) in delegates.enumerated() {
                let session = URLSession(
                    configuration: try lab.configuration(), delegate: delegate, delegateQueue: nil)
                let (status, _) = try await session.text(lab.url)
                #expect(status == 200)
                #expect(forms.all == Array(repeating: "task async", count: count + 1))
            }
        }
    }

    @Test(
        "A session starts no task if its delegate conforms to Foundation's protocols",
        arguments: DelegateForm.hiddenAtStart)
    func hiddenAtStart(form: DelegateForm) async throws {
        try await SessionLab.with { lab in
            let forms = AskedForms(.cancelAuthenticationChallenge)
            let error = try await session(lab, form, forms).failure(lab.url)
            #expect(error?.serverTrustUnsupported == .delegate)
            #expect(forms.all.isEmpty)
            #expect(lab.server.counts.connections == 0)
        }
    }

    @Test("A session starts no task whose own delegate conforms to Foundation's protocols")
    func hiddenOwnDelegate() async throws {
        try await SessionLab.with { lab in
            let session = try lab.session()
            for delegate: any FoundationNetworking.URLSessionTaskDelegate in [
                ForeignTaskAsync(AskedForms(.cancelAuthenticationChallenge)), ForeignNeither(),
            ] {
                await #expect {
                    _ = try await session.data(for: URLRequest(url: lab.url), delegate: delegate)
                } throws: {
                    ($0 as? URLError)?.serverTrustUnsupported == .delegate
                }
            }
            #expect(lab.server.counts.connections == 0)
            let error = await session.failure(lab.url)
            #expect(error == nil)
        }
    }

    @Test(
        "The session can't call a method that only a subclass adds, so it refuses the server",
        arguments: DelegateForm.hiddenInSubclass)
    func hiddenInSubclass(form: DelegateForm) async throws {
        try await SessionLab.with { lab in
            let forms = AskedForms(.cancelAuthenticationChallenge)
            let error = try await session(lab, form, forms).failure(lab.url)
            #expect(error?.serverTrustUnsupported == .delegate)
            #expect(lab.server.counts.requestBytes == 0)
        }
        try await SessionLab.with { lab in
            let error = try await lab.failure(delegate: WithoutMethods())
            #expect(error == nil)
        }
    }

    @Test("A delegate that code reads back from a session or task has the type that the code names")
    func types() throws {
        let (own, foreign) = (SessionAsync(AskedForms(.performDefaultHandling)), ForeignNeither())
        let first = URLSession(configuration: .ephemeral, delegate: own, delegateQueue: nil)
        let second = URLSession(configuration: .ephemeral, delegate: foreign, delegateQueue: nil)
        let named: (any URLSessionDelegate)? = first.delegate
        let missing: (any URLSessionDelegate)? = second.delegate
        #expect(named === own)
        #expect(missing == nil)
        #expect(second.delegate === foreign)
        let url = try #require(URL(string: "https://lab.test/"))
        let task = first.dataTask(with: url)
        let delegate = NeitherForm()
        task.delegate = delegate
        let taken: (any URLSessionTaskDelegate)? = task.delegate
        #expect(taken === delegate)
        first.invalidateAndCancel()
        second.invalidateAndCancel()
    }
}

/// Swift calls Foundation's default implementation instead of its method. Proof of sendability: all properties are
/// constant.
private final class OverForeign: ForeignBase, ServerTrustURLSession.URLSessionTaskDelegate, @unchecked Sendable {
    private let forms: AskedForms
    init(_ forms: AskedForms) { self.forms = forms }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping ChallengeCompletion
    ) {
        let (disposition, credential) = forms.answer("session completion", challenge)
        completionHandler(disposition, credential)
    }
}

/// Leaves servers to the rules and answers password challenges.
private final class SessionAndPassword: NSObject, URLSessionTaskDelegate {
    private let forms: AskedForms
    init(_ forms: AskedForms) { self.forms = forms }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { (.performDefaultHandling, nil) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("task async", challenge) }
}
