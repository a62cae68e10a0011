// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Answers at the level of tasks, with a completion handler: the server's certificate is in a list.
final class TaskLevel: NSObject, URLSessionTaskDelegate, URLSessionDataDelegate {
    private let certificates: Set<Data>

    init(certificates: Set<Data>) { self.certificates = certificates }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        switch challenge.protectionSpace.authenticationMethod {
        case NSURLAuthenticationMethodServerTrust:
            guard let trust = challenge.protectionSpace.serverTrust, SecTrustEvaluateWithError(trust, nil),
                let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate], let leaf = chain.first,
                certificates.contains(SecCertificateCopyData(leaf) as Data)
            else { return completionHandler(.cancelAuthenticationChallenge, nil) }
            completionHandler(.useCredential, URLCredential(trust: trust))
        default:
            completionHandler(.performDefaultHandling, nil)
        }
    }
}
