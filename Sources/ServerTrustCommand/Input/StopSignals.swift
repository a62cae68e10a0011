// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// The signals that stop a server: SIGINT (Ctrl-C), SIGTERM, SIGHUP (the terminal was closed).
///
/// From its creation on the signals no longer end the process at once.
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

    /// Returns when the first signal has arrived; at once if it arrived before.
    func wait() async {
        for await _ in arrivals { break }
        // The sources are held until here, as a source without a reference is cancelled.
        for source in sources { source.cancel() }
    }
}
