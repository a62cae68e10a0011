// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

/// A request of `verify --batch` with valid values. Its base64 is not decoded yet.
struct BatchRequest: Sendable {
    var id: String?
    var host: Hostname?
    /// The presented chain, leaf first. Never empty.
    var chain: [BatchBytes] = []
    var intermediates: [String] = []
    /// The anchors as base64 of DER. Nil for the system's anchors, empty for no anchors at all.
    var anchors: [String]?
    /// The verify date, or nil for the current time.
    var time: Time?
    var policy = ValidationPolicy()
    /// The mode of the revocation check, which only uses the data in the request.
    var revocation = RevocationPolicy.Mode.off
    var crls: [String] = []
    var ocspResponses: [String] = []
    /// The anchors whose short-lived leaves need no revocation evidence, or nil for the default.
    var shortLivedExemption: RevocationPolicy.Anchors?
    /// The pins, not empty, or nil for no pinning.
    var pins: [SPKIPin]?
    /// The settings of the Certificate Transparency check, or nil to skip it.
    var transparency: Transparency?

    /// The member `ct` of a request.
    struct Transparency: Sendable {
        var policy: CTPolicy
        var mode = TransparencySettings.Mode.report
    }

    /// An error for a line that isn't a request.
    struct Unreadable: Error {
        /// The id of the request, or nil if it can't be read.
        var id: String?
        /// All failures, not only the first.
        var failures: [TrustFailure]
    }

    /// Parses a request from a line. Missing values come from the settings.
    static func read(_ line: Data, _ settings: BatchSettings) throws(Unreadable) -> BatchRequest {
        let columns = settings.columns?.all ?? []
        let members: [JSONValue.Member]
        do throws(TrustFailure) {
            members = try JSONLine.members(of: line) { RequestReader.keys.contains($0) || columns.contains($0) }
        } catch {
            throw Unreadable(id: id(of: line, settings), failures: [error])
        }
        return try RequestReader(members, settings).result()
    }

    /// Returns the request for the cells of a table's row. Missing values come from the settings.
    static func read(_ cells: RowCells, _ settings: BatchSettings) throws(Unreadable) -> BatchRequest {
        try RequestReader(cells, settings).result()
    }

    /// Returns the id of a line that isn't a request, for example because another key occurs twice. Returns nil for a
    /// line without an id that can be read.
    static func id(of line: Data, _ settings: BatchSettings = BatchSettings()) -> String? {
        let ids = settings.columns?.ids ?? [RequestKey.id.rawValue]
        return (try? JSONLine.members(of: line, keeping: ids.contains)).flatMap {
            RequestReader($0, settings).request.id
        }
    }
}

extension BatchRequest {
    /// Whether requests already use this column's name for a key other than name, host and chain.
    static func hasKey(_ column: String) -> Bool {
        RequestKey(rawValue: column).map { ![.id, .host, .chain, .record].contains($0) } ?? false
    }
}

/// A reader of a request, key by key, that collects all failures.
///
/// Absent keys have defaults. Null is a failure for every key but the id, which is echoed as null. A client whose
/// `pins` or `anchors` happen to be null must not get the answer for a request without them. No key occurs twice,
/// because other readers of the same line may use the other value.
private struct RequestReader {
    typealias Key = RequestKey

    static let keys = Set(Key.allCases.map(\.rawValue)).union(recordKeys)

    /// The keys that hardly any table has as columns. With one of them, a line with the key `record` is a damaged
    /// record.
    private static let recordKeys = Set(
        [
            RecordKey.recorded, .hostHash, .anchorStore, .staple, .timestamps, .denied, .conditions, .filters, .ctLogs,
            .unrecorded,
        ].map(\.rawValue))

    var request: BatchRequest
    private var failures: [TrustFailure] = []

    init(_ cells: RowCells, _ settings: BatchSettings) {
        request = settings.defaults
        read(cells, settings)
    }

    init(_ members: [JSONValue.Member], _ settings: BatchSettings) {
        request = settings.defaults
        let columns = settings.columns
        var cells = RowCells()
        if let columns {
            // A table may have a column with the name of the first key.
            if members.first(Key.record.rawValue) != nil,
                members.contains(where: { Self.recordKeys.contains($0.key) })
            {
                refuse("record: the line isn't a valid record")
            }
            func cell(_ names: [String]) -> RowCells.Cell? {
                for name in names { if let value = members.first(name) { return (name, value.content) } }
                return nil
            }
            cells = RowCells(id: cell(columns.ids), host: cell(columns.hosts), chain: cell(columns.chains))
            read(cells, settings)
        }
        for key in Key.allCases where columns == nil || ![.id, .host, .chain, .record].contains(key) {
            guard let value = members.first(key.rawValue) else {
                if key == .chain { fail(TrustFailure(.requestKeyMissing, expected: .text("chain"))) }
                continue
            }
            do throws(TrustFailure) { try read(key, value) } catch { fail(error) }
        }
        if let columns, settings.needsHosts, request.policy.purpose != .clientAuth, cells.host == nil {
            fail(TrustFailure(.requestKeyMissing, expected: .text(columns.hosts.joined(separator: " or "))))
        }
    }

