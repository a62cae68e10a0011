// SPDX-License-Identifier: Apache-2.0

import Foundation
import TrustSupport

/// A reader of blocks of the names of files in a folder and the folders below it, in the order of their names' bytes.
///
/// Symbolic links to files are followed, those to folders are not.
final class FolderBlockReader: BlockReader {
    /// The number of files of a block.
    private static let blockSize = 16

    private let files: [String]
    private let name: String
    private var position: InputPosition

    init(_ files: [String], name: String, at position: InputPosition) {
        self.files = files
        self.name = name
        self.position = position
    }

    func next() -> RowBlock? {
        guard position.offset < files.count else { return nil }
        let start = position.offset
        let names = Array(files[start..<min(files.count, start + Self.blockSize)])
        position.offset += names.count
        position.line += names.count
        return RowBlock(
            content: .files(names), name: name, firstLine: start + 1, end: position, bytesRead: position.offset)
    }

    /// Returns the paths of all files of a folder.
    /// - Throws: ``CommandFailure`` if it, or a folder in it, can't be read.
    static func files(in folder: String) throws(CommandFailure) -> [String] {
        var files: [String] = []
        // Folders that are still to be listed, the next one last.
        var open = [folder]
        while let folder = open.popLast() {
            let names: [String]
            do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
                throw CommandFailure("\(folder): can not be listed, expected a folder that may be read")
            }
            for name in names {
                let path = (folder.hasSuffix("/") ? folder : folder + "/") + name
                if (try? FileStatus(ofFile: path))?.isFolder == true { open.append(path) } else { files.append(path) }
            }
        }
        return files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
