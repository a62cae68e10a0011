// SPDX-License-Identifier: Apache-2.0

// The part of CryptoKit that this package's app sources use. Only for type-checking on Linux (Tests/External/apple).
import Foundation

public struct SHA256Digest: Sequence, Sendable {
    public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}

public enum SHA256 {
    public static func hash<D: DataProtocol>(data: D) -> SHA256Digest { SHA256Digest() }
}
