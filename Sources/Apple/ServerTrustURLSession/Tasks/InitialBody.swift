// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

/// The body that a task was created with.
struct InitialBody: Sendable {
    private enum Kind: Sendable {
        case none
        case data(Data)
        case file(URL)
        case stream(BodyStream)
        case delegates
    }
    private let kind: Kind

    init(_ body: URLSessionTaskInternals.Body, _ request: URLRequest) {
        switch body {
        case .data(let data): kind = .data(data)
        case .file(let url): kind = .file(url)
        case .stream(let stream): kind = .stream(BodyStream(stream))
        case .none: kind = .none
        case .delegates: kind = .delegates
        }
    }

    func requestBody(from proxy: DelegateProxy) async throws -> RequestBody {
        switch kind {
        case .none: return .none
        case .data(let data): return .data(data)
        case .file(let url): return .file(url)
        case .stream(let stream): return .stream(stream)
        case .delegates:
            guard let stream = await proxy.newBodyStream() else {
                throw SessionError.make(
                    .requestBodyStreamExhausted, at: proxy.url, "the delegate returned no stream for the body")
            }
            return .stream(BodyStream(stream))
        }
    }
}
#endif

#endif
