// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PeerScripts
import ServerTrust
import Testing

@testable import ServerTrustLab
@testable import ServerTrustURLSession

@Suite("Task errors", .timeLimit(.minutes(10)))
struct ErrorTests {
    private func session(_ lab: SessionLab, through proxy: String) throws -> URLSession {
        URLSession(
            configuration: URLSessionConfiguration.ephemeral.withServerTrust(
                try lab.trust, connectingTo: lab.addresses, environment: ["https_proxy": proxy]))
    }

    @Test(
        "The error names a proxy that fails before its tunnel is open, and the error code says whether credentials would help",
        arguments: ProxyFault.allCases)
    func proxy(fault: ProxyFault) async throws {
        let proxy = try await LabProxy.start(fault: fault)
        try await SessionLab.with { lab in
            // Nothing listens on port 1.
            let port = fault.refusesConnections ? 1 : proxy.port
            let address = fault.isSOCKS ? "socks5://127.0.0.1:\(port)" : "http://someone:secret@127.0.0.1:\(port)"
            let session = try session(lab, through: address)
            let error = try #require(await session.failure(lab.url))
            let expected: URLError.Code =
                fault.isAboutAuthorization ? .userAuthenticationRequired : .cannotConnectToHost
            #expect(error.code == expected, "\(error)")
            #expect(error.localizedDescription.contains("proxy"), "\(error)")
            #expect(!"\(error)".contains("secret") && !"\(error as NSError)".contains("secret"))
            #expect(lab.server.counts.connections == 0)
        }
        await proxy.stop()
    }

    static let breaks = ["\r\n", "\n", "\r", "\u{0}"]

    @Test("The session doesn't connect if a method or field contains a line break or zero byte", arguments: breaks)
    func injection(text: String) async throws {
        try await SessionLab.with { lab in
            let changes: [(inout URLRequest) -> Void] = [
                { $0.httpMethod = "GET\(text)x: y" }, { $0.setValue("z", forHTTPHeaderField: "x\(text)y") },
                { $0.setValue("z", forHTTPHeaderField: "\u{e4}") },
            ]
            for usesHTTP2 in [false, true] {
                let session = try lab.session(usesHTTP2: usesHTTP2)
                for (index, change) in changes.enumerated() {
                    var request = URLRequest(url: lab.url)
                    change(&request)
                    let error = await session.failure(request)
                    #expect(
                        error?.code == .badURL,
                        "change \(index) over HTTP/\(usesHTTP2 ? 2 : 1): \(String(describing: error))")
                }
            }
            #expect(lab.server.counts.connections == 0)
            // Foundation drops a field whose value contains a line break.
            var request = URLRequest(url: lab.url)
            request.setValue("secret\(text)y: z", forHTTPHeaderField: "x")
            let error = try await lab.session().failure(request)
            #expect((error?.code == .badURL) == (request.value(forHTTPHeaderField: "x") != nil))
            #expect(error?.localizedDescription.contains("secret") != true)
        }
    }

    @Test(
        "An error doesn't show the user name or password in its URL",
        arguments: ["someone:secret@", "someone@", ":secret@", "someone:secret%2Fword@"])
    func passwords(user: String) async throws {
        try await SessionLab.with(.untrustedRoot) { lab in
            let url = try #require(URL(string: "https://\(user)\(lab.server.host):\(lab.server.port)/path?a=b"))
            let plain = try #require(URL(string: "http://\(user)\(lab.server.host):\(lab.server.port)/path?a=b"))
            let session = try lab.session()
            for (url, scheme) in [(url, "https"), (plain, "http")] {
                let error = try #require(await session.failure(url))
                for text in ["\(error)", "\(error as NSError)", error.localizedDescription, "\(error.userInfo)"] {
                    for part in ["someone", "secret", "word"] { #expect(!text.contains(part), "\(text)") }
                }
                #expect(
                    error.failingURL?.absoluteString
                        == "\(scheme)://\(lab.server.host):\(lab.server.port)/path?a=b")
            }
        }
    }
}
