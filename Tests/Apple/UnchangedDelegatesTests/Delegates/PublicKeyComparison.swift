// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Compares the external representations of the server's key and of a certificate's key in the app. Uses the async
/// form.
final class PublicKeyComparison: NSObject, URLSessionDelegate {
    private let pinned: Data?

    init(certificate: Data) {
        pinned = SecCertificateCreateWithData(nil, certificate as CFData)
            .flatMap { SecCertificateCopyKey($0) }
            .flatMap { SecKeyCopyExternalRepresentation($0, nil) as Data? }
    }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust,
            let trust = challenge.protectionSpace.serverTrust
        else { return (.performDefaultHandling, nil) }
        guard SecTrustEvaluateWithError(trust, nil), let key = SecTrustCopyKey(trust) else {
            return (.cancelAuthenticationChallenge, nil)
        }
        var error: Unmanaged<CFError>?
        guard let representation = SecKeyCopyExternalRepresentation(key, &error) as Data?, representation == pinned
        else {
            error?.release()
            return (.cancelAuthenticationChallenge, nil)
        }
        return (.useCredential, URLCredential(trust: trust))
    }
}
