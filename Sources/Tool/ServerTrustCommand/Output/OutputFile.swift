// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// Writes files completely or not at all, and replaces an existing file only on request. Writes directly to a device or
/// a pipe.
enum OutputFile {
    /// Returns the kind of place at a path. Doesn't open anything.
    /// - Throws: ``CommandFailure`` for a symbolic link to a file, a folder, and anything else that can't be written
    ///   to.
    static func place(_ path: String) throws(CommandFailure) -> OutputPlace {
        do throws(SystemError) { return try OutputPlace(path) } catch {
            throw CommandFailure("\(path): \(error)", hint: error.code == EINVAL ? "nothing was changed" : nil)
        }
    }

    /// Writes to a file, or to standard output without a name.
    static func deliver(_ bytes: [UInt8], to path: String?, replacing: Bool) throws {
        guard let path else { return try StandardStream.output.write(bytes) }
        try write(bytes, to: path, replacing: replacing)
    }

    /// - Parameter replacing: whether to replace an existing file of that name.
    /// - Throws: ``CommandFailure``. Then no file has changed.
    static func write(
        _ bytes: [UInt8], to path: String, mode: ReplacementFile.Mode = .open, replacing: Bool
    ) throws(CommandFailure) {
        let place = try place(path)
        let replacement: ReplacementFile
        do throws(SystemError) {
            if let stream = try place.open(path) {
                defer { try? stream.close() }
                return try stream.writeAll(bytes)
            }
            replacement = try ReplacementFile(
                bytes, for: path, suffix: ".\(getpid()).partial", mode: mode, replacesRemnant: false)
        } catch {
            throw CommandFailure("\(path): \(error)")
        }
        do throws(SystemError) {
            if replacing { try replacement.replace() } else { try replacement.create() }
        } catch {
            replacement.discard()
            guard replacing || error.code != EEXIST else {
                throw CommandFailure("\(path) already exists", hint: "--force replaces it")
            }
            throw CommandFailure("\(path): \(error)")
        }
    }

    /// Replaces the contents of a file. Its permissions stay, and a symbolic link stays a link.
    /// - Throws: ``CommandFailure``. Then nothing has changed.
    static func replaceContents(of path: String, with bytes: [UInt8]) throws(CommandFailure) {
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let status: FileStatus
        do throws(SystemError) { status = try FileStatus(ofFile: file) } catch {
            throw CommandFailure("\(path): \(error)")
        }
        guard status.isRegularFile else { throw CommandFailure("\(path): isn't a regular file; nothing was changed") }
        try write(bytes, to: file, mode: .same(UInt16(truncatingIfNeeded: status.permissions)), replacing: true)
    }
}
