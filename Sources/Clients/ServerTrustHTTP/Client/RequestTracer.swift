// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import Logging
import NIOHTTP1
import ServerTrust
import Tracing

/// The spans of a client's requests, as async-http-client creates them, with the caller's URL.
///
/// A class, because each request reads it, and copying an empty optional structure with a protocol type takes 1 µs.
final class RequestTracer: Sendable {
    private let tracer: any Tracer

    /// - Returns: nil if there is no tracer, or if the tracer does nothing, because calling it would cost time anyway.
    init?(_ configuration: HTTPClient.TracingConfiguration) {
        guard let tracer = configuration.tracer, !(tracer is NoOpTracer) else { return nil }
        self.tracer = tracer
    }

    /// Adds the header fields of the task's context, such as `traceparent`.
    func injectContext(into headers: inout HTTPHeaders) {
        guard let context = ServiceContext.current else { return }
        tracer.inject(context, into: &headers, using: HeaderInjector())
    }

    /// Runs one request, including its redirects, in a separate span.
    func withSpan(
        for request: HTTPClientRequest, _ body: () async throws -> TrustedHTTPResponse
    ) async throws -> TrustedHTTPResponse {
        try await tracer.withSpan(request.method.rawValue, ofKind: .client) { span in
            Self.describe(request, in: span)
            let answer = try await body()
            let status = answer.response.status.code
            if status >= 400 { span.setStatus(SpanStatus(code: .error)) }
            span.attributes["http.status_code"] = SpanAttribute.int64(Int64(status))
            return answer
        }
    }

    /// Sets the same attributes as async-http-client, with the same names. A rejected URL is left out because it may
    /// contain a password.
    private static func describe(_ request: HTTPClientRequest, in span: any Span) {
        span.attributes["http.request.method"] = request.method.rawValue
        guard let target = try? RequestTarget(request.url) else { return }
        span.attributes["url.scheme"] = target.origin.isSecure ? "https" : "http"
        span.attributes["server.address"] = target.origin.host.description
        span.attributes["server.port"] = target.origin.port
        span.attributes["url.full"] = request.url
        let parts = target.resource.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        span.attributes["url.path"] = String(parts[0])
        if parts.count == 2 { span.attributes["url.query"] = String(parts[1]) }
    }
}

/// Writes the context's fields into a request's head. The client checks them together with the request's other fields.
private struct HeaderInjector: Injector {
    func inject(_ value: String, forKey key: String, into headers: inout HTTPHeaders) {
        // NIO's field names are ASCII.
        guard key.utf8.allSatisfy({ $0 < 0x80 }) else { return }
        headers.add(name: key, value: value)
    }
}

extension TrustedHTTPClient {
    /// Sends a request and follows redirects, in a span if the client has a tracer.
    /// - Parameter isBodyReplayable: whether a streaming body starts again each time it is read.
    @inline(__always)
    func traced(
        _ request: HTTPClientRequest, _ limits: ResponseLimits, _ logger: Logger?, isBodyReplayable: Bool = false
    ) async throws -> TrustedHTTPResponse {
        guard let tracer else {
            return try await follow(request, limits, logger, isBodyReplayable: isBodyReplayable)
        }
        return try await tracer.withSpan(for: request) {
            try await follow(request, limits, logger, isBodyReplayable: isBodyReplayable)
        }
    }
}

#endif
