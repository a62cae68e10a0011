// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import PKIX
import PinModel
import ServerTrust
import TrustSupport

/// Reports that wait, and what was reported lately, in a file that survives restarts (``AtomicFile``) and may be shared by processes.
struct ReportQueue: Sendable {
    struct Entry: Codable, Hashable, Sendable {
        let id: UUID
        let url: String
        let body: Data
        /// SHA-256 of the host that failed: redaction may have taken its name out of the body.
        let host: String
        /// `sha256/BASE64`: the pins that failed.
        let pins: [String]
        let queued: Int64
        var attempts: Int
        /// Not sent before. Whoever takes an entry moves it on first, so that no two processes send it at once.
        var notBefore: Int64
    }

    struct Contents: Codable, Sendable {
        var schemaVersion = 1
        var waiting: [Entry] = []
        /// Digest of a failure to when it was reported.
        var reported: [String: Int64] = [:]
    }

    /// What a server that fails in ever new ways can take of the disk.
    static let maximumEntries = 100
    static let maximumReported = 1000
    static let maximumBody = 256 << 10
    private static let maximumSize = 64 << 20
    /// Identical failures are reported once in this time.
    static let silence: Int64 = 24 * 3600
    /// What nobody has taken by then isn't news any more.
    static let maximumAge: Int64 = 7 * 86_400

    let file: AtomicFile

    private struct Failed: Error {}

    /// Reads, changes and replaces the contents, under the lock.
    /// - Returns: what `change` does, or nil if the file can't be read or written; reports are not worth an error.
    func change<Result>(_ change: (inout Contents) -> Result) -> Result? {
        return try? file.locked({ _ in Failed() }) { () throws(Failed) -> Result in
            var contents = read()
            let result = change(&contents)
            guard let bytes = try? JSONEncoder().encode(contents), (try? file.write(Array(bytes))) != nil else {
                throw Failed()
            }
            return result
        }
    }

    /// What is there; nothing, if the file isn't what this type writes: it is replaced with the next report.
    func read() -> Contents {
        guard let bytes = try? file.read(maximumSize: Self.maximumSize, forOwnerAlone: true),
            let contents = try? JSONDecoder().decode(Contents.self, from: Data(bytes)), contents.schemaVersion == 1
        else { return Contents() }
        return contents
    }
}

extension ReportQueue.Contents {
    /// Takes a failure in unless it was reported within ``ReportQueue/silence``.
    /// - Returns: whether it was taken.
    mutating func note(_ digest: String, at now: Time) -> Bool {
        let now = now.secondsSinceEpoch
        // A date in the future is one of a clock that ran ahead.
        if let last = reported[digest], abs(now.subtractingReportingOverflow(last).partialValue) < ReportQueue.silence {
            return false
        }
        reported = reported.filter {
            abs(now.subtractingReportingOverflow($0.value).partialValue) < ReportQueue.silence
        }
        guard reported.count < ReportQueue.maximumReported else { return false }
        reported[digest] = now
        return true
    }

    /// The next entry to send, which is moved on at once; entries that are too old are gone.
    mutating func take(at now: Time) -> ReportQueue.Entry? {
        let now = now.secondsSinceEpoch
        waiting.removeAll { now - $0.queued > ReportQueue.maximumAge }
        guard let index = waiting.firstIndex(where: { $0.notBefore <= now }) else { return nil }
        waiting[index].attempts += 1
        // A minute, two, four, … up to a day.
        waiting[index].notBefore = now + min(60 << Int64(min(waiting[index].attempts - 1, 11)), 86_400)
        return waiting[index]
    }

    mutating func remove(_ id: UUID) { waiting.removeAll { $0.id == id } }
}
