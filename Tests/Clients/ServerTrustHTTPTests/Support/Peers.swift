// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOPosix
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import ServerTrustTesting

/// Other projects' servers on loopback. Each runs as a process with its own folder, and a client of this package
/// connects to it.
final class Peer: Sendable {
    enum Program: String, Sendable {
        case nginx, openssl, mitmdump

        /// The server's URL, or nil if it isn't installed. Its tests are then skipped and say so.
        var url: URL? {
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            return (path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"])
                .map { URL(fileURLWithPath: $0).appendingPathComponent(rawValue) }
                .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        }
        var isAvailable: Bool { url != nil }
    }

    let folder: URL
    let port: Int
    private let process: Locked<Process?>

    private init(folder: URL, port: Int, process: Process) {
        self.folder = folder
        self.port = port
        self.process = Locked(process)
    }

    deinit { stop() }

    /// Kills the process without waiting, because waiting would block a thread that other tests need. SIGTERM wouldn't
    /// work: a child inherits the signal mask of the thread that started it, and Dispatch's threads block every signal
    /// they can.
    func stop() {
        process.withLock { process in
            if let process, process.isRunning { kill(process.processIdentifier, SIGKILL) }
            process = nil
        }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts a program and waits until its port answers.
    /// - Parameter arguments: returns the arguments for a new folder and a port that was free a moment ago.
    static func start(
        _ program: Program, _ arguments: (_ folder: URL, _ port: Int) throws -> [String]
    ) async throws -> Peer {
        guard let url = program.url else { throw CocoaError(.fileNoSuchFile) }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("peer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let port = try await freePort()
        let process = Process()
        process.executableURL = url
        process.arguments = try arguments(folder, port)
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        let log = folder.appendingPathComponent("log")
        try Data().write(to: log)
        let handle = try FileHandle(forWritingTo: log)
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        let peer = Peer(folder: folder, port: port, process: process)
        for _ in 0..<600 {
            guard process.isRunning else { break }
            if await answers(port) { return peer }
            try await Task.sleep(for: .milliseconds(50))
        }
        let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        peer.stop()
        throw PeerError(description: "\(program) did not start: \(text)")
    }

    struct PeerError: Error, CustomStringConvertible { let description: String }

    /// Returns a port below the range that the system uses for port 0, because the system reuses those as soon as they
    /// are free. It never returns a port twice in this process.
    static func freePort() async throws -> Int {
        for _ in 0..<200 {
            let port = Int.random(in: 20_000..<32_000)
            guard used.withLock({ $0.insert(port).inserted }) else { continue }
            guard
                let listener = try? await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .bind(host: "127.0.0.1", port: port).get()
            else { continue }
            try await listener.close().get()
            return port
        }
        throw PeerError(description: "no free port")
    }

    private static let used = Locked(Set<Int>())

    private static func answers(_ port: Int) async -> Bool {
        guard
            let channel = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: port).get()
        else { return false }
        try? await channel.close().get()
        return true
    }

    /// Writes the files that another server needs for a scenario: `chain.pem`, `key.pem`, `anchors.pem`.
    static func write(_ certificates: LabCertificates, to folder: URL) throws {
        let chain = certificates.chain.map { PEM.encode($0.der, label: "CERTIFICATE") }
        for (name, text) in [
            ("leaf.pem", chain.first ?? ""), ("others.pem", chain.dropFirst().joined()), ("chain.pem", chain.joined()),
            ("key.pem", try certificates.key.pemRepresentation()), ("anchors.pem", certificates.anchorsPEM),
        ] {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
    }
}

extension Peer {
    static let longText = String(repeating: "a long line of text\n", count: 500)

    /// Starts nginx, which serves `long.txt` and compresses it on request.
    /// - Parameters:
    ///   - staple: the OCSP response that it staples.
    ///   - requestsPerConnection: the number of requests that it answers on one connection. The default is nginx's.
    static func nginx(
        _ certificates: LabCertificates, staple: [UInt8]? = nil, isHTTP2: Bool = false,
        requestsPerConnection: Int = 1000
    ) async throws -> Peer {
        try await start(.nginx) { folder, port in
            try write(certificates, to: folder)
            let stapling = staple == nil ? "" : "ssl_stapling on; ssl_stapling_file \(folder.path)/staple.der;"
            try Data(staple ?? []).write(to: folder.appendingPathComponent("staple.der"))
            try Data(longText.utf8).write(to: folder.appendingPathComponent("long.txt"))
            let configuration = """
                daemon off; master_process off; pid \(folder.path)/pid; error_log stderr;
                events { worker_connections 64; }
                http {
                    access_log \(folder.path)/access.log; root \(folder.path);
                    client_body_temp_path \(folder.path)/body; proxy_temp_path \(folder.path)/proxy;
                    fastcgi_temp_path \(folder.path)/fastcgi; uwsgi_temp_path \(folder.path)/uwsgi;
                    scgi_temp_path \(folder.path)/scgi;
                    types { text/plain txt; } gzip on; gzip_min_length 1; gzip_types text/plain; gzip_proxied any;
                    server {
                        listen 127.0.0.1:\(port) ssl\(isHTTP2 ? " http2" : ""); server_name \(certificates.host);
                        ssl_certificate \(folder.path)/chain.pem; ssl_certificate_key \(folder.path)/key.pem;
                        ssl_protocols TLSv1.2 TLSv1.3; \(stapling)
                        keepalive_requests \(requestsPerConnection);
                    }
                }
                """
            let file = folder.appendingPathComponent("nginx.conf")
            try Data(configuration.utf8).write(to: file)
            return ["-p", folder.path, "-c", file.path, "-e", folder.path + "/error.log"]
        }
    }

    /// Starts `openssl s_server -www`.
    /// - Parameters:
    ///   - more: additional arguments.
    ///   - files: additional files in its folder.
    static func openssl(
        _ certificates: LabCertificates, _ more: [String] = [], files: [String: [UInt8]] = [:]
    ) async throws -> Peer {
        try await start(.openssl) { folder, port in
            try write(certificates, to: folder)
            for (name, bytes) in files { try Data(bytes).write(to: folder.appendingPathComponent(name)) }
            let chain = certificates.chain.count > 1 ? ["-cert_chain", "others.pem"] : []
            return ["s_server", "-accept", "127.0.0.1:\(port)", "-cert", "leaf.pem", "-key", "key.pem", "-www"] + chain
                + more
        }
    }

    /// Starts mitmproxy in front of a server, with its own CA.
    static func interceptor(before port: Int) async throws -> (peer: Peer, authority: TestAuthority) {
        try await mitmproxy("reverse:https://127.0.0.1:\(port)") { _ in
            ["--ssl-insecure", "--set", "keep_host_header=true"]
        }
    }

    /// Starts mitmproxy as a proxy with the login `user:secret`. It connects to the port instead of the server that a
    /// client names.
    /// - Parameters:
    ///   - mode: `regular`, for TLS to the proxy as well, or `socks5`.
    ///   - intercepts: whether the proxy replaces the server's certificates. Otherwise, it forwards TLS unchanged.
    static func proxy(
        _ mode: String, to port: Int, intercepts: Bool
    ) async throws -> (peer: Peer, authority: TestAuthority) {
        try await mitmproxy(mode) { folder in
            let script = folder.appendingPathComponent("redirect.py")
            try Data("def server_connect(data):\n    data.server.address = ('127.0.0.1', \(port))\n".utf8)
                .write(to: script)
            return ["--proxyauth", "user:secret", "--scripts", script.path]
                + (intercepts ? ["--ssl-insecure"] : ["--ignore-hosts", "."])
        }
    }

    private static func mitmproxy(
        _ mode: String, _ options: (_ folder: URL) throws -> [String]
    ) async throws -> (peer: Peer, authority: TestAuthority) {
        let root = try TestAuthority.root(
            .authority("Corporate Proxy").with {
                $0.notBefore = Time.now().advanced(by: -86_400)
                $0.notAfter = Time.now().advanced(by: 30 * 86_400)
            })
        let peer = try await start(.mitmdump) { folder, port in
            let confdir = folder.appendingPathComponent("conf")
            try FileManager.default.createDirectory(at: confdir, withIntermediateDirectories: true)
            try Data(
                (try root.key.pemRepresentation() + "\n" + PEM.encode(root.certificate.der, label: "CERTIFICATE")).utf8
            ).write(to: confdir.appendingPathComponent("mitmproxy-ca.pem"))
            return [
                "--mode", mode, "--listen-host", "127.0.0.1", "--listen-port", "\(port)",
                "--set", "confdir=\(confdir.path)",
            ] + (try options(folder))
        }
        return (peer, root)
    }
}
