// SPDX-License-Identifier: Apache-2.0

import Crypto
import Dispatch
import Foundation
import PKIX
import ServerTrust

/// Sends reports about servers that don't match their pins to the URLs in the rules for their hosts.
///
/// ```swift
/// let reporter = PinReporter(file: "reports.json", application: app, rules: { store.table })
/// store.manager.events.add(reporter)
/// …
/// await reporter.send(by: sender)       // now and then
/// ```
/// The reporter uses only the URLs in `PinRule.reportURIs`. It reports an identical failure once in 24 hours, even
/// across restarts. At most 100 reports wait, for at most a week, in a file that only its owner can read.
///
/// A report never goes to the host that failed, nor to a host that is pinned to any of the same keys. If these keys
/// were lost or stolen, the report couldn't be sent or would go to the thief. The reporter checks the rules when it
/// creates a report and again when it sends it.
public final class PinReporter: TrustEventObserver {
    private let queue: ReportQueue
    private let application: PinFailureReport.Application
    private let rules: @Sendable () -> PinTable
    private let redact: @Sendable (PinFailureReport) -> PinFailureReport?
    private let clock: @Sendable () -> Time
    /// The queue that writes to the disk, so that the evaluating thread doesn't wait.
    private let writer = DispatchQueue(label: "server-trust.pin-reports")
    /// The number of verdicts that wait for the writer.
    private let backlog = Locked(0)
    private static let maximumBacklog = 64

    /// Creates a reporter.
    /// - Parameters:
    ///   - file: the path of the file for waiting reports. Its folder has to exist.
    ///   - application: the app that the reports name.
    ///   - rules: returns the current rules, from a store or a fixed configuration.
    ///   - redact: removes confidential values from a report, or drops the report by returning nil. By default, reports
    ///     stay unchanged.
    ///   - clock: the clock. The default is the system's clock.
    public init(
        file: String, application: PinFailureReport.Application, rules: @escaping @Sendable () -> PinTable,
        redact: @escaping @Sendable (PinFailureReport) -> PinFailureReport? = { $0 },
        clock: @escaping @Sendable () -> Time = { .now() }
    ) {
        self.queue = ReportQueue(file: AtomicFile(file))
        self.application = application
        self.rules = rules
        self.redact = redact
        self.clock = clock
    }

    /// Reports refused servers and failures of report-only rules. Events have no port, so these reports have port 0. To
    /// report the port, use ``report(_:port:)``.
    public func observe(_ event: TrustEvent) {
        switch event {
        case .refused(let verdict), .reportOnlyMismatch(let verdict): report(verdict, port: 0)
        default: break
        }
    }

    /// Reports a verdict with a pin failure. Returns before the report is on disk.
    public func report(_ verdict: TrustVerdict, port: Int) {
        guard let host = verdict.host else { return }
        let table = rules()
        guard let rule = table.rule(for: host), !rule.reportURIs.isEmpty,
            let report = PinFailureReport(verdict, port: port, rule: rule, application: application),
            backlog.withLock({ count in
                defer { count = min(count + 1, Self.maximumBacklog) }
                return count < Self.maximumBacklog
            })
        else { return }
        writer.async { [self] in
            defer { backlog.withLock { $0 -= 1 } }
            enqueue(report, host, rule, table)
        }
    }

    /// Waits until all reports so far are on disk.
    public func flush() async {
        await withCheckedContinuation { done in writer.async { done.resume() } }
    }

    /// The number of waiting reports.
    public var waitingCount: Int { queue.read().waiting.count }

    private func enqueue(_ report: PinFailureReport, _ host: Hostname, _ rule: PinRule, _ table: PinTable) {
        let pins = rule.pins.map { $0.key.description }
        let urls = rule.reportURIs.filter { Self.mayReceive($0, about: Self.digest(of: host), pins: Set(pins), table) }
        guard !urls.isEmpty, let report = redact(report), let body = try? report.json(),
            body.count <= ReportQueue.maximumBody, let digest = Self.digest(of: report)
        else { return }
        let now = clock()
        _ = queue.change { contents in
            guard contents.record(digest, at: now) else { return }
            for url in urls where contents.waiting.count < ReportQueue.maximumEntries {
                contents.waiting.append(
                    ReportQueue.Entry(
                        id: UUID(), url: url, body: Data(body), host: Self.digest(of: host), pins: pins,
                        queued: now.secondsSinceEpoch, attempts: 0, notBefore: now.secondsSinceEpoch))
            }
        }
    }

    /// Returns a digest that is equal for the same failure at different times. It is computed after redaction, so the
    /// file can't reveal removed values either.
    private static func digest(of report: PinFailureReport) -> String? {
        var timeless = report
        timeless.time = Time(secondsSinceEpoch: 0)
        return (try? timeless.json()).map { Hex.encode(Array(SHA256.hash(data: $0))) }
    }
}

// MARK: - Sending

extension PinReporter {
    /// Sends the reports that are due. Retries a failed report after one minute, then two, four, … minutes.
    /// - Returns: the number of reports that were sent.
    @discardableResult
    public func send(by sender: any ReportSender) async -> Int {
        var sent = 0
        while !Task.isCancelled {
            let now = clock()
            // If no reports wait, nothing is written. Taking an entry postpones it, so the loop ends.
            guard !queue.read().waiting.isEmpty, let taken = queue.change({ $0.take(at: now) }), let entry = taken
            else { break }
            guard Self.mayReceive(entry.url, about: entry.host, pins: Set(entry.pins), rules()) else {
                _ = queue.change { $0.remove(entry.id) }
                continue
            }
            guard (try? await sender.post(Array(entry.body), contentType: "application/json", to: entry.url)) != nil
            else { continue }
            _ = queue.change { $0.remove(entry.id) }
            sent += 1
        }
        return sent
    }

    private static func digest(of host: Hostname) -> String {
        Hex.encode(Array(SHA256.hash(data: Data(host.description.utf8))))
    }

    /// Returns whether a report about a host and its pins may go to `url`. The digest identifies the host.
    static func mayReceive(_ url: String, about host: String, pins: Set<String>, _ table: PinTable) -> Bool {
        guard let name = URLComponents(string: url)?.host, let receiver = try? Hostname(name),
            digest(of: receiver) != host
        else { return false }
        guard let rule = table.rule(for: receiver) else { return true }
        return rule.pins.allSatisfy { !pins.contains($0.key.description) }
    }
}
