// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustLab
import Testing

@testable import ServerTrustURLSession

@Suite("nginx", .enabled(if: Nginx.isAvailable))
struct NginxTests {
    @Test("nginx's auth_basic accepts the right password, and an interim response doesn't confuse the session")
    func basic() async throws {
        let nginx = try await Nginx()
        defer { nginx.stop() }
        let delegate = ScriptedDelegate()
        delegate.onTask = { challenge in
            guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic else {
                return (.performDefaultHandling, nil)
            }
            let password = challenge.previousFailureCount == 0 ? "wrong" : "secret"
            return (.useCredential, URLCredential(user: "user", password: password, persistence: .forSession))
        }
        let session = nginx.session(delegate: delegate)
        #expect(try await session.text(nginx.url("/private/")).text == "inside\n")
        #expect(delegate.record.asked.compactMap(\.realm) == ["nginx lab", "nginx lab"])
        // The session remembers the credential only for this folder and its subfolders.
        #expect(try await session.text(nginx.url("/private/a/b")).text == "inside\n")
        #expect(delegate.record.asked.filter { $0.realm != nil }.count == 2)
        #expect(try await session.text(nginx.url("/who")).text == "-\n")
        #expect(try await nginx.session(delegate: nil).text(nginx.url("/private/")).status == 401)
    }

    @Test("A HEAD response for a page that nginx would compress has a content coding and no body")
    func head() async throws {
        let nginx = try await Nginx()
        defer { nginx.stop() }
        let session = nginx.session(delegate: nil)
        for method in ["HEAD", "GET"] {
            var request = URLRequest(url: nginx.url("/packed"))
            request.httpMethod = method
            let (data, response) = try await session.data(for: request)
            #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Encoding") == "gzip")
            #expect(String(decoding: data, as: UTF8.self) == (method == "HEAD" ? "" : "packed\n"))
        }
    }

    @Test(
        "An nginx that accepts ten requests per connection serves 50 concurrent tasks, ten times in a row")
    func requestsPerConnection() async throws {
        let nginx = try await Nginx(isHTTP2: true, requestsPerConnection: 10)
        defer { nginx.stop() }
        for _ in 0..<10 {
            let session = nginx.session(delegate: nil)
            let texts = await withTaskGroup(of: String.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        do { return try await session.text(nginx.url("/who")).text } catch { return "\(error)" }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(texts == Array(repeating: "-\n", count: 50))
            session.invalidateAndCancel()
        }
        #expect(Set(nginx.repeats.map(\.reason)) == [.notProcessed])
    }
}

/// nginx with a password-protected folder.
private final class Nginx: Sendable {
    static let executable = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    static var isAvailable: Bool { executable != nil }

    private let folder: URL
    private let certificates: LabCertificates
    private let port: Int
    private let isHTTP2: Bool
    private let observer = RepeatObserver()

    struct Failed: Error {}

    var repeats: [RepeatedRequest] { observer.requests }

    init(isHTTP2: Bool = false, requestsPerConnection: Int = 1000) async throws {
        self.isHTTP2 = isHTTP2
        let certificates = try LabScenario.good.certificates(at: .now())
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("servertrust-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        certificates.manager.events.add(observer)
        self.certificates = certificates
        self.folder = folder
        let chain = certificates.chain.map { PEM.encode($0.der, label: "CERTIFICATE") }.joined()
        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        try write(chain, "chain.pem")
        try write(certificates.key.pemRepresentation(), "key.pem")
        try write("user:{PLAIN}secret\n", "passwords")
        // nginx doesn't support port 0. The test tries a random port, then another one if that port is taken.
        for _ in 0..<20 {
            let port = Int.random(in: 20_000..<60_000)
            try write(
                Self.configuration(
                    folder, "\(port) ssl\(isHTTP2 ? " http2" : ""); keepalive_requests \(requestsPerConnection)"),
                "nginx.conf")
            if try await Self.start(folder) {
                self.port = port
                return
            }
        }
        throw Failed()
    }

    private static func start(_ folder: URL) async throws -> Bool {
        let process = Process()
        process.executableURL = executable.map { URL(fileURLWithPath: $0) }
        process.arguments = ["-p", folder.path, "-c", folder.appendingPathComponent("nginx.conf").path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        for _ in 0..<100 {
            try await Task.sleep(for: .milliseconds(30))
            if FileManager.default.fileExists(atPath: folder.appendingPathComponent("pid").path) { return true }
            if !process.isRunning { return false }
        }
        return false
    }

    func stop() {
        let pid = (try? String(contentsOf: folder.appendingPathComponent("pid"), encoding: .utf8))
            .flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        if let pid { kill(pid, SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    func url(_ path: String) -> URL { URL(string: "https://api.lab.test:\(port)\(path)") ?? URL(fileURLWithPath: "/") }

    func session(delegate: (any URLSessionDelegate)?) -> URLSession {
        let trust = SessionLab.configuration(certificates.manager, certificates)
        return URLSession(
            configuration: URLSessionConfiguration.ephemeral.withServerTrust(
                trust, connectingTo: ["api.lab.test": "127.0.0.1"], environment: [:], usesHTTP2: isHTTP2),
            delegate: delegate, delegateQueue: nil)
    }

    /// - Parameter listen: the rest of the line.
    private static func configuration(_ folder: URL, _ listen: String) -> String {
        """
        daemon off; master_process off; pid \(folder.path)/pid; error_log /dev/null;
        events { worker_connections 64; }
        http {
            access_log off;
            client_body_temp_path \(folder.path)/body; proxy_temp_path \(folder.path)/proxy;
            fastcgi_temp_path \(folder.path)/fastcgi; uwsgi_temp_path \(folder.path)/uwsgi;
            scgi_temp_path \(folder.path)/scgi;
            server {
                listen 127.0.0.1:\(listen);
                ssl_certificate \(folder.path)/chain.pem; ssl_certificate_key \(folder.path)/key.pem;
                location /private/ {
                    auth_basic "nginx lab"; auth_basic_user_file \(folder.path)/passwords;
                    try_files /nowhere @inside;
                }
                location @inside { return 200 "inside\\n"; }
                location /packed { gzip on; gzip_min_length 1; gzip_types *; return 200 "packed\\n"; }
                location /who { return 200 "-$http_authorization\\n"; }
            }
        }
        """
    }
}
