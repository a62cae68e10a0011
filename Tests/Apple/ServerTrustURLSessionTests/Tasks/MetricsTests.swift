// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustTesting
import SessionDelegates
import Testing
import TrustScenes

@testable import ServerTrustLab
@testable import ServerTrustURLSession

/// A delegate that records metrics and the ends of tasks.
private class Collector: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, @unchecked Sendable {
    // Proof of sendability: constant except for the record, which is locked.
    struct Record: Sendable {
        var metrics: [Int: [URLSessionTaskMetrics]] = [:]
        var errors: [Int: URLError] = [:]
        var ended: [Int] = []
        /// The tasks whose metrics arrived after their end or outside the delegate queue.
        var misplaced: [Int] = []
        /// The tasks whose first bytes have arrived.
        var received: Set<Int> = []
        var isInvalid = false
    }
    let record = Locked(Record())

    /// The credential for challenges about requests and proxies.
    private let credential: URLCredential?

    init(_ credential: URLCredential? = nil) { self.credential = credential }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let isAboutServer = challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
        guard let credential, !isAboutServer else { return completionHandler(.performDefaultHandling, nil) }
        completionHandler(.useCredential, credential)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        let isOnQueue = OperationQueue.current === session.delegateQueue
        record.withLock { record in
            record.metrics[task.taskIdentifier, default: []].append(metrics)
            if record.ended.contains(task.taskIdentifier) || !isOnQueue || record.isInvalid {
                record.misplaced.append(task.taskIdentifier)
            }
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        record.withLock { record in
            record.ended.append(task.taskIdentifier)
            record.errors[task.taskIdentifier] = error as? URLError
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        record.withLock { _ = $0.received.insert(dataTask.taskIdentifier) }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {}

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        record.withLock { $0.isInvalid = true }
    }

    /// Runs a task, and returns its metrics, which must have arrived once, on the delegate queue, before its end.
    func metrics(_ task: URLSessionTask, isResumed: Bool = true) async throws -> URLSessionTaskMetrics {
        let number = task.taskIdentifier
        if isResumed { task.resume() }
        #expect(await Counted.comesDown { record.withLock { $0.ended.contains(number) } })
        let (metrics, misplaced) = record.withLock { ($0.metrics[number] ?? [], $0.misplaced) }
        #expect(misplaced.isEmpty)
        try #require(metrics.count == 1)
        return metrics[0]
    }

    func error(_ task: URLSessionTask) -> URLError? { record.withLock { $0.errors[task.taskIdentifier] } }
}

/// A delegate without a method for metrics.
private final class Uninterested: NSObject, URLSessionDataDelegate, Sendable {
    let hasEnded = Locked(0)

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        hasEnded.withLock { $0 += 1 }
    }
}

/// A delegate with the methods for both classes.
private final class BothClasses: NSObject, URLSessionTaskDelegate, Sendable {
    let called = Locked<[String]>([])

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didFinishCollecting metrics: FoundationNetworking.URLSessionTaskMetrics
    ) {
        called.withLock { $0.append("Foundation's") }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        called.withLock { $0.append("this package's") }
    }
}

@Suite("Metrics of tasks", .enabled(if: EchoServer.isAvailable), .timeLimit(.minutes(10)))
struct MetricsTests {
    private let server: EchoServer
    private let collector = Collector()

    init() throws { server = try EchoServer.shared.get() }

    private func status(_ metrics: URLSessionTaskTransactionMetrics) -> Int? {
        (metrics.response as? HTTPURLResponse)?.statusCode
    }

    /// The known dates of a transaction, in the order that they must have.
    private func dates(_ metrics: URLSessionTaskTransactionMetrics) -> [Date] {
        [
            metrics.fetchStartDate, metrics.connectEndDate, metrics.requestStartDate, metrics.requestEndDate,
            metrics.responseStartDate, metrics.responseEndDate,
        ].compactMap(\.self)
    }

    // MARK: - Transactions

