// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TrustRecord {
    /// Reads a line.
    ///
    /// Every key must be known, occur once and have a value of its type, because a key that is ignored could make a
    /// verdict more trusting.
    /// - Parameters:
    ///   - line: the line, with or without its line feed.
    ///   - blobs: the folder with large values, or nil without one.
    /// - Returns: nil for JSON without the key `record`, and for bytes that aren't JSON.
    /// - Throws: ``TrustRecordError`` for a record with an error.
    package init?(line: [UInt8], blobs: BlobFolder?) throws(TrustRecordError) {
        guard line.count <= Self.maximumLineSize else { throw TrustRecordError("record: the line is too long") }
        func value(_ repeatedKeys: JSONValue.RepeatedKeys) throws(JSONError) -> JSONValue {
            try JSONValue(parsing: line, maximumDepth: 16, maximumCount: 200_000, repeatedKeys: repeatedKeys)
        }
        let content: JSONValue.Content
        var repeatedKey: String?
        do throws(JSONError) { content = try value(.refused).content } catch {
            guard error.isRepeatedKey, let kept = try? value(.kept) else { return nil }
            (content, repeatedKey) = (kept.content, error.detail)
        }
        guard case .object(let members) = content,
            let version = members.first(where: { $0.key == RequestKey.record.rawValue })
        else { return nil }
        if let repeatedKey { throw TrustRecordError(repeatedKey) }
        guard case .number(let digits) = version.value.content, digits == "\(Self.version)" else {
            throw TrustRecordError("record: this version reads records of version \(Self.version)")
        }
        var reader = RecordReader(blobs: blobs)
        self = try reader.record(members)
    }

    /// Returns whether a line may be a record, because it contains a key that every record has.
    package static func mayBeRecord(_ line: some Collection<UInt8>) -> Bool {
        // `RecordKey.recorded`
        line.withContiguousStorageIfAvailable {
            UnsafeRawBufferPointer($0).firstIndex(of: "\"recorded\"", from: 0) != nil
        } ?? true
    }

    /// Returns whether a line is the beginning of a record, with at least a letter of its first key.
    package static func begins(_ line: some Collection<UInt8>) -> Bool {
        let beginning = Array("{\"\(RequestKey.record.rawValue)\":".utf8)
        return line.count > 2
            && (line.count < beginning.count ? beginning.starts(with: line) : line.starts(with: beginning))
    }
}

/// A reader of one record.
struct RecordReader {
    let blobs: BlobFolder?
    /// The number of bytes of files read so far.
    private var blobSize = 0

    init(blobs: BlobFolder?) { self.blobs = blobs }

    /// Whether members are those of a value in a file.
    static func isBlob(_ members: [JSONValue.Member]) -> Bool {
        Set(members.map(\.key)) == Set(RecordKey.Blob.allCases.map(\.rawValue))
    }

    mutating func record(_ members: [JSONValue.Member]) throws(TrustRecordError) -> TrustRecord {
        var values: [String: JSONValue] = [:]
        for member in members { values[member.key] = member.value }
        func required(_ key: String) throws(TrustRecordError) -> JSONValue {
            guard let value = values[key] else { throw TrustRecordError("\(key) is missing") }
            return value
        }
        var record = TrustRecord(
            time: try time(required(RequestKey.time.rawValue)),
            recorded: try outcome(required(RecordKey.recorded.rawValue)))
        _ = try required(RequestKey.chain.rawValue)
        for member in members {
            if let key = RequestKey(rawValue: member.key) {
                try read(key, member.value, into: &record)
            } else if let key = RecordKey(rawValue: member.key) {
                try read(key, member.value, into: &record)
            } else {
                throw TrustRecordError("\(member.key): unknown key in a record")
            }
        }
        if let hash = values[RecordKey.hostHash.rawValue] {
            guard values[RequestKey.host.rawValue] == nil else {
                throw TrustRecordError("host and hostHash exclude each other")
            }
            let identity = try required(RecordKey.identity.rawValue).text(RecordKey.identity.rawValue)
            guard ["matched", "mismatched"].contains(identity) else {
                throw TrustRecordError("identity: expected matched or mismatched")
            }
            let text = try hash.text(RecordKey.hostHash.rawValue)
            let parts = text.split(separator: "/", maxSplits: 1)
            guard parts.count == 2, parts[0] == "hmac-sha256", (try? Base64.decode(String(parts[1])))?.count == 32
            else {
                throw TrustRecordError("hostHash: expected hmac-sha256/BASE64")
            }
            record.host = .hashed(text, isMatched: identity == "matched")
        } else if values[RecordKey.identity.rawValue] != nil {
            throw TrustRecordError("identity requires hostHash")
        }
        return record
    }

