// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Answers at the task level with the async form, and looks up the server's key in a dictionary by host.
final class AsyncTaskLevel: NSObject, URLSessionDataDelegate {
    private let keys: [String: Data]

    init(keys: [String: Data]) { self.keys = keys }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        guard let trust = challenge.protectionSpace.serverTrust else { return (.performDefaultHandling, nil) }
        guard let pinned = keys[challenge.protectionSpace.host], SecTrustEvaluateWithError(trust, nil),
            let key = SecTrustCopyKey(trust), let data = SecKeyCopyExternalRepresentation(key, nil),
            CFEqual(data, pinned as CFData)
        else { return (.rejectProtectionSpace, nil) }
        return (.useCredential, URLCredential(trust: trust))
    }
}
