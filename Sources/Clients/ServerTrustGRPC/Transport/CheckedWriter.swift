// SPDX-License-Identifier: Apache-2.0

#if GRPC || Everything

import GRPCCore
import GRPCNIOTransportHTTP2Posix
import PKIX
import ServerTrust

/// A request writer that rejects metadata with a line break or another character that a header field can't contain.
///
/// It checks the metadata before the call sends anything.
@available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
struct CheckedWriter<Bytes: GRPCContiguousBytes & Sendable>: ClosableRPCWriterProtocol {
    let next: RPCWriter<RPCRequestPart<Bytes>>.Closable
    /// Receives the error that a write throws.
    let refuse: @Sendable (RPCError) -> Void

    func write(_ element: RPCRequestPart<Bytes>) async throws {
        try check(element)
        try await next.write(element)
    }

    func write(contentsOf elements: some Sequence<RPCRequestPart<Bytes>>) async throws {
        let elements = Array(elements)
        for element in elements { try check(element) }
        try await next.write(contentsOf: elements)
    }

    func finish() async { await next.finish() }

    func finish(throwing error: any Error) async { await next.finish(throwing: error) }

    private func check(_ part: RPCRequestPart<Bytes>) throws {
        guard case .metadata(let metadata) = part else { return }
        let fields = metadata.lazy.map { key, value in
            // gRPC sends binary values in Base64.
            if case .string(let text) = value { (name: key, value: text) } else { (name: key, value: "") }
        }
        if let problem = RequestSyntax.problem(method: "POST", fields: fields) {
            let error = RPCError(code: .invalidArgument, message: "The call can't be sent: \(problem).")
            refuse(error)
            throw error
        }
    }
}

@available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
extension MethodDescriptor {
    /// - Throws: `RPCError` if the method can't be the target of a request.
    func requireSendable() throws(RPCError) {
        guard RequestSyntax.isTarget(fullyQualifiedMethod) else {
            throw RPCError(
                code: .invalidArgument,
                message: "The call can't be sent: its method contains a character that a target can't have.")
        }
    }
}

/// The parts of a response, with the reason for the end if the server was refused during the call.
///
/// gRPC Swift only reports that the stream ended.
@available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
struct RefusalReader<Bytes: GRPCContiguousBytes & Sendable>: AsyncSequence, Sendable {
    typealias Parts = RPCAsyncSequence<RPCResponsePart<Bytes>, any Error>

    let parts: Parts
    /// Returns the refusal that closed the call's connection, or nil.
    let refusal: @Sendable () -> TrustRefusal?

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(parts: parts.makeAsyncIterator(), refusal: refusal) }

    struct AsyncIterator: AsyncIteratorProtocol {
        var parts: Parts.AsyncIterator
        let refusal: @Sendable () -> TrustRefusal?

        mutating func next() async throws -> RPCResponsePart<Bytes>? { try await next(isolation: nil) }

        mutating func next(isolation: isolated (any Actor)?) async throws(any Error) -> RPCResponsePart<Bytes>? {
            let part: RPCResponsePart<Bytes>?
            do { part = try await parts.next(isolation: isolation) } catch {
                throw refusal().map { RPCError($0) } ?? error
            }
            if case .status(let status, _) = part, status.code == .unavailable, let refusal = refusal() {
                throw RPCError(refusal)
            }
            return part
        }
    }
}

#endif
