// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Other programs use the chains from `servertrust ca`: nginx serves them, Python's cryptography verifies them, and
/// openssl queries the OCSP responder.
@Suite struct CAPeerLiveTests {
    static let nginx = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    static let hasCurl = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")
    /// cryptography has supported X.509 verification since version 42.
    static let hasCryptography =
        (try? Process.run("/usr/bin/env", ["python3", "-c", "import cryptography.x509.verification"]))?.status == 0

    @Test(
        "nginx serves issued chains, and curl accepts them", .enabled(if: nginx != nil && hasCurl),
        arguments: ["p256", "rsa2048"])
    func nginxServesThem(_ key: String) throws {
        let nginx = try #require(Self.nginx)
        try CAFolder.with { folder in
            try folder.run("init", ["--permit", "example.com"])
            let issued = try folder.issue(["api.example.com", "*.dev.example.com", "--key", key])
            let server = try Nginx(nginx, chain: issued.chain, key: try #require(issued.key), in: folder)
            defer { server.stop() }
            for (host, status) in [("api.example.com", 0), ("a.dev.example.com", 0), ("www.example.com", 60)] {
                let outcome = try server.curl(host, root: folder.path("root.pem"))
                #expect(outcome.status == Int32(status), "\(host): \(outcome.text)")
                #expect(status != 0 || outcome.text == "served")
            }
            let outcome = try Process.run(
                "/bin/sh",
                [
                    "-c",
                    "exec openssl s_client -connect 127.0.0.1:\(server.port) -servername api.example.com"
                        + " -verify_hostname api.example.com -verify_return_error -no-CApath -no-CAstore"
                        + " -CAfile '\(folder.path("root.pem"))' </dev/null",
                ])
            #expect(outcome.status == 0, "\(outcome.text)")
            let unrelated = try CAFolder()
            defer { unrelated.remove() }
            try unrelated.run("init")
            #expect(try server.curl("api.example.com", root: unrelated.path("root.pem")).status == 60)
        }
    }

    @Test("Python's cryptography verifies issued chains", .enabled(if: hasCryptography)) func pythonVerifiesThem()
        throws
    {
        try CAFolder.with { folder in
            try folder.run("init", ["--permit", "example.com", "--permit", "192.0.2.0/24"])
            let name = try folder.issue(["api.example.com"])
            let address = try folder.issue(["192.0.2.7"])
            // The root has no constraints, because cryptography 44 would then reject wildcards as malformed.
            let free = try CAFolder()
            defer { free.remove() }
            try free.run("init")
            let wildcard = try free.issue(["*.dev.example.com"])
            let (root, freeRoot) = (folder.path("root.pem"), free.path("root.pem"))
            let rows: [(root: String, chain: String, name: String, accepts: Bool)] = [
                (root, name.chain, "api.example.com", true), (root, name.chain, "www.example.com", false),
                (root, address.chain, "192.0.2.7", true), (root, address.chain, "192.0.2.8", false),
                (root, address.chain, "api.example.com", false), (freeRoot, name.chain, "api.example.com", false),
                (freeRoot, wildcard.chain, "a.dev.example.com", true),
                (freeRoot, wildcard.chain, "dev.example.com", false),
            ]
            for row in rows {
                let outcome = try python(root: row.root, row.chain, row.name)
                #expect(outcome.text == (row.accepts ? "accepted\n" : "refused\n"), "\(row.name)")
            }
        }
    }

    private func python(root: String, _ chain: String, _ name: String) throws -> (status: Int32, text: String) {
        let program = """
            import ipaddress, sys
            from cryptography import x509
            from cryptography.x509 import verification as v
            root, chain, name = sys.argv[1:]
            store = v.Store(x509.load_pem_x509_certificates(open(root, "rb").read()))
            certificates = x509.load_pem_x509_certificates(open(chain, "rb").read())
            try:
                subject = x509.IPAddress(ipaddress.ip_address(name))
            except ValueError:
                subject = x509.DNSName(name)
            try:
                v.PolicyBuilder().store(store).build_server_verifier(subject).verify(certificates[0], certificates[1:])
                print("accepted")
            except v.VerificationError:
                print("refused")
            """
        return try Process.run("/usr/bin/env", ["python3", "-c", program, root, chain, name])
    }

    @Test("The OCSP responder answers good, revoked and unknown") func theResponderKnowsWhatIsGoodRevokedAndUnknown()
        throws
    {
        try CAFolder.with { folder in
            try folder.run("init")
            let good = try folder.issue(["good.test"])
            let revoked = try folder.issue(["revoked.test"])
            let replaced = try folder.issue(["replaced.test"])
            try folder.run("revoke", [revoked.serial, "--reason", "keyCompromise"])
            try folder.issue(["replaced.test", "--force"])
            try TemporaryFolder.with { temporary in
                let tool = try RunningTool(
                    ["ca", "ocsp", "serve", "--port", "0", "--folder", folder.path, "--format", "json"], in: temporary
                ) { $0.hasSuffix("]\n") }
                let answer = try #require(try JSONDecoder().decode([Responder].self, from: Data(tool.text.utf8)).first)
                func ask(_ serial: String) throws -> String {
                    let outcome = try Openssl.run([
                        "ocsp", "-issuer", folder.path("root.pem"), "-CAfile", folder.path("root.pem"), "-serial",
                        "0x" + serial, "-url", answer.url, "-no-CApath", "-no-CAstore",
                    ])
                    #expect(outcome.text.contains("Response verify OK"), "\(outcome.text)")
                    return outcome.text
                }
                #expect(try ask(good.serial).contains(": good"))
                #expect(try ask(replaced.serial).contains(": good"))
                #expect(try ask(revoked.serial).contains("keyCompromise"))
                #expect(try ask("4100000000000000000000000000000a").contains(": unknown"))
                // A revocation takes effect immediately.
                try folder.run("revoke", [good.serial])
                #expect(try ask(good.serial).contains(": revoked"))
                // The responder doesn't answer for a root that was replaced.
                try folder.run("init", ["--force"])
                let outcome = try Openssl.run([
                    "ocsp", "-issuer", folder.path("root.pem"), "-serial", "0x" + good.serial, "-url", answer.url,
                ])
                #expect(outcome.text.contains("unauthorized"))
                #expect(tool.stop() == 0)
            }
        }
    }

    private struct Responder: Decodable { var url: String }

    static let wrong: [[String]] = [["--port", "65536"], ["--port", "x"]]

    @Test("A port that is out of range causes a usage error", arguments: wrong) func wrongPortsAreWrongUsage(
        _ arguments: [String]
    )
        throws
    {
        #expect(try Tool.run(["ca", "ocsp", "serve"] + arguments).status == 64)
    }

    @Test("A folder without a CA has no responder") func withoutACAThereIsNoResponder() throws {
        let outcome = try Tool.run(["ca", "ocsp", "serve", "--port", "0", "--folder", "/nonexistent/ca"])
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
    }
}

/// nginx with one server, in the foreground, in its own folder.
private struct Nginx {
    let port: Int
    private let process: Process

