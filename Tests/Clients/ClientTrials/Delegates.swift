// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import SecurityCompatibility
import ServerTrustURLSession

/// Records whether the session asked about the server, and presents a client certificate if it has one.
final class AskedDelegate: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    // Proof of sendability: the credential is set before the delegate is used. A lock protects the rest.
    let isAsked = Locked(false)
    var credential: URLCredential?

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust {
            isAsked.withLock { $0 = true }
        }
        if challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodClientCertificate {
            return completionHandler(.useCredential, credential)
        }
        completionHandler(.performDefaultHandling, nil)
    }
}

/// Records how many bytes had arrived when each piece of a body was delivered.
final class PiecesDelegate: NSObject, URLSessionDataDelegate, Sendable {
    let pieces = Locked([ContinuousClock.Instant]())
    let end = Locked<ContinuousClock.Instant?>(nil)

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        pieces.withLock { $0.append(.now) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        end.withLock { $0 = .now }
    }
}

/// Cancels each response.
final class CancelingDelegate: NSObject, URLSessionDataDelegate, Sendable {
    let hasData = Locked(false)
    let end = Locked<(any Error)??>(nil)

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) { completionHandler(.cancel) }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        hasData.withLock { $0 = true }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        end.withLock { $0 = .some(error) }
    }
}

/// Replaces the network.
final class StandIn: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "stand-in.example" }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: 299, httpVersion: nil, headerFields: nil)
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}
