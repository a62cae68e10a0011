// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A folder with the programs that serve from it, all removed at the test's end.
final class Servers {
    static let nginx = find("nginx")
    static let openssl = find("openssl")
    static var areMissing: Bool { nginx == nil || openssl == nil }

    let folder: URL
    private var processes: [Process] = []

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("servertrust-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit {
        // Waiting for them to end would block a thread that the other tests need.
        for process in processes { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    private static func find(_ program: String) -> URL? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (path.split(separator: ":").map(String.init) + ["/usr/sbin"])
            .map { URL(fileURLWithPath: $0).appendingPathComponent(program) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    struct Failure: Error, CustomStringConvertible { let description: String }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: folder.appendingPathComponent(name))
    }

    func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

    /// Starts nginx, which serves the folder: `/NAME` and, for OCSP GETs, `/NAME/…`; `/slow/NAME` one byte at a time;
    /// `/moved/NAME` with a redirect.
    ///
    /// - Parameter identity: The names of files in the folder with a chain and its key to serve over TLS, or nil for no
    ///   TLS.
    /// - Returns: `http://127.0.0.1:PORT`, or `https:`
    func startNginx(presenting identity: (chain: String, key: String)? = nil) async throws -> String {
        guard let program = Self.nginx else { throw Failure(description: "no nginx") }
        // Another process may take the port before nginx does. nginx then reports an error, and this tries another
        // port.
        for _ in 0..<5 {
            let port = try Self.freePort()
            let tls =
                identity.map {
                    "ssl; ssl_certificate \(folder.path)/\($0.chain); ssl_certificate_key \(folder.path)/\($0.key);"
                } ?? ";"
            let configuration = """
                daemon off; master_process off; pid \(folder.path)/pid; error_log \(folder.path)/nginx.log;
                events { worker_connections 64; }
                http {
                    access_log off; root \(folder.path); default_type application/octet-stream;
                    client_body_temp_path \(folder.path)/t1; proxy_temp_path \(folder.path)/t2;
                    fastcgi_temp_path \(folder.path)/t3; uwsgi_temp_path \(folder.path)/t4; scgi_temp_path \(folder.path)/t5;
                    server {
                        listen 127.0.0.1:\(port) \(tls)
                        location /slow/ { limit_rate 1; rewrite ^/slow/([^/]+) /$1 break; }
                        location /moved/ { rewrite ^/moved/(.*) /$1 redirect; }
                        location / { rewrite ^/([^/]+) /$1 break; }
                    }
                }
                """
            try write("nginx.conf", configuration)
            let process = Process()
            process.executableURL = program
            process.arguments = ["-p", folder.path, "-c", folder.appendingPathComponent("nginx.conf").path]
            process.standardError = FileHandle.nullDevice
            try process.run()
            for _ in 0..<500 where process.isRunning {
                if Self.answers(port) {
                    processes.append(process)
                    return "\(identity == nil ? "http" : "https")://127.0.0.1:\(port)"
                }
                try await Task.sleep(for: .milliseconds(10))
            }
            process.terminate()
        }
        throw Failure(description: "nginx did not start")
    }

    /// Starts `openssl ocsp` as a responder for `ca.pem` and `ca.key` with the serial numbers of `index.txt`.
    /// - Returns: `http://127.0.0.1:PORT`
    func startOpenSSL() async throws -> String {
        guard let program = Self.openssl else { throw Failure(description: "no openssl") }
        let output = folder.appendingPathComponent("ocsp.log")
        try Data().write(to: output)
        let process = Process()
        process.executableURL = program
        process.currentDirectoryURL = folder
        process.arguments = [
            "ocsp", "-index", "index.txt", "-CA", "ca.pem", "-rsigner", "ca.pem", "-rkey", "ca.key", "-port", "0",
            "-ndays", "1", "-ignore_err",
        ]
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = process.standardOutput
        try process.run()
        processes.append(process)
        for _ in 0..<500 where process.isRunning {
            // `ACCEPT [::]:40781 PID=14396`
            let text = try String(contentsOf: output, encoding: .utf8)
            if let line = text.split(separator: "\n").first(where: { $0.hasPrefix("ACCEPT ") }),
                let port = line.split(separator: " ")[1].split(separator: ":").last.flatMap({ Int($0) })
            {
                return "http://127.0.0.1:\(port)"
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Failure(description: "openssl ocsp did not start")
    }

    // MARK: - Ports

    private static func newSocket() -> Int32 {
        #if canImport(Glibc)
        socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        return address
    }

    /// Returns a port without a listener.
    static func freePort() throws -> Int {
        let descriptor = newSocket()
        defer { close(descriptor) }
        var address = address(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound else { throw Failure(description: "no free port") }
        return Int(in_port_t(bigEndian: address.sin_port))
    }

    private static func answers(_ port: Int) -> Bool {
        let descriptor = newSocket()
        defer { close(descriptor) }
        var address = address(port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