    private mutating func read(
        _ key: RequestKey, _ value: JSONValue, into record: inout TrustRecord
    ) throws(TrustRecordError) {
        let name = key.rawValue
        switch key {
        case .record, .time: break
        case .id: if case .null = value.content { break } else { record.id = try value.text(name) }
        case .host: record.host = .name(try Self.parse(name, value.text(name), Hostname.init))
        case .chain: record.chain = try self.values(value, name)
        case .intermediates: record.intermediates = try self.values(value, name)
        case .anchors: record.anchors = try self.values(value, name)
        case .purpose: record.policy.purpose = try value.choice(name)
        case .profile: record.policy.profile = try value.choice(name)
        case .strict: record.policy.isStrict = try value.boolean(name)
        case .maximumIntermediates: record.policy.maximumIntermediates = try value.count(name)
        case .revocation: record.revocation = try value.choice(name)
        case .crls: record.crls = try self.values(value, name)
        case .ocspResponses: record.ocspResponses = try self.values(value, name)
        case .exemptShortLived: record.exemptsShortLived = try value.boolean(name)
        case .policies: try readPolicies(value, into: &record.policy.certificatePolicies)
        case .pins:
            guard record.pinRules.isEmpty else { throw Self.twoKindsOfPins }
            record.pinRules = [KeyRequirement(try pins(value, name))]
        case .ct:
            typealias Key = RequestKey.Transparency
            let members = try value.members(name, Key.self)
            guard let policy = try members[.policy]?.text("ct.policy"), CTPolicy.named(policy) != nil else {
                throw TrustRecordError("ct.policy: expected \(CTPolicy.all.map(\.name).joined(separator: ", "))")
            }
            record.transparency = TrustRecord.Transparency(
                policy: policy, mode: try members[.mode]?.choice("ct.mode") ?? .report)
        }
    }

    private func readPolicies(
        _ value: JSONValue, into inputs: inout ValidationPolicy.CertificatePolicies
    ) throws(TrustRecordError) {
        for (key, value) in try value.members(RequestKey.policies.rawValue, RequestKey.Policies.self) {
            let name = "policies.\(key.rawValue)"
            switch key {
            case .acceptable:
                var acceptable: Set<OID> = []
                for text in try value.texts(name) {
                    guard let policy = OID(text) else { throw TrustRecordError("\(name): expected OIDs") }
                    acceptable.insert(policy)
                }
                inputs.acceptable = acceptable
            case .requireExplicit: inputs.requireExplicit = try value.boolean(name)
            case .inhibitMapping: inputs.inhibitMapping = try value.boolean(name)
            case .inhibitAny: inputs.inhibitAny = try value.boolean(name)
            }
        }
    }

    private mutating func read(
        _ key: RecordKey, _ value: JSONValue, into record: inout TrustRecord
    ) throws(TrustRecordError) {
        let name = key.rawValue
        switch key {
        case .recorded, .hostHash, .identity: break
        case .count:
            record.count = try value.count(name)
            guard record.count > 0 else { throw TrustRecordError("count: expected 1 or more") }
        case .client: record.client = try value.text(name)
        case .program:
            let members = try value.members(name, RecordKey.Program.self)
            record.program = TrustRecord.Program(
                name: try members[.name]?.text(name) ?? "", version: try members[.version]?.text(name) ?? "")
        case .rule: record.rule = try value.text(name)
        case .pinRules:
            guard record.pinRules.isEmpty else { throw Self.twoKindsOfPins }
            for element in try value.elements(name) { try readPinRule(element, name, into: &record) }
            guard !record.pinRules.isEmpty else { throw TrustRecordError("pinRules is empty") }
        case .anchorStore:
            let members = try value.members(name, RecordKey.Store.self)
            record.anchorStore = TrustRecord.Store(
                name: try members[.name]?.text(name) ?? "", count: try members[.count]?.count(name) ?? 0,
                sha256: try members[.sha256]?.text(name) ?? "")
        case .staple:
            let der = try bytes(value, name)
            record.staple = der.isEmpty ? .none : .given(der)
        case .timestamps: record.timestamps = try values(value, name)
        case .denied: record.denied = try lists(value, name)
        case .conditions: record.conditions = try lists(value, name)
        case .filters: record.filters = try lists(value, name)
        case .ctLogs: record.logs = try list(value, name)
        case .unrecorded: record.unrecorded = try value.texts(name)
        }
    }

