// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// The signals that stop a server: SIGINT (Ctrl-C), SIGTERM, SIGHUP (the terminal was closed).
///
/// From its creation on the signals no longer end the process at once.
struct StopSignals {
    private let sources: [any DispatchSourceSignal]
    private let arrivals: AsyncStream<Void>

    /// - Parameter onlyOnce: whether a second signal ends the process at once, even while output is blocked.
    init(onlyOnce: Bool = false) {
        let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        self.arrivals = arrivals
        // `nohup` has SIGHUP ignored, and it stays so.
        let numbers = [SIGINT, SIGTERM] + (Self.isIgnored(SIGHUP) ? [] : [SIGHUP])
        self.sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if onlyOnce { for number in numbers { signal(number, SIG_DFL) } }
                continuation.yield()
            }
            source.resume()
            return source
        }
    }

    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Returns when the first signal has arrived; at once if it arrived before.
    func wait() async {
        for await _ in arrivals { break }
        // The sources are held until here, as a source without a reference is canceled.
        for source in sources { source.cancel() }
    }
}
