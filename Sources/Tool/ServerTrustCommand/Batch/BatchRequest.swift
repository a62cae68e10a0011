// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// A request of `verify --batch` with valid values. Its base64 is not decoded yet.
struct BatchRequest: Sendable {
    var id: String?
    /// The place of the chain in a line with several chains, or nil if the line has one.
    var place: String?
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
    /// The warnings from parsing the row.
    var warnings: [String] = []

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

    /// Parses a request from a line. Missing values come from the decoder's ``BatchSettings``.
    static func read(_ line: Data, with decoder: JSONDecoder) throws(Unreadable) -> BatchRequest {
        if let failure = TrustFailure.incomparable(line) { throw Unreadable(id: nil, failures: [failure]) }
        let reader: RequestReader
        do {
            reader = try decoder.decode(RequestReader.self, from: line)
        } catch {
            throw Unreadable(
                id: nil,
                failures: [.noJSON(error, in: line)])
        }
        guard reader.failures.isEmpty else {
            throw Unreadable(id: reader.request.id, failures: reader.failures.sorted { $0.code.rank > $1.code.rank })
        }
        return reader.request
    }
}

extension BatchRequest {
    /// Whether requests already use this column's name for a key other than name, host and chain.
    static func hasKey(_ column: String) -> Bool {
        RequestReader.Key(rawValue: column).map { ![.id, .host, .chain].contains($0) } ?? false
    }
}

extension CodingUserInfoKey {
    /// The ``BatchSettings`` of a run.
    static let batchSettings: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "batchSettings") else { preconditionFailure("not an empty name") }
        return key
    }()
}

/// A reader of a request, key by key, that collects all failures.
///
/// Absent keys have defaults. Null is a failure for every key but the id, which is echoed as null. A client whose
/// `pins` or `anchors` happen to be null must not get the answer for a request without them.
private struct RequestReader: Decodable {
    enum Key: String, CodingKey, CaseIterable {
        case id, host, chain, intermediates, anchors, time, purpose, profile, strict, maximumIntermediates, revocation
        case crls, ocspResponses, exemptShortLived, policies, pins, ct
    }

    enum PolicyKey: String, CodingKey, CaseIterable {
        case acceptable, requireExplicit, inhibitMapping, inhibitAny
    }

    enum TransparencyKey: String, CodingKey, CaseIterable {
        case policy, mode
    }

    var request: BatchRequest
    var failures: [TrustFailure] = []
    /// Whether the row has a host column, readable or not.
    private var hasHost = false

    init(from decoder: any Decoder) throws {
        let settings = decoder.userInfo[.batchSettings] as? BatchSettings
        request = settings?.defaults ?? BatchRequest()
        let container = try decoder.container(keyedBy: Key.self)
        let columns = settings?.columns
        let hasToHaveHost = settings.map { $0.defaults.host == nil && !$0.ignoresHosts } ?? true
        if let columns {
            try readColumns(
                columns, decoder.container(keyedBy: JSONName.self), hasToHaveHost: hasToHaveHost,
                ignoresHosts: settings?.ignoresHosts ?? false)
        }
        for key in Key.allCases where columns == nil || ![.id, .host, .chain].contains(key) {
            guard container.contains(key) else {
                if key == .chain { fail(TrustFailure(.requestKeyMissing, expected: .text("chain"))) }
                continue
            }
            do {
                try read(key, in: container)
            } catch {
                // A value that is invalid JSON makes the whole line invalid.
                guard let failure = try? Self.wrongType(key, in: container) else { throw error }
                fail(failure)
            }
        }
        if let columns, hasToHaveHost, request.policy.purpose != .clientAuth, !hasHost {
            fail(TrustFailure(.requestKeyMissing, expected: .text(columns.hosts.joined(separator: " or "))))
        }
    }

