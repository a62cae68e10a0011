// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import PKIX

/// A file that is deleted if a signal ends the process (SIGINT, SIGTERM or SIGHUP). The signal still ends the process.
///
/// While this object exists, no other one handles these signals.
final class UnfinishedFile {
    private let numbers: [Int32]
    private let sources: [any DispatchSourceSignal]
    private let isUnfinished = Locked(true)

    /// Starts handling the signals. Create this object before the file.
    init(_ path: String) {
        // `nohup` ignores SIGHUP, and a shell ignores SIGINT for programs in the background. They stay ignored.
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
        // A signal before the handlers are registered would be lost.
        for _ in numbers { registered.wait() }
    }

    /// Keeps the file from now on, because it is complete or already deleted. A signal still ends the process.
    func keep() { isUnfinished.withLock { $0 = false } }

    deinit {
        for source in sources { source.cancel() }
        for number in numbers { signal(number, SIG_DFL) }
    }

    /// Ends the process with the same signal, so that a shell sees which signal it was.
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
