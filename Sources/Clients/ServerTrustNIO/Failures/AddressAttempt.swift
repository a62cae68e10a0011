// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

/// An attempt to connect to one of a peer's addresses.
package struct AddressAttempt: Sendable, Hashable {
    /// The result of an attempt.
    package enum Outcome: Sendable, Hashable {
        /// TCP is established.
        case connected
        /// The system reports an error. The text is for people.
        case failed(String)
        /// The time was over first.
        case unanswered
        /// The connection to another address was established first, so the attempt was ended.
        case overtaken
    }

    /// The address and port: `192.0.2.1:443`, `[2001:db8::1]:443`.
    package let address: String
    package let outcome: Outcome
}

extension AddressAttempt: CustomStringConvertible {
    package var description: String { "\(address): \(result)" }

    /// The result in words.
    package var result: String {
        switch outcome {
        case .connected: "connected"
        case .failed(let text): text
        case .unanswered: "no answer within the time allowed"
        case .overtaken: "no answer before another address connected"
        }
    }
}

#endif
