// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import Crypto
import Foundation
import PKIX

/// Your own Certificate Transparency log (RFC 6962), for tests: a key that signs timestamps, and an entry in a log
/// list.
///
/// ```swift
/// let logs = try [TestLog("One 2027", operatedBy: "One"), TestLog("Two 2027", operatedBy: "Two")]
/// let template = CertificateTemplate.leaf("www.example.com").with { $0.timestamps = logs.map { $0.timestamp() } }
/// let leaf = try authority.issue(template)                               // with two embedded timestamps
/// let list = try CTLogList(json: TestLog.list(logs), now: TestAuthority.now)
/// let handshake = try TestTimestamp.list(logs.map { $0.timestamp() }, for: leaf.certificate)
/// ```
/// If you change the log after ``timestamp(at:)``, for example its state, the change appears only in the list.
///
/// Not checked: whether the log would accept the certificate, based on its state or dates. The log publishes nothing.
public struct TestLog: Sendable {
    /// The state of a log on a list, from a given date on. The names are the same as in the lists.
    package struct State: Sendable, Hashable {
        /// The name: `usable`, for example.
        package var name: String
        /// The date, or nil for one year before the list's own date.
        var since: Time?

        /// Creates a state.
        init(_ name: String, since: Time?) {
            self.name = name
            self.since = since
        }

        /// Not accepted yet.
        static let pending = State("pending", since: nil)
        /// Accepted, but not yet in every client.
        static let qualified = State("qualified", since: nil)
        /// Accepted by every client.
        static let usable = State("usable", since: nil)
        /// Never accepted.
        static let rejected = State("rejected", since: nil)
        /// Returns the state of a log that accepts no certificates after a date.
        static func readOnly(since date: Time) -> State { State("readonly", since: date) }
        /// Returns the state of a log whose timestamps stop counting on a given date.
        package static func retired(since date: Time) -> State { State("retired", since: date) }
    }

    /// A previous operator.
    struct PreviousOperator: Sendable, Hashable {
        package var name: String
        var end: Time

        init(_ name: String, until end: Time) {
            self.name = name
            self.end = end
        }
    }

    /// The name on the list.
    public var name: String
    /// The operator.
    package var operatorName: String
    /// The previous operators. Empty by default.
    var previousOperators: [PreviousOperator] = []
    /// The state on the list. The default is usable.
    package var state = State.usable
    /// The expiry dates of the certificates that the log accepts, excluding the upper bound. The default, nil, is all
    /// dates.
    var shard: Range<Time>?
    /// Whether the log is a tiled one (static-ct-api), whose timestamps contain the index of their entry. The default
    /// is false.
    package var isTiled = false
    /// The private key.
    public let key: TestKey
    /// The SHA-256 digest of the SubjectPublicKeyInfo, 32 bytes.
    public let logID: [UInt8]

    /// Creates a log.
    /// - Parameters:
    ///   - name: the name on the list.
    ///   - operatorName: the operator.
    ///   - key: the key. The default is a P-256 key. Clients also accept RSA keys, but no others.
    /// - Throws: errors from swift-certificates for a key that can't be encoded.
    public init(_ name: String, operatedBy operatorName: String, key: TestKey = .p256()) throws {
        self.name = name
        self.operatorName = operatorName
        self.key = key
        self.logID = Array(SHA256.hash(data: try key.subjectPublicKeyInfo()))
    }

    /// Returns a copy with changes.
    public func with(_ change: (inout TestLog) throws -> Void) rethrows -> TestLog {
        var copy = self
        try change(&copy)
        return copy
    }

    /// Returns a timestamp from this log. The log signs when the certificate is known.
    /// - Parameter date: the date of the timestamp. The default is the start of a template's default validity.
    public func timestamp(at date: Time = TestAuthority.notBefore) -> TestTimestamp { TestTimestamp(self, at: date) }
}

// MARK: - Lists

extension TestLog {
    /// Returns a list of logs in JSON, version 3. It groups the logs by operator.
    /// - Parameters:
    ///   - logs: the logs. The operators are in the order of their first logs.
    ///   - date: the date of the list. The default is ``TestAuthority/now``.
    ///   - version: the version of the contents.
    public static func list(
        _ logs: [TestLog], at date: Time = TestAuthority.now, version: String = "1.0"
    ) throws -> [UInt8] {
        var names: [String] = []
        for log in logs where !names.contains(log.operatorName) { names.append(log.operatorName) }
        let operators: [[String: Any]] = try names.map { name in
            let own = logs.filter { $0.operatorName == name }
            return [
                "name": name, "email": ["logs@\(name.lowercased().filter(\.isLetter)).example"],
                "logs": try own.filter { !$0.isTiled }.map { try $0.entry(at: date) },
                "tiled_logs": try own.filter(\.isTiled).map { try $0.entry(at: date) },
            ]
        }
        let list: [String: Any] = [
            "version": version, "log_list_timestamp": date.description, "operators": operators,
        ]
        return Array(
            try JSONSerialization.data(withJSONObject: list, options: [.prettyPrinted, .sortedKeys]))
    }

    private func entry(at date: Time) throws -> [String: Any] {
        let since = state.since ?? date.advanced(by: .days(-365))
        var condition: [String: Any] = ["timestamp": since.description]
        if state.name == "readonly" {
            condition["final_tree_head"] = ["sha256_root_hash": Base64.encode(logID), "tree_size": 1] as [String: Any]
        }
        let host = "https://\(name.lowercased().filter { $0.isLetter || $0.isNumber }).log.example/"
        var entry: [String: Any] = [
            "description": name, "log_id": Base64.encode(logID), "key": Base64.encode(try key.subjectPublicKeyInfo()),
            "mmd": 86_400, "state": [state.name: condition],
        ]
        if isTiled {
            entry["submission_url"] = host
            entry["monitoring_url"] = host + "tiles/"
        } else {
            entry["url"] = host
        }
        if let shard {
            entry["temporal_interval"] = [
                "start_inclusive": shard.lowerBound.description, "end_exclusive": shard.upperBound.description,
            ]
        }
        if !previousOperators.isEmpty {
            entry["previous_operators"] = previousOperators.map { ["name": $0.name, "end_time": $0.end.description] }
        }
        return entry
    }

    /// Returns the detached signature of a list, made with its publisher's key. With an RSA key, it is PKCS #1 v1.5
    /// with SHA-256.
    static func signature(of list: [UInt8], by key: TestKey) throws -> [UInt8] {
        try key.sign(list, key.defaultSignatureAlgorithm)
    }
}

#endif