    private static let twoKindsOfPins = TrustRecordError("pins and pinRules exclude each other")

    private func pins(_ value: JSONValue, _ name: String) throws(TrustRecordError) -> [SPKIPin] {
        var pins: [SPKIPin] = []
        for text in try value.texts(name) { pins.append(try Self.parse(name, text, SPKIPin.init)) }
        guard !pins.isEmpty else { throw TrustRecordError("\(name) is empty") }
        return pins
    }

    private mutating func readPinRule(
        _ value: JSONValue, _ name: String, into record: inout TrustRecord
    ) throws(TrustRecordError) {
        typealias Key = RecordKey.PinRule
        let members = try value.members(name, Key.self)
        guard let scope = members[.scope], let pins = members[.pins] else {
            throw TrustRecordError("\(name): expected scope and pins")
        }
        var rule = KeyRequirement(
            try self.pins(pins, "\(name).pins"), scope: try scope.choice("\(name).scope"))
        switch (members[.expires], members[.afterwards]) {
        case (nil, nil): break
        case (let expires?, let afterwards?):
            let effect: RecordKey.Afterwards = try afterwards.choice("\(name).afterwards")
            rule.expiry = KeyRequirement.Expiry(
                try Self.parse("\(name).expires", expires.text("\(name).expires"), Time.init(rfc3339:)),
                refusesAfterwards: effect == .refuse)
        default: throw TrustRecordError("\(name): expires and afterwards require each other")
        }
        record.pinRules.append(rule)
        guard let blob = members[.anchors] else { return }
        let anchors = try certificates(blob, "\(name).anchors")
        // A path must end at an anchor of each rule.
        record.ruleAnchors = record.ruleAnchors.map { known in known.filter(anchors.contains) } ?? anchors
    }

    /// Returns the certificates of a file in PEM or DER.
    private mutating func certificates(_ value: JSONValue, _ name: String) throws(TrustRecordError) -> [[UInt8]] {
        var certificates: [[UInt8]] = []
        for entry in CertificateFile.entries(in: try bytes(value, name), name: name) {
            switch entry {
            case .success(let certificate): certificates.append(certificate.der)
            case .failure(let error): throw TrustRecordError("\(error)")
            }
        }
        guard !certificates.isEmpty else { throw TrustRecordError("\(name): expected certificates in PEM or DER") }
        return certificates
    }

    private func outcome(_ value: JSONValue) throws(TrustRecordError) -> TrustRecord.Outcome {
        typealias Key = RecordKey.Recorded
        let members = try value.members(RecordKey.recorded.rawValue, Key.self)
        func member(_ key: Key) throws(TrustRecordError) -> JSONValue {
            guard let value = members[key] else { throw TrustRecordError("recorded.\(key.rawValue) is missing") }
            return value
        }
        let verdict = try member(.verdict).text("recorded.verdict")
        guard ["trusted", "rejected"].contains(verdict) else {
            throw TrustRecordError("recorded.verdict: expected trusted or rejected")
        }
        var pin: String?
        if let value = members[.pin] {
            if case .null = value.content {} else { pin = try value.text("recorded.pin") }
        }
        let outcome = TrustRecord.Outcome(
            isTrusted: verdict == "trusted", result: try member(.result).choice("recorded.result"),
            codes: try member(.codes).texts("recorded.codes"), path: try member(.path).texts("recorded.path"),
            warnings: try members[.warnings]?.texts("recorded.warnings") ?? [], pin: pin)
        guard outcome.isTrusted == outcome.result.isTrusted, outcome.isTrusted == outcome.codes.isEmpty else {
            throw TrustRecordError("recorded: the verdict contradicts its result or codes")
        }
        return outcome
    }

    private func time(_ value: JSONValue) throws(TrustRecordError) -> Time {
        try Self.parse(RequestKey.time.rawValue, value.text(RequestKey.time.rawValue), Time.init(rfc3339:))
    }

    private static func parse<Value, Failure: Error & CustomStringConvertible>(
        _ name: String, _ text: String, _ make: (String) throws(Failure) -> Value
    ) throws(TrustRecordError) -> Value {
        do throws(Failure) { return try make(text) } catch { throw TrustRecordError("\(name): \(error)") }
    }
}

