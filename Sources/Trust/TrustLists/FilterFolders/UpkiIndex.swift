// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustSupport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The `index.bin` of upki: for each log the filters that cover some of its timestamps.
///
/// ```text
/// "upkiidx1" | u16 files | u32 logs | per file name[32], filled up with zeros
///            | per log, in the order of the IDs: id[32] | u64 offset of its entries | u16 entries
///            | per entry: u16 file | u64 first timestamp | u64 last timestamp in milliseconds
/// ```
/// All numbers have the most significant byte first. In the older "upkiidx0" the number of files and an entry's file are u8.
struct UpkiIndex: Sendable, Hashable {
    /// The coverage of a log by a file.
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
    /// The entries of the logs, by the logs' IDs.
    let entries: [[UInt8]: [Entry]]

    private static let nameSize = 32
    private static let logSize = 32
    /// The largest number of entries of all logs; upki has 1,000. Logs may share theirs, so the file's size is no bound.
    private static let maximumEntries = 1 << 20
    /// The largest index that is read, in bytes; upki's has 20,000.
    static let maximumSize = 16 << 20

    /// Reads the index of a folder; nil if it has none, which upki's first versions didn't write, or one of another version.
    /// - Throws: ``RevocationFilterFileError`` for a file that can't be read or isn't whole.
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

    /// Reads an index.
    /// - Throws: ``UpkiIndexError`` with the byte.
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
        // A log takes at least its 42 bytes, so a count beyond the bytes ends at the first that is missing.
        for _ in 0..<logCount {
            let place = reader.position
            let id = try reader.take(Self.logSize)
            // upki searches them by halving.
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

    /// Returns the names of the files that cover a timestamp, in milliseconds since 1970, of a log.
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

    /// Reads so many bytes.
    mutating func take(_ count: Int) throws(UpkiIndexError) -> [UInt8] {
        guard count <= bytes.count - position else { throw .truncated(bytes.count) }
        let start = position
        position += count
        return Array(bytes[start..<position])
    }

    /// Reads a number of so many bytes, at most eight.
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

    /// Reads a text of at most so many bytes that is filled up with zeros.
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

/// An error in an index of upki, with the byte at which it is.
enum UpkiIndexError: Error, Hashable, CustomStringConvertible {
    /// The file doesn't begin as an index.
    case otherMagic
    /// An index of a version that isn't known.
    case otherVersion
    /// The file ends before a field; its size.
    case truncated(Int)
    /// The file has more entries than are read, or more bytes.
    case tooLarge
    /// A file's name isn't text that is filled up with zeros.
    case invalidName(Int)
    /// The logs aren't in the order of their IDs.
    case misplacedLog(Int)
    /// An entry names a file beyond the number of files.
    case unknownFile(Int)

    var description: String {
        switch self {
        case .otherMagic: "expected \"upkiidx\" at byte 0"
        case .otherVersion: "an index of another version, expected 0 or 1"
        case .truncated(let size): "a field goes beyond the end, \(size) bytes"
        case .tooLarge: "more bytes or entries than an index has"
        case .invalidName(let offset): "byte \(offset): expected a name, filled up with zeros"
        case .misplacedLog(let offset): "byte \(offset): expected the logs in the order of their IDs"
        case .unknownFile(let offset): "byte \(offset): an entry of a file that the index doesn't have"
        }
    }
}
