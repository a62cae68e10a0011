// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

extension CTLogList {
    /// Reads a list in version 3 of the format, and verifies its detached signature.
    /// - Parameters:
    ///   - json: the bytes of the list, exactly as signed.
    ///   - signature: the bytes of the signature: RSA by PKCS #1 v1.5 or ECDSA on P-256 in DER, both with SHA-256, or
    ///     Ed25519.
    ///   - key: the public key of the list's publisher, which you supply. An RSA key has at least 2048 bits.
    ///   - now: the current date. A list dated in the future is an error.
    /// - Throws: ``CTLogListError``, also if the signature doesn't match the key.
    public init(
        json: [UInt8], signature: [UInt8], key: SubjectPublicKeyInfo, now: Time
    ) throws(CTLogListError) {
        guard json.count <= Self.maximumSize else {
            throw CTLogListError("\(json.count) bytes, expected at most \(Self.maximumSize)")
        }
        guard key.isValid(signature, over: json) else {
            throw CTLogListError("the signature doesn't match the key", code: .logListSignatureInvalid)
        }
        try self.init(json: json, now: now)
    }

    /// The maximum size of a list in bytes. Current lists have about 60 KB.
    public static let maximumSize = 1 << 20

    /// Reads a list in version 3 of the format.
    ///
    /// The initializer skips unknown members and accepts operators without logs. It skips logs that can't be used, with
    /// a warning. An identifier that isn't the digest of its key, a log that two operators have, and a date without a
    /// time zone are errors, because the list may have been tampered with.
    /// - Parameters:
    ///   - json: the bytes of the list.
    ///   - now: the current date. A list dated in the future is an error.
    /// - Throws: ``CTLogListError``.
    public init(json: [UInt8], now: Time) throws(CTLogListError) {
        try self.init(json: json, now: now, mimics: Self.mimics)
    }

    init(json: [UInt8], now: Time, mimics: Set<[UInt8]>) throws(CTLogListError) {
        guard json.count <= Self.maximumSize else {
            throw CTLogListError("\(json.count) bytes, expected at most \(Self.maximumSize)")
        }
        // The decoder would also accept other encodings and invalid JSON, and it traps in some texts with deep nesting.
        do throws(JSONError) {
            _ = try JSONValue(
                parsing: json, maximumDepth: 32, maximumCount: Self.maximumSize, repeatedKeys: .kept,
                keeping: { _ in false })
        } catch {
            throw CTLogListError("expected a list of logs in JSON, version 3: \(error.detail)")
        }
        let file: LogListFile
        do { file = try JSONDecoder().decode(LogListFile.self, from: Data(json)) } catch {
            throw CTLogListError("expected a list of logs in JSON, version 3\(Self.place(of: error))")
        }
        let date = try Self.time(file.log_list_timestamp, "log_list_timestamp")
        guard date <= now else {
            throw CTLogListError("log_list_timestamp \(date) is in the future", code: .logListFromFuture)
        }
        var logs: [[UInt8]: Log] = [:]
        var identifiers: Set<[UInt8]> = []
        var leftOut = LeftOut(mimics: mimics)
        for provider in file.operators {
            for (entry, isTiled) in provider.logs.map({ ($0, false) }) + provider.tiled_logs.map({ ($0, true) }) {
                // Checks every log, including skipped ones, so that a log skipped in one place isn't used from another.
                guard identifiers.insert((try? Base64.decode(entry.log_id)) ?? []).inserted else {
                    throw CTLogListError("log \(clipped(entry.log_id, to: 44)) occurs twice in the list")
                }
                guard
                    let log = try Self.log(entry, isTiled: isTiled, of: clipped(provider.name, to: 100), now, &leftOut)
                else {
                    continue
                }
                logs[log.key.logID] = log
            }
        }
        self.digest = Digests.sha256(json)
        self.version = file.version
        self.date = date
        self.logs = logs
        self.warnings = leftOut.warnings
        self.mimicCount = leftOut.mimicCount
    }

