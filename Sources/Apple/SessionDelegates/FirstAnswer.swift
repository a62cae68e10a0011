// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)

/// Returns the first answer of a completion handler.
/// - Parameters:
///   - fallback: the answer if the task is canceled, or if the handler is released without a call.
///   - ask: passes the handler to the method that answers.
package func firstAnswer<Answer: Sendable>(
    orElse fallback: Answer, _ ask: (_ handler: @escaping @Sendable (Answer) -> Void) -> Void
) async -> Answer {
    let (answers, continuation) = AsyncStream.makeStream(of: Answer.self, bufferingPolicy: .bufferingOldest(1))
    ask { [end = StreamEnd(continuation)] in end.continuation.yield($0) }
    for await answer in answers { return answer }
    return fallback
}

/// Ends a stream when it is released.
private final class StreamEnd<Element>: Sendable {
    let continuation: AsyncStream<Element>.Continuation

    init(_ continuation: AsyncStream<Element>.Continuation) { self.continuation = continuation }
    deinit { continuation.finish() }
}
#endif
