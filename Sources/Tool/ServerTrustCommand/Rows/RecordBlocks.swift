// SPDX-License-Identifier: Apache-2.0

import TrustSupport

/// A reader of blocks of whole records of comma-separated values.
///
/// A quote that isn't closed within the largest record, or before the end, is answered for its first line, and reading goes on with the next.
final class RecordBlockReader: BlockReader {
    private let window: StreamWindow
    private let maximumRecordSize: Int
    private var scanner = CSVRecordScanner()
    /// The number of bytes of the window that the scanner has read.
    private var scanned = 0
    /// The number of bytes of the window that are whole records.
    private var whole = 0
    private var isSkipping = false
    private var hasEnded = false
    /// The lines behind a record without an end that begin no record with one either.
    private var unended = UnendedLines()

    init(_ window: StreamWindow, maximumRecordSize: Int) {
        self.window = window
        self.maximumRecordSize = maximumRecordSize
    }

    func next() throws(CommandFailure) -> RowBlock? {
        while true {
            if isSkipping, let block = skip() { return block }
            if !isSkipping {
                scan()
                if whole > 0 { return takeRecords() }
                if unended.contains(window.position.offset) { return refuse() }
                if window.count > maximumRecordSize || (hasEnded && scanner.isInQuotes && window.count > 0) {
                    // Found for all lines in one pass: from each anew, the rest would be read as often as it has lines.
                    unended.find(in: window.bytes, at: window.position.offset, isEnd: hasEnded)
                    return refuse()
                }
            }
            guard !hasEnded else { return window.count > 0 ? window.take(window.count) : nil }
            hasEnded = try !window.readMore(to: maximumRecordSize)
        }
    }

    /// Reads up to the end of the window, of the largest block, or to a line that begins no record.
    private func scan() {
        let bytes = window.bytes
        var records = 0
        while scanned < bytes.count, !(whole == scanned && unended.contains(window.position.offset + scanned)) {
            let isEnd = scanner.take(bytes[scanned])
            scanned += 1
            guard isEnd else { continue }
            whole = scanned
            records += 1
            if records == RowBlock.maximumRows { return }
        }
    }

    private func takeRecords() -> RowBlock {
        let size = whole
        scanned -= size
        whole = 0
        return noted(window.take(size))
    }

    /// Returns a block with the note that no run goes on behind it while lines ahead are judged already: it would judge them by other bytes.
    private func noted(_ block: RowBlock) -> RowBlock {
        var block = block
        block.isResumable = !unended.isAhead(of: window.position.offset)
        return block
    }

    /// Returns the block for a record that doesn't end, and goes on with its next line.
    private func refuse() -> RowBlock {
        (scanned, whole, scanner) = (0, 0, CSVRecordScanner())
        guard let first = window.bytes.firstLineFeed else {
            guard !hasEnded else { return noted(window.mark(.unclosed, skipping: window.count, isWhole: true)) }
            isSkipping = true
            return window.mark(.tooLong, skipping: window.count, isWhole: false)
        }
        return noted(window.mark(.unclosed, skipping: first + 1, isWhole: true))
    }

    /// Removes the rest of a line that is too long.
    /// - Returns: a block without rows, with the place behind the line, at the end of the stream.
    private func skip() -> RowBlock? {
        if let first = window.bytes.firstLineFeed {
            isSkipping = false
            window.skip(first + 1)
        } else if hasEnded {
            isSkipping = false
            return window.dropAll()
        } else {
            window.skip(window.count)
        }
        return nil
    }
}

/// The places of lines that begin a record without an end.
private struct UnendedLines {
    /// The offsets of the lines in their stream, the last one first.
    private var offsets: [Int] = []

    /// Whether a line is among them. Lines are asked for in their order; those before one are forgotten.
    mutating func contains(_ offset: Int) -> Bool {
        while let last = offsets.last, last < offset { offsets.removeLast() }
        return offsets.last == offset
    }

    /// Whether a line at or behind an offset is among them.
    func isAhead(of offset: Int) -> Bool { offsets.first.map { $0 >= offset } ?? false }

    /// Finds the lines, the first one included.
    ///
    /// For each byte from the last one on, the states of ``CSVRecordScanner`` from which a record ends behind it. Lines of the second half
    /// are left out unless the stream ends there: what follows may end their records.
    /// - Parameters:
    ///   - offset: of the first byte in its stream.
    ///   - isEnd: whether the stream ends with the bytes, and ends any record that isn't in quotes.
    mutating func find(in bytes: UnsafeRawBufferPointer, at offset: Int, isEnd: Bool) {
        offsets = []
        let limit = isEnd ? bytes.count : bytes.count / 2
        var (fieldStart, unquoted, quoted, quoteInQuoted) = (isEnd, isEnd, false, isEnd)
        for index in bytes.indices.reversed() {
            switch bytes[index] {
            case UInt8(ascii: "\n"):
                if !fieldStart, index + 1 < limit { offsets.append(offset + index + 1) }
                (fieldStart, unquoted, quoteInQuoted) = (true, true, true)
            case UInt8(ascii: ","): (unquoted, quoteInQuoted) = (fieldStart, fieldStart)
            case UInt8(ascii: "\""): (fieldStart, quoted, quoteInQuoted) = (quoted, quoteInQuoted, quoted)
            default: (fieldStart, quoteInQuoted) = (unquoted, unquoted)
            }
        }
        if !fieldStart { offsets.append(offset) }
    }
}
