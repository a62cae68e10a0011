// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

/// The input of a run of `verify --batch`: standard input, or files one after the other.
struct InputSource: Sendable {
    /// The files; `-` is standard input.
    var files: [String]
    var format = InputFormat.requests
    var columns = RowColumns()
    /// The maximum size of a line or record in bytes.
    var maximumRowSize: Int
    /// The maximum ratio of decompressed to compressed bytes in each file.
    var maximumExpansion = ByteStream.defaultExpansion
    /// Whether each row must name its host, so that a table without a host column is an error.
    var needsHosts = false

    /// Returns the total size of all files on disk in bytes, or nil if one isn't a regular file.
    func totalSize() -> Int? {
        var total = 0
        for file in files {
            // Checks the file without opening it, because the writer of a pipe would take closing it for the end.
            guard file != "-", let status = try? FileStatus(following: file), status.isRegularFile else { return nil }
            total += status.size
        }
        return total
    }
}

/// A reader that returns the blocks of all files of an input.
final class InputReader {
    private let source: InputSource
    private var file: Int
    private var start: InputPosition?
    private var blocks: (any BlockReader)?
    /// The bytes read from earlier files, counted like `RowBlock.bytesRead`.
    private var before = 0
    private var latest = 0
    /// The columns of the current file, which its rows need.
    private(set) var header: CSVHeader?

    /// - Parameter position: the position to resume from. The default is the beginning.
    init(_ source: InputSource, from position: InputPosition = InputPosition()) {
        self.source = source
        file = position.file
        start = position
        if position.file > 0 {
            var earlier = source
            earlier.files = Array(source.files.prefix(position.file))
            before = earlier.totalSize() ?? 0
        }
    }

    /// Returns the next block with the header that its rows need, or nil at the end.
    /// - Throws: ``CommandFailure`` if a file can't be read.
    func next() throws(CommandFailure) -> (block: RowBlock, header: CSVHeader?)? {
        while true {
            if blocks == nil {
                guard file < source.files.count else { return nil }
                blocks = try open(source.files[file])
            }
            if var block = try blocks?.next() {
                latest = block.bytesRead
                block.bytesRead += before
                return (block, header)
            }
            blocks = nil
            before += latest
            latest = 0
            file += 1
        }
    }

    private func open(_ name: String) throws(CommandFailure) -> any BlockReader {
        let position = start ?? InputPosition(file: file)
        start = nil
        let stream = try ByteStream(name, maximumExpansion: source.maximumExpansion)
        let maximum = source.maximumRowSize
        if source.format == .csv {
            // The reader looks for the end of a row even beyond the size limit, because lines within a quoted field
            // aren't records.
            let largest = 2 * maximum
            let (header, window) = try CSVHeader.read(stream, source.columns, rowName: name)
            self.header = header
            guard !source.needsHosts || header.host != nil else {
                throw CommandFailure(
                    "\(stream.name):1: no column \(source.columns.hosts.joined(separator: ", ")), so no leaf's name would be checked",
                    hint:
                        "name the column with --host-column, one host for all rows with --host, or skip the comparison with --without-host"
                )
            }
            guard position.offset > window.position.offset else {
                window.moveTo(file: file)
                return RecordBlockReader(window, maximumRecordSize: largest)
            }
            let rest = try ByteStream(name, maximumExpansion: source.maximumExpansion)
            try rest.skip(position.offset)
            return RecordBlockReader(
                StreamWindow(rest, name: name, at: position), maximumRecordSize: largest)
        }
        try stream.skip(position.offset)
        return LineBlockReader(StreamWindow(stream, name: name, at: position), maximumLineSize: maximum)
    }
}
