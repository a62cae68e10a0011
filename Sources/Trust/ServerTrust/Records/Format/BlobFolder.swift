// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

/// The folder with the large values of records: each file's name is the SHA-256 of its contents in hexadecimal.
package struct BlobFolder: Sendable, Hashable {
    /// The name of the folder beside records.
    package static let name = "blobs"
    /// Values above this size in bytes are in files.
    static let threshold = 16 << 10
    /// The maximum size in bytes of all files that one record names.
    static let maximumSize = 256 << 20

    let path: String

    package init(_ path: String) { self.path = path }

    /// Reads a value.
    /// - Parameters:
    ///   - name: the SHA-256, 64 hexadecimal digits in lower case.
    ///   - size: the number of bytes.
    /// - Throws: ``TrustRecordError`` if the file is missing, isn't a regular file, or has other contents.
    func read(_ name: String, size: Int) throws(TrustRecordError) -> [UInt8] {
        guard Self.isDigest(name) else {
            throw TrustRecordError("blob: expected the SHA-256 in lower-case hexadecimal")
        }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileContents(ofFile: "\(path)/\(name)", maximumSize: size, onlyRegular: true).bytes
        } catch {
            throw TrustRecordError("blob \(name): \(error)")
        }
        guard bytes.count == size, Hex.encode(Digests.sha256(bytes)) == name else {
            throw TrustRecordError("blob \(name): the file has other contents")
        }
        return bytes
    }

    private static func isDigest(_ name: some StringProtocol) -> Bool {
        name.utf8.count == 64 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Whether a file has a name that ``write(_:name:)`` gives: the SHA-256, or that of a temporary file. Other files
    /// in the folder aren't ours to delete.
    static func owns(_ name: String) -> Bool {
        isDigest(name) || (isDigest(name.prefix(64)) && name.hasSuffix(".new"))
    }

    /// Writes a value unless the folder has it, and marks it as used now.
    func write(_ bytes: [UInt8], name: String) throws(SystemError) {
        let file = "\(path)/\(name)"
        if let status = try? FileStatus(ofFile: file), status.isRegularFile, status.size == bytes.count {
            // Pruning compares the time with those of the records.
            guard utimensat(AT_FDCWD, file, nil, AT_SYMLINK_NOFOLLOW) == 0 else { throw .last }
            return
        }
        let replacement = try ReplacementFile(
            bytes, for: file, suffix: ".\(getpid()).new", mode: .secret, replacesRemnant: true)
        do throws(SystemError) { try replacement.replace() } catch {
            replacement.discard()
            throw error
        }
    }
}
