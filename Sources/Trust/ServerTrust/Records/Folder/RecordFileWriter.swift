// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Appends lines to the files of a folder, one file after the other. One thread uses it at a time.
struct RecordFileWriter {
    /// The limits of a folder.
    struct Limits: Sendable {
        var fileSize: Int
        var size: Int
        /// In seconds.
        var age: Int64
    }

    private let folder: RecordFolder
    private let limits: Limits
    private var file: FileDescriptor?
    /// The size of the file, without a line that couldn't be written as a whole.
    private var size = 0
    private var opened = Time.now()
    private var number = 0

    /// The time after which a file is closed, in seconds, so that old records can be deleted.
    private static let maximumOpenTime: Int64 = 86_400

    init(_ folder: RecordFolder, limits: Limits) {
        self.folder = folder
        self.limits = limits
    }

    /// Appends a whole line, or nothing.
    mutating func append(_ line: [UInt8]) throws(SystemError) {
        let isFull = size > 0 && size + line.count > limits.fileSize
        let lifetime = Time.now().secondsSinceEpoch - opened.secondsSinceEpoch
        // The clock may have been set back.
        if isFull || !(0...min(Self.maximumOpenTime, max(limits.age / 4, 1))).contains(lifetime) { close() }
        let file = try openFile()
        do throws(SystemError) { try file.writeAll(line) } catch {
            // A disk that is full may have taken a part of the line.
            do throws(SystemError) { try file.truncate(to: size) } catch { close() }
            throw error
        }
        size += line.count
    }

    /// Writes a large value that a line refers to. The line must follow.
    mutating func write(blob: [UInt8], name: String) throws(SystemError) {
        _ = try openFile()
        let lock = try folder.lock()
        defer { try? lock.close() }
        try folder.blobs.write(blob, name: name)
    }

    private mutating func openFile() throws(SystemError) -> FileDescriptor {
        if let file { return file }
        try folder.create()
        let now = Time.now()
        let file = try folder.open(at: now, number: &number)
        (self.file, size, opened) = (file, 0, now)
        prune()
        return file
    }

    /// Deletes files beyond the limits. A failure doesn't matter now, because the next file tries again.
    private func prune() {
        _ = try? folder.prune(maximumSize: limits.size, oldest: Time.now().secondsSinceEpoch - limits.age)
    }

    mutating func close() {
        try? file?.close()
        file = nil
        size = 0
    }
}
