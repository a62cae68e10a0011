// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// The signals that stop a server: SIGINT (Ctrl-C), SIGTERM and SIGHUP (the terminal was closed).
///
/// From creation on, these signals no longer end the process immediately.
struct StopSignals {
    private let sources: [any DispatchSourceSignal]
    private let arrivals: AsyncStream<Void>

    /// - Parameter onlyOnce: whether a second signal ends the process immediately, even while output is blocked.
    init(onlyOnce: Bool = false) {
        let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        self.arrivals = arrivals
        // `nohup` ignores SIGHUP, and it must stay ignored.
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

    /// Waits for the first signal. Returns immediately if one has already arrived.
    func wait() async {
        for await _ in arrivals { break }
        // This keeps the sources alive until here, because releasing a source cancels it.
        for source in sources { source.cancel() }
    }
}
