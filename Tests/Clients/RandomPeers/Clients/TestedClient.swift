// SPDX-License-Identifier: Apache-2.0

/// A client of this package.
protocol TestedClient: Sendable {
    /// Sends a request and reads the answer.
    func send(_ request: Request) async throws -> Answer
    func close() async
}

struct Request: Sendable {
    var method = "GET"
    var body: [UInt8] = []
    /// Whether the body is a stream with pauses. Ignored by clients without streams.
    var streams = false
    /// The deadline for the head, and again for the body.
    var limit = Duration.milliseconds(200)
    /// Whether the client reads the body.
    var readsBody = true
}

struct Answer: Sendable {
    var status: Int
    var body: [UInt8]
}

/// The settings of a client that a dice chooses.
struct ClientOptions: Sendable {
    var decompresses = false
    var keepsCookies = false
    var retries = 0
}

/// An answer that no kind of error covers.
struct NoAnswer: Error {}