    /// Returns the place of an error in a list, or an empty string for an error in the JSON itself.
    private static func place(of error: any Error) -> String {
        let context: DecodingError.Context
        var last: [any CodingKey] = []
        switch error as? DecodingError {
        case .keyNotFound(let key, let found): (context, last) = (found, [key])
        case .typeMismatch(_, let found), .valueNotFound(_, let found): context = found
        default: return ""
        }
        let path = (context.codingPath + last).map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }
        return ": \(clipped(String(path.joined().drop { $0 == "." }), to: 100)) is missing or has the wrong type"
    }

    /// The skipped logs of a list.
    private struct LeftOut {
        let mimics: Set<[UInt8]>
        var warnings: [String] = []
        var mimicCount = 0

        mutating func add(_ name: String, _ reason: String) {
            if warnings.count < 100 { warnings.append("log \(name): \(reason)") }
        }
    }

    private static func log(
        _ entry: LogListFile.Log, isTiled: Bool, of provider: String, _ now: Time, _ leftOut: inout LeftOut
    ) throws(CTLogListError) -> Log? {
        let name = clipped(entry.description ?? "", to: 100)
        let info = try keyInfo(entry, name)
        guard !leftOut.mimics.contains(info.sha256) else {
            leftOut.mimicCount += 1
            leftOut.add(name, "its private key is public: the list is for testing breakage, not for enforcement")
            return nil
        }
        guard let key = TransparencyLogKey(info) else {
            leftOut.add(name, "a kind of key that logs don't use")
            return nil
        }
        guard entry.log_type.map({ $0 == "prod" }) ?? true else {
            leftOut.add(name, "a log of type \(clipped(entry.log_type ?? "", to: 20)), expected prod")
            return nil
        }
        guard let states = entry.state, states.count == 1, let (kindName, value) = states.first,
            let kind = State.Kind(rawValue: kindName)
        else {
            leftOut.add(name, "no state, or an unknown one")
            return nil
        }
        let since = try time(value.timestamp, "log \(name): \(kindName).timestamp")
        guard since <= now else {
            leftOut.add(name, "\(kindName) since \(since), which is in the future")
            return nil
        }
        var previous: [PreviousOperator] = []
        for past in entry.previous_operators ?? [] {
            previous.append(
                PreviousOperator(
                    name: clipped(past.name, to: 100),
                    end: try time(past.end_time, "log \(name): previous_operators.end_time")))
        }
        return Log(
            description: name, key: key, state: State(kind: kind, since: since), shard: try shard(entry, name),
            isTiled: isTiled, publicKey: info.der, currentOperator: provider,
            previousOperators: previous.sorted { $0.end < $1.end })
    }

    private static func keyInfo(
        _ entry: LogListFile.Log, _ name: String
    ) throws(CTLogListError) -> SubjectPublicKeyInfo {
        guard let der = try? Base64.decode(entry.key), let info = try? SubjectPublicKeyInfo(der: der) else {
            throw CTLogListError("log \(name): the key isn't a SubjectPublicKeyInfo in base64")
        }
        guard (try? Base64.decode(entry.log_id)) == info.sha256 else {
            throw CTLogListError("log \(name): log_id isn't the SHA-256 of the key")
        }
        return info
    }

    private static func shard(_ entry: LogListFile.Log, _ name: String) throws(CTLogListError) -> Shard? {
        guard let interval = entry.temporal_interval else { return nil }
        let start = try time(interval.start_inclusive, "log \(name): temporal_interval.start_inclusive")
        let end = try time(interval.end_exclusive, "log \(name): temporal_interval.end_exclusive")
        guard start < end else { throw CTLogListError("log \(name): temporal_interval ends before it begins") }
        return Shard(start: start, end: end)
    }

    private static func time(_ text: String, _ key: String) throws(CTLogListError) -> Time {
        // A date without a time has no time zone.
        guard text.utf8.count > 10, let time = try? Time(rfc3339: text) else {
            throw CTLogListError(
                "\(key): expected a date such as 2026-11-21T09:30:00Z, found \"\(clipped(text, to: 40))\"")
        }
        return time
    }
}

/// The members of version 3 that the reader uses.
private struct LogListFile: Decodable {
    struct Operator: Decodable {
        var name: String
        var logs: [Log]
        var tiled_logs: [Log]

        private enum CodingKeys: String, CodingKey { case name, logs, tiled_logs }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            name = try values.decode(String.self, forKey: .name)
            logs = try values.decodeIfPresent([Log].self, forKey: .logs) ?? []
            tiled_logs = try values.decodeIfPresent([Log].self, forKey: .tiled_logs) ?? []
        }
    }

    struct Log: Decodable {
        struct State: Decodable { var timestamp: String }
        struct Interval: Decodable {
            var start_inclusive: String
            var end_exclusive: String
        }
        struct PreviousOperator: Decodable {
            var name: String
            var end_time: String
        }

        var description: String?
        var log_id: String
        var key: String
        /// Absent in lists of all logs, for logs that no program has accepted.
        var state: [String: State]?
        var temporal_interval: Interval?
        var previous_operators: [PreviousOperator]?
        var log_type: String?
    }

    var version: String?
    var log_list_timestamp: String
    var operators: [Operator]
}
