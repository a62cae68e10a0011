// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import InMemoryTracing
import NIOCore
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import Testing
import Tracing

@Suite("Spans")
struct TracingTests {
    private func scene(_ tracer: InMemoryTracer?) throws -> Scene { try Scene { $0.tracing.tracer = tracer } }

    @Test("The client traces a request as a span with the caller's URL and sends the span's context to the server")
    func span() async throws {
        let tracer = InMemoryTracer()
        let scene = try scene(tracer)
        try await scene.run({ _ in [.answer(404)] }) { client, server in
            let url = scene.url(server.port, "/a%20b?c=d")
            _ = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
            let span = try #require(tracer.finishedSpans.first)
            #expect(tracer.finishedSpans.count == 1)
            #expect(span.operationName == "GET")
            #expect(span.kind == .client)
            #expect(span.status?.code == .error)
            #expect(span.attributes.get("url.full") == .string(url))
            #expect(span.attributes.get("url.scheme") == .string("https"))
            #expect(span.attributes.get("url.path") == .string("/a%20b"))
            #expect(span.attributes.get("url.query") == .string("c=d"))
            #expect(span.attributes.get("server.address") == .string(scene.certificates.host.description))
            #expect(span.attributes.get("server.port") == .int64(Int64(server.port)))
            #expect(span.attributes.get("http.request.method") == .string("GET"))
            #expect(span.attributes.get("http.status_code") == .int64(404))
            let lines = server.received.components(separatedBy: "\r\n")
            #expect(lines.contains("\(InMemoryTracer.spanIDKey): \(span.spanID)"))
            #expect(lines.contains("\(InMemoryTracer.traceIDKey): \(span.traceID)"))
        }
    }

    @Test("All hops of a redirect share one span, and each server gets its context once")
    func redirects() async throws {
        let tracer = InMemoryTracer()
        let scene = try scene(tracer)
        try await scene.run({ $0.hasPrefix("GET /next") ? [.answer(200)] : [.answer(302, ["location: /next"])] }) {
            client, server in
            let response = try await client.execute(
                HTTPClientRequest(url: scene.url(server.port)), timeout: .seconds(60))
            #expect(response.history.count == 2)
            #expect(response.history.allSatisfy { !$0.request.headers.contains(name: InMemoryTracer.traceIDKey) })
            #expect(tracer.finishedSpans.count == 1)
            #expect(server.received.components(separatedBy: InMemoryTracer.traceIDKey + ":").count == 3)
        }
    }

    @Test("A refusal ends the span, and the span doesn't contain a rejected URL")
    func refusals() async throws {
        let tracer = InMemoryTracer()
        let scene = try scene(tracer)
        try await scene.run({ _ in [.answer(200)] }) { client, server in
            let refusal = await failure {
                try await client.execute(
                    HTTPClientRequest(url: "https://\(Scene.elsewhere):\(server.port)/"), timeout: .seconds(60))
            }
            #expect(refusal is TrustRefusal)
            let password = await failure {
                try await client.execute(
                    HTTPClientRequest(url: "https://me:secret@api.lab.test/"), timeout: .seconds(60))
            }
            #expect((password as? TrustedHTTPError)?.code == .requestUserInURL)
            let spans = tracer.finishedSpans
            #expect(spans.count == 2)
            #expect(spans.first?.errors.first?.error is TrustRefusal)
            #expect(spans.last?.attributes.get("url.full") == nil)
            #expect(server.received.isEmpty)
        }
    }

    @Test("Without a tracer, the client sends no context, even if the task has one")
    func untraced() async throws {
        let tracer = InMemoryTracer()
        let scene = try scene(nil)
        try await scene.run({ _ in [.answer(200)] }) { client, server in
            try await tracer.withSpan("outer") { _ in
                _ = try await client.execute(HTTPClientRequest(url: scene.url(server.port)), timeout: .seconds(60))
            }
            #expect(!server.received.contains(InMemoryTracer.traceIDKey))
        }
    }

    @Test("The client keeps the tracing settings of an HTTPClient's configuration")
    func conversion() throws {
        var configuration = HTTPClient.Configuration()
        configuration.tracing.tracer = InMemoryTracer()
        let converted = try TrustedHTTPConfiguration(configuration, redirects: .follow)
        #expect(converted.tracing.tracer is InMemoryTracer)
        #expect(!converted.droppedSettings.contains { $0.name == "tracing" })
        configuration.tracing.tracer = nil
        #expect(try TrustedHTTPConfiguration(configuration, redirects: .follow).tracing.tracer == nil)
    }
}
