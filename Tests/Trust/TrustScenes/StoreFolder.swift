// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder for one test, removed at its end.
package final class StoreFolder {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("servertrust-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a store's file in the folder.
    package var file: String { path + "/exceptions.json" }

    /// Returns the names of the folder's entries, sorted.
    package func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    package func bytes(_ name: String = "exceptions.json") throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
    }

    package func write(_ text: String, _ name: String = "exceptions.json") throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    package func folder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: false)
    }

    /// The permission bits.
    package func mode(_ name: String = "exceptions.json") throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path + "/" + name)[.posixPermissions] as? Int
    }
}
