// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustLab

@testable import ServerTrustURLSession

/// An HTTPS server on loopback that returns the request it received, and has paths for responses that the lab lacks. It
/// uses Python's server. It ends with this process, whose end it notices when its parent changes.
final class EchoServer: Sendable {
    /// One server for all tests, and another one as a redirect target. They count requests by path and query, which are
    /// different in each test.
    static let shared = Result { try EchoServer() }
    static let other = Result { try EchoServer() }

    static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

    let port: Int
    let certificates: LabCertificates
    struct Failed: Error {}

    init() throws {
        certificates = try LabScenario.good.certificates(at: .now())
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("servertrust-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let chain = certificates.chain.map { PEM.encode($0.der, label: "CERTIFICATE") }.joined()
        let identity = folder.appendingPathComponent("identity.pem")
        try (chain + certificates.key.pemRepresentation()).write(to: identity, atomically: true, encoding: .utf8)
        let script = folder.appendingPathComponent("server.py")
        try Self.script.write(to: script, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-u", script.path, identity.path]
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line = ""
        while !line.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw Failed() }
            line += String(decoding: data, as: UTF8.self)
        }
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw Failed() }
        self.port = port
    }

    func url(_ path: String, host: String = "api.lab.test") -> URL {
        URL(string: "https://\(host):\(port)\(path)") ?? URL(fileURLWithPath: "/")
    }

    func session(
        delegate: (any URLSessionDelegate)? = nil, _ set: (URLSessionConfiguration) -> Void = { _ in }
    ) throws -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        set(configuration)
        return URLSession(
            configuration: configuration.withServerTrust(
                SessionLab.configuration(certificates.manager, certificates),
                connectingTo: ["api.lab.test": "127.0.0.1"], environment: [:]),
            delegate: delegate, delegateQueue: nil)
    }

    /// Returns the body of `/chunks`, which the server sends in one-byte chunks.
    static func chunks(_ count: Int) -> Data { Data((0..<count).map { UInt8($0 % 251) }) }

    /// The request as the server received it.
    struct Echo: Decodable {
        var method: String
        var path: String
        var headers: [String: String]
        var length: Int
        var sha256: String
        var count: Int
    }

    static func echo(_ data: Data) throws -> Echo { try JSONDecoder().decode(Echo.self, from: data) }

    private static let script = #"""
        import gzip, hashlib, http.server, json, os, ssl, sys, threading, time, urllib.parse, zlib

        parent = os.getppid()
        counts = {}
        lock = threading.Lock()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *arguments):
                pass

            def body(self):
                if self.headers.get("transfer-encoding", "").lower() == "chunked":
                    data = b""
                    while True:
                        size = int(self.rfile.readline().split(b";")[0], 16)
                        chunk = self.rfile.read(size)
                        self.rfile.readline()
                        if size == 0:
                            return data
                        data += chunk
                return self.rfile.read(int(self.headers.get("content-length", 0)))

            def reply(self, status, data=b"", headers=()):
                self.send_response(status)
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)

            def handle_any(self):
                data = self.body()
                url = urllib.parse.urlsplit(self.path)
                query = dict(urllib.parse.parse_qsl(url.query))
                with lock:
                    counts[self.path] = counts.get(self.path, 0) + 1
                    count = counts[self.path]
                echo = json.dumps({
                    "method": self.command, "path": self.path, "length": len(data), "count": count,
                    "headers": {k.lower(): v for k, v in self.headers.items()},
                    "sha256": hashlib.sha256(data).hexdigest()}).encode()
                if url.path == "/redirect":
                    self.reply(int(query.get("status", 302)), b"moved", [("Location", query["to"])])
                elif url.path == "/loop":
                    self.reply(302, b"", [("Location", "/loop")])
                elif url.path == "/digest":
                    if self.headers.get("authorization"):
                        self.reply(200, echo, [("Authentication-Info", 'nextnonce="%s"' % query["next"])] if "next" in query else [])
                    else:
                        self.reply(401, b"", [("WWW-Authenticate", 'Digest realm="r", nonce="n", algorithm=SHA-256, qop="%s"' % query.get("qop", "auth"))])
                elif url.path.endswith("/cookie"):
                    self.reply(200, echo, [("Set-Cookie", c) for c in query["set"].split("|")])
                elif url.path.startswith("/cache"):
                    names = (("control", "Cache-Control"), ("etag", "ETag"), ("vary", "Vary"), ("coding", "Content-Encoding"))
                    headers = [(n, query[k]) for k, n in names if k in query]
                    if query.get("realm") and not self.headers.get("authorization"):
                        self.reply(401, b"", [("WWW-Authenticate", 'Basic realm="%s"' % query["realm"])])
                    elif self.command == "POST" and "see" in query:
                        self.reply(303, b"", [("Location", self.path)])
                    elif query.get("etag") and self.headers.get("if-none-match") == query["etag"]:
                        self.reply(304, b"", [(n, query["later"]) if n == "Cache-Control" and "later" in query else (n, v) for n, v in headers])
                    else:
                        self.reply(200, gzip.compress(echo) if "coding" in query else echo, headers)
                elif url.path == "/big":
                    self.reply(200, b"x" * int(query["size"]))
                elif url.path == "/meter":
                    size = int(query["size"])
                    self.send_response(200)
                    self.send_header("Content-Length", str(size))
                    self.end_headers()
                    try:
                        for _ in range(size >> 16):
                            self.wfile.write(b"x" * (1 << 16))
                            with lock:
                                counts[query["id"]] = counts.get(query["id"], 0) + (1 << 16)
                    finally:
                        with lock:
                            counts[query["id"] + "-ended"] = 1
                elif url.path == "/chunks":
                    self.send_response(200)
                    self.send_header("Transfer-Encoding", "chunked")
                    self.end_headers()
                    chunks = [b"1\r\n%c\r\n" % (i % 251) for i in range(int(query["count"]))]
                    self.wfile.write(b"".join(chunks) + b"0\r\n\r\n")
                elif url.path == "/metered":
                    with lock:
                        sent = counts.get(query["id"], 0)
                    self.reply(200, str(sent).encode())
                elif url.path == "/coded":
                    text = b"unpacked" * 1000
                    bits = {"gzip": 31, "zlib": 15, "bare": -15}.get(query.get("as"))
                    packer = zlib.compressobj(wbits=bits) if bits else None
                    data = packer.compress(text) + packer.flush() if packer else b""
                    data = data[:len(data) - int(query.get("cut", 0))] + query.get("extra", "").encode()
                    self.reply(int(query.get("status", 200)), data, [("Content-Encoding", query["coding"])])
                elif url.path == "/gzip":
                    self.reply(200, gzip.compress(b"unpacked" * 1000), [("Content-Encoding", "gzip")])
                elif url.path == "/silent":
                    time.sleep(float(query.get("seconds", 60)))
                    self.reply(200, echo)
                elif url.path == "/drip":
                    self.send_response(200)
                    self.send_header("Content-Length", "1000")
                    self.end_headers()
                    for _ in range(1000):
                        self.wfile.write(b"x")
                        self.wfile.flush()
                        time.sleep(float(query.get("pause", 0.1)))
                elif url.path == "/close" or (url.path == "/stale" and count == 1):
                    self.close_connection = True
                    self.connection.close()
                elif url.path == "/raw":
                    self.wfile.write(query["text"].encode("latin-1"))
                    self.close_connection = "close" in query
                elif url.path == "/garbage":
                    self.wfile.write(b"NOT HTTP AT ALL\r\n\r\n")
                    self.close_connection = True
                elif url.path == "/reset":
                    self.send_response(200)
                    self.send_header("Content-Length", "1000")
                    self.end_headers()
                    self.wfile.write(b"x" * 10)
                    self.wfile.flush()
                    self.close_connection = True
                elif url.path == "/status":
                    self.reply(int(query["code"]), b"" if query["code"] in ("204", "304") else echo)
                else:
                    self.reply(200, echo)

            do_GET = do_POST = do_PUT = do_HEAD = do_DELETE = do_PATCH = handle_any

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            def handle_error(self, *arguments):
                pass

        server = Server(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1])
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        print(server.server_port, flush=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        while os.getppid() == parent:
            time.sleep(0.2)
        os._exit(0)
        """#
}
