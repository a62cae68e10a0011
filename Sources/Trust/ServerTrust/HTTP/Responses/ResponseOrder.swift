// SPDX-License-Identifier: Apache-2.0

/// The rule for the statuses and the order of a response's parts. Every response passes it before another library reads
/// it.
///
/// A status is a number from 100 to 599 (RFC 9110 § 15). Informational heads come first, then one final head, then the
/// body, then the end. async-http-client and gRPC Swift count on that: they end the process if a body follows a status
/// below 100, for example. So a response that breaks the rule must not reach them.
package struct ResponseOrder {
    /// A response that breaks the rule.
    package struct Problem: Error {
        /// A human-readable description, which names the status. Its wording may change.
        package let text: String
    }

    private var hasFinalHead = false

    package init() {}

    /// - Parameters:
    ///   - isUpgrade: whether the request asked for another protocol. Without such a request, 101 isn't allowed
    ///     (RFC 9110 § 15.2.2).
    package mutating func head(_ status: Int, isUpgrade: Bool = false) throws(Problem) {
        guard (100...599).contains(status) else { throw Problem(text: "status \(status), expected 100 to 599") }
        guard status != 101 || isUpgrade else {
            throw Problem(text: "status 101, although the request asked for no other protocol")
        }
        guard !hasFinalHead else { throw Problem(text: "status \(status) in the middle of a response") }
        hasFinalHead = status >= 200 || status == 101
    }

    package func body() throws(Problem) {
        guard hasFinalHead else { throw Problem(text: "a body without a final status, expected 200 to 599 first") }
    }

    package mutating func end() throws(Problem) {
        guard hasFinalHead else { throw Problem(text: "an end without a final status, expected 200 to 599 first") }
        hasFinalHead = false
    }
}

extension ResponseOrder {
    /// Checks the header block of an HTTP/2 response (RFC 9113 § 8.3.2): its `:status` is exactly three digits.
    /// - Parameters:
    ///   - status: the value of `:status`, or nil for a block of trailers.
    ///   - isEnd: whether the block ends the stream.
    package mutating func headers(_ status: String?, isEnd: Bool) throws(Problem) {
        if let status {
            guard status.utf8.count == 3, status.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(status)
            else { throw Problem(text: ":status \(Self.quoted(status)), expected three digits") }
            try head(number)
        } else {
            try body()
        }
        if isEnd { try end() }
    }

    /// Checks a DATA frame.
    package mutating func data(isEnd: Bool) throws(Problem) {
        try body()
        if isEnd { try end() }
    }

    private static func quoted(_ text: String) -> String {
        let isPrintable = text.utf8.count <= 16 && text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
        return isPrintable ? "\"\(text)\"" : "of \(text.utf8.count) bytes"
    }
}
