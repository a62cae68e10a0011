// SPDX-License-Identifier: Apache-2.0

/// One action of a peer on a connection.
enum Act: Sendable {
    case send(Delivery)
    /// Bytes below TLS.
    case raw([UInt8])
    /// A pause, in milliseconds.
    case pause(Int)
    case close(Closing)
}

/// The end of a connection.
enum Closing: String, Sendable, CaseIterable {
    /// TLS's close_notify, then FIN.
    case notify
    /// FIN without close_notify.
    case fin
    /// FIN for one direction.
    case half
    case reset
}

/// Bytes to send, and how to change and split them. The seeds make this the same each time.
struct Delivery: Sendable {
    enum Content: Sendable {
        case bytes([UInt8])
        /// HTTP/2 frames. Their streams can depend on the request.
        case frames([Frame])
        /// The head of an answer that opens a WebSocket, and the bytes after it. `{accept}` stands for the value that
        /// the request needs.
        case upgrade(head: String, rest: [UInt8])
    }

    var content: Content
    /// The seed of the change of bytes, or nil for none.
    var mutation: UInt64?
    /// The seed for splitting the bytes into several writes, or nil for one write.
    var split: UInt64?

    init(_ content: Content) { self.content = content }

    /// Returns the bytes for a request.
    func bytes(stream: UInt32, accept: String) -> [UInt8] {
        let bytes: [UInt8]
        switch content {
        case .bytes(let content): bytes = content
        case .frames(let frames): bytes = frames.flatMap { $0.bytes(stream: stream) }
        case .upgrade(let head, let rest):
            bytes =
                Array(
                    head.split(separator: "{accept}", omittingEmptySubsequences: false).joined(separator: accept).utf8)
                + rest
        }
        guard let mutation else { return bytes }
        var dice = Dice(mutation)
        return ByteMutation.apply(to: bytes, &dice)
    }

    /// Returns the writes, each with the pause after it in milliseconds.
    func writes(stream: UInt32, accept: String) -> [(bytes: [UInt8], pause: Int)] {
        let whole = bytes(stream: stream, accept: accept)
        guard let split, whole.count > 1 else { return [(whole, 0)] }
        var dice = Dice(split)
        let cuts = Set((0..<dice.number(1...4)).map { _ in dice.number(1...whole.count - 1) }).sorted()
        return zip([0] + cuts, cuts + [whole.count]).map { start, end in
            (Array(whole[start..<end]), dice.chance(20) ? dice.number(1...10) : 0)
        }
    }
}