    private mutating func read(_ key: Key, in container: KeyedDecodingContainer<Key>) throws {
        switch key {
        case .id:
            if try !container.decodeNil(forKey: key) { request.id = try container.decode(String.self, forKey: key) }
        case .host: request.host = value(key.rawValue, try container.decode(String.self, forKey: key), Hostname.init)
        case .chain:
            request.chain = try container.decode([String].self, forKey: key).map { .base64($0) }
            if request.chain.isEmpty { refuse("chain is empty, expected at least the leaf") }
        case .intermediates: request.intermediates = try container.decode([String].self, forKey: key)
        case .anchors: request.anchors = try container.decode([String].self, forKey: key)
        case .time:
            request.time = value(key.rawValue, try container.decode(String.self, forKey: key), Time.init(rfc3339:))
        case .purpose: request.policy.purpose = try choice(key, in: container, else: request.policy.purpose)
        case .profile: request.policy.profile = try choice(key, in: container, else: request.policy.profile)
        case .strict: request.policy.isStrict = try container.decode(Bool.self, forKey: key)
        case .maximumIntermediates:
            let limit = try container.decode(Int.self, forKey: key)
            request.policy.maximumIntermediates = limit
            if limit < 0 { refuse("maximumIntermediates is \(limit), expected 0 or more") }
        case .revocation: request.revocation = try choice(key, in: container, else: request.revocation)
        case .crls: request.crls = try container.decode([String].self, forKey: key)
        case .ocspResponses: request.ocspResponses = try container.decode([String].self, forKey: key)
        case .exemptShortLived:
            let anchors: RevocationPolicy.Anchors = try container.decode(Bool.self, forKey: key) ? .all : .none
            request.shortLivedExemption = anchors
        case .policies: try readPolicies(container.nestedContainer(keyedBy: PolicyKey.self, forKey: key))
        case .pins:
            let texts = try container.decode([String].self, forKey: key)
            if texts.isEmpty { refuse("pins is empty, expected at least one pin; omit the key to skip pinning") }
            request.pins = texts.enumerated().compactMap { value("pins[\($0)]", $1, SPKIPin.init) }
        case .ct: try readTransparency(container.nestedContainer(keyedBy: TransparencyKey.self, forKey: key))
        }
    }

    /// Reads the name, the host and the chain from the columns of `--input ndjson`.
    /// - Parameters:
    ///   - hasToHaveHost: whether a null host is a failure, because it must not turn off the check of names.
    ///   - ignoresHosts: whether to ignore hosts.
    private mutating func readColumns(
        _ columns: RowColumns, _ container: KeyedDecodingContainer<JSONName>, hasToHaveHost: Bool, ignoresHosts: Bool
    ) throws {
        func first(_ names: [String]) -> JSONName? { names.map { JSONName($0) }.first { container.contains($0) } }
        if let key = first(columns.ids), try !container.decodeNil(forKey: key) {
            if let text = try? container.decode(String.self, forKey: key) {
                request.id = text
            } else if let number = try? container.decode(Int.self, forKey: key) {
                request.id = String(number)
            } else {
                fail(
                    Self.wrongType(
                        key.stringValue, try container.decode(JSONKind.self, forKey: key), expected: "a string"))
            }
        }
        hasHost = first(columns.hosts) != nil
        if let key = first(columns.hosts), !ignoresHosts, try hasToHaveHost || !container.decodeNil(forKey: key) {
            if let text = try? container.decode(String.self, forKey: key) {
                // An empty host counts as missing, so the one from the command line applies, if any.
                if hasToHaveHost || !text.isEmpty { request.host = value(key.stringValue, text, Hostname.init) }
            } else {
                fail(
                    Self.wrongType(
                        key.stringValue, try container.decode(JSONKind.self, forKey: key), expected: "a string"))
            }
        }
        guard let key = first(columns.chains) else {
            return fail(
                TrustFailure(.requestKeyMissing, expected: .text(columns.chains.joined(separator: " or "))))
        }
        var texts: [String] = []
        if let text = try? container.decode(String.self, forKey: key) {
            texts = [text]
        } else if let array = try? container.decode([String].self, forKey: key) {
            texts = array
        } else {
            return fail(
                Self.wrongType(
                    key.stringValue, try container.decode(JSONKind.self, forKey: key),
                    expected: "a string or an array of strings"))
        }
        for text in texts {
            switch ChainText.certificates(text, column: key.stringValue) {
            case .success(let certificates): request.chain += certificates
            case .failure(let failure): fail(failure)
            }
        }
        if texts.isEmpty { refuse("\(key.stringValue) is empty, expected at least the leaf") }
    }

    private mutating func readTransparency(_ container: KeyedDecodingContainer<TransparencyKey>) throws {
        guard container.contains(.policy) else {
            return fail(TrustFailure(.requestKeyMissing, expected: .text("ct.policy")))
        }
        // Reads both members first, so that a wrong type is reported before a wrong value.
        let name = try container.decode(String.self, forKey: .policy)
        let mode = container.contains(.mode) ? try container.decode(String.self, forKey: .mode) : nil
        let policy = choice("ct.policy", name, else: TransparencyPolicyName.chrome).policy
        var transparency = BatchRequest.Transparency(policy: policy, mode: request.transparency?.mode ?? .report)
        if let mode { transparency.mode = choice("ct.mode", mode, else: transparency.mode) }
        request.transparency = transparency
    }

    private mutating func readPolicies(_ container: KeyedDecodingContainer<PolicyKey>) throws {
        for key in PolicyKey.allCases where container.contains(key) {
            switch key {
            case .acceptable:
                var acceptable: Set<OID> = []
                for (index, text) in try container.decode([String].self, forKey: key).enumerated() {
                    if let policy = OID(text) {
                        acceptable.insert(policy)
                    } else {
                        refuse(
                            "policies.acceptable[\(index)] is \"\(Self.shortened(text))\", expected an OID in dotted decimal"
                        )
                    }
                }
                request.policy.certificatePolicies.acceptable = acceptable
            case .requireExplicit:
                request.policy.certificatePolicies.requireExplicit = try container.decode(Bool.self, forKey: key)
            case .inhibitMapping:
                request.policy.certificatePolicies.inhibitMapping = try container.decode(Bool.self, forKey: key)
            case .inhibitAny:
                request.policy.certificatePolicies.inhibitAny = try container.decode(Bool.self, forKey: key)
            }
        }
    }

