// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustTesting
import ServerTrustURLSession
import Testing
import TrustScenes

@Suite("Download tasks", .enabled(if: EchoServer.isAvailable), .timeLimit(.minutes(10)))
struct DownloadTests {
    private let server: EchoServer

    init() throws { server = try EchoServer.shared.get() }

    @Test("download(for:) returns a permanent file that contains the body and that only its owner can read")
    func async() async throws {
        let request = URLRequest(url: server.url("/big?size=3000000"))
        let (file, response) = try await server.session().download(for: request)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(try Data(contentsOf: file) == Data(repeating: UInt8(ascii: "x"), count: 3_000_000))
        let permissions = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
        #expect(permissions?.intValue == 0o600)
    }

    @Test("A completion handler gets the file, and the session removes it unless the handler moves it")
    func handler() async throws {
        let session = try server.session()
        let found = Locked<(file: URL?, text: String?, status: Int?)>((nil, nil, nil))
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            session.downloadTask(with: server.url("/big?size=5")) { file, response, _ in
                let text = file.flatMap { try? String(contentsOf: $0, encoding: .utf8) }
                found.withLock { $0 = (file, text, (response as? HTTPURLResponse)?.statusCode) }
                continuation.resume()
            }.resume()
        }
        let (file, text, status) = found.withLock { $0 }
        #expect(text == "xxxxx" && status == 200)
        let path = try #require(file).path
        #expect(await Counted.comesDown { !FileManager.default.fileExists(atPath: path) })
    }

    @Test("A file that the delegate moves stays, and the progress adds up to the body's size")
    func delegate() async throws {
        let target = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: target) }
        let delegate = DownloadDelegate(movingTo: target)
        let session = try server.session(delegate: delegate)
        session.downloadTask(with: server.url("/big?size=2000000")).resume()
        #expect(await Counted.comesDown { !delegate.record.completed.isEmpty })
        let record = delegate.record
        #expect(record.completed.allSatisfy { $0 == nil })
        #expect(record.written.reduce(0, +) == 2_000_000)
        #expect(record.totals.last == 2_000_000 && record.totals == record.totals.sorted())
        #expect(Set(record.expected) == [2_000_000])
        #expect(record.files.count == 1)
        #expect(try Data(contentsOf: target).count == 2_000_000)
    }

    @Test("The resume data key has Apple's name, and a failed download has no resume data")
    func resumeDataKey() async throws {
        #expect(NSURLSessionDownloadTaskResumeData == "NSURLSessionDownloadTaskResumeData")
        let session = try server.session()
        do {
            let (file, _) = try await session.download(from: server.url("/redirect?to=http://127.0.0.1/"))
            try FileManager.default.removeItem(at: file)
            Issue.record("a redirect to http was followed")
        } catch let error as URLError {
            #expect(error.userInfo[NSURLSessionDownloadTaskResumeData] == nil)
        }
    }

    @Test("The session decompresses a compressed download, whose size isn't known in advance")
    func packed() async throws {
        let target = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: target) }
        let delegate = DownloadDelegate(movingTo: target)
        let session = try server.session(delegate: delegate)
        session.downloadTask(with: server.url("/gzip")).resume()
        #expect(await Counted.comesDown { !delegate.record.completed.isEmpty })
        #expect(delegate.record.expected.allSatisfy { $0 == NSURLSessionTransferSizeUnknown })
        #expect(try Data(contentsOf: target).count == 8000)
    }

    @Test("The session follows redirects and responds to a 401 before it writes the file")
    func redirects() async throws {
        let session = try server.session()
        let (file, response) = try await session.download(from: server.url("/redirect?to=/big?size=7"))
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(response.url?.path == "/big")
        #expect(try Data(contentsOf: file).count == 7)
    }

    @Test("A truncated body, a canceled task and a busy delegate leave no file")
    func failures() async throws {
        let before = Self.files()
        let session = try server.session()
        await #expect(throws: URLError.self) { _ = try await session.download(from: server.url("/reset")) }
        let delegate = DownloadDelegate(movingTo: nil)
        let task = try server.session(delegate: delegate).downloadTask(with: server.url("/drip"))
        task.resume()
        #expect(await Counted.comesDown { !delegate.record.written.isEmpty })
        task.cancel()
        #expect(await Counted.comesDown { !delegate.record.completed.isEmpty })
        #expect((delegate.record.completed.first as? URLError)?.code == .cancelled)
        #expect(delegate.record.files.isEmpty)
        // Without a handler and a delegate, nothing gets the file.
        try server.session().downloadTask(with: server.url("/big?size=9")).resume()
        #expect(await Counted.comesDown { Self.files().isSubset(of: before) })
    }

    /// Other tests in this process create and remove files.
    private static func files() -> Set<String> {
        let folder = FileManager.default.temporaryDirectory.path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return Set(names.filter { $0.hasPrefix("servertrust-") && $0.hasSuffix(".tmp") })
    }

    @Test("The session stops reading a download while its delegate is busy")
    func backPressure() async throws {
        let delegate = DownloadDelegate(movingTo: nil)
        delegate.gate.withLock { $0 = DispatchSemaphore(value: 0) }
        let id = UUID().uuidString
        let session = try server.session(delegate: delegate)
        session.downloadTask(with: server.url("/meter?size=\(64 << 20)&id=\(id)")).resume()
        let other = try server.session()
        var sent = -1
        while true {
            let text = try await other.text(server.url("/metered?id=\(id)")).text
            let now = try #require(Int(text))
            if now > 0, now == sent { break }
            sent = now
            try await Task.sleep(for: .milliseconds(700))
        }
        #expect(sent < 40 << 20)
        delegate.gate.withLock { $0 }?.signal()
        #expect(await Counted.comesDown { !delegate.record.completed.isEmpty })
        #expect(delegate.record.totals.last == 64 << 20)
    }

    @Test("The session writes one-byte chunks completely and in order, and a slow delegate gets few reports")
    func singleBytes() async throws {
        let target = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: target) }
        let delegate = DownloadDelegate(movingTo: target, pause: 0.02)
        let session = try server.session(delegate: delegate)
        session.downloadTask(with: server.url("/chunks?count=20000")).resume()
        #expect(await Counted.comesDown { !delegate.record.completed.isEmpty })
        let record = delegate.record
        #expect(record.completed.allSatisfy { $0 == nil })
        #expect(record.written.reduce(0, +) == 20_000 && record.totals.last == 20_000)
        #expect(record.written.count < 2_000)
        #expect(try Data(contentsOf: target) == EchoServer.chunks(20_000))
    }

    @Test("A refused server receives no data, and its download fails with the verdict")
    func refused() async throws {
        for scenario: LabScenario in [.expired, .untrustedRoot, .wrongHost] {
            try await SessionLab.with(scenario) { lab in
                let session = try lab.session()
                await #expect {
                    _ = try await session.download(from: lab.url)
                } throws: {
                    ($0 as? URLError)?.serverTrustVerdict?.isTrusted == false
                }
                let error: (any Error)? = await withCheckedContinuation { continuation in
                    session.downloadTask(with: lab.url) { file, _, error in
                        #expect(file == nil)
                        continuation.resume(returning: error)
                    }.resume()
                }
                #expect((error as? URLError)?.serverTrustVerdict?.isTrusted == false)
                #expect(lab.server.counts.requestBytes == 0)
            }
        }
    }

    @Test("A canceled download produces no resume data")
    func resumeData() async throws {
        let session = try server.session()
        let task = session.downloadTask(with: server.url("/drip"))
        task.resume()
        let data: Data? = await withCheckedContinuation { continuation in
            task.cancel { continuation.resume(returning: $0) }
        }
        #expect(data == nil)
    }
}

private final class DownloadDelegate: NSObject, URLSessionDownloadDelegate {
    struct Record: Sendable {
        var written: [Int64] = []
        var totals: [Int64] = []
        var expected: [Int64] = []
        var files: [URL] = []
        var completed: [(any Error)?] = []
    }
    private let locked = Locked(Record())
    /// Blocks each report until one signal opens it for good.
    let gate = Locked<DispatchSemaphore?>(nil)
    private let target: URL?
    /// The pause at each report, in seconds.
    private let pause: TimeInterval

    init(movingTo target: URL?, pause: TimeInterval = 0) {
        self.target = target
        self.pause = pause
    }

    var record: Record { locked.withLock { $0 } }

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
        locked.withLock { $0.files.append(location) }
        if let target { try? FileManager.default.moveItem(at: location, to: target) }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        let gate = gate.withLock { $0 }
        gate?.wait()
        gate?.signal()
        if pause > 0 { Thread.sleep(forTimeInterval: pause) }
        locked.withLock {
            $0.written.append(bytesWritten)
            $0.totals.append(totalBytesWritten)
            $0.expected.append(totalBytesExpectedToWrite)
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        locked.withLock { $0.completed.append(error) }
    }
}
