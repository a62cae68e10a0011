// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting

@testable import ServerTrust

/// A folder for one test, deleted at its end.
final class Scratch {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("records-\(UUID().uuidString)").path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var folder: RecordFolder { RecordFolder(path) }

    /// The lines of all files, oldest first. Empty without a folder.
    func lines() throws -> [[UInt8]] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try folder.files().flatMap { file in
            try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(file.name)")).split(separator: 0x0a).map { Array($0) }
        }
    }

    func records() throws -> [TrustRecord] {
        try lines().compactMap { try TrustRecord(line: $0, blobs: folder.blobs) }
    }
}

extension TrustRecord {
    /// The record as a line, whose large values don't matter.
    var line: [UInt8] { line { _, _ in } }

    /// Reads a text as a record without blobs.
    init?(text: String) throws(TrustRecordError) { try self.init(line: Array(text.utf8), blobs: nil) }
}

/// Records the evaluations of managers into a folder, evaluates each record again, and returns the records.
func records(
    _ settings: TrustRecorder.Settings = .verifying, recording selection: TrustRecorder.Selection = .all,
    _ body: (TrustRecorder) async throws -> Void
) async throws -> (records: [TrustRecord], counts: TrustRecorder.Counts) {
    let scratch = Scratch()
    let recorder = TrustRecorder(folder: scratch.path, recording: selection, settings: settings)
    try await body(recorder)
    await recorder.flush()
    return (try scratch.records(), recorder.counts)
}

extension TrustRecorder.Settings {
    static var verifying: Self {
        var settings = Self()
        settings.verifies = true
        return settings
    }
}

extension ServerTrustManager {
    /// A manager with one rule that a recorder observes.
    convenience init(_ host: Hostname, _ rule: HostRule, _ recorder: TrustRecorder) throws {
        try self.init(rules: [(HostPattern(host), rule)])
        events.add(recorder)
    }
}