    private mutating func read(_ key: Key, _ value: JSONValue) throws(TrustFailure) {
        let name = key.rawValue
        switch key {
        case .id: if case .null = value.content {} else { request.id = try value.string(name) }
        case .host: request.host = made(name, try value.string(name), Hostname.init)
        case .chain:
            request.chain = try value.strings(name).map { .base64($0) }
            if request.chain.isEmpty { refuse("chain is empty, expected at least the leaf") }
        case .intermediates: request.intermediates = try value.strings(name)
        case .anchors: request.anchors = try value.strings(name)
        case .time: request.time = made(name, try value.string(name), Time.init(rfc3339:))
        case .purpose: request.policy.purpose = choice(name, try value.string(name), else: request.policy.purpose)
        case .profile: request.policy.profile = choice(name, try value.string(name), else: request.policy.profile)
        case .strict: request.policy.isStrict = try value.boolean(name)
        case .maximumIntermediates:
            let limit = try value.integer(name)
            request.policy.maximumIntermediates = limit
            if limit < 0 { refuse("maximumIntermediates is \(limit), expected 0 or more") }
        case .revocation: request.revocation = choice(name, try value.string(name), else: request.revocation)
        case .crls: request.crls = try value.strings(name)
        case .ocspResponses: request.ocspResponses = try value.strings(name)
        case .exemptShortLived:
            request.shortLivedExemption = try value.boolean(name) ? .all : RevocationPolicy.Anchors.none
        case .policies: try readPolicies(value.members(name))
        case .pins:
            let texts = try value.strings(name)
            if texts.isEmpty { refuse("pins is empty, expected at least one pin; omit the key to skip pinning") }
            request.pins = texts.enumerated().compactMap { made("pins[\($0)]", $1, SPKIPin.init) }
        case .ct: try readTransparency(value.members(name))
        // ``BatchRecords`` has found no record.
        case .record: refuse("record: the line isn't a valid record")
        }
    }

    /// Returns the request.
    /// - Throws: all failures, most specific first.
    func result() throws(BatchRequest.Unreadable) -> BatchRequest {
        guard failures.isEmpty else {
            throw BatchRequest.Unreadable(id: request.id, failures: failures.sorted { $0.code.rank > $1.code.rank })
        }
        return request
    }

    /// Reads the name, the host and the chain of a table's row.
    private mutating func read(_ cells: RowCells, _ settings: BatchSettings) {
        switch cells.id {
        case nil, (_, .null)?: break
        case (_, .string(let text))?: request.id = text
        case (let name, let content)?:
            if let number = content.integer {
                request.id = String(number)
            } else {
                fail(content.wrongType(name, expected: "a string"))
            }
        }
        if !settings.ignoresHosts {
            switch cells.host {
            case nil: break
            // An empty host counts as missing, so the one from the command line applies, if any.
            case (let name, .string(let text))?:
                if settings.needsHosts || !text.isEmpty { request.host = made(name, text, Hostname.init) }
            // A null host must not turn off the check of names.
            case (_, .null)? where !settings.needsHosts: break
            case (let name, let content)?: fail(content.wrongType(name, expected: "a string"))
            }
        }
        guard let (name, content) = cells.chain else {
            let names = settings.columns?.chains.joined(separator: " or ") ?? ""
            return fail(TrustFailure(.requestKeyMissing, expected: .text(names)))
        }
        guard let texts = content.text.map({ [$0] }) ?? content.texts else {
            return fail(content.wrongType(name, expected: "a string or an array of strings"))
        }
        for text in texts {
            switch ChainText.certificates(text, column: name) {
            case .success(let certificates): request.chain += certificates
            case .failure(let failure): fail(failure)
            }
        }
        if texts.isEmpty { refuse("\(name) is empty, expected at least the leaf") }
    }

    private mutating func readTransparency(_ members: [JSONValue.Member]) throws(TrustFailure) {
        guard let policyName = members.first("policy") else {
            throw TrustFailure(.requestKeyMissing, expected: .text("ct.policy"))
        }
        // Reads both members first, so that a wrong type is reported before a wrong value.
        let name = try policyName.string("ct.policy")
        let mode = try members.first("mode")?.string("ct.mode")
        let policy = choice("ct.policy", name, else: TransparencyPolicyName.chrome).policy
        var transparency = BatchRequest.Transparency(policy: policy, mode: request.transparency?.mode ?? .report)
        if let mode { transparency.mode = choice("ct.mode", mode, else: transparency.mode) }
        request.transparency = transparency
    }

