// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import ServerTrustURLSession
import Testing

@Suite("Bodies with a content coding", .enabled(if: EchoServer.isAvailable))
struct CodingTests {
    private let server: EchoServer
    private static let text = String(repeating: "unpacked", count: 1000)

    init() throws { server = try EchoServer.shared.get() }

    @Test(
        "The session decodes a body in every form that servers send",
        arguments: ["as=gzip&coding=gzip", "as=zlib&coding=deflate", "as=bare&coding=deflate", "as=gzip&coding=x-gzip"])
    func decoded(query: String) async throws {
        #expect(try await server.session().text(server.url("/coded?\(query)")) == (200, Self.text))
    }

    @Test("A response without a body is complete, whatever its coding", arguments: ["gzip", "deflate"])
    func empty(coding: String) async throws {
        let session = try server.session()
        for status in [200, 204, 304, 404] {
            let found = try await session.text(server.url("/coded?coding=\(coding)&status=\(status)"))
            #expect(found == (status, ""))
        }
        var request = URLRequest(url: server.url("/coded?as=gzip&coding=\(coding)"))
        request.httpMethod = "HEAD"
        #expect(try await session.text(request) == (200, ""))
        // The connection still works.
        #expect(try await session.text(server.url("/coded?as=gzip&coding=gzip")).text == Self.text)
    }

    @Test(
        "A body that is truncated, damaged or followed by other bytes fails",
        arguments: [
            "as=gzip&coding=gzip&cut=1", "as=gzip&coding=gzip&cut=9", "as=zlib&coding=deflate&cut=1",
            "as=bare&coding=deflate&cut=2", "as=gzip&coding=gzip&extra=more", "as=zlib&coding=deflate&extra=more",
            "coding=gzip&extra=plain", "coding=gzip&extra=p",
        ])
    func failures(query: String) async throws {
        #expect(await (try server.session()).failure(server.url("/coded?\(query)"))?.code == .cannotDecodeContentData)
    }
}
