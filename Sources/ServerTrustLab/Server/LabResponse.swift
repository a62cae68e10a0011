// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// What a lab server answers to every request.
public struct LabAnswer: Sendable {
    public var status: Int
    /// Beside `content-length`, which the server sets.
    public var headers: [(name: String, value: String)]
    /// Sent one after the other.
    public var chunks: [String]
    /// How long the server waits before each chunk; not at all unless told.
    public var pause: TimeAmount = .nanoseconds(0)
    /// Bytes that are promised in `content-length` and never sent: the connection is closed instead.
    public var missingBytes = 0
    /// Answered with this until the right credentials come; nil to ask for none.
    public var challenge: LabChallenge?

    public init(status: Int = 200, headers: [(name: String, value: String)] = [], chunks: [String]) {
        self.status = status
        self.headers = headers
        self.chunks = chunks
    }

    /// 200 with this text.
    public static func text(_ text: String) -> LabAnswer {
        LabAnswer(headers: [("content-type", "text/plain")], chunks: [text])
    }

    /// A redirect.
    public static func redirect(to location: String, status: Int = 302) -> LabAnswer {
        LabAnswer(status: status, headers: [("location", location)], chunks: [])
    }

    /// 401 until the right user and password come, and 200 then.
    public static func unauthorized(_ challenge: LabChallenge) -> LabAnswer {
        var answer = LabAnswer.text("welcome\n")
        answer.challenge = challenge
        return answer
    }

    /// 200 with chunks that come slowly.
    /// - Parameter pause: before each of them.
    public static func slow(_ chunks: [String], pause: TimeAmount) -> LabAnswer {
        var answer = LabAnswer(chunks: chunks)
        answer.pause = pause
        return answer
    }

    /// 200 that promises more than this text, and a connection that ends after it.
    /// - Parameter missingBytes: how many bytes more.
    public static func truncated(_ text: String, missingBytes: Int = 100) -> LabAnswer {
        var answer = LabAnswer.text(text)
        answer.missingBytes = missingBytes
        return answer
    }
}
