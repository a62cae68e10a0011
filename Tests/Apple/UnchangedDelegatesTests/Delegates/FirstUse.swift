// SPDX-License-Identifier: Apache-2.0

import CryptoKit
import Foundation
import Security

/// Remembers each host's certificate from the first connection, and refuses a different one later.
final class FirstUse: NSObject, URLSessionDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var fingerprints: [String: String] = [:]

    private func isKnown(_ fingerprint: String, _ host: String) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        if let known = fingerprints[host] { return known == fingerprint }
        fingerprints[host] = fingerprint
        return true
    }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let trust = challenge.protectionSpace.serverTrust,
            let leaf = (SecTrustCopyCertificateChain(trust) as? [SecCertificate])?.first
        else { return completionHandler(.performDefaultHandling, nil) }
        let digest = SHA256.hash(data: SecCertificateCopyData(leaf) as Data)
        let fingerprint = digest.map { String(format: "%02x", $0) }.joined(separator: ":")
        if isKnown(fingerprint, challenge.protectionSpace.host) {
            completionHandler(.useCredential, URLCredential(trust: trust))
        } else {
            completionHandler(.rejectProtectionSpace, nil)
        }
    }
}
