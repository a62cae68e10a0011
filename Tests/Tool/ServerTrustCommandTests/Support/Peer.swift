// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrustTesting
import Testing

/// A certificate and its key in files.
struct PeerIdentity {
    let certificate: URL
    let key: URL
    /// One key for all tests, without openssl's progress output before it. openssl needs a fifth of a second for each
    /// key.
    private static let rsaKey = Result {
        String(try Openssl.run(["genpkey", "-algorithm", "RSA"]).text.drop { $0 != "-" })
    }

    init(_ identity: TestIdentity, in folder: TemporaryFolder) throws {
        certificate = try folder.write("leaf.pem", Data(identity.certificatePEM.utf8))
        key = try folder.write("key.pem", Data(identity.key.pemRepresentation().utf8))
    }

    /// Creates a certificate that is its own anchor, with openssl.
    /// - Parameter kind: `rsa`, `rsa-pss`, `p256`, `p384`, `p521`, `ed25519` or `brainpool`.
    init(_ kind: String, in folder: TemporaryFolder) throws {
        certificate = folder.url.appendingPathComponent("leaf.pem")
        key = folder.url.appendingPathComponent("key.pem")
        var algorithm: [String] =
            switch kind {
            case "rsa": ["-key", key.path]
            case "rsa-pss": ["-newkey", "rsa-pss", "-pkeyopt", "rsa_keygen_bits:2048", "-sigopt", "rsa_pss_saltlen:32"]
            case "p256": ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
            case "p384": ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384"]
            case "p521": ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-521"]
            case "brainpool": ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:brainpoolP256r1"]
            default: ["-newkey", kind]
            }
        if kind == "rsa" {
            try Data(Self.rsaKey.get().utf8).write(to: key)
        } else {
            algorithm += ["-keyout", key.path]
        }
        try Openssl.expectSuccess(
            ["req", "-x509"] + algorithm + [
                "-nodes", "-days", "30", "-subj", "/CN=api.lab.test", "-addext", "subjectAltName=DNS:api.lab.test",
                "-out", certificate.path,
            ])
    }
}

/// Another library's TLS server on loopback.
enum Peer: String, Sendable {
    case openssl = "/usr/bin/openssl"
    case gnutls = "/usr/bin/gnutls-serv"
    case nginx = "/usr/sbin/nginx"
    case python = "/usr/bin/python3"

    var name: String { rawValue.split(separator: "/").last.map(String.init) ?? rawValue }

    var isThere: Bool { FileManager.default.isExecutableFile(atPath: rawValue) }

    /// Starts the server and waits until it accepts connections.
    /// - Parameter options: openssl options, a priority string for GnuTLS, or the protocols and more lines for nginx.
    /// - Returns: the process and its port.
    func start(
        _ identity: PeerIdentity, _ options: [String], in folder: TemporaryFolder
    ) throws -> (RunningTool, Int) {
        let program = URL(fileURLWithPath: rawValue)
        let files = (identity.certificate.path, identity.key.path)
        switch self {
        case .openssl:
            let arguments = ["s_server", "-accept", "127.0.0.1:0", "-www", "-cert", files.0, "-key", files.1] + options
            let server = try RunningTool(arguments, in: folder, program: program) { Self.port(in: $0) != nil }
            return (server, try #require(Self.port(in: server.text), "\(server.errors)"))
        case .python:
            let server = try RunningTool(
                ["-c", Self.pythonServer, files.0, files.1], in: folder, program: program
            ) { Self.port(in: $0) != nil }
            return (server, try #require(Self.port(in: server.text), "\(server.errors)"))
        case .gnutls:
            let port = Self.freePort()
            let server = try RunningTool(
                ["--http", "--port", "\(port)", "--x509certfile", files.0, "--x509keyfile", files.1]
                    + options.flatMap { ["--priority", $0] },
                in: folder, program: program
            ) { _ in Self.accepts(port) }
            return (server, port)
        case .nginx:
            let port = Self.freePort()
            let configuration = try folder.write(
                "nginx.conf", Data(Self.nginxConfiguration(port, files, options, folder.url.path).utf8))
            let server = try RunningTool(
                ["-p", folder.url.path, "-c", configuration.path, "-e", "stderr"], in: folder, program: program
            ) { _ in Self.accepts(port) }
            return (server, port)
        }
    }

    private static func port(in text: String) -> Int? {
        text.split(separator: "\n").first { $0.hasPrefix("ACCEPT 127.0.0.1:") }
            .flatMap { Int($0.dropFirst("ACCEPT 127.0.0.1:".count)) }
    }

    /// Returns a port that was unused a moment ago, and that the system doesn't assign to a process that requests any
    /// free port.
    private static func freePort() -> Int {
        while true {
            let port = Int.random(in: 30_000..<32_768)
            let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(socket) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            address.sin_port = in_port_t(port).bigEndian
            let isFree = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isFree { return port }
        }
    }

    private static func accepts(_ port: Int) -> Bool {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func nginxConfiguration(
        _ port: Int, _ files: (String, String), _ options: [String], _ folder: String
    ) -> String {
        """
        daemon off; master_process off; pid \(folder)/nginx.pid;
        events {}
        http {
            access_log off; client_body_temp_path \(folder)/a; proxy_temp_path \(folder)/b;
            fastcgi_temp_path \(folder)/c; uwsgi_temp_path \(folder)/d; scgi_temp_path \(folder)/e;
            server {
                listen 127.0.0.1:\(port) ssl; ssl_protocols \(options[0]);
                ssl_certificate \(files.0); ssl_certificate_key \(files.1);
                \(options.dropFirst().joined(separator: " "))
            }
        }
        """
    }

    private static let pythonServer = """
        import socket, ssl, sys
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        listener = socket.create_server(("127.0.0.1", 0))
        print("ACCEPT 127.0.0.1:%d" % listener.getsockname()[1], flush=True)
        while True:
            connection, _ = listener.accept()
            try:
                context.wrap_socket(connection, server_side=True).close()
            except (OSError, ssl.SSLError):
                connection.close()
        """
}
