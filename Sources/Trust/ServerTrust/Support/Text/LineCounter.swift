// SPDX-License-Identifier: Apache-2.0

/// The lines and columns of ascending offsets, in one pass over the text. A line ends with CR, LF or both.
package struct LineCounter {
    private var line = 1
    private var lineStart = 0
    private var position = 0

    package init() {}

    /// Returns the line and the column of an offset, both from 1. For an offset below an earlier one, the line is at
    /// least that of the earlier offset.
    package mutating func place(of offset: Int, in text: [UInt8]) -> (line: Int, column: Int) {
        let end = min(offset, text.count)
        while position < end {
            let byte = text[position]
            if byte == 0x0a || byte == 0x0d && !(position + 1 < text.count && text[position + 1] == 0x0a) {
                line += 1
                lineStart = position + 1
            }
            position += 1
        }
        return (line, max(offset - lineStart, 0) + 1)
    }
}