    /// Returns the case whose name is the request's value.
    private mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: Key, in container: KeyedDecodingContainer<Key>, else fallback: Choice
    ) throws -> Choice where Choice.RawValue == String {
        choice(key.rawValue, try container.decode(String.self, forKey: key), else: fallback)
    }

    private mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ path: String, _ text: String, else fallback: Choice
    ) -> Choice where Choice.RawValue == String {
        if let choice = Choice(rawValue: text) { return choice }
        let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        refuse("\(path) is \"\(Self.shortened(text))\", expected one of \(choices)")
        return fallback
    }

    /// Returns a value from its type's initializer, and turns an error into a failure.
    private mutating func value<Value, Failure: Error & CustomStringConvertible>(
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
}

// MARK: - Failures

extension RequestReader {
    /// Returns the first 200 characters of a text, to keep answers short.
    private static func shortened(_ text: String) -> String { text.count <= 200 ? text : text.prefix(200) + "…" }

    /// Returns the failure for the part of a key's value that has the wrong JSON type.
    private static func wrongType(_ key: Key, in container: KeyedDecodingContainer<Key>) throws -> TrustFailure {
        switch key {
        case .id, .host, .time, .purpose, .profile, .revocation:
            return wrongType(key.rawValue, try container.decode(JSONKind.self, forKey: key), expected: "a string")
        case .strict, .exemptShortLived:
            return wrongType(key.rawValue, try container.decode(JSONKind.self, forKey: key), expected: "a boolean")
        case .maximumIntermediates:
            return wrongType(key.rawValue, try container.decode(JSONKind.self, forKey: key), expected: "an integer")
        case .chain, .intermediates, .anchors, .crls, .ocspResponses, .pins:
            return try noStrings(key.rawValue, key, in: container)
        case .policies:
            guard let members = try? container.nestedContainer(keyedBy: PolicyKey.self, forKey: key) else {
                return wrongType(key.rawValue, try container.decode(JSONKind.self, forKey: key), expected: "an object")
            }
            for member in PolicyKey.allCases.dropFirst() where members.contains(member) {
                guard (try? members.decode(Bool.self, forKey: member)) == nil else { continue }
                return wrongType(
                    "policies.\(member.rawValue)", try members.decode(JSONKind.self, forKey: member),
                    expected: "a boolean")
            }
            return try noStrings("policies.acceptable", .acceptable, in: members)
        case .ct:
            guard let members = try? container.nestedContainer(keyedBy: TransparencyKey.self, forKey: key) else {
                return wrongType(key.rawValue, try container.decode(JSONKind.self, forKey: key), expected: "an object")
            }
            let member: TransparencyKey = (try? members.decode(String.self, forKey: .policy)) == nil ? .policy : .mode
            return wrongType(
                "ct.\(member.rawValue)", try members.decode(JSONKind.self, forKey: member), expected: "a string")
        }
    }

    private static func noStrings<Member: CodingKey>(
        _ path: String, _ key: Member, in container: KeyedDecodingContainer<Member>
    ) throws -> TrustFailure {
        guard var elements = try? container.nestedUnkeyedContainer(forKey: key) else {
            return wrongType(path, try container.decode(JSONKind.self, forKey: key), expected: "an array of strings")
        }
        while !elements.isAtEnd, (try? elements.decode(String.self)) != nil {}
        return wrongType(
            "\(path)[\(elements.currentIndex)]", try elements.decode(JSONKind.self), expected: "a string")
    }

    private static func wrongType(_ path: String, _ found: JSONKind, expected: String) -> TrustFailure {
        TrustFailure(.requestKeyWrongType, expected: .text(expected), found: .text("\(path) is \(found.rawValue)"))
    }
}

/// The JSON type of a value, for messages. It doesn't read the elements of arrays and objects.
private enum JSONKind: String, Decodable {
    case null
    case boolean = "a boolean"
    case number = "a number"
    case string = "a string"
    case array = "an array"
    case object = "an object"

    private enum NoKey: CodingKey {}

    init(from decoder: any Decoder) throws {
        if (try? decoder.unkeyedContainer()) != nil {
            self = .array
        } else if (try? decoder.container(keyedBy: NoKey.self)) != nil {
            self = .object
        } else {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if (try? value.decode(Bool.self)) != nil {
                self = .boolean
            } else if (try? value.decode(String.self)) != nil {
                self = .string
            } else {
                _ = try value.decode(Double.self)
                self = .number
            }
        }
    }
}
