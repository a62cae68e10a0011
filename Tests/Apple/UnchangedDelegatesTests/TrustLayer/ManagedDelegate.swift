// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Calls the host's evaluator, and remembers why it refused the server.
final class ManagedDelegate: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    // Proof of sendability: a lock protects `refusal`.
    private let manager: ServerTrustManager
    private let lock = NSLock()
    private var refusal: AFError?

    init(_ manager: ServerTrustManager) { self.manager = manager }

    /// The error of the last challenge, or nil if its server was accepted or left to default handling.
    var error: AFError? { lock.withLock { refusal } }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust,
            let trust = challenge.protectionSpace.serverTrust
        else { return completionHandler(.performDefaultHandling, nil) }
        let host = challenge.protectionSpace.host
        do {
            guard let evaluator = try manager.serverTrustEvaluator(forHost: host) else {
                return completionHandler(.performDefaultHandling, nil)
            }
            try evaluator.evaluate(trust, forHost: host)
            completionHandler(.useCredential, URLCredential(trust: trust))
        } catch {
            let refusal =
                error as? AFError ?? .serverTrustEvaluationFailed(reason: .customEvaluationFailed(error: error))
            lock.withLock { self.refusal = refusal }
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }
}
