import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

/// `servertrust verify --fetch` and `servertrust cache` against a web server on loopback.
@Suite(.enabled(if: WebServer.program != nil)) struct FetchTests {
    private struct Listed: Decodable {
        let schemaVersion: Int
        let kind: String
        let url: String
        let bytes: Int
    }

    private struct Removed: Decodable {
        let removed: Int
    }

    @Test func whatTheServerForgotIsFetchedToldKeptListedAndForgotten() throws {
        try TemporaryFolder.with { folder in
            let server = try WebServer(folder.url)
            defer { server.stop() }
            let root = try TestAuthority.root()
            let intermediate = try root.intermediate()
            let leaf = try intermediate.issue(.leaf(Lab.host).with { $0.caIssuers = ["\(server.url)/ca.cer"] })
                .certificate
            try folder.write("ca.cer", Data(intermediate.certificate.der))
            let arguments = [
                "verify", try folder.write("leaf.pem", pem(leaf)).path, "--host", Lab.host, "--anchors",
                try folder.write("root.pem", pem(root.certificate)).path, "--time", Lab.time,
            ]
            #expect(try Tool.run(arguments).status == 1)
            let cache = folder.url.appendingPathComponent("cache.sqlite").path
            let fetching = arguments + ["--fetch", "--cache", cache]
            // Loopback has to be allowed.
            #expect(try Tool.run(fetching).status == 1)
            let first = try Tool.run(fetching + ["--fetch-from", "127.0.0.1"])
            #expect(first.status == 0)
            #expect(first.text.contains("issuer \(server.url)/ca.cer: network"))
            server.stop()
            let second = try Tool.run(fetching + ["--format", "json"])
            #expect(try second.json([TrustVerdict].self).first?.fetched.map(\.source) == [.cache])

            let listed = try Tool.run(["cache", "list", "--cache", cache, "--format", "json"]).json([Listed].self)
            #expect(listed.map(\.url) == ["\(server.url)/ca.cer"])
            #expect(listed.map(\.kind) == ["issuer"] && listed.map(\.schemaVersion) == [1])
            #expect(listed.map(\.bytes) == [intermediate.certificate.der.count])
            #expect(try Tool.run(["cache", "list", "--cache", cache]).lines.count == 2)
            let cleared = try Tool.run(["cache", "clear", "--cache", cache, "--format", "json"])
            #expect(try cleared.json([Removed].self).map(\.removed) == [1])
            #expect(try Tool.run(["cache", "list", "--cache", cache]).lines.count == 1)
            #expect(try Tool.run(fetching).status == 1)
        }
    }

    @Test func aCacheThatIsNamedHasToBeThere() throws {
        for verb in ["list", "clear"] {
            let outcome = try Tool.run(["cache", verb, "--cache", "/nonexistent/cache.sqlite"])
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("/nonexistent/cache.sqlite"))
        }
        try TemporaryFolder.with { folder in
            let leaf = try folder.write("leaf.pem", pem(try Lab.shared().leaf)).path
            let outcome = try Tool.run(["verify", leaf, "--anchors", leaf, "--fetch", "--cache", "/nonexistent/c"])
            #expect(outcome.status == 2)
            #expect(outcome.output.isEmpty)
        }
    }
}

/// `python3 -m http.server` on a port of its own.
private final class WebServer {
    static let program: URL? = ["/usr/bin/python3", "/usr/local/bin/python3"].map { URL(fileURLWithPath: $0) }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }

    let url: String
    private let process = Process()

    init(_ folder: URL) throws {
        process.executableURL = Self.program
        process.arguments = ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder.path]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // `Serving HTTP on 127.0.0.1 port 40781 (http://127.0.0.1:40781/) ...`
        let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let words = text.split(separator: " ")
        let port = words.firstIndex(of: "port").map { words[$0 + 1] } ?? "0"
        self.url = "http://127.0.0.1:\(port)"
    }

    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }
}