    @Test("Each request of a redirect has its own transaction, with its response, connection and ordered dates")
    func redirect() async throws {
        let session = try server.session(delegate: collector)
        let metrics = try await collector.metrics(session.dataTask(with: server.url("/redirect?to=/big?size=5000")))
        #expect(metrics.redirectCount == 1)
        try #require(metrics.transactionMetrics.count == 2)
        let (first, last) = (metrics.transactionMetrics[0], metrics.transactionMetrics[1])
        #expect(first.request.url?.path == "/redirect" && last.request.url?.path == "/big")
        #expect(status(first) == 302 && status(last) == 200)
        for transaction in [first, last] {
            #expect(transaction.resourceFetchType == .networkLoad)
            #expect(transaction.networkProtocolName == "http/1.1")
            #expect(transaction.remoteAddress == "127.0.0.1" && transaction.remotePort == server.port)
            #expect(transaction.localAddress == "127.0.0.1" && transaction.localPort == first.localPort)
            #expect(transaction.negotiatedTLSProtocolVersion == .TLSv13)
            #expect(!transaction.isProxyConnection)
            #expect(transaction.secureConnectionEndDate == transaction.connectEndDate)
        }
        #expect(first.localPort != nil)
        #expect(!first.isReusedConnection && first.connectEndDate != nil)
        #expect(last.isReusedConnection && last.connectEndDate == nil)
        #expect(first.countOfResponseBodyBytesAfterDecoding == 5)
        #expect(last.countOfResponseBodyBytesAfterDecoding == 5000)
        #expect(dates(first).count == 6 && dates(last).count == 5)
        let all = [metrics.taskInterval.start] + dates(first) + dates(last) + [metrics.taskInterval.end]
        #expect(all == all.sorted())
        // Without a body, the request ends where it begins.
        #expect(first.requestStartDate == first.requestEndDate)
    }