    /// Tries ports until it finds a free one.
    init(_ program: String, chain: String, key: String, in folder: CAFolder) throws {
        for _ in 0..<20 {
            let port = Int.random(in: 10_000...29_999)
            let configuration = """
                daemon off; master_process off; pid \(folder.path)/nginx.pid; error_log \(folder.path)/nginx.log;
                events { worker_connections 32; }
                http {
                    access_log off;
                    client_body_temp_path \(folder.path)/t1; proxy_temp_path \(folder.path)/t2;
                    fastcgi_temp_path \(folder.path)/t3; uwsgi_temp_path \(folder.path)/t4; scgi_temp_path \(folder.path)/t5;
                    server {
                        listen 127.0.0.1:\(port) ssl;
                        ssl_certificate \(chain); ssl_certificate_key \(key);
                        location / { return 200 "served"; }
                    }
                }
                """
            try Data(configuration.utf8).write(to: URL(fileURLWithPath: folder.path("nginx.conf")))
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = ["-p", folder.path, "-c", folder.path("nginx.conf"), "-e", folder.path("nginx.log")]
            process.standardInput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            // nginx opens its port before it writes its process ID to the file.
            let deadline = Date(timeIntervalSinceNow: 20)
            while process.isRunning, Date() < deadline {
                if FileManager.default.fileExists(atPath: folder.path("nginx.pid")) {
                    self.port = port
                    self.process = process
                    return
                }
                usleep(10_000)
            }
            Self.end(process)
        }
        throw CancellationError()
    }

    func curl(_ host: String, root: String) throws -> (status: Int32, text: String) {
        try Process.run(
            "/usr/bin/curl",
            [
                "--silent", "--max-time", "20", "--noproxy", "*", "--cacert", root, "--capath", "/nonexistent",
                "--resolve", "\(host):\(port):127.0.0.1", "https://\(host):\(port)/",
            ])
    }

    func stop() { Self.end(process) }

    /// Ends a process. SIGTERM might wait forever: a child process inherits the starting thread's blocked signals, and
    /// Dispatch's threads block SIGTERM.
    private static func end(_ process: Process) {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }
}
