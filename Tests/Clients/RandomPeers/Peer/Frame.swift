// SPDX-License-Identifier: Apache-2.0

/// An HTTP/2 frame (RFC 9113 § 4.1), whether or not the protocol allows it.
struct Frame: Sendable {
    enum Stream: Sendable {
        /// The stream of the request, plus a number.
        case request(Int)
        case number(UInt32)
    }

    var type: UInt8
    var flags: UInt8 = 0
    var stream = Stream.number(0)
    var payload: [UInt8] = []
    /// A length that differs from the payload's, or nil for the correct one.
    var length: Int?

    func bytes(stream request: UInt32) -> [UInt8] {
        let length = length ?? payload.count
        let stream =
            switch stream {
            case .request(let offset): request &+ UInt32(truncatingIfNeeded: offset)
            case .number(let number): number
            }
        return [
            UInt8(truncatingIfNeeded: length >> 16), UInt8(truncatingIfNeeded: length >> 8),
            UInt8(truncatingIfNeeded: length), type, flags,
        ]
            + stream.bigEndianBytes + payload
    }

    static let settings = Frame(type: 4)
    static let acknowledgment = Frame(type: 4, flags: 1)

    static func data(_ bytes: [UInt8], isLast: Bool) -> Frame {
        Frame(type: 0, flags: isLast ? 1 : 0, stream: .request(0), payload: bytes)
    }

    static func headers(_ block: [UInt8], isLast: Bool) -> Frame {
        Frame(type: 1, flags: isLast ? 5 : 4, stream: .request(0), payload: block)
    }
}

extension UInt32 {
    var bigEndianBytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) } }
}