    @Test(
        "A later task over HTTP/1.1 or HTTP/2 reuses the connection, and its metrics say so", arguments: [false, true])
    func reuse(usesHTTP2: Bool) async throws {
        try await SessionLab.with { lab in
            let session = try lab.session(usesHTTP2: usesHTTP2, delegate: collector)
            let first = try await collector.metrics(session.dataTask(with: lab.url)).transactionMetrics
            let later = try await collector.metrics(session.dataTask(with: lab.url)).transactionMetrics
            try #require(first.count == 1 && later.count == 1)
            #expect(
                (first + later).map(\.networkProtocolName) == Array(repeating: usesHTTP2 ? "h2" : "http/1.1", count: 2))
            #expect((first + later).map(\.isReusedConnection) == [false, true])
            #expect(first[0].localPort == later[0].localPort && first[0].localPort != nil)
            #expect(later[0].remotePort == lab.url.port)
            #expect(later[0].negotiatedTLSProtocolVersion == .TLSv13)
            #expect(dates(first[0]).count == 6 && dates(later[0]).count == 5)
            #expect(dates(first[0]) == dates(first[0]).sorted() && dates(later[0]) == dates(later[0]).sorted())
            // The first connection only learns which protocols the server has.
            #expect(lab.server.counts.handshakes == (usesHTTP2 ? 2 : 1))
        }
    }

    @Test("Of many tasks that share a new HTTP/2 connection, one opened it")
    func shared() async throws {
        try await SessionLab.with { lab in
            let session = try lab.session(usesHTTP2: true, delegate: collector)
            let tasks = (0..<20).map { _ in session.dataTask(with: lab.url) }
            for task in tasks { task.resume() }
            var transactions: [URLSessionTaskTransactionMetrics] = []
            for task in tasks {
                transactions += try await collector.metrics(task, isResumed: false).transactionMetrics
            }
            #expect(transactions.count == 20)
            #expect(transactions.count { !$0.isReusedConnection } == 1)
            #expect(Set(transactions.map(\.localPort)).count == 1)
        }
    }

    @Test("An upload's metrics count its bytes")
    func upload() async throws {
        let session = try server.session(delegate: collector)
        var request = URLRequest(url: server.url("/metrics-upload"))
        request.httpMethod = "POST"
        let task = session.uploadTask(with: request, from: Data(repeating: 1, count: 300_000))
        let transactions = try await collector.metrics(task).transactionMetrics
        try #require(transactions.count == 1)
        #expect(transactions[0].countOfRequestBodyBytesSent == 300_000)
        #expect(transactions[0].countOfRequestBodyBytesBeforeEncoding == 300_000)
        #expect(dates(transactions[0]) == dates(transactions[0]).sorted())
    }

    @Test("The bytes of a compressed body count after decoding, also for a download")
    func decoded() async throws {
        let session = try server.session(delegate: collector)
        for task in [session.dataTask(with: server.url("/gzip")), session.downloadTask(with: server.url("/gzip"))] {
            let transactions = try await collector.metrics(task).transactionMetrics
            #expect(transactions.map(\.countOfResponseBodyBytesAfterDecoding) == [8000])
            #expect(transactions.allSatisfy { $0.responseEndDate != nil })
        }
    }

    @Test("A 401 and the request with credentials are two transactions")
    func authentication() async throws {
        let asked = Collector(URLCredential(user: "u", password: "p", persistence: .none))
        let session = try server.session(delegate: asked)
        let metrics = try await asked.metrics(session.dataTask(with: server.url("/digest?metrics")))
        #expect(metrics.transactionMetrics.map { status($0) } == [401, 200])
        #expect(metrics.redirectCount == 0)
        #expect(metrics.transactionMetrics[0].request.value(forHTTPHeaderField: "Authorization") == nil)
    }

    @Test("A cached response is a transaction from the cache, and a confirmed one is a network load with 304")
    func cache() async throws {
        let cache = URLCache(memoryCapacity: 10 << 20, diskCapacity: 0, diskPath: nil)
        let session = try server.session(delegate: collector) { $0.urlCache = cache }
        let fresh = server.url("/cache-metrics1?control=max-age=60")
        _ = try await collector.metrics(session.dataTask(with: fresh))
        let hit = try await collector.metrics(session.dataTask(with: fresh)).transactionMetrics
        try #require(hit.count == 1)
        #expect(hit[0].resourceFetchType == .localCache && status(hit[0]) == 200)
        #expect(hit[0].remoteAddress == nil && hit[0].networkProtocolName == nil && hit[0].requestStartDate == nil)
        #expect(hit[0].countOfResponseBodyBytesAfterDecoding > 0)
        #expect(dates(hit[0]).count == 3 && dates(hit[0]) == dates(hit[0]).sorted())

        let stale = server.url("/cache-metrics2?control=max-age=0&etag=x")
        _ = try await collector.metrics(session.dataTask(with: stale))
        let confirmed = try await collector.metrics(session.dataTask(with: stale)).transactionMetrics
        #expect(confirmed.map { status($0) } == [304])
        #expect(confirmed.map(\.resourceFetchType) == [.networkLoad])

        var absent = URLRequest(url: server.url("/cache-metrics3"))
        absent.cachePolicy = .returnCacheDataDontLoad
        let nothing = session.dataTask(with: absent)
        #expect(try await collector.metrics(nothing).transactionMetrics.isEmpty)
        #expect(collector.error(nothing)?.code == .resourceUnavailable)
    }

    @Test(
        "A request through a proxy has the proxy's address, and a 407 isn't a separate transaction",
        arguments: [false, true])
    func proxy(requiresPassword: Bool) async throws {
        let proxy = try await LabProxy.start(challenge: requiresPassword ? LabChallenge(.basic) : nil)
        try await SessionLab.with { lab in
            let asked = Collector(URLCredential(user: "user", password: "secret", persistence: .none))
            let session = URLSession(
                configuration: .ephemeral.withServerTrust(
                    try lab.server.certificates.configuration(throughProxyWith: []), connectingTo: [:],
                    environment: ["https_proxy": "http://127.0.0.1:\(proxy.port)"]),
                delegate: asked, delegateQueue: nil)
            let transactions = try await asked.metrics(session.dataTask(with: lab.url)).transactionMetrics
            #expect(transactions.map { status($0) } == [200])
            #expect(transactions.map(\.isProxyConnection) == [true])
            #expect(transactions.map(\.remotePort) == [proxy.port])
            #expect(transactions.map(\.negotiatedTLSProtocolVersion) == [.TLSv13])
        }
        await proxy.stop()
    }

    @Test("A response of an app's protocol class has no connection")
    func appProtocol() async throws {
        let session = try server.session(delegate: collector) { $0.protocolClasses = [Canned.self] }
        let transactions = try await collector.metrics(
            session.dataTask(with: try #require(URL(string: "https://canned.test/")))
        ).transactionMetrics
        try #require(transactions.count == 1)
        #expect(transactions[0].resourceFetchType == .unknown && status(transactions[0]) == 200)
        #expect(transactions[0].networkProtocolName == nil && transactions[0].remoteAddress == nil)
        #expect(transactions[0].countOfResponseBodyBytesAfterDecoding == 4)
    }

    // MARK: - Failures

    @Test("A refused server has a transaction without a response, and nothing in it is invented")
    func refused() async throws {
        try await SessionLab.with(.expired) { lab in
            let task = try lab.session(delegate: collector).dataTask(with: lab.url)
            let transactions = try await collector.metrics(task).transactionMetrics
            #expect(collector.error(task)?.serverTrustVerdict != nil)
            try #require(transactions.count == 1)
            let only = transactions[0]
            #expect(only.resourceFetchType == .networkLoad && only.response == nil)
            #expect(dates(only) == [only.fetchStartDate])
            #expect(only.networkProtocolName == nil && only.remoteAddress == nil && only.localPort == nil)
            #expect(only.negotiatedTLSProtocolVersion == nil && !only.isReusedConnection)
        }
    }

    @Test("A task that sends nothing has metrics without a transaction")
    func nothingSent() async throws {
        let session = try server.session(delegate: collector)
        for text in ["http://api.lab.test/", "https://denied.example/"] {
            let task = session.dataTask(with: try #require(URL(string: text)))
            #expect(try await collector.metrics(task).transactionMetrics.isEmpty)
            #expect(collector.error(task) != nil)
        }
    }

    @Test("A body that is cut off has no end, and counts the bytes that arrived")
    func cutOff() async throws {
        let task = try server.session(delegate: collector).dataTask(with: server.url("/reset"))
        let transactions = try await collector.metrics(task).transactionMetrics
        try #require(transactions.count == 1)
        #expect(collector.error(task) != nil)
        #expect(status(transactions[0]) == 200 && transactions[0].responseEndDate == nil)
        #expect(transactions[0].countOfResponseBodyBytesAfterDecoding == 10)
    }

    @Test("A task that is canceled during its body has metrics before its end")
    func canceled() async throws {
        let task = try server.session(delegate: collector).dataTask(with: server.url("/drip?pause=0.01"))
        task.resume()
        #expect(await Counted.comesDown { collector.record.withLock { !$0.received.isEmpty } })
        task.cancel()
        let transactions = try await collector.metrics(task, isResumed: false).transactionMetrics
        #expect(collector.error(task)?.code == .cancelled)
        try #require(transactions.count == 1)
        #expect(status(transactions[0]) == 200 && transactions[0].responseEndDate == nil)
        #expect(transactions[0].countOfResponseBodyBytesAfterDecoding > 0)
    }

    @Test("A task that is canceled before it starts has metrics, too")
    func neverStarted() async throws {
        let task = try server.session(delegate: collector).dataTask(with: server.url("/echo"))
        task.cancel()
        #expect(try await collector.metrics(task, isResumed: false).transactionMetrics.isEmpty)
        #expect(collector.error(task)?.code == .cancelled)
    }

    @Test("Tasks that end when their session is invalidated have metrics before the session's last call")
    func invalidated() async throws {
        let session = try server.session(delegate: collector)
        let tasks = (0..<3).map { session.dataTask(with: server.url("/drip?pause=0.01&metrics=\($0)")) }
        for task in tasks { task.resume() }
        // Foundation doesn't report the end of a task that hasn't started yet.
        #expect(await Counted.comesDown { collector.record.withLock { $0.received.count } == 3 })
        session.invalidateAndCancel()
        for task in tasks { _ = try await collector.metrics(task, isResumed: false) }
        #expect(await Counted.comesDown { collector.record.withLock { $0.isInvalid } })
        #expect(collector.record.withLock { $0.misplaced.isEmpty && $0.metrics.count == 3 })
    }

    // MARK: - Delegates

    @Test("A session's delegate also gets the metrics of tasks with a completion handler and of async functions")
    func handlers() async throws {
        let session = try server.session(delegate: collector)
        let request = URLRequest(url: server.url("/echo?metrics"))
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            session.dataTask(with: request) { [collector] _, _, _ in
                // The handler comes after the metrics.
                #expect(collector.record.withLock { $0.metrics.count } == 1)
                continuation.resume()
            }.resume()
        }
        _ = try await session.data(for: request)
        _ = try FileManager.default.removeItem(at: await session.download(for: request).0)
        for try await _ in try await session.bytes(for: request).0 {}
        #expect(await Counted.comesDown { collector.record.withLock { $0.metrics.count } == 4 })
        #expect(collector.record.withLock { $0.metrics.values.allSatisfy { $0.count == 1 } && $0.misplaced.isEmpty })
    }

    @Test("A task's own delegate gets the metrics, or the session's delegate if the own one has no method")
    func ownDelegate() async throws {
        let session = try server.session(delegate: collector)
        let (own, request) = (Collector(), URLRequest(url: server.url("/echo?own")))
        _ = try await session.data(for: request, delegate: own)
        #expect(await Counted.comesDown { own.record.withLock { $0.metrics.count } == 1 })
        for count in 1...2 {
            _ = try await session.data(for: request, delegate: Uninterested())
            #expect(await Counted.comesDown { collector.record.withLock { $0.metrics.count } == count })
        }
        #expect(own.record.withLock { $0.metrics.count } == 1)
    }

    @Test("After the first task, nothing is collected for a class without the method")
    func uninterested() async throws {
        let delegate = Uninterested()
        let session = try server.session(delegate: delegate)
        for count in 1...3 {
            session.dataTask(with: server.url("/echo?uninterested")).resume()
            #expect(await Counted.comesDown { delegate.hasEnded.withLock { $0 } == count })
            #expect(MetricsMethods.isMissing(in: delegate))
        }
        #expect(!MetricsMethods.isMissing(in: collector))
    }

    @Test("The session calls the method for this package's class, not the one for Foundation's")
    func bothClasses() async throws {
        let delegate = BothClasses()
        _ = try await server.session(delegate: delegate).data(from: server.url("/echo?both"))
        #expect(await Counted.comesDown { delegate.called.withLock { $0.count } == 1 })
        #expect(delegate.called.withLock { $0 } == ["this package's"])
    }

    @Test("A subclass's override gets the metrics")
    func override() async throws {
        let delegate = Overriding()
        let task = try server.session(delegate: delegate).dataTask(with: server.url("/echo?override"))
        _ = try await delegate.metrics(task)
        #expect(delegate.count.withLock { $0 } == 1)
    }

    @Test("Each of thousands of tasks has its metrics once, and none keeps its session")
    func many() async throws {
        weak var released: URLSession?
        try await SessionLab.with { lab in
            let total = 2000
            do {
                let session = try lab.session(usesHTTP2: true, delegate: collector)
                released = session
                for task in (0..<total).map({ _ in session.dataTask(with: lab.url) }) { task.resume() }
                #expect(await Counted.comesDown { collector.record.withLock { $0.ended.count } == total })
                session.finishTasksAndInvalidate()
            }
            let record = collector.record.withLock { $0 }
            #expect(record.errors.isEmpty && record.misplaced.isEmpty)
            #expect(record.metrics.count == total && record.metrics.values.allSatisfy { $0.count == 1 })
            #expect(await Counted.comesDown { released == nil })
        }
    }
}

private final class Overriding: Collector, @unchecked Sendable {
    // Proof of sendability: the count is locked.
    let count = Locked(0)

    override func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        super.urlSession(session, task: task, didFinishCollecting: metrics)
        count.withLock { $0 += 1 }
    }
}

private final class Canned: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "canned.test" }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [:])
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("mock".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}
