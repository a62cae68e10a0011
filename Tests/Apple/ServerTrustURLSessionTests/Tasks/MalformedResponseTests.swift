// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import ServerTrust
import Testing

@testable import ServerTrustURLSession

/// Some of these responses would end the process in a library below the session.
@Suite("Malformed responses to a session", .enabled(if: EchoServer.isAvailable), .timeLimit(.minutes(10)))
struct MalformedResponseTests {
    private func url(_ text: String, _ server: EchoServer) throws -> URL {
        var components = try #require(URLComponents(url: server.url("/raw"), resolvingAgainstBaseURL: false))
        // The server reads a plus sign as a space.
        components.percentEncodedQuery =
            "text=" + (text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
        return try #require(components.url)
    }

    static let statuses = [
        "HTTP/1.1 000 Zero\r\ncontent-length: 0\r\n\r\n", "HTTP/1.1 000 Zero\r\ncontent-length: 5\r\n\r\nhello",
        "HTTP/1.1 042 Early\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "HTTP/1.1 099 Last\r\ncontent-length: 5\r\n\r\nhello", "HTTP/1.1 600 Late\r\ncontent-length: 0\r\n\r\n",
        "HTTP/1.1 101 Other\r\nconnection: upgrade\r\nupgrade: other\r\n\r\nother bytes",
    ]

    @Test("A status outside 100 to 599 is a bad server response, and the next task works", arguments: statuses)
    func status(response: String) async throws {
        let server = try EchoServer.shared.get()
        let session = try server.session()
        let error = await session.failure(try url(response, server))
        #expect(error?.code == .badServerResponse, "\(String(describing: error))")
        #expect(try await session.text(server.url("/next")).status == 200)
    }

    static let fields = [
        "content-type: text/html; charset=\"", "content-type: ;", "content-type: =", "content-type: text/html;=;==",
        "content-disposition: attachment; filename=\"", "content-disposition: attachment; filename=",
        "content-disposition: ;filename*=\"", "content-type: \u{80}\u{ff}/\u{ff}; charset=\u{ff}",
        "location: \u{80}", "set-cookie: ;=;=\"", "content-encoding: \u{ff}", "x: \u{1}\u{2}", "last-modified: \u{ff}",
    ]

    @Test("Any field of a response arrives or is an error, and the next task works", arguments: fields)
    func field(line: String) async throws {
        let server = try EchoServer.shared.get()
        let session = try server.session()
        let response = "HTTP/1.1 200 OK\r\n\(line)\r\ncontent-length: 5\r\n\r\nhello"
        let outcome = try? await session.text(try url(response, server))
        #expect(outcome == nil || outcome?.status == 200)
        #expect(try await session.text(server.url("/next")).status == 200)
    }

    @Test("An upload's progress stays unknown if the response has the largest possible length")
    func largestLength() async throws {
        let server = try EchoServer.shared.get()
        let session = try server.session()
        let response = "HTTP/1.1 200 OK\r\ncontent-length: 9223372036854775807\r\n\r\nhello"
        var request = URLRequest(url: try url(response, server))
        request.httpMethod = "POST"
        request.httpBody = Data("body".utf8)
        request.timeoutInterval = 1
        #expect(await session.failure(request) != nil)
        #expect(try await session.text(server.url("/next")).status == 200)
    }
}
