// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Finds the app's intermediate among the path's certificates, with functions older than iOS 15.
final class CertificateIndex: NSObject, URLSessionDelegate {
    private let intermediate: Data

    init(intermediate: Data) { self.intermediate = intermediate }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let trust = challenge.protectionSpace.serverTrust, SecTrustEvaluateWithError(trust, nil) else {
            completionHandler(.cancelAuthenticationChallenge, nil)
            return
        }
        for index in 0..<SecTrustGetCertificateCount(trust) {
            guard let certificate = SecTrustGetCertificateAtIndex(trust, index) else { continue }
            if SecCertificateCopyData(certificate) as Data == intermediate {
                completionHandler(.useCredential, URLCredential(trust: trust))
                return
            }
        }
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
}
