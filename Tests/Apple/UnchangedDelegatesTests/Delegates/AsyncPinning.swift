// SPDX-License-Identifier: Apache-2.0

import CryptoKit
import Foundation

/// Pins the hashes of a path's certificates. Uses the async form and doesn't import Security.
final class AsyncPinning: NSObject, URLSessionDelegate {
    let hashes: [String]

    init(hashes: [String]) { self.hashes = hashes }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        let protectionSpace = challenge.protectionSpace
        guard protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust,
            let trust = protectionSpace.serverTrust
        else { return (.performDefaultHandling, nil) }
        var error: CFError?
        guard SecTrustEvaluateWithError(trust, &error), error == nil,
            let certificates = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
        else { return (.cancelAuthenticationChallenge, nil) }
        for certificate in certificates {
            let hash = Data(SHA256.hash(data: SecCertificateCopyData(certificate) as Data)).base64EncodedString()
            if hashes.contains(hash) { return (.useCredential, URLCredential(trust: trust)) }
        }
        return (.cancelAuthenticationChallenge, nil)
    }
}
