// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@testable import ServerTrust
@testable import ServerTrustTesting

/// A leaf with timestamps from custom logs, and the list of these logs.
struct PolicyScene {
    /// A log's promise, by the log's name.
    struct Promise: ExpressibleByStringLiteral {
        let log: String
        /// Milliseconds after the leaf's notBefore.
        var offset: Int64 = 0
        var change: (inout TestTimestamp) -> Void = { _ in }

        init(stringLiteral log: String) { self.log = log }

        static func at(_ log: String, seconds: Int64, milliseconds: Int64 = 0) -> Promise {
            var promise = Promise(stringLiteral: log)
            promise.offset = seconds * 1000 + milliseconds
            return promise
        }

        static func changed(_ log: String, _ change: @escaping (inout TestTimestamp) -> Void) -> Promise {
            var promise = Promise(stringLiteral: log)
            promise.change = change
            return promise
        }
    }

    static let day: Int64 = 86_400
    static let issued = TestAuthority.now.advanced(by: -10 * day)

    /// A1 and A2 belong to operator A, and so on. They are usable and without shards.
    private(set) var logs: [String: TestLog]
    /// notAfter minus notBefore, in seconds.
    var lifetime = 180 * day
    var embedded: [Promise] = []
    var handshake: [Promise] = []
    var ocsp: [Promise] = []
    /// The list's age at the verify date in seconds, negative for a newer list.
    var age = day
    var time = TestAuthority.now
    /// The logs that the list omits.
    var unlisted: Set<String> = []

    init() throws {
        logs = [:]
        for name in ["A1", "A2", "A3", "B1", "B2", "C1"] {
            logs[name] = try TestLog(name, operatedBy: "Operator \(name.prefix(1))")
        }
    }

    /// Changes a log before it signs.
    mutating func change(_ names: String..., with change: (inout TestLog) -> Void) {
        for name in names { logs[name] = logs[name].map { $0.with(change) } }
    }

    private func timestamps(_ promises: [Promise]) throws -> [TestTimestamp] {
        try promises.map { promise in
            let log = try #require(logs[promise.log])
            return log.timestamp(at: Self.issued).with {
                $0.milliseconds = UInt64(Int64($0.milliseconds) + promise.offset)
                promise.change(&$0)
            }
        }
    }

    /// Returns the findings of the three policies.
    func findings(_ policies: [CTPolicy] = CTPolicy.all) throws -> [TransparencyFinding] {
        let authority = try TestAuthority.root()
        let leaf = try authority.issue(
            .leaf("www.example.com").with {
                $0.notBefore = Self.issued
                $0.notAfter = Self.issued.advanced(by: lifetime)
                $0.timestamps = try timestamps(embedded)
            }
        ).certificate
        var lists: [(SignedCertificateTimestamp.Origin, TimestampList)] = []
        if let list = leaf.embeddedTimestamps { lists.append((.embedded, list)) }
        for (origin, promises) in [(SignedCertificateTimestamp.Origin.handshake, handshake), (.ocsp, ocsp)]
        where !promises.isEmpty {
            let bytes = try TestTimestamp.list(timestamps(promises), for: leaf)
            lists.append((origin, try TimestampList(tls: bytes)))
        }
        let date = time.advanced(by: -age)
        let listed = logs.filter { !unlisted.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
        let list = try CTLogList(json: TestLog.list(listed, at: date), now: max(date, TestAuthority.now))
        let evidence = TimestampEvidence(of: leaf, issuer: authority.certificate, lists: lists, logs: list)
        return policies.map { $0.finding(evidence, leaf: leaf, list: list, at: time, ignoringAge: false) }
    }
}
