// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import ServerTrust

/// The waiting reports and the digests of recent ones. The file survives restarts, and several processes can share it.
struct ReportQueue: Sendable {
    struct Entry: Codable, Hashable, Sendable {
        let id: UUID
        let url: String
        let body: Data
        /// The SHA-256 digest of the name of the host that failed. Redaction may have removed the name from the body.
        let host: String
        /// The pins that failed, `sha256/BASE64`.
        let pins: [String]
        let queued: Int64
        var attempts: Int
        /// The earliest time to send the entry. Taking an entry postpones it, so that two processes don't send it at
        /// the same time.
        var notBefore: Int64
    }

    struct Contents: Codable, Sendable {
        var schemaVersion = 1
        var waiting: [Entry] = []
        /// The times of reports, keyed by the digest of their failure.
        var reported: [String: Int64] = [:]
    }

    /// The maximum number of waiting reports.
    static let maximumEntries = 100
    static let maximumReported = 1000
    static let maximumBody = 256 << 10
    private static let maximumSize = 64 << 20
    /// The number of seconds during which an identical failure is reported only once.
    static let repeatInterval: Int64 = 24 * 3600
    /// The number of seconds after which the queue drops a waiting report.
    static let maximumAge: Int64 = 7 * 86_400
    /// The delay before a report is sent again: one minute, two, four, … up to a day.
    fileprivate static let delays = ExponentialBackOff(initial: .seconds(60), maximum: .seconds(86_400))

    let file: AtomicFile

    private struct Failed: Error {}

    /// Reads, changes and replaces the contents, under the lock.
    /// - Returns: the result of `change`, or nil if the file can't be read or written. Reports aren't important enough
    ///   to throw an error.
    func change<Result>(_ change: (inout Contents) -> Result) -> Result? {
        return try? file.locked({ _ in Failed() }) { () throws(Failed) -> Result in
            var contents = read()
            let result = change(&contents)
            guard let json = try? JSONEncoder().encode(contents), (try? file.write(JSONWriter.escaping(json))) != nil
            else {
                throw Failed()
            }
            return result
        }
    }

    /// Reads the contents. A file that this type didn't write counts as empty, and the next report replaces it.
    func read() -> Contents {
        guard let bytes = try? file.read(maximumSize: Self.maximumSize, forOwnerAlone: true),
            let contents = try? JSONDecoder().decode(Contents.self, from: Data(bytes)), contents.schemaVersion == 1
        else { return Contents() }
        return contents
    }
}

extension ReportQueue.Contents {
    /// Records a failure unless it was reported within ``ReportQueue/repeatInterval``.
    /// - Returns: whether it was recorded.
    mutating func record(_ digest: String, at now: Time) -> Bool {
        let now = now.secondsSinceEpoch
        // A time in the future comes from a clock that was ahead.
        if let last = reported[digest],
            abs(now.subtractingReportingOverflow(last).partialValue) < ReportQueue.repeatInterval
        {
            return false
        }
        reported = reported.filter {
            abs(now.subtractingReportingOverflow($0.value).partialValue) < ReportQueue.repeatInterval
        }
        guard reported.count < ReportQueue.maximumReported else { return false }
        reported[digest] = now
        return true
    }

    /// Returns the next entry to send and postpones it. Drops entries that are too old.
    mutating func take(at now: Time) -> ReportQueue.Entry? {
        let now = now.secondsSinceEpoch
        waiting.removeAll { now - $0.queued > ReportQueue.maximumAge }
        guard let index = waiting.firstIndex(where: { $0.notBefore <= now }) else { return nil }
        waiting[index].attempts += 1
        let delay = ReportQueue.delays.nominalDelay(afterFailures: waiting[index].attempts)
        waiting[index].notBefore = now + delay.components.seconds
        return waiting[index]
    }

    mutating func remove(_ id: UUID) { waiting.removeAll { $0.id == id } }
}
