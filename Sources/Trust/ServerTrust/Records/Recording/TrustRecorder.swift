// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An observer that writes a record of each verdict, so that you can evaluate it again later.
///
/// ```swift
/// let recorder = TrustRecorder(folder: "/var/lib/example/verdicts")
/// manager.events.add(recorder)
/// ```
/// A record is a line of JSON: the chain, the host, the anchors, the evidence and the settings of an evaluation, and its
/// verdict. `servertrust verify --batch` evaluates records again, on any machine. The article <doc:RecordingVerdicts>
/// explains which facts a record reveals.
///
/// The evaluating thread only adds the evaluation to a queue. One background queue writes the files, at most a second
/// later. If it can't keep up, or if a file can't be written, the recorder counts the lost records. It never delays
/// or refuses a connection.
public final class TrustRecorder: TrustEventObserver {
    /// The verdicts to record.
    public struct Selection: Sendable {
        let includes: @Sendable (TrustVerdict) -> Bool

        /// The refusals.
        public static let refusals = Selection { !$0.isTrusted }
        /// All verdicts.
        public static let all = Selection { _ in true }

        /// Returns a random sample of all verdicts.
        /// - Parameter share: the share to record, from 0 to 1.
        public static func sample(_ share: Double) -> Selection { Selection { _ in Double.random(in: 0..<1) < share } }

        /// Returns the verdicts that meet a condition.
        /// - Parameter condition: called on the evaluating thread. Return quickly.
        public static func when(_ condition: @escaping @Sendable (TrustVerdict) -> Bool) -> Selection {
            Selection(includes: condition)
        }
    }

    /// The form of hosts in records.
    public struct Hosts: Sendable {
        let key: [UInt8]?

        /// The hosts themselves.
        public static let plain = Hosts(key: nil)

        /// Returns keyed hashes (HMAC-SHA256), which only the owner of the key can compute from a host.
        ///
        /// A leaf contains its names, so a hash hides only a host under a wildcard. Records with hashes contain no rule
        /// for a single host.
        /// - Parameter key: the key. Use 32 random bytes. The recorder replaces an empty key by a random one.
        public static func hashed(key: [UInt8]) -> Hosts {
            Hosts(key: key.isEmpty ? (0..<32).map { _ in UInt8.random(in: 0...255) } : key)
        }
    }

    /// The settings of a recorder.
    public struct Settings: Sendable {
        /// The form of hosts. Plain by default.
        public var hosts = Hosts.plain
        /// The time in which equal verdicts share a record. Two verdicts are equal if host, chain, rule, result, codes
        /// and path are, and the rules haven't changed. The first is written immediately. The number of others follows
        /// while it grows, and when the time ends. The default is an hour, the maximum a day.
        public var interval = Duration.seconds(3600)
        /// The size in bytes at which a new file begins. The default is 16 MiB.
        public var maximumFileSize = 16 << 20
        /// The size in bytes of all files. The recorder deletes the oldest files above it. The default is 256 MiB.
        public var maximumSize = 256 << 20
        /// The age at which files are deleted. The default is 30 days.
        public var maximumAge = Duration.days(30)
        /// Whether the recorder evaluates each record again before it writes it. If the result differs, the record says
        /// so (`unrecorded`). The default is false. For tests.
        public var verifies = false
        /// The name of the client in records, such as `http`. The default is `library`.
        public var client = "library"
        /// The name and version of your program in records. None by default.
        public var program: (name: String, version: String)?

        /// The longest time between two looks for counts to write.
        var countPause = Duration.seconds(60)

        /// Creates settings.
        public init() {}
    }

    /// The numbers of verdicts since the recorder was created.
    public struct Counts: Sendable, Hashable {
        /// The records that were written.
        public internal(set) var written = 0
        /// The verdicts that equal a record that is already there.
        public internal(set) var repeated = 0
        /// The verdicts that were lost because the recorder couldn't keep up, or because a chain is too large.
        public internal(set) var dropped = 0
        /// The records that couldn't be written to the folder.
        public internal(set) var failed = 0
        /// The records whose second evaluation had another result (``Settings/verifies``).
        public internal(set) var differing = 0
    }

    private let selection: Selection
    private let writer: RecordQueue

    /// Creates a recorder. It creates the folder when it writes the first record.
    /// - Parameters:
    ///   - folder: the folder. Several recorders and processes may use the same one.
    ///   - selection: the verdicts to record. Refusals by default.
    ///   - settings: the form of the records, and the limits of the folder.
    ///   - report: called on a background queue with the first error of the folder, and with the next one after records
    ///     could be written again. Does nothing by default.
    public init(
        folder: String, recording selection: Selection = .refusals, settings: Settings = Settings(),
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.selection = selection
        self.writer = RecordQueue(RecordFolder(folder), settings, report: report)
    }

    deinit { writer.finish() }

    /// The numbers of verdicts until now.
    public var counts: Counts { writer.counts }

    /// Does nothing: a recorder needs more than an event, and receives it with the event from managers.
    public func observe(_ event: TrustEvent) {}

    /// Writes all records and counts, and waits for it. Call it before your program ends.
    public func flush() async { await writer.flush() }
}

extension TrustRecorder: EvaluationObserver {
    package func wants(_ verdict: TrustVerdict) -> Bool { selection.includes(verdict) }

    package func observe(_ evaluation: ObservedEvaluation) { writer.add(evaluation) }

    /// Records an evaluation like ``observe(_:)``, but waits if the queue is full. For programs that must not lose one.
    package func record(_ evaluation: ObservedEvaluation) { writer.addWaiting(evaluation) }

    /// Writes all records and counts like ``flush()``, for synchronous callers.
    package func flushAndWait() { writer.flushAndWait() }
}
