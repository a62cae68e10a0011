// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import TrustScenes

/// Servers that send more than a client wants.
let memoryTrials: [Feature] = [
    memory("continuation-flood", "Uses bounded memory during a flood of CONTINUATION frames"),
    memory("ping-flood", "… of PING frames"),
    memory("settings-flood", "… of SETTINGS frames"),
    memory("reset-flood", "… of RST_STREAM frames"),
    memory("empty-data-flood", "… of empty DATA frames"),
    memory("endless-head", "… of header fields, over HTTP/1.1", "http1", "/endless-head"),
    memory("endless-informational", "… of responses with status 103", "http1", "/endless-informational"),
    reading("chunks", "Uses bounded memory for a body of one-byte chunks", "/chunks", pause: 0),
    reading("chunks-slowly", "… with a slow reader", "/chunks", pause: 0.05),
    reading("body-slowly", "Uses bounded memory for a large body with a slow reader", "/body", pause: 0.2),
    Feature("chunks-limit", "Ends a body of one-byte chunks at its time limit") { client in
        let delegate = ReadingDelegate(pause: 0)
        let scene = try StressScene(client, "http1", delegate: delegate) {
            $0.timeout = 2
            $0.bodyTimeout = 2
        }
        return await ends(within: .seconds(10)) { try? await scene.read("/chunks", by: delegate) }
            && delegate.bytes > 0
    },
]

/// Measures the memory while a server floods a client's second request.
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

/// Measures the memory while a client reads an endless body.
/// - Parameter pause: the pause after each piece, in seconds.
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

/// Measures how this process's memory grows from now on.
///
/// When the process exceeds the limit, the watch prints that as the answer and ends the process, so that the machine
/// doesn't run out of memory.
struct MemoryWatch: Sendable {
    /// The allowed growth, in bytes.
    private static let limit = 64 << 20
    /// The allowed growth after the request, in bytes. A client that stores the bytes of a flood grows by tens of
    /// megabytes a second.
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

    /// Returns the answer. Call it when the request has ended.
    /// - Returns: "yes" if the process stayed below the limit and stopped growing.
    func answer() async -> String {
        // Data that arrived before the end may still be unprocessed.
        try? await Task.sleep(for: .milliseconds(500))
        let before = Counted.residentBytes()
        try? await Task.sleep(for: .seconds(1.5))
        var text = "yes"
        if Counted.residentBytes() > before + Self.tolerance {
            // Gives a slow machine time to exceed the limit.
            try? await Task.sleep(for: .seconds(10))
            text = "grows"
        }
        return Feature.showsDetails ? "\(text) (\(peak.withLock { $0 } >> 20) MB)" : text
    }
}
