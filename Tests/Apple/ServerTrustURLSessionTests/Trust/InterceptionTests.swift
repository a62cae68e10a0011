// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustTesting
import ServerTrustURLSession
import Testing

@Suite(
    "A mitmproxy whose CA the machine trusts", .enabled(if: Interceptor.isAvailable && EchoServer.isAvailable),
    .serialized)
struct InterceptionTests {
    @Test("Default evaluation accepts the interceptor, and pins refuse it without sending a byte")
    func pins() async throws {
        let origin = try EchoServer.shared.get()
        let interceptor = try await Interceptor(before: origin.port)
        defer { interceptor.stop() }
        let host = origin.certificates.host.description
        func session(_ evaluator: any TrustEvaluator) throws -> URLSession {
            var trust = ServerTrustConfiguration(try ServerTrustManager(evaluators: [host: evaluator], memory: nil))
            // As on a machine whose anchors include the proxy's CA.
            trust.anchors = .only(origin.certificates.anchors + [interceptor.authority])
            return URLSession(
                configuration: URLSessionConfiguration.ephemeral.withServerTrust(
                    trust, connectingTo: [host: "127.0.0.1"]))
        }
        let path = "/echo?\(UUID().uuidString)"
        let url = try #require(URL(string: "https://\(host):\(interceptor.port)\(path)"))
        let pin = SPKIPin(try #require(origin.certificates.chain.last))
        let pinned = try session(SPKIPinsTrustEvaluator(try SPKIPinSet(pinsRiskingLockout: [pin])))
        #expect(await pinned.failure(url)?.serverTrustVerdict?.headline?.code == .pinNotMatched)
        // The server first sees the path in a request from the session without pins.
        let (data, _) = try await session(DefaultTrustEvaluator()).data(from: url)
        #expect(try EchoServer.echo(data).count == 1)
        // The same pins accept the server itself.
        let (direct, _) = try await pinned.data(from: origin.url(path))
        #expect(try EchoServer.echo(direct).count == 2)
    }
}

/// mitmdump in reverse mode, with its own CA.
final class Interceptor {
    static let executable = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { $0 + "/mitmdump" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    static var isAvailable: Bool { executable != nil }

    let port: Int
    let authority: Certificate
    private let process = Process()
    private let folder: URL

    struct Failed: Error {}

    init(before origin: Int) async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("servertrust-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let log = folder.appendingPathComponent("log")
        try Data().write(to: log)
        process.executableURL = Self.executable.map { URL(fileURLWithPath: $0) }
        process.arguments = [
            "--mode", "reverse:https://127.0.0.1:\(origin)/", "--listen-host", "127.0.0.1", "--listen-port", "0",
            "--set", "confdir=\(folder.path)", "--set", "ssl_insecure=true", "--set", "keep_host_header=true",
            "--set", "termlog_verbosity=info",
        ]
        var environment = ProcessInfo.processInfo.environment
        environment["PYTHONUNBUFFERED"] = "1"
        process.environment = environment
        let handle = try FileHandle(forWritingTo: log)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        var found: Int?
        var authority: Certificate?
        for _ in 0..<400 where found == nil || authority == nil {
            try await Task.sleep(for: .milliseconds(50))
            let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            found = text.split(separator: "\n").first { $0.contains("listening at") }.flatMap {
                $0.split(whereSeparator: { !$0.isNumber }).last.flatMap { Int($0) }
            }
            let file = folder.appendingPathComponent("mitmproxy-ca-cert.pem").path
            authority = FileManager.default.contents(atPath: file).flatMap {
                try? CertificateFile.certificates(in: Array($0), name: file).first
            }
        }
        guard let found, let authority else {
            kill(process.processIdentifier, SIGKILL)
            throw Failed()
        }
        self.port = found
        self.authority = authority
    }

    func stop() {
        // SIGTERM has no effect on processes that Foundation starts.
        kill(process.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }
}
