// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

/// Tests that kill `servertrust ca issue` at any moment.
@Suite struct CAInterruptionLiveTests {
    /// The number of killed runs, from SERVERTRUST_KILLS. The default is 18.
    static let kills = ProcessInfo.processInfo.environment["SERVERTRUST_KILLS"].flatMap { Int($0) } ?? 18

    @Test("A killed run leaves no partially written file") func nothingIsHalfWritten() throws {
        try CAFolder.with { folder in
            try folder.run("init")
            // The duration of a whole run, so that the kills fall within it and slightly after it.
            let start = ContinuousClock.now
            _ = try folder.issue(["before.test"])
            let duration = ContinuousClock.now - start
            let microseconds = max(2000, Int(duration.components.attoseconds / 1_000_000_000_000))
            var killed = 0
            for number in 0..<Self.kills {
                let process = Process()
                process.executableURL = Tool.url
                process.arguments = ["ca", "issue", "host\(number).test", "--folder", folder.path]
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                try process.run()
                // Spread over the run, at a random moment in each part of it.
                let part = microseconds * 5 / 4 / Self.kills
                usleep(UInt32(part * number + Int.random(in: 0...part)))
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                if process.terminationReason == .uncaughtSignal { killed += 1 }
                try check(folder, "host\(number).test")
            }
            #expect(killed > 0)
            // The folder is still usable, and new runs can replace leftovers.
            for number in 0..<Self.kills { _ = try folder.issue(["host\(number).test", "--force"]) }
            _ = try folder.issue(["after.test"])
            #expect(try folder.leftovers().isEmpty)
        }
    }

    /// Expects complete files and a readable index that only lists existing files.
    private func check(_ folder: CAFolder, _ name: String) throws {
        let isIndexed = try folder.list().contains { $0.names == [name] }
        let files = try folder.issuedFiles()
        if isIndexed {
            #expect(files.contains("\(name).pem"))
            #expect(files.contains("\(name).key"))
            try Openssl.expectSuccess([
                "verify", "-CAfile", folder.path("root.pem"), folder.path("issued/\(name).pem"),
            ])
        }
        for file in files where file.hasPrefix(name) {
            if file.hasSuffix(".partial") { continue }
            let path = folder.path("issued/\(file)")
            if file.hasSuffix(".key") {
                #expect(try folder.mode("issued/\(file)") == 0o600)
                try Openssl.expectSuccess(["pkey", "-in", path, "-noout"])
            } else {
                try Openssl.expectSuccess(["x509", "-in", path, "-noout"])
            }
        }
        // The list command warns about leftovers from an interrupted run.
        let expected = files.filter { !isIndexed && $0.hasPrefix(name) || $0.hasSuffix(".partial") }.map {
            "issued/\($0)"
        }
        #expect(Set(expected).isSubset(of: Set(try folder.leftovers())))
    }
}
