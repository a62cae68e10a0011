// SPDX-License-Identifier: Apache-2.0

import Foundation
import TrustSupport

/// The bytes of a file, or of standard input where the name is `-`.
enum InputFile {
    /// The maximum size in bytes: more than any set of certificates in use, and little enough to keep in memory.
    static let maximumSize = 256 << 20

    /// Returns the name for errors.
    static func displayName(_ name: String) -> String { name == "-" ? "standard input" : name }

    /// Returns all bytes, in time proportional to their number.
    /// - Throws: ``CommandFailure`` with the name of the file if it can't be read or is larger than ``maximumSize``.
    static func read(_ name: String) throws(CommandFailure) -> [UInt8] {
        let bytes: [UInt8]?
        do throws(SystemError) { bytes = try contents(name) } catch {
            throw CommandFailure("\(displayName(name)): \(error)")
        }
        guard let bytes, bytes.count <= maximumSize else {
            throw CommandFailure("\(displayName(name)): over \(maximumSize >> 20) MiB, expected certificates")
        }
        return bytes
    }

    /// Returns all bytes; nil for a file that is too large, of which none is read.
    private static func contents(_ name: String) throws(SystemError) -> [UInt8]? {
        let descriptor = name == "-" ? .standardInput : try FileDescriptor(opening: name, O_RDONLY)
        defer { if name != "-" { try? descriptor.close() } }
        if let status = try? descriptor.status(), status.isRegularFile, status.size > maximumSize { return nil }
        // A pipe or a device has no size beforehand, and a file's may change while it is read.
        return try descriptor.readAll(maximumSize: maximumSize)
    }
}
