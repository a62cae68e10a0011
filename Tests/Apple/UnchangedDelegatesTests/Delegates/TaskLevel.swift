// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Answers at the task level with a completion handler, and looks up the server's certificate in a list.
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
