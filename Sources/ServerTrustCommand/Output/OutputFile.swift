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
}
