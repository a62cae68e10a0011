// SPDX-License-Identifier: Apache-2.0

import Crypto
import Dispatch
import Foundation
import PKIX
import PinModel
import ServerTrust
import TrustSupport

/// Reports servers that don't have their pins to the URLs that the rules of their hosts name.
///
/// ```swift
/// let reporter = PinReporter(file: "reports.json", application: app, rules: { store.table })
/// store.manager.events.add(reporter)
/// …
/// await reporter.send(by: sender)       // now and then
/// ```
/// Off unless made: there is no URL but those of ``PinRule/reportURIs``. An identical failure is reported once in 24 hours, across restarts.
/// At most 100 reports wait, for at most a week, in a file for its owner alone.
///
/// A report never goes to the host that failed, nor to one that is pinned to any of the same keys: if these are lost or stolen it
/// could not be sent, or would be sent to the thief. Rules are looked at when a report is made and when it is sent.
public final class PinReporter: TrustEventObserver {
    private let queue: ReportQueue
    private let application: PinFailureReport.Application
    private let rules: @Sendable () -> PinTable
    private let redact: @Sendable (PinFailureReport) -> PinFailureReport?
    private let clock: @Sendable () -> Time
    /// The disk is waited for here, and not on the thread that evaluates.
    private let writer = DispatchQueue(label: "server-trust.pin-reports")
    /// How many verdicts wait for the writer.
    private let backlog = Locked(0)
    private static let maximumBacklog = 64

    /// - Parameters:
    ///   - file: where reports wait; its folder has to be there.
    ///   - application: what the reports say about the app.
    ///   - rules: what holds for hosts now; of a store, or of a configuration that stays.
    ///   - redact: takes out of a report what must not leave the machine, or all of it (nil); nothing unless given.
    ///   - clock: the machine's unless given.
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

    /// Takes refusals, and findings of rules in report-only mode. An event knows no port: 0 is reported; see ``report(_:port:)``.
    public func observe(_ event: TrustEvent) {
        switch event {
        case .refused(let verdict), .reportOnlyMismatch(let verdict): report(verdict, port: 0)
        default: break
        }
    }

    /// Reports a verdict if there is anything to report; returns before the report is on disk.
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

    /// Returns when what was reported so far is on disk.
    public func flush() async {
        await withCheckedContinuation { done in writer.async { done.resume() } }
    }

    /// How many reports wait.
    public var waitingCount: Int { queue.read().waiting.count }

    private func enqueue(_ report: PinFailureReport, _ host: Hostname, _ rule: PinRule, _ table: PinTable) {
        let pins = rule.pins.map { $0.key.description }
        let urls = rule.reportURIs.filter { Self.mayReceive($0, about: Self.digest(of: host), pins: Set(pins), table) }
        guard !urls.isEmpty, let report = redact(report), let body = try? report.json(),
            body.count <= ReportQueue.maximumBody, let digest = Self.digest(of: report)
        else { return }
        let now = clock()
        _ = queue.change { contents in
            guard contents.note(digest, at: now) else { return }
            for url in urls where contents.waiting.count < ReportQueue.maximumEntries {
                contents.waiting.append(
                    ReportQueue.Entry(
                        id: UUID(), url: url, body: Data(body), host: Self.digest(of: host), pins: pins,
                        queued: now.secondsSinceEpoch, attempts: 0, notBefore: now.secondsSinceEpoch))
            }
        }
    }

    /// The same for the same failure at another time. As it is after redaction: what was taken out must not show in a file either.
    private static func digest(of report: PinFailureReport) -> String? {
        var timeless = report
        timeless.time = Time(secondsSinceEpoch: 0)
        return (try? timeless.json()).map { Hex.encode(Array(SHA256.hash(data: $0))) }
    }
}

// MARK: - Sending

extension PinReporter {
    /// Sends what waits and is due. One that can't be sent is tried again a minute later at the earliest, then two, four, … minutes.
    /// - Returns: how many were sent.
    @discardableResult
    public func send(by sender: any ReportSender) async -> Int {
        var sent = 0
        while !Task.isCancelled {
            let now = clock()
            // Nothing is written where nothing waits. An entry is moved on when it is taken, so the loop ends.
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

    /// Whether a report about a host, by its digest, and its pins may go to `url`.
    static func mayReceive(_ url: String, about host: String, pins: Set<String>, _ table: PinTable) -> Bool {
        guard let name = URLComponents(string: url)?.host, let receiver = try? Hostname(name),
            digest(of: receiver) != host
        else { return false }
        guard let rule = table.rule(for: receiver) else { return true }
        return rule.pins.allSatisfy { !pins.contains($0.key.description) }
    }
}
