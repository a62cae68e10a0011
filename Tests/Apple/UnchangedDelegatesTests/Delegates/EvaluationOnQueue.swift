// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Evaluates the server on the app's own queue, with a policy for the host, and pins the root.
final class EvaluationOnQueue: NSObject, URLSessionDelegate {
    private let queue = DispatchQueue(label: "evaluation")
    private let root: Data

    init(root: Data) { self.root = root }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let trust = challenge.protectionSpace.serverTrust else {
            return completionHandler(.performDefaultHandling, nil)
        }
        let policies = [SecPolicyCreateSSL(true, challenge.protectionSpace.host as CFString)]
        SecTrustSetPolicies(trust, policies as CFTypeRef)
        let root = root
        let status = SecTrustEvaluateAsyncWithError(trust, queue) { trust, isTrusted, _ in
            let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
            guard isTrusted, let last = chain?.last, SecCertificateCopyData(last) as Data == root else {
                completionHandler(.cancelAuthenticationChallenge, nil)
                return
            }
            completionHandler(.useCredential, URLCredential(trust: trust))
        }
        if status != errSecSuccess { completionHandler(.cancelAuthenticationChallenge, nil) }
    }
}
