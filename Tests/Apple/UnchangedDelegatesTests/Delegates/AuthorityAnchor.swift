// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Trusts only servers with certificates from the company's CA.
final class AuthorityAnchor: NSObject, URLSessionDelegate {
    private let authority: Data

    init(authority: Data) { self.authority = authority }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let trust = challenge.protectionSpace.serverTrust,
            let root = SecCertificateCreateWithData(kCFAllocatorDefault, authority as CFData)
        else { return completionHandler(.cancelAuthenticationChallenge, nil) }
        SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, challenge.protectionSpace.host as CFString))
        guard SecTrustSetAnchorCertificates(trust, [root] as CFArray) == errSecSuccess,
            SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess, SecTrustEvaluateWithError(trust, nil)
        else { return completionHandler(.cancelAuthenticationChallenge, nil) }
        completionHandler(.useCredential, URLCredential(trust: trust))
    }
}
