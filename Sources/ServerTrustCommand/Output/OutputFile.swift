// SPDX-License-Identifier: Apache-2.0

import Foundation
import TrustSupport

/// A file that appears whole or not at all, and takes the place of another only if told to.
enum OutputFile {
    /// - Parameter replacing: whether a file of that name may be replaced.
    /// - Throws: ``CommandFailure``; nothing has changed then.
    static func write(
        _ bytes: [UInt8], to path: String, mode: ReplacementFile.Mode = .open, replacing: Bool
    ) throws(CommandFailure) {
        let replacement: ReplacementFile
        do throws(SystemError) {
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
                throw CommandFailure("\(path) is there already", hint: "--force replaces it")
            }
            throw CommandFailure("\(path): \(error)")
        }
    }

    /// Replaces the contents of a file: its permissions stay, and a symbolic link stays one.
    /// - Throws: ``CommandFailure``; nothing has changed then.
    static func replaceContents(of path: String, with bytes: [UInt8]) throws(CommandFailure) {
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let status: FileStatus
        do throws(SystemError) { status = try FileStatus(ofFile: file) } catch {
            throw CommandFailure("\(path): \(error)")
        }
        guard status.isRegularFile else { throw CommandFailure("\(path): no regular file, nothing was changed") }
        try write(bytes, to: file, mode: .same(UInt16(truncatingIfNeeded: status.permissions)), replacing: true)
    }
}
