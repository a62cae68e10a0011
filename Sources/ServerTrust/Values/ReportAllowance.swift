// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The bytes that a report may still take. Whatever certificates hold and however much is wrong with them, what is written
/// about one evaluation stays below 64 KB, the certificates themselves not counted.
package struct ReportAllowance {
    /// For everything in a report but its frame.
    package static let standard = 56 << 10

    package private(set) var bytes: Int

    package init(bytes: Int = standard) { self.bytes = bytes }

    /// Takes what is written in any case.
    package mutating func take(_ size: Int) { bytes -= size }

    /// Takes as many of the first elements as fit into a part of what is left, and at least one.
    /// - Parameters:
    ///   - part: the part, as one over this number.
    ///   - maximum: how many at most.
    ///   - size: the bytes that one takes.
    /// - Returns: the elements that are to be written, and how many are left out.
    package mutating func first<Element>(
        of elements: [Element], part: Int = 1, maximum: Int = .max, size: (Element) -> Int
    ) -> (kept: ArraySlice<Element>, omitted: Int) {
        var left = bytes / part
        var count = 0
        for element in elements.prefix(maximum) {
            let size = size(element)
            guard count == 0 || size <= left else { break }
            left -= size
            bytes -= size
            count += 1
        }
        return (elements.prefix(count), elements.count - count)
    }

    /// The bytes for each name where a report names subject and issuer of `count` certificates.
    package static func nameSize(_ count: Int) -> Int { max(48, min(1024, 6144 / max(1, count))) }
}

extension TrustFailure {
    /// The bytes that the failure takes in a record, with room for indentation.
    var writtenSize: Int {
        message.writtenSize + code.explanation.writtenSize + (expected?.writtenSize ?? 4) + (found?.writtenSize ?? 4)
            + 320
    }
}

extension TrustFailure.Value {
    fileprivate var writtenSize: Int {
        switch abridged {
        case .time, .number: 24
        case .text(let text): text.writtenSize
        case .list(let members): members.reduce(0) { $0 + $1.writtenSize + 20 }
        }
    }
}
