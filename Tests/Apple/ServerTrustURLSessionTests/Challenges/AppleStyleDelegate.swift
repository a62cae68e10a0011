// SPDX-License-Identifier: Apache-2.0

// A delegate copied from an iOS app. Only the two imports below are for Linux.
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
import ServerTrustURLSession
#endif

/// Evaluates servers with the app's own rule.
final class PinningDelegate: NSObject, URLSessionDelegate, URLSessionTaskDelegate, URLSessionDataDelegate, Sendable {
    enum Decision: Sendable {
        case accept, leaveToSystem, cancel, reject
    }

    let decision: Decision
    let seen = SeenHosts()

    init(decision: Decision) { self.decision = decision }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust,
            let serverTrust = challenge.protectionSpace.serverTrust
        else {
            completionHandler(.performDefaultHandling, nil)
            return
        }
        seen.add(challenge.protectionSpace.host)
        switch decision {
        case .accept: completionHandler(.useCredential, URLCredential(trust: serverTrust))
        case .leaveToSystem: completionHandler(.performDefaultHandling, nil)
        case .cancel: completionHandler(.cancelAuthenticationChallenge, nil)
        case .reject: completionHandler(.rejectProtectionSpace, nil)
        }
    }
}

/// The hosts of the delegate's challenges.
final class SeenHosts: @unchecked Sendable {
    // Protected by the lock.
    private var hosts: [String] = []
    private let lock = NSLock()

    func add(_ host: String) {
        lock.lock()
        hosts.append(host)
        lock.unlock()
    }

    var all: [String] {
        lock.lock()
        defer { lock.unlock() }
        return hosts
    }
}
