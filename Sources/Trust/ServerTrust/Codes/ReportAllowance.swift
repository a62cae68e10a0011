// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The bytes that remain for a report. They keep a report about one evaluation below 64 KB without the certificates,
/// regardless of their contents and the number of failures.
package struct ReportAllowance {
    /// The bytes for a report without its fixed parts.
    static let standard = 56 << 10

    package private(set) var bytes: Int

    package init(bytes: Int = standard) { self.bytes = bytes }

    /// Subtracts the size of a part that the report always contains.
    package mutating func take(_ size: Int) { bytes -= size }

    /// Takes as many of the first elements as fit into a share of the remaining bytes, and at least one.
    /// - Parameters:
    ///   - part: the share, as one over this number.
    ///   - maximum: the maximum number of elements.
    ///   - size: returns the size of an element in bytes.
    /// - Returns: the elements to write, and the number of omitted elements.
    package mutating func first<Element>(
        of elements: [Element], part: Int = 1, maximum: Int = .max, size: (Element) -> Int
    ) -> (kept: ArraySlice<Element>, omitted: Int) {
        guard !elements.isEmpty else { return ([], 0) }
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

    /// The bytes for each name in a report with the subjects and issuers of `count` certificates.
    package static func nameSize(_ count: Int) -> Int { max(48, min(1024, 6144 / max(1, count))) }
}

extension TrustFailure {
    /// The failure's size in a record, in bytes, with room for indentation.
    var writtenSize: Int {
        message.writtenSize + (code.explanation?.writtenSize ?? 0) + (expected?.writtenSize ?? 4)
            + (found?.writtenSize ?? 4) + 320
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
