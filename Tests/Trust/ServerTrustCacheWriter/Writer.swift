// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustCache

/// `ServerTrustCacheWriter FILE SEED`: stores entries until it is killed, each with its own digest in its first 32
/// bytes. Prints `ready` after the first entry.
@main
enum Writer {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let seed = UInt64(arguments[2]) else { exit(64) }
        let cache = try SQLiteTrustCache(file: arguments[1], maximumBytes: 4 << 20) { _ in }
        var state = seed
        func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
        for round in 0... {
            let resource = TrustResource(.crl, url: "http://crl.example.com/\(next() % 64)")
            // From one page to about a hundred.
            let count = Int(next() % (next() % 8 == 0 ? 400_000 : 8_000))
            var contents: [UInt8] = []
            contents.reserveCapacity(count)
            for _ in 0..<count { contents.append(UInt8(truncatingIfNeeded: next())) }
            try await cache.store(
                TrustResourceEntry(
                    resource: resource, bytes: Digests.sha256(contents) + contents,
                    fetched: Time(secondsSinceEpoch: Int64(round))))
            if round % 7 == 0 { try await cache.remove(resource) }
            if round == 0 { FileHandle.standardOutput.write(Data("ready\n".utf8)) }
        }
    }
}
