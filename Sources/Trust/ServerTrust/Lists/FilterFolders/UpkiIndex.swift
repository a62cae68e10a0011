// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

/// upki's `index.bin`: for each log, the filters that cover some of its timestamps.
///
/// ```text
/// "upkiidx1" | u16 files | u32 logs | per file name[32], filled up with zeros
///            | per log, in the order of the IDs: id[32] | u64 offset of its entries | u16 entries
///            | per entry: u16 file | u64 first timestamp | u64 last timestamp in milliseconds
/// ```
/// All numbers are big-endian. In the older "upkiidx0", the number of files and an entry's file are u8.
struct UpkiIndex: Sendable, Hashable {
    /// A file's coverage of a log.
    struct Entry: Sendable, Hashable {
        /// The position of the file in ``UpkiIndex/names``.
        let file: Int
        /// The first timestamp, in milliseconds since 1970.
        let first: UInt64
        /// The last timestamp, in milliseconds since 1970.
        let last: UInt64
    }

    /// The files' names.
    let names: [String]
    /// The logs' entries, keyed by log ID.
    let entries: [[UInt8]: [Entry]]

    private static let nameSize = 32
    private static let logSize = 32
    /// The maximum number of entries of all logs. upki has 1,000. Logs may share entries, so the file's size doesn't
    /// limit their number.
    private static let maximumEntries = 1 << 20
    /// The maximum size of an index in bytes. upki's has 20,000.
    static let maximumSize = 16 << 20

    /// Reads a folder's index. Returns nil if the folder has none, because upki's first versions didn't write one, or
    /// if the index has another version.
    /// - Throws: ``RevocationFilterFileError`` if the file can't be read or is incomplete.
    init?(ofFolder folder: String) throws(RevocationFilterFileError) {
        let path = "\(folder)/index.bin"
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileContents(ofFile: path, maximumSize: Self.maximumSize, onlyRegular: true).bytes
        } catch {
            guard !error.isAbsence else { return nil }
            throw RevocationFilterFileError(.filterFileUnreadable, path: path, problem: error.filterProblem)
        }
        do throws(UpkiIndexError) { try self.init(bytes) } catch {
            guard error != .otherVersion else { return nil }
            throw RevocationFilterFileError(path: path, problem: error.description)
        }
    }

    /// Parses an index.
    /// - Throws: ``UpkiIndexError`` with the byte offset.
    init(_ bytes: [UInt8]) throws(UpkiIndexError) {
        guard bytes.count <= Self.maximumSize else { throw .tooLarge }
        var reader = UpkiIndexReader(bytes)
        let size = try reader.numberSize()
        let fileCount = Int(try reader.number(size))
        let logCount = Int(try reader.number(4))
        var names: [String] = []
        for _ in 0..<fileCount { names.append(try reader.name(Self.nameSize)) }
        var entries: [[UInt8]: [Entry]] = [:]
        var (last, total): ([UInt8], Int) = ([], 0)
        // A log takes at least 42 bytes. If the count is too large, the loop ends at the first missing log.
        for _ in 0..<logCount {
            let place = reader.position
            let id = try reader.take(Self.logSize)
            // upki uses a binary search.
            guard last.lexicographicallyPrecedes(id) else { throw .misplacedLog(place) }
            last = id
            let offset = try reader.number(8)
            let count = Int(try reader.number(2))
            total += count
            guard total <= Self.maximumEntries else { throw .tooLarge }
            entries[id] = try Self.entries(bytes, offset, count, fileCount: fileCount, size)
        }
        self.names = names
        self.entries = entries
    }

    private static func entries(
        _ bytes: [UInt8], _ offset: UInt64, _ count: Int, fileCount: Int, _ size: Int
    ) throws(UpkiIndexError) -> [Entry] {
        guard let start = Int(exactly: offset), start <= bytes.count else { throw .truncated(bytes.count) }
        var reader = UpkiIndexReader(bytes, at: start)
        var entries: [Entry] = []
        for _ in 0..<count {
            let place = reader.position
            let file = Int(try reader.number(size))
            guard file < fileCount else { throw .unknownFile(place) }
            entries.append(Entry(file: file, first: try reader.number(8), last: try reader.number(8)))
        }
        return entries
    }

    /// Returns the names of the files that cover a log's timestamp, in milliseconds since 1970.
    func files(covering milliseconds: UInt64, of logID: [UInt8]) -> [String] {
        (entries[logID] ?? []).filter { $0.first <= milliseconds && milliseconds <= $0.last }.map { names[$0.file] }
    }
}

/// A cursor over the bytes of an index.
private struct UpkiIndexReader {
    private let bytes: [UInt8]
    private(set) var position: Int

    init(_ bytes: [UInt8], at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// Reads a number of bytes.
    mutating func take(_ count: Int) throws(UpkiIndexError) -> [UInt8] {
        guard count <= bytes.count - position else { throw .truncated(bytes.count) }
        let start = position
        position += count
        return Array(bytes[start..<position])
    }

    /// Reads a number with a size of up to eight bytes.
    mutating func number(_ size: Int) throws(UpkiIndexError) -> UInt64 {
        guard size <= bytes.count - position else { throw .truncated(bytes.count) }
        var value: UInt64 = 0
        for index in position..<position + size { value = value << 8 | UInt64(bytes[index]) }
        position += size
        return value
    }

    /// Reads the version.
    /// - Returns: the size of a file's number, in bytes.
    mutating func numberSize() throws(UpkiIndexError) -> Int {
        let magic = try take(8)
        guard magic.starts(with: "upkiidx".utf8) else { throw .otherMagic }
        switch magic[7] {
        case UInt8(ascii: "0"): return 1
        case UInt8(ascii: "1"): return 2
        default: throw .otherVersion
        }
    }

    /// Reads a zero-padded text from a field of a fixed size.
    mutating func name(_ size: Int) throws(UpkiIndexError) -> String {
        let start = position
        let field = try take(size)
        let text = field.prefix { $0 != 0 }
        guard let name = String(validating: text, as: UTF8.self), !name.isEmpty,
            field[text.count...].allSatisfy({ $0 == 0 })
        else { throw .invalidName(start) }
        return name
    }
}

/// An error in an upki index, with its byte offset.
enum UpkiIndexError: Error, Hashable, CustomStringConvertible {
    /// The file doesn't begin like an index.
    case otherMagic
    /// The index has an unknown version.
    case otherVersion
    /// The file ends before a field. The value is the file's size.
    case truncated(Int)
    /// The file has too many entries or bytes.
    case tooLarge
    /// A file's name isn't zero-padded text.
    case invalidName(Int)
    /// The logs aren't in the order of their IDs.
    case misplacedLog(Int)
    /// An entry's file number is beyond the number of files.
    case unknownFile(Int)

    var description: String {
        switch self {
        case .otherMagic: "expected \"upkiidx\" at byte 0"
        case .otherVersion: "unknown version of the index, expected 0 or 1"
        case .truncated(let size): "a field extends past the end of the file at \(size) bytes"
        case .tooLarge: "more bytes or entries than an index may have"
        case .invalidName(let offset): "byte \(offset): expected a zero-padded name"
        case .misplacedLog(let offset): "byte \(offset): expected the logs in the order of their IDs"
        case .unknownFile(let offset): "byte \(offset): an entry refers to a file that the index doesn't have"
        }
    }
}
