// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrustURLSession
import Testing
import TrustScenes

@Suite("Progress of tasks", .enabled(if: EchoServer.isAvailable), .timeLimit(.minutes(10)))
struct ProgressTests {
    private let server: EchoServer

    init() throws { server = try EchoServer.shared.get() }

    enum Kind: CaseIterable { case handler, download, delegate }

    @Test("A task counts the bytes that it has received, and its progress ends complete", arguments: Kind.allCases)
    func received(kind: Kind) async throws {
        let task = try await finished(kind, URLRequest(url: server.url("/big?size=2000000")))
        #expect(task.countOfBytesReceived == 2_000_000)
        #expect(task.countOfBytesExpectedToReceive == 2_000_000)
        #expect(task.progress.totalUnitCount == 2_000_000 && task.progress.completedUnitCount == 2_000_000)
        #expect(task.progress.fractionCompleted == 1)
    }

    @Test("A compressed body has no expected size, and the task counts the decoded bytes", arguments: Kind.allCases)
    func compressed(kind: Kind) async throws {
        let task = try await finished(kind, URLRequest(url: server.url("/gzip")))
        #expect(task.countOfBytesReceived == 8000)
        #expect(task.countOfBytesExpectedToReceive == NSURLSessionTransferSizeUnknown)
        #expect(task.progress.completedUnitCount == task.progress.totalUnitCount)
    }

    @Test("An upload counts the bytes that it has sent", arguments: [Kind.handler, .delegate])
    func sent(kind: Kind) async throws {
        var request = URLRequest(url: server.url("/echo"))
        request.httpMethod = "POST"
        request.httpBody = Data(repeating: 0x78, count: 300_000)
        let task = try await finished(kind, request)
        #expect(task.countOfBytesSent == 300_000 && task.countOfBytesExpectedToSend == 300_000)
        #expect(task.progress.completedUnitCount == 300_000 + task.countOfBytesReceived)
    }

    @Test("A canceled task's progress doesn't end complete")
    func canceled() async throws {
        let delegate = DispositionDelegate(.cancel)
        let task = try server.session(delegate: delegate).dataTask(with: server.url("/big?size=2000000"))
        task.resume()
        #expect(await Counted.comesDown { delegate.record.withLock { $0.hasEnded } })
        #expect(task.progress.fractionCompleted < 1)
    }

    private func finished(_ kind: Kind, _ request: URLRequest) async throws -> URLSessionTask {
        guard kind != .delegate else {
            let delegate = DispositionDelegate(.allow)
            let task = try server.session(delegate: delegate).dataTask(with: request)
            task.resume()
            #expect(await Counted.comesDown { delegate.record.withLock { $0.hasEnded } })
            return task
        }
        let session = try server.session()
        let made = Locked<URLSessionTask?>(nil)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let task: URLSessionTask =
                kind == .handler
                ? session.dataTask(with: request) { _, _, _ in continuation.resume() }
                : session.downloadTask(with: request) { _, _, _ in continuation.resume() }
            made.withLock { $0 = task }
            task.resume()
        }
        return try #require(made.withLock { $0 })
    }
}

@Suite("Dispositions of responses", .enabled(if: EchoServer.isAvailable), .timeLimit(.minutes(10)))
struct DispositionTests {
    private let server: EchoServer

    init() throws { server = try EchoServer.shared.get() }

    private func run(_ delegate: DispositionDelegate, _ path: String = "/big?size=2000000") async throws {
        try server.session(delegate: delegate).dataTask(with: server.url(path)).resume()
        #expect(await Counted.comesDown { delegate.record.withLock { $0.hasEnded } })
    }

    @Test("The delegate is asked once, before the first byte of the body, and the task has its response")
    func allow() async throws {
        let delegate = DispositionDelegate(.allow)
        try await run(delegate)
        let record = delegate.record.withLock { $0 }
        #expect(record.asked == [0] && record.hadResponse)
        #expect(record.received == 2_000_000 && record.error == nil)
    }

    @Test("An empty body asks the delegate, too")
    func empty() async throws {
        let delegate = DispositionDelegate(.allow)
        try await run(delegate, "/big?size=0")
        #expect(delegate.record.withLock { $0.asked == [0] && $0.error == nil })
    }

    @Test("A canceled response delivers no byte of its body, and ends with the error of a canceled task")
    func cancel() async throws {
        let delegate = DispositionDelegate(.cancel)
        try await run(delegate)
        let record = delegate.record.withLock { $0 }
        #expect(record.received == 0 && record.asked == [0])
        #expect(record.error?.code == .cancelled)
    }

    @Test("The body waits for an answer that comes later")
    func late() async throws {
        let delegate = DispositionDelegate(.allow, isLate: true)
        try await run(delegate)
        let record = delegate.record.withLock { $0 }
        #expect(record.receivedBeforeAnswer == 0 && record.received == 2_000_000)
    }

    @Test("A task can't become a download task, and its error says what to do")
    func become() async throws {
        // `.becomeDownload` is marked as deprecated.
        let delegate = DispositionDelegate(URLSession.ResponseDisposition(rawValue: 2))
        try await run(delegate)
        let record = delegate.record.withLock { $0 }
        #expect(record.received == 0)
        #expect(record.error?.serverTrustUnsupported == .disposition)
    }

    @Test("A delegate without the method, or one that releases its handler, gets the body")
    func silent() async throws {
        let delegate = DispositionDelegate(nil)
        try await run(delegate)
        #expect(delegate.record.withLock { $0.received == 2_000_000 && $0.error == nil })
    }
}

/// A delegate that answers each response with one disposition. With nil, it releases its handler.
private final class DispositionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    struct Record: Sendable {
        /// The number of bytes received when the delegate was asked, for each question.
        var asked: [Int] = []
        var hadResponse = false
        var received = 0
        var receivedBeforeAnswer = 0
        var error: URLError?
        var hasEnded = false
    }

    let record = Locked(Record())
    private let disposition: URLSession.ResponseDisposition?
    private let isLate: Bool

    init(_ disposition: URLSession.ResponseDisposition?, isLate: Bool = false) {
        self.disposition = disposition
        self.isLate = isLate
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        record.withLock {
            $0.asked.append($0.received)
            $0.hadResponse = dataTask.response === response
        }
        guard let disposition else { return }
        guard isLate else { return completionHandler(disposition) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { [record] in
            record.withLock { $0.receivedBeforeAnswer = $0.received }
            completionHandler(disposition)
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        record.withLock { $0.received += data.count }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        record.withLock {
            $0.error = error as? URLError
            $0.hasEnded = true
        }
    }
}
