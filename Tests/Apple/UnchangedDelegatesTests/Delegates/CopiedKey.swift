// SPDX-License-Identifier: Apache-2.0

import CommonCrypto
import Foundation
import Security

/// Pins the SHA-256 digest of the key's external representation, hashed in pieces. Accepts keys from the whole path.
final class CopiedKey: NSObject, URLSessionDelegate {
    private let hashes: Set<Data>

    init(hashes: Set<Data>) { self.hashes = hashes }

    private func hash(_ data: CFData) -> Data {
        var context = CC_SHA256_CTX()
        var digest = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
        CC_SHA256_Init(&context)
        CC_SHA256_Update(&context, CFDataGetBytePtr(data), CC_LONG(CFDataGetLength(data)))
        CC_SHA256_Final(&digest, &context)
        return Data(bytes: digest, count: digest.count)
    }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let trust = challenge.protectionSpace.serverTrust else {
            return completionHandler(.performDefaultHandling, nil)
        }
        guard SecTrustEvaluateWithError(trust, nil), let key = SecTrustCopyKey(trust),
            let data = SecKeyCopyExternalRepresentation(key, nil), hashes.contains(hash(data))
        else { return completionHandler(.cancelAuthenticationChallenge, nil) }
        completionHandler(.useCredential, URLCredential(trust: trust))
    }
}
