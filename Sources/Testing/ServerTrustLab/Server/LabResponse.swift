// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import NIOCore

/// The HTTP response that a lab server sends to every request.
public struct LabResponse: Sendable {
    /// The status code.
    var status: Int
    /// The header fields, without `content-length`, which the server adds.
    var headers: [(name: String, value: String)]
    /// The parts of the body, sent one after the other.
    var chunks: [String]
    /// The delay before each chunk. Zero by default.
    var pause: TimeAmount = .nanoseconds(0)
    /// The number of bytes that `content-length` announces but the server never sends. The server closes the connection
    /// instead.
    var missingBytes = 0
    /// The challenge that the server sends until a request has the right credentials, or nil to require none.
    var challenge: LabChallenge?

    /// Creates a response that the server sends immediately and completely.
    public init(status: Int = 200, headers: [(name: String, value: String)] = [], chunks: [String]) {
        self.status = status
        self.headers = headers
        self.chunks = chunks
    }

    /// Returns a 200 response with plain text.
    public static func text(_ text: String) -> LabResponse {
        LabResponse(headers: [("content-type", "text/plain")], chunks: [text])
    }

    /// Returns a redirect to `location`.
    public static func redirect(to location: String, status: Int = 302) -> LabResponse {
        LabResponse(status: status, headers: [("location", location)], chunks: [])
    }

    /// Returns a 401 response for requests without the right user and password, and a 200 response for requests with
    /// them.
    public static func unauthorized(_ challenge: LabChallenge) -> LabResponse {
        var response = LabResponse.text("welcome\n")
        response.challenge = challenge
        return response
    }

    /// Returns a 200 response with a delay before each chunk.
    /// - Parameters:
    ///   - chunks: the parts of the body.
    ///   - pause: the delay.
    public static func slow(_ chunks: [String], pause: Duration) -> LabResponse {
        var response = LabResponse(chunks: chunks)
        response.pause = TimeAmount(pause)
        return response
    }

    /// Returns a 200 response whose `content-length` announces more bytes than the body has. The connection ends after
    /// the body.
    /// - Parameters:
    ///   - text: the body.
    ///   - missingBytes: the number of bytes that are announced but not sent.
    public static func truncated(_ text: String, missingBytes: Int = 100) -> LabResponse {
        var response = LabResponse.text(text)
        response.missingBytes = missingBytes
        return response
    }
}

#endif