    private mutating func readPolicies(_ members: [JSONValue.Member]) throws(TrustFailure) {
        var policies = request.policy.certificatePolicies
        let acceptable = members.first("acceptable")
        if let texts = acceptable?.content.texts {
            policies.acceptable = []
            for (index, text) in texts.enumerated() {
                guard let policy = OID(text) else {
                    let place = "policies.acceptable[\(index)]"
                    refuse("\(place) is \"\(Self.shortened(text))\", expected an OID in dotted decimal")
                    continue
                }
                policies.acceptable?.insert(policy)
            }
        }
        func flag(_ name: String, _ flag: inout Bool) throws(TrustFailure) {
            if let value = members.first(name) { flag = try value.boolean("policies.\(name)") }
        }
        try flag("requireExplicit", &policies.requireExplicit)
        try flag("inhibitMapping", &policies.inhibitMapping)
        try flag("inhibitAny", &policies.inhibitAny)
        _ = try acceptable?.strings("policies.acceptable")
        request.policy.certificatePolicies = policies
    }

    /// Returns the case whose name is the request's value.
    private mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ path: String, _ text: String, else fallback: Choice
    ) -> Choice where Choice.RawValue == String {
        if let choice = Choice(rawValue: text) { return choice }
        let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        refuse("\(path) is \"\(Self.shortened(text))\", expected one of \(choices)")
        return fallback
    }

    /// Returns a value from its type's initializer, and turns an error into a failure.
    private mutating func made<Value, Failure: Error & CustomStringConvertible>(
        _ key: String, _ text: String, _ make: (String) throws(Failure) -> Value
    ) -> Value? {
        do throws(Failure) {
            return try make(text)
        } catch {
            refuse("\(key): \(Self.shortened(error.description))")
            return nil
        }
    }

    private mutating func refuse(_ found: String) { fail(TrustFailure(.requestValueInvalid, found: .text(found))) }

    private mutating func fail(_ failure: TrustFailure) {
        guard failures.count < BatchAnswer.maximumCount else { return }
        failures.append(failure)
    }

    /// Returns the first 200 characters of a text, to keep answers short.
    private static func shortened(_ text: String) -> String { text.count <= 200 ? text : text.prefix(200) + "…" }
}

// MARK: - Types

extension [JSONValue.Member] {
    /// Returns the value of a key.
    fileprivate func first(_ key: String) -> JSONValue? { first { $0.key == key }?.value }
}

/// Values of the type that a key requires. Each function throws the failure with the key's path for another type.
extension JSONValue {
    fileprivate func string(_ path: String) throws(TrustFailure) -> String {
        guard let text = content.text else { throw content.wrongType(path, expected: "a string") }
        return text
    }

    fileprivate func strings(_ path: String) throws(TrustFailure) -> [String] {
        guard case .array(let elements) = content else {
            throw content.wrongType(path, expected: "an array of strings")
        }
        var texts: [String] = []
        texts.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            guard let text = element.content.text else {
                throw element.content.wrongType("\(path)[\(index)]", expected: "a string")
            }
            texts.append(text)
        }
        return texts
    }

    fileprivate func boolean(_ path: String) throws(TrustFailure) -> Bool {
        guard case .boolean(let value) = content else { throw content.wrongType(path, expected: "a boolean") }
        return value
    }

    fileprivate func integer(_ path: String) throws(TrustFailure) -> Int {
        guard let number = content.integer else { throw content.wrongType(path, expected: "an integer") }
        return number
    }

    fileprivate func members(_ path: String) throws(TrustFailure) -> [Member] {
        guard case .object(let members) = content else { throw content.wrongType(path, expected: "an object") }
        return members
    }
}

extension JSONValue.Content {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The texts of an array of strings.
    fileprivate var texts: [String]? {
        guard case .array(let elements) = self else { return nil }
        let texts = elements.compactMap(\.content.text)
        return texts.count == elements.count ? texts : nil
    }

    /// The value of an integer. With a fraction of zero or an exponent, it is below 2^53, where each is exact.
    fileprivate var integer: Int? {
        guard case .number(let digits) = self else { return nil }
        return Int(digits) ?? Double(digits).flatMap { $0.magnitude < 0x1p53 ? Int(exactly: $0) : nil }
    }

    fileprivate func wrongType(_ path: String, expected: String) -> TrustFailure {
        let found =
            switch self {
            case .null: "null"
            case .boolean: "a boolean"
            case .number: "a number"
            case .string: "a string"
            case .array: "an array"
            case .object: "an object"
            }
        return TrustFailure(.requestKeyWrongType, expected: .text(expected), found: .text("\(path) is \(found)"))
    }
}
