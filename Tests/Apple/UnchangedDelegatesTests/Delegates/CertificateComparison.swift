// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Compares the server's certificate with one in the app, as many tutorials do.
final class CertificateComparison: NSObject, URLSessionDelegate {
    private let localCertificate: Data

    init(localCertificate: Data) { self.localCertificate = localCertificate }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust {
            if let serverTrust = challenge.protectionSpace.serverTrust {
                let isServerTrusted = SecTrustEvaluateWithError(serverTrust, nil)
                if isServerTrusted {
                    if let serverCertificate = SecTrustGetCertificateAtIndex(serverTrust, 0) {
                        let serverCertificateData = SecCertificateCopyData(serverCertificate)
                        let data = CFDataGetBytePtr(serverCertificateData)
                        let size = CFDataGetLength(serverCertificateData)
                        let remote = NSData(bytes: data, length: size)
                        if remote.isEqual(to: localCertificate) {
                            completionHandler(.useCredential, URLCredential(trust: serverTrust))
                            return
                        }
                    }
                }
            }
        }
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
}