// MARK: - Values and files

extension RecordReader {
    /// Returns values in base64 or files.
    private mutating func values(_ value: JSONValue, _ name: String) throws(TrustRecordError) -> [[UInt8]] {
        var values: [[UInt8]] = []
        for element in try value.elements(name) { values.append(try bytes(element, name)) }
        return values
    }

    private mutating func bytes(_ value: JSONValue, _ name: String) throws(TrustRecordError) -> [UInt8] {
        switch value.content {
        case .string(let text):
            guard let bytes = try? Base64.decode(text) else {
                throw TrustRecordError("\(name): expected base64 with padding")
            }
            return bytes
        case .object(let members) where Self.isBlob(members): return try blob(value, name)
        default: throw TrustRecordError("\(name): expected base64 or a blob")
        }
    }

    /// Returns one or several lists.
    private mutating func lists(_ value: JSONValue, _ name: String) throws(TrustRecordError) -> [[UInt8]] {
        guard case .array(let elements) = value.content else { return [try list(value, name)] }
        var lists: [[UInt8]] = []
        for element in elements { lists.append(try list(element, name)) }
        return lists
    }

    private mutating func list(_ value: JSONValue, _ name: String) throws(TrustRecordError) -> [UInt8] {
        guard case .object(let members) = value.content, !Self.isBlob(members) else { return try bytes(value, name) }
        var json = JSONWriter(isIndented: false)
        json.write(value)
        return json.bytes
    }

    private mutating func blob(_ value: JSONValue, _ name: String) throws(TrustRecordError) -> [UInt8] {
        let members = try value.members(name, RecordKey.Blob.self)
        guard let digest = try members[.sha256]?.text(name), let size = try members[.bytes]?.count(name) else {
            throw TrustRecordError("\(name): expected a blob")
        }
        guard let blobs else { throw TrustRecordError("\(name): no folder of blobs (--blobs)") }
        // Both are at most the maximum, so the difference is exact.
        guard size <= BlobFolder.maximumSize - blobSize else {
            throw TrustRecordError("\(name): the record's blobs are larger than \(BlobFolder.maximumSize) bytes")
        }
        blobSize += size
        return try blobs.read(digest, size: size)
    }
}

extension JSONValue {
    fileprivate func text(_ name: String) throws(TrustRecordError) -> String {
        guard case .string(let text) = content else { throw TrustRecordError("\(name): expected a string") }
        return text
    }

    fileprivate func boolean(_ name: String) throws(TrustRecordError) -> Bool {
        guard case .boolean(let value) = content else { throw TrustRecordError("\(name): expected a boolean") }
        return value
    }

    fileprivate func count(_ name: String) throws(TrustRecordError) -> Int {
        guard case .number(let digits) = content, let number = Int(digits), number >= 0 else {
            throw TrustRecordError("\(name): expected an integer of at least 0")
        }
        return number
    }

    fileprivate func elements(_ name: String) throws(TrustRecordError) -> [JSONValue] {
        guard case .array(let elements) = content else { throw TrustRecordError("\(name): expected an array") }
        return elements
    }

    fileprivate func texts(_ name: String) throws(TrustRecordError) -> [String] {
        var texts: [String] = []
        for element in try elements(name) { texts.append(try element.text(name)) }
        return texts
    }

    fileprivate func choice<Choice: RawRepresentable>(_ name: String) throws(TrustRecordError) -> Choice
    where Choice.RawValue == String {
        guard let choice = Choice(rawValue: try text(name)) else { throw TrustRecordError("\(name): unknown value") }
        return choice
    }

    fileprivate func members<Key: RawRepresentable & Hashable>(
        _ name: String, _ keys: Key.Type
    ) throws(TrustRecordError) -> [Key: JSONValue] where Key.RawValue == String {
        guard case .object(let members) = content else { throw TrustRecordError("\(name): expected an object") }
        var values: [Key: JSONValue] = [:]
        for member in members {
            guard let key = Key(rawValue: member.key) else {
                throw TrustRecordError("\(name).\(member.key): unknown key in a record")
            }
            values[key] = member.value
        }
        return values
    }
}

extension CTPolicy {
    /// The name in requests, or nil for a policy without a name.
    var recordName: String? { Self.all.first { $0 == self }?.name }
}
