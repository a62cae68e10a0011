// SPDX-License-Identifier: Apache-2.0

// CryptoKit, as far as sources of apps in this package use it: type-checking on Linux alone (Tests/External/apple).
import Foundation

public struct SHA256Digest: Sequence, Sendable {
    public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}

public enum SHA256 {
    public static func hash<D: DataProtocol>(data: D) -> SHA256Digest { SHA256Digest() }
}
