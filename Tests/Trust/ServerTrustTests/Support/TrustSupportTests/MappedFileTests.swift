// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ServerTrust

@Suite("Memory-mapped files")
struct MappedFileTests {
    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test("The bytes equal the file's, whether it is mapped or read")
    func bytes() throws {
        try withFolder { folder in
            let contents = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
            for (permissions, isMapped) in [(0o600, true), (0o644, true), (0o666, false), (0o620, false)] {
                let file = folder.appendingPathComponent("file\(permissions)")
                try contents.write(to: file)
                try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file.path)
                let mapped = try MappedFile(ofFile: file.path, maximumSize: 10_000)
                #expect(mapped.isMapped == isMapped)
                let same = mapped.withBytes { bytes in
                    bytes.count == contents.count && contents.indices.allSatisfy { bytes[$0] == contents[$0] }
                }
                #expect(same)
                // The bytes remain available after the name is gone.
                try FileManager.default.removeItem(at: file)
                let last = mapped.withBytes { $0[9_999] }
                #expect(last == contents[9_999])
            }
        }
    }

    @Test("An empty file has no bytes, and a folder, a larger file and a missing one cause errors")
    func others() throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("empty")
            try Data().write(to: file)
            let count = try MappedFile(ofFile: file.path, maximumSize: 10).withBytes { $0.count }
            #expect(count == 0)
            #expect(throws: SystemError(code: EINVAL)) { try MappedFile(ofFile: folder.path, maximumSize: 10) }
            #expect(throws: SystemError(code: ENOENT)) {
                try MappedFile(ofFile: folder.path + "/none", maximumSize: 10)
            }
            try Data(count: 11).write(to: file)
            #expect(throws: SystemError(code: EFBIG)) { try MappedFile(ofFile: file.path, maximumSize: 10) }
        }
    }
}
