// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import AsyncHTTPClient
import Dispatch
import Foundation
import FoundationNetworking
import NIOCore
import NIOHTTP1
import PKIX

/// One exchange with an app's protocol class instead of the network, for example in tests.
///
/// This package runs the class itself, because Foundation would answer its 401 over libcurl, without a policy.
final class AppProtocolExchange: NSObject, URLProtocolClient, @unchecked Sendable {
    // Proof of sendability: the protocol object is only created, started and stopped on `queue`; the rest is
    // locked.

    /// The response of a protocol class.
    struct Response: Sendable {
        let head: HTTPClientResponse
        /// The response itself if it isn't an HTTP response. `head` then has the status 200.
        let other: URLResponse?
    }

    private struct State {
        var response: CheckedContinuation<Response, any Error>?
        var body: AsyncThrowingStream<ByteBuffer, any Error>.Continuation?
        var isEnded = false
    }
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "servertrust.protocol")
    private let type: URLProtocol.Type
    private var running: URLProtocol?

    init(_ type: URLProtocol.Type) { self.type = type }

    /// Starts the class with a request, and returns when it has responded. The body arrives as the class delivers
    /// it.
    /// - Throws: the error of the class, or `URLError.cancelled`.
    func run(_ request: URLRequest) async throws -> Response {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.response = continuation }
                queue.async { [self] in
                    guard !state.withLock({ $0.isEnded }) else { return }
                    let running = type.init(
                        request: type.canonicalRequest(for: request), cachedResponse: nil, client: self)
                    self.running = running
                    running.startLoading()
                }
            }
        } onCancel: {
            end(URLError(.cancelled))
        }
    }

    private func respond(_ response: URLResponse, location: URL? = nil) {
        let (body, continuation) = AsyncThrowingStream<ByteBuffer, any Error>.makeStream()
        // This also runs when nothing reads the body anymore.
        continuation.onTermination = { [weak self] _ in self?.end(nil) }
        let waiting = state.withLock { state -> CheckedContinuation<Response, any Error>? in
            guard let waiting = state.response else { return nil }
            state.response = nil
            state.body = continuation
            return waiting
        }
        let http = response as? HTTPURLResponse
        var headers = HTTPHeaders()
        for (name, value) in http?.allHeaderFields ?? [:] { headers.add(name: "\(name)", value: "\(value)") }
        if let location { headers.replaceOrAdd(name: "location", value: location.absoluteString) }
        let head = HTTPClientResponse(
            status: HTTPResponseStatus(statusCode: http?.statusCode ?? 200), headers: headers, body: .stream(body))
        waiting?.resume(returning: Response(head: head, other: http == nil ? response : nil))
    }

    private func end(_ error: (any Error)?) {
        let (waiting, body) = state.withLock { state in
            state.isEnded = true
            defer { (state.response, state.body) = (nil, nil) }
            return (state.response, state.body)
        }
        body?.finish(throwing: error)
        waiting?.resume(throwing: error ?? URLError(.badServerResponse))
        queue.async { [self] in
            running?.stopLoading()
            running = nil
        }
    }

    // MARK: - URLProtocolClient

    func urlProtocol(
        _ urlProtocol: URLProtocol, didReceive response: URLResponse,
        cacheStoragePolicy policy: URLCache.StoragePolicy
    ) { respond(response) }

    func urlProtocol(
        _ urlProtocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse
    ) {
        respond(redirectResponse, location: request.url)
        end(nil)
    }

    func urlProtocol(_ urlProtocol: URLProtocol, didLoad data: Data) {
        _ = state.withLock { $0.body }?.yield(ByteBuffer(bytes: data))
    }

    func urlProtocolDidFinishLoading(_ urlProtocol: URLProtocol) { end(nil) }

    func urlProtocol(_ urlProtocol: URLProtocol, didFailWithError error: any Error) { end(error) }

    func urlProtocol(_ urlProtocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {}

    /// Fails with an error if a class asks for credentials: a challenge is about a connection, and this exchange
    /// has no connection.
    func urlProtocol(_ urlProtocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
        end(URLError(.userAuthenticationRequired))
    }

    func urlProtocol(_ urlProtocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}
}

extension AppProtocolExchange {
    /// Returns the request for the class, as it would be sent over the network.
    static func request(
        _ request: URLRequest, _ head: HTTPClientRequest, _ body: RequestBody
    ) async throws -> URLRequest {
        var request = request
        request.httpMethod = head.method.rawValue
        for name in Set(head.headers.map(\.name)) {
            request.setValue(head.headers[name].joined(separator: ", "), forHTTPHeaderField: name)
        }
        switch body {
        case .none: break
        case .data(let data): request.httpBody = data
        case .file(let url): request.httpBodyStream = InputStream(url: url)
        case .stream(let stream):
            var data = Data()
            while let bytes = try await stream.read(atMost: 1 << 16) { data.append(contentsOf: bytes) }
            request.httpBodyStream = InputStream(data: data)
        }
        return request
    }
}
#endif
