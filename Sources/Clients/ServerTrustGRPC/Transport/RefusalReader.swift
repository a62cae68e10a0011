// SPDX-License-Identifier: Apache-2.0

#if GRPC || Everything

import GRPCCore
import GRPCNIOTransportHTTP2Posix
import PKIX
import ServerTrust

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
