// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import TrustScenes

/// Servers that send more than a client wants.
let memoryTrials: [Feature] = [
    memory("continuation-flood", "Bounded memory in a flood of CONTINUATION frames"),
    memory("ping-flood", "… of PING frames"),
    memory("settings-flood", "… of SETTINGS frames"),
    memory("reset-flood", "… of RST_STREAM frames"),
    memory("empty-data-flood", "… of empty DATA frames"),
    memory("endless-head", "… of fields, over HTTP/1.1", "http1", "/endless-head"),
    memory("endless-informational", "… of responses with the status 103", "http1", "/endless-informational"),
    reading("chunks", "Bounded memory in a body of chunks of one byte", "/chunks", pause: 0),
    reading("chunks-slowly", "… with a slow reader", "/chunks", pause: 0.05),
    reading("body-slowly", "… in a large body with a slow reader", "/body", pause: 0.2),
    Feature("chunks-limit", "Ends a body of chunks of one byte at its time limit") { client in
        let delegate = ReadingDelegate(pause: 0)
        let scene = try StressScene(client, "http1", delegate: delegate) {
            $0.timeout = 2
            $0.bodyTimeout = 2
        }
        return await ends(within: .seconds(10)) { try? await scene.read("/chunks", by: delegate) }
            && delegate.bytes > 0
    },
]

/// The memory while a server floods the second request of a client.
private func memory(_ name: String, _ title: String, _ behavior: String? = nil, _ path: String = "/") -> Feature {
    Feature(
        name, title,
        answering: { client in
            let scene = try StressScene(client, behavior ?? name) { $0.timeout = 3 }
            guard try await scene.send().status == 200 else { return "no" }
            let watch = MemoryWatch()
            await ends(within: .seconds(4)) { _ = try? await scene.send(path) }
            let answer = await watch.answer()
            return try scene.server.counts.requests > 1 ? answer : "no"
        })
}

/// The memory while a client reads a body without an end.
/// - Parameter pause: after each piece, in seconds.
private func reading(_ name: String, _ title: String, _ path: String, pause: TimeInterval) -> Feature {
    Feature(
        name, title,
        answering: { client in
            let delegate = ReadingDelegate(pause: pause)
            let scene = try StressScene(client, "http1", delegate: delegate)
            guard try await scene.send().status == 200 else { return "no" }
            let watch = MemoryWatch()
            await ends(within: .seconds(4)) { try? await scene.read(path, by: delegate) }
            let answer = await watch.answer()
            return delegate.bytes > 0 ? answer : "no"
        })
}

/// The memory of this process, from the moment that the watch begins.
///
/// A process that exceeds the limit is ended with that as the answer, so that no machine runs out of memory.
struct MemoryWatch: Sendable {
    /// Bytes above the memory at the beginning.
    private static let limit = 64 << 20
    /// Growth after a request that counts, in bytes: a client that keeps the bytes of a flood grows by tens of megabytes a second.
    private static let tolerance = 8 << 20

    private let idle: Int
    private let peak = Locked(0)

    init() {
        let (idle, peak) = (Counted.residentBytes(), peak)
        self.idle = idle
        Thread.detachNewThread {
            while true {
                let above = Counted.residentBytes() - idle
                if above > Self.limit {
                    FileHandle.standardOutput.write(Data("more than \(Self.limit >> 20) MB\n".utf8))
                    _exit(0)
                }
                peak.withLock { $0 = max($0, above) }
                usleep(5000)
            }
        }
    }

    /// Call it when the request has ended.
    /// - Returns: "yes" if the limit wasn't exceeded, and the process doesn't grow any more.
    func answer() async -> String {
        // Data that arrived before the end may still be on its way.
        try? await Task.sleep(for: .milliseconds(500))
        let before = Counted.residentBytes()
        try? await Task.sleep(for: .seconds(1.5))
        var text = "yes"
        if Counted.residentBytes() > before + Self.tolerance {
            // Until it exceeds the limit, on a machine where that takes longer.
            try? await Task.sleep(for: .seconds(10))
            text = "grows"
        }
        return Feature.showsDetails ? "\(text) (\(peak.withLock { $0 } >> 20) MB)" : text
    }
}
