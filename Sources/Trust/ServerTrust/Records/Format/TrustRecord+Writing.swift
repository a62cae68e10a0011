// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TrustRecord {
    /// Returns the record as a line with its line feed.
    /// - Parameter blob: called for a value that belongs into a file, with the SHA-256 of its contents.
    func line(blob: ([UInt8], String) throws -> Void) rethrows -> [UInt8] {
        let blobs = LargeValues()
        var json = JSONWriter(isIndented: false)
        json.write(self, blobs)
        for (name, bytes) in blobs.byName { try blob(bytes, name) }
        return json.bytes
    }

    /// Returns a line with another count, for connections that a written line represents.
    static func line(_ line: [UInt8], count: Int) -> [UInt8] {
        // A record ends with a brace and a line feed, and its writer omits a count of 1.
        line.dropLast(2) + Array(",\"\(RecordKey.count.rawValue)\":\(count)}\n".utf8)
    }
}

/// The values of a record that belong into files.
private final class LargeValues {
    /// The values by the SHA-256 of their contents.
    var byName: [String: [UInt8]] = [:]
}

extension JSONWriter {
    fileprivate mutating func write(_ record: TrustRecord, _ blobs: LargeValues) {
        object { json in
            // Readers recognize an incomplete line by its beginning, so the version is first.
            json.number(RequestKey.record.rawValue, TrustRecord.version)
            json.recorded(record.recorded)
            json.text(RequestKey.id.rawValue, record.id)
            json.text(RequestKey.time.rawValue, record.time.description)
            json.origin(record)
            json.requirements(record)
            json.pins(record, blobs)
            json.evidence(record, blobs)
            if record.count != 1 { json.number(RecordKey.count.rawValue, record.count) }
        }
        lineFeed()
    }

    private mutating func origin(_ record: TrustRecord) {
        switch record.host {
        case .none: break
        case .name(let host): text(RequestKey.host.rawValue, host.description)
        case .hashed(let hash, let isMatched):
            text(RecordKey.hostHash.rawValue, hash)
            text(RecordKey.identity.rawValue, isMatched ? "matched" : "mismatched")
        }
        text(RecordKey.client.rawValue, record.client)
        if let program = record.program {
            object(RecordKey.program.rawValue) { json in
                json.text(RecordKey.Program.name.rawValue, program.name)
                json.text(RecordKey.Program.version.rawValue, program.version)
            }
        }
        text(RecordKey.rule.rawValue, record.rule)
        if !record.unrecorded.isEmpty { texts(RecordKey.unrecorded.rawValue, record.unrecorded) }
    }

    private mutating func requirements(_ record: TrustRecord) {
        let policy = record.policy
        if policy.purpose != .serverAuth { text(RequestKey.purpose.rawValue, policy.purpose.rawValue) }
        if policy.profile != .webPKI { text(RequestKey.profile.rawValue, policy.profile.rawValue) }
        if policy.isStrict { boolean(RequestKey.strict.rawValue, true) }
        if let limit = policy.maximumIntermediates { number(RequestKey.maximumIntermediates.rawValue, limit) }
        if record.revocation != .off { text(RequestKey.revocation.rawValue, record.revocation.rawValue) }
        if let exempts = record.exemptsShortLived { boolean(RequestKey.exemptShortLived.rawValue, exempts) }
        let inputs = policy.certificatePolicies
        if inputs != ValidationPolicy.CertificatePolicies() {
            object(RequestKey.policies.rawValue) { json in
                typealias Key = RequestKey.Policies
                if let acceptable = inputs.acceptable {
                    json.texts(Key.acceptable.rawValue, acceptable.map(\.description).sorted())
                }
                let switches = [
                    (Key.requireExplicit, inputs.requireExplicit), (.inhibitMapping, inputs.inhibitMapping),
                    (.inhibitAny, inputs.inhibitAny),
                ]
                for (key, value) in switches where value { json.boolean(key.rawValue, true) }
            }
        }
        if let transparency = record.transparency {
            object(RequestKey.ct.rawValue) { json in
                json.text(RequestKey.Transparency.policy.rawValue, transparency.policy)
                json.text(RequestKey.Transparency.mode.rawValue, transparency.mode.rawValue)
            }
        }
    }

    private mutating func pins(_ record: TrustRecord, _ blobs: LargeValues) {
        if let pins = record.plainPins { return texts(RequestKey.pins.rawValue, pins.map(\.description)) }
        guard !record.pinRules.isEmpty else { return }
        let anchors = record.ruleAnchors.map { ders in ders.flatMap { PEM.encode($0, label: "CERTIFICATE").utf8 } }
        key(escaping: RecordKey.pinRules.rawValue)
        array(of: record.pinRules) { json, rule in
            typealias Key = RecordKey.PinRule
            json.object { json in
                json.text(Key.scope.rawValue, rule.scope.rawValue)
                json.texts(Key.pins.rawValue, rule.pins.map(\.description))
                if let expiry = rule.expiry {
                    let afterwards = expiry.refusesAfterwards ? RecordKey.Afterwards.refuse : .accept
                    json.text(Key.expires.rawValue, expiry.time.description)
                    json.text(Key.afterwards.rawValue, afterwards.rawValue)
                }
                guard let anchors else { return }
                json.key(escaping: Key.anchors.rawValue)
                json.blob(anchors, blobs)
            }
        }
    }

