// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

/// Mozilla's list dated 2026-06-13, from the corpora.
enum MozillaList {
    /// `roots/certdata.txt.gz` at `SERVERTRUST_CORPORA`, or in `../shared/corpora` from the package, or nil if neither
    /// exists.
    static let file: String? = {
        var package = URL(fileURLWithPath: #filePath)
        for _ in 0..<6 { package.deleteLastPathComponent() }
        let named = ProcessInfo.processInfo.environment["SERVERTRUST_CORPORA"].map { URL(fileURLWithPath: $0) }
        let beside = package.deletingLastPathComponent().appendingPathComponent("shared/corpora")
        return [named, beside].compactMap { $0?.appendingPathComponent("roots/certdata.txt.gz").path }.first {
            FileManager.default.fileExists(atPath: $0)
        }
    }()

    static func bytes() throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", file ?? ""]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return [UInt8](data)
    }
}

@Suite(
    "Mozilla's list from June 2026",
    .disabled(if: MozillaList.file == nil, "no corpora beside the checkout or at SERVERTRUST_CORPORA"))
struct MozillaListTests {
    @Test("The list has 166 roots, trusts 119 for TLS, and sets a date for two of them")
    func counts() throws {
        let list = try RootList(MozillaList.bytes(), date: .at("2026-06-13"))
        #expect(list.count == 166)
        #expect(list.entries.values.count { !$0.alternatives.isEmpty } == 119)
        let dated = list.entries.values.filter { $0.alternatives.first?.dates.isEmpty == false }
        #expect(dated.count == 2)
        #expect(
            try dated.first { $0.label.contains("Izenpe") }?.alternatives.first?.dates
                == [IssuanceLimit(.notAfter, .at("2026-04-15T23:59:59Z"), clock: .notBeforeOrTimestamp)])
    }
}
