// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Bundle resources")
struct BundleTests {
    @Test("The bundle finds certificates as URLs, and an app can read them")
    func certificates() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data([1]).write(to: folder.appendingPathComponent("server.cer"))
        try Data([2]).write(to: folder.appendingPathComponent("notes.txt"))
        let bundle = try #require(Bundle(path: folder.path))
        let found = bundle.urls(forResourcesWithExtension: "cer", subdirectory: nil)?
            .compactMap { try? Data(contentsOf: $0) }
        #expect(found == [Data([1])])
    }
}
