// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// The signals that end a verb which runs until it is told to stop: SIGINT (Ctrl-C), SIGTERM, SIGHUP (the terminal is gone).
///
/// From the moment it is made they no longer end the process at once.
struct StopSignals {
    private let sources: [any DispatchSourceSignal]
    private let arrivals: AsyncStream<Void>

    init() {
        let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        self.arrivals = arrivals
        self.sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield() }
            source.resume()
            return source
        }
    }

    /// Returns when the first of them has come; at once if it came before.
    func wait() async {
        for await _ in arrivals { break }
        // Held until here, as a source that nobody holds is cancelled.
        for source in sources { source.cancel() }
    }
}
