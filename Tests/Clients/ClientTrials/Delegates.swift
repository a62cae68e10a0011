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

/// Records the metrics of a task. It has a method for each of the two classes, because Foundation's own session doesn't
/// know this package's class.
final class MetricsDelegate: NSObject, URLSessionDataDelegate, Sendable {
    /// Whether the metrics contain the protocol, the server's address and the dates.
    let isComplete = Locked(false)
    let hasEnded = Locked(false)

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        guard let last = metrics.transactionMetrics.last else { return }
        record(
            last.networkProtocolName, last.remoteAddress,
            [last.fetchStartDate, last.requestStartDate, last.responseStartDate, last.responseEndDate])
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didFinishCollecting metrics: FoundationNetworking.URLSessionTaskMetrics
    ) {
        guard let last = metrics.transactionMetrics.last else { return }
        record(
            last.networkProtocolName, last.remoteAddress,
            [last.fetchStartDate, last.requestStartDate, last.responseStartDate, last.responseEndDate])
    }

    private func record(_ name: String?, _ address: String?, _ dates: [Date?]) {
        let isRight = name == "h2" && address != nil && dates.allSatisfy { $0 != nil }
        isComplete.withLock { $0 = isRight }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        hasEnded.withLock { $0 = true }
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
