// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Evaluates the server with a function older than iOS 13, and compares keys as system objects.
final class OldEvaluation: NSObject, URLSessionDelegate {
    private let certificate: Data

    init(certificate: Data) { self.certificate = certificate }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        var result = SecTrustResultType.invalid
        guard let trust = challenge.protectionSpace.serverTrust, SecTrustEvaluate(trust, &result) == noErr,
            result == .unspecified || result == .proceed,
            let local = SecCertificateCreateWithData(nil, certificate as CFData),
            let localKey = SecCertificateCopyKey(local), let remoteKey = SecTrustCopyPublicKey(trust),
            localKey == remoteKey
        else {
            completionHandler(.cancelAuthenticationChallenge, nil)
            return
        }
        completionHandler(.useCredential, URLCredential(trust: trust))
    }
}
