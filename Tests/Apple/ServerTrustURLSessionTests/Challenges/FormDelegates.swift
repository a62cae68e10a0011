// SPDX-License-Identifier: Apache-2.0

// Delegates with each form of the challenge methods.
import Foundation
import FoundationNetworking
import ServerTrust
import ServerTrustURLSession
import Swift5Delegates

typealias ChallengeCompletion = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

final class SessionAsync: NSObject, URLSessionDelegate {
    private let forms: AskedForms
    init(_ forms: AskedForms) { self.forms = forms }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("session async", challenge) }
}

final class SessionCompletion: NSObject, URLSessionDelegate {
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

/// Both forms, each with its own answer.
final class SessionBoth: NSObject, URLSessionDelegate {
    private let completion: AskedForms
    private let async: AskedForms

    init(_ completion: AskedForms, _ async: AskedForms) {
        self.completion = completion
        self.async = async
    }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping ChallengeCompletion
    ) {
        let (disposition, credential) = completion.answer("session completion", challenge)
        completionHandler(disposition, credential)
    }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { async.answer("session async", challenge) }
}

final class TaskAsync: NSObject, URLSessionTaskDelegate {
    private let forms: AskedForms
    init(_ forms: AskedForms) { self.forms = forms }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("task async", challenge) }
}

final class TaskCompletion: NSObject, URLSessionTaskDelegate {
    private let forms: AskedForms
    init(_ forms: AskedForms) { self.forms = forms }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping ChallengeCompletion
    ) {
        let (disposition, credential) = forms.answer("task completion", challenge)
        completionHandler(disposition, credential)
    }
}

/// Both forms, each with its own answer.
final class TaskBoth: NSObject, URLSessionTaskDelegate {
    private let completion: AskedForms
    private let async: AskedForms

    init(_ completion: AskedForms, _ async: AskedForms) {
        self.completion = completion
        self.async = async
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping ChallengeCompletion
    ) {
        let (disposition, credential) = completion.answer("task completion", challenge)
        completionHandler(disposition, credential)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { async.answer("task async", challenge) }
}

/// The async forms of both levels, in an extension.
final class BothLevelsAsync: NSObject {
    fileprivate let forms: AskedForms
    init(_ forms: AskedForms) { self.forms = forms }
}

extension BothLevelsAsync: URLSessionDelegate, URLSessionTaskDelegate, URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("session async", challenge) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("task async", challenge) }
}

final class NeitherForm: NSObject, URLSessionDataDelegate {}

final class GenericAsync<Value>: NSObject, URLSessionDataDelegate {
    private let forms: AskedForms
    init(_ forms: AskedForms) { self.forms = forms }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("session async", challenge) }
}

/// A generic class whose subclass isn't generic. The superclass has the conformance.
class GenericBase<Value>: NSObject, URLSessionDelegate, @unchecked Sendable {
    fileprivate let forms: AskedForms
    init(_ forms: AskedForms) { self.forms = forms }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { (.performDefaultHandling, nil) }
}

final class OverridingAsync: GenericBase<Int>, @unchecked Sendable {
    override func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("session async", challenge) }
}

@MainActor
final class MainActorAsync: NSObject, URLSessionDelegate {
    private let forms: AskedForms
    nonisolated init(_ forms: AskedForms) { self.forms = forms }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("session async", challenge) }
}

@MainActor
final class MainActorTaskAsync: NSObject, URLSessionTaskDelegate {
    private let forms: AskedForms
    nonisolated init(_ forms: AskedForms) { self.forms = forms }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("task async", challenge) }
}

// MARK: - Subclasses of the base class

final class SubclassAsync: ServerTrustSessionDelegate, @unchecked Sendable {
    private let forms: AskedForms
    init(_ manager: ServerTrustManager, _ forms: AskedForms) {
        self.forms = forms
        super.init(manager)
    }

    override func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("session async", challenge) }
}

final class SubclassCompletion: ServerTrustSessionDelegate, @unchecked Sendable {
    private let forms: AskedForms
    init(_ manager: ServerTrustManager, _ forms: AskedForms) {
        self.forms = forms
        super.init(manager)
    }

    override func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping ChallengeCompletion
    ) {
        let (disposition, credential) = forms.answer("session completion", challenge)
        completionHandler(disposition, credential)
    }
}

/// The form with a completion handler calls `super`, which calls the async form.
final class SubclassBoth: ServerTrustSessionDelegate, @unchecked Sendable {
    private let forms: AskedForms
    init(_ manager: ServerTrustManager, _ forms: AskedForms) {
        self.forms = forms
        super.init(manager)
    }

    override func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping ChallengeCompletion
    ) {
        super.urlSession(session, didReceive: challenge, completionHandler: completionHandler)
    }

    override func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("session async", challenge) }
}

final class SubclassTaskAsync: ServerTrustSessionDelegate, @unchecked Sendable {
    private let forms: AskedForms
    init(_ manager: ServerTrustManager, _ forms: AskedForms) {
        self.forms = forms
        super.init(manager)
    }

    override func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("task async", challenge) }
}

final class SubclassNeither: ServerTrustSessionDelegate, @unchecked Sendable {}

// MARK: - Classes whose methods can't be seen

/// Conforms without a method, so a subclass's method doesn't implement the protocol's requirement.
class WithoutMethods: NSObject, URLSessionTaskDelegate, @unchecked Sendable {}

final class AddsAsync: WithoutMethods, @unchecked Sendable {
    private let forms: AskedForms
    init(_ forms: AskedForms) { self.forms = forms }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("session async", challenge) }
}

final class AddsCompletion: WithoutMethods, @unchecked Sendable {
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

final class AddsTaskAsync: WithoutMethods, @unchecked Sendable {
    private let forms: AskedForms
    init(_ forms: AskedForms) { self.forms = forms }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("task async", challenge) }
}

extension AdoptedAsync: ServerTrustURLSession.URLSessionTaskDelegate {}
extension HalfAdopted: ServerTrustURLSession.URLSessionDelegate {}
