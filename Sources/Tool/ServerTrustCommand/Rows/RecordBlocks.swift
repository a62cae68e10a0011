// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A reader of blocks of complete CSV records.
///
/// A quote may stay open beyond the maximum record size or until the end of the stream. Then the first line of that
/// record gets an answer, and reading continues with the next line.
final class RecordBlockReader: BlockReader {
    private let window: StreamWindow
    private let maximumRecordSize: Int
    private var scanner = CSVRecordScanner()
    /// The number of bytes in the window that the scanner has processed.
    private var scanned = 0
    /// The number of bytes in the window that belong to complete records.
    private var whole = 0
    private var isSkipping = false
    private var hasEnded = false
    /// The later lines whose records don't end either.
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
                    // Finds all such lines in one pass. Otherwise the rest would be read again for each of its lines.
                    unended.find(in: window.bytes, at: window.position.offset, isEnd: hasEnded)
                    return refuse()
                }
            }
            guard !hasEnded else { return window.count > 0 ? window.take(window.count) : nil }
            hasEnded = try !window.readMore(to: maximumRecordSize)
        }
    }

    /// Scans to the end of the window, to the maximum block size, or to a line whose record doesn't end.
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

    /// Returns a block marked as not resumable while later lines have already been found to be without an end. A
    /// resumed run would decide about those lines with different bytes.
    private func noted(_ block: RowBlock) -> RowBlock {
        var block = block
        block.isResumable = !unended.isAhead(of: window.position.offset)
        return block
    }

    /// Returns the block for a record that doesn't end. Reading continues with its next line.
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
    /// - Returns: at the end of the stream, a block without rows whose position is after the line. Otherwise nil.
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

/// The offsets of lines whose records don't end.
private struct UnendedLines {
    /// The offsets of the lines in their stream, in descending order.
    private var offsets: [Int] = []

    /// Whether the set contains a line. Callers must ask in ascending order: each call removes all lines before the
    /// offset.
    mutating func contains(_ offset: Int) -> Bool {
        while let last = offsets.last, last < offset { offsets.removeLast() }
        return offsets.last == offset
    }

    /// Whether the set contains a line at or after an offset.
    func isAhead(of offset: Int) -> Bool { offsets.first.map { $0 >= offset } ?? false }

    /// Finds the lines, including the first one.
    ///
    /// For each byte, starting with the last, the loop determines the states of ``CSVRecordScanner`` from which a later
    /// byte ends the record. It leaves out lines in the second half unless the stream ends there, because the following
    /// bytes may end their records.
    /// - Parameters:
    ///   - offset: the offset of the first byte in its stream.
    ///   - isEnd: whether the stream ends with these bytes. The end of the stream also ends a record that isn't in
    ///     quotes.
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
