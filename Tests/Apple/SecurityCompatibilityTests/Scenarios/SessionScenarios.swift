// SPDX-License-Identifier: Apache-2.0

// Except for the imports, this file only uses the API of Apple's frameworks. It is compiled on Linux unchanged, and
// against stubs of Apple's declarations (Tests/External/apple).
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if canImport(Darwin)
import Security
#else
import SecurityCompatibility
import ServerTrustURLSession
#endif

/// The delegate of an app that evaluates servers itself and has its own identity.
final class TrustingDelegate: NSObject, URLSessionDelegate, URLSessionTaskDelegate, @unchecked Sendable {
    // Proof of sendability: constant except for the record, which is used on the session's queue and read at the end.

    /// The answer to a server trust challenge.
    enum Rule {
        /// The app's evaluation decides.
        case evaluate((SecTrust) -> Bool)
        case leaveToSystem, cancel, reject
    }

    let rule: Rule
    let identity: ImportedIdentity?
    private(set) var methods: [String] = []

    init(_ rule: Rule, identity: ImportedIdentity? = nil) {
        self.rule = rule
        self.identity = identity
    }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let space = challenge.protectionSpace
        methods.append(space.authenticationMethod)
        switch space.authenticationMethod {
        case NSURLAuthenticationMethodServerTrust:
            guard let trust = space.serverTrust else { return completionHandler(.cancelAuthenticationChallenge, nil) }
            let (disposition, credential) = answer(trust)
            completionHandler(disposition, credential)
        case NSURLAuthenticationMethodClientCertificate:
            guard let identity else { return completionHandler(.performDefaultHandling, nil) }
            let credential = URLCredential(
                identity: identity.identity, certificates: Array(identity.chain.dropFirst()), persistence: .forSession)
            completionHandler(.useCredential, credential)
        default: completionHandler(.performDefaultHandling, nil)
        }
    }

    private func answer(_ trust: SecTrust) -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        switch rule {
        case .evaluate(let isTrusted):
            isTrusted(trust) ? (.useCredential, URLCredential(trust: trust)) : (.cancelAuthenticationChallenge, nil)
        case .leaveToSystem: (.performDefaultHandling, nil)
        case .cancel: (.cancelAuthenticationChallenge, nil)
        case .reject: (.rejectProtectionSpace, nil)
        }
    }
}