    private mutating func evidence(_ record: TrustRecord, _ blobs: LargeValues) {
        values(RequestKey.chain.rawValue, record.chain, blobs, evenIfEmpty: true)
        values(RequestKey.intermediates.rawValue, record.intermediates, blobs)
        if let anchors = record.anchors { values(RequestKey.anchors.rawValue, anchors, blobs, evenIfEmpty: true) }
        if let store = record.anchorStore {
            object(RecordKey.anchorStore.rawValue) { json in
                json.text(RecordKey.Store.name.rawValue, store.name)
                json.number(RecordKey.Store.count.rawValue, store.count)
                json.text(RecordKey.Store.sha256.rawValue, store.sha256)
            }
        }
        switch record.staple {
        case .unknown: break
        case .none: text(RecordKey.staple.rawValue, "")
        case .given(let der):
            key(escaping: RecordKey.staple.rawValue)
            value(der, blobs)
        }
        values(RecordKey.timestamps.rawValue, record.timestamps, blobs)
        values(RequestKey.crls.rawValue, record.crls, blobs)
        values(RequestKey.ocspResponses.rawValue, record.ocspResponses, blobs)
        lists(RecordKey.denied.rawValue, record.denied, blobs)
        lists(RecordKey.conditions.rawValue, record.conditions, blobs)
        values(RecordKey.filters.rawValue, record.filters, blobs)
        if let logs = record.logs {
            key(escaping: RecordKey.ctLogs.rawValue)
            list(logs, blobs)
        }
    }

    private mutating func recorded(_ outcome: TrustRecord.Outcome) {
        typealias Key = RecordKey.Recorded
        object(RecordKey.recorded.rawValue) { json in
            json.text(Key.verdict.rawValue, outcome.isTrusted ? "trusted" : "rejected")
            json.text(Key.result.rawValue, outcome.result.rawValue)
            json.texts(Key.codes.rawValue, outcome.codes)
            json.texts(Key.path.rawValue, outcome.path)
            json.texts(Key.warnings.rawValue, outcome.warnings)
            json.key(escaping: Key.pin.rawValue)
            json.string(outcome.pin)
        }
    }
}

// MARK: - Members

extension JSONWriter {
    private mutating func text(_ name: String, _ text: String?) {
        guard let text else { return }
        key(escaping: name)
        string(text)
    }

    private mutating func texts(_ name: String, _ texts: [String]) {
        key(escaping: name)
        array(of: texts) { $0.string($1) }
    }

    private mutating func number(_ name: String, _ value: Int) {
        key(escaping: name)
        number(value)
    }

    private mutating func boolean(_ name: String, _ value: Bool) {
        key(escaping: name)
        boolean(value)
    }

    private mutating func object(_ name: String, _ members: (inout JSONWriter) -> Void) {
        key(escaping: name)
        object(members)
    }

    private mutating func values(
        _ name: String, _ values: [[UInt8]], _ blobs: LargeValues, evenIfEmpty: Bool = false
    ) {
        guard evenIfEmpty || !values.isEmpty else { return }
        key(escaping: name)
        array(of: values) { $0.value($1, blobs) }
    }

    private mutating func lists(_ name: String, _ lists: [[UInt8]], _ blobs: LargeValues) {
        guard !lists.isEmpty else { return }
        key(escaping: name)
        array(of: lists) { $0.list($1, blobs) }
    }

    /// Writes a value as base64, and a large one as a file.
    private mutating func value(_ bytes: [UInt8], _ blobs: LargeValues) {
        if bytes.count > BlobFolder.threshold { blob(bytes, blobs) } else { string(Base64.encode(bytes)) }
    }

    /// Writes a small list in JSON as an object, and any other as a file.
    private mutating func list(_ bytes: [UInt8], _ blobs: LargeValues) {
        guard bytes.count <= BlobFolder.threshold,
            let value = try? JSONValue(
                parsing: bytes, maximumDepth: 16, maximumCount: 10_000, repeatedKeys: .refused),
            case .object(let members) = value.content, !RecordReader.isBlob(members)
        else { return blob(bytes, blobs) }
        write(value)
    }

    private mutating func blob(_ bytes: [UInt8], _ blobs: LargeValues) {
        let name = Hex.encode(Digests.sha256(bytes))
        blobs.byName[name] = bytes
        object { json in
            json.text(RecordKey.Blob.sha256.rawValue, name)
            json.number(RecordKey.Blob.bytes.rawValue, bytes.count)
        }
    }

    /// Writes a value that a reader returned.
    mutating func write(_ value: JSONValue) {
        switch value.content {
        case .object(let members):
            object { json in
                for member in members {
                    json.key(escaping: member.key)
                    json.write(member.value)
                }
            }
        case .array(let elements): array(of: elements) { $0.write($1) }
        case .string(let text): string(text)
        case .number(let digits): number(digits: digits)
        case .boolean(let value): boolean(value)
        case .null: null()
        }
    }
}
