// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import PKIX

/// A file that is deleted if a signal ends the process (SIGINT, SIGTERM, SIGHUP), which ends it all the same.
///
/// As long as this object lives, no other one handles these signals.
final class UnfinishedFile {
    private let numbers: [Int32]
    private let sources: [any DispatchSourceSignal]
    private let isUnfinished = Locked(true)

    /// Handles the signals from now on, before the file is made.
    init(_ path: String) {
        // `nohup` has SIGHUP ignored, a shell SIGINT of programs in the background, and it stays so.
        let numbers = [SIGINT, SIGTERM, SIGHUP].filter { !StopSignals.isIgnored($0) }
        self.numbers = numbers
        let isUnfinished = isUnfinished
        let registered = DispatchSemaphore(value: 0)
        sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                isUnfinished.withLock { if $0 { unlink(path) } }
                Self.end(by: number)
            }
            source.setRegistrationHandler { registered.signal() }
            source.resume()
            return source
        }
        // A signal that came before the handlers are there would be lost.
        for _ in numbers { registered.wait() }
    }

    /// Leaves the file where it is from now on: it is finished, or gone. A signal still ends the process.
    func keep() { isUnfinished.withLock { $0 = false } }

    deinit {
        for source in sources { source.cancel() }
        for number in numbers { signal(number, SIG_DFL) }
    }

    /// Ends the process as the signal does on its own, so that a shell sees which one it was.
    private static func end(by number: Int32) {
        signal(number, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        _exit(128 + number)
    }
}
