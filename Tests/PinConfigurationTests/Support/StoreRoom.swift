// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

@testable import PinConfiguration

/// A folder for one test, gone at the end.
func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("pins-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    return try body(url)
}

/// A folder for one test, gone at the end.
func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("pins-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    return try await body(url)
}

extension ListRoom {
    func store(_ folder: URL, floor: PinFloor? = nil) throws -> PinStore {
        try PinStore(file: folder.appendingPathComponent("pins.json").path, floor: try floor ?? self.floor())
    }
}

extension PinStore {
    /// Which of ``ListRoom/pins(_:)`` is in force.
    var pin: SPKIPin? { table.configuration.rules.first?.pins.first?.key }
}
