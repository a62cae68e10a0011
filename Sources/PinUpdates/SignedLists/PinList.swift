// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// What a signed pin list says: everything, each time. Nothing is added to what an earlier list said, and nothing of it stays.
public struct PinList: Sendable, Hashable {
    /// The app that it is for, by a name of its maker's choice: `com.example.app`.
    public let audience: String
    /// Grows with every list; from 1.
    public let sequence: Int
    public let issued: Time
    /// Not accepted before.
    public let notBefore: Time
    /// Not accepted after; this second is the last. A list that was accepted in time stays in force until there is a newer one: if its
    /// pins are to end, its rules say so (``PinRule/expiry``).
    public let expires: Time
    /// Hosts and pins.
    public let configuration: PinConfiguration
    /// Keys that no path may hold, for whatever host: for the emergency.
    public let deniedKeys: Set<SPKIPin>
    /// Who signs the next list. They have signed this one, too.
    public let signers: PinSigners

    /// The highest number that a list can have (2^53 - 1, which every reader of JSON has exactly, RFC 8259 § 6). None can follow it.
    public static let maximumSequence = 1 << 53 - 1
    /// Numbers up to ``maximumSequence`` that are kept free for later lists: with a number among them nothing is signed by accident.
    public static let sequenceReserve = 1_000_000
    /// The version of lists that is read and written.
    public static let version = 1
    public static let maximumAudienceLength = 255
    /// More denied keys than this are no emergency list.
    public static let maximumDeniedKeys = 10_000

    /// Reads the payload of a signed list.
    init(payload bytes: [UInt8]) throws(PinListRefusal) {
        let json = try StrictJSON(bytes, "the list")
        // First what says whether the rest can be understood.
        let unchecked = try json.members(["version"], optional: nil, code: .listInvalid)
        guard try unchecked.number("version") == Self.version else {
            throw PinListRefusal(.unknownVersion, "a list of another version, expected \(Self.version)")
        }
        if unchecked.has("critical") {
            for name in try unchecked.strings("critical") where !Self.members.containsExactly(name) {
                throw PinListRefusal(
                    .unknownCriticalField,
                    "the list has \(StrictJSON.shown(name)), which is critical and not known here")
            }
        }
        let members = try json.members(Self.members, optional: nil, code: .listInvalid)
        audience = try members.string("audience")
        guard (1...Self.maximumAudienceLength).contains(audience.utf8.count) else {
            throw PinListRefusal(.listInvalid, "audience has \(audience.utf8.count) bytes, expected 1 to 255")
        }
        sequence = try members.number("sequence")
        guard sequence >= 1 else { throw PinListRefusal(.listInvalid, "sequence is 0, expected 1 or more") }
        issued = try members.time("issued")
        notBefore = try members.time("notBefore")
        expires = try members.time("expires")
        guard issued <= notBefore, notBefore < expires else {
            throw PinListRefusal(.listInvalid, "issued, notBefore and expires are not in this order")
        }
        let denied = try members.strings("deniedKeys", mayBeEmpty: true)
        guard denied.count <= Self.maximumDeniedKeys else {
            throw PinListRefusal(.tooLarge, "\(denied.count) denied keys, expected at most \(Self.maximumDeniedKeys)")
        }
        var deniedKeys: Set<SPKIPin> = []
        for text in denied {
            guard let pin = try? SPKIPin(text), deniedKeys.insert(pin).inserted else {
                throw PinListRefusal(.listInvalid, "a denied key is no sha256/BASE64, or there twice")
            }
        }
        self.deniedKeys = deniedKeys
        signers = try PinSigners(try members.value("signers"))
        let pins = try members.value("pins")
        do throws(PinFileError) {
            configuration = try JSONPinReader.read(pins.node, file: "pins")
        } catch {
            throw PinListRefusal(.pinsInvalid, error.description)
        }
    }

    /// Members of every list. Others are ignored unless `critical` names them.
    private static let members = [
        "version", "audience", "sequence", "issued", "notBefore", "expires", "pins", "deniedKeys", "signers",
    ]

    /// The bytes that are signed.
    /// - Parameters:
    ///   - audience: see ``audience``.
    ///   - sequence: higher than every list before, and not among the last ``sequenceReserve`` numbers.
    ///   - issued: now, as a rule.
    ///   - notBefore: not accepted before; `issued` unless given.
    ///   - expires: not accepted after.
    ///   - pins: hosts and pins in this package's JSON (``PinFormat/json``), taken over as they stand.
    ///   - deniedKeys: keys that no path may hold.
    ///   - signers: who signs the next list.
    ///   - usesSequenceReserve: whether the number may be among the last ones, because the list in force has one of them already.
    /// - Throws: ``PinListRefusal`` for what no client would take, and for a number that leaves too few for later lists.
    public static func payload(
        audience: String, sequence: Int, issued: Time, notBefore: Time? = nil, expires: Time, pins: [UInt8],
        deniedKeys: Set<SPKIPin> = [], signers: PinSigners, usesSequenceReserve: Bool = false
    ) throws(PinListRefusal) -> [UInt8] {
        guard usesSequenceReserve || sequence <= maximumSequence - sequenceReserve else {
            throw PinListRefusal(
                .listInvalid,
                "sequence \(sequence) leaves too few for later lists, expected at most \(maximumSequence - sequenceReserve)"
            )
        }
        let pins = try StrictJSON(pins, "pins").node.json
        let denied = deniedKeys.map(\.description).sorted().map(PinTree.quoted).joined(separator: ",")
        let keys = signers.keys.map(\.jwk).joined(separator: ",")
        let text = """
            {"version":\(version),"audience":\(PinTree.quoted(audience)),"sequence":\(sequence),\
            "issued":"\(issued)","notBefore":"\(notBefore ?? issued)","expires":"\(expires)",\
            "signers":{"threshold":\(signers.threshold),"keys":[\(keys)]},"deniedKeys":[\(denied)],"pins":\(pins)}
            """
        let bytes = Array(text.utf8)
        _ = try PinList(payload: bytes)
        return bytes
    }
}

extension PinSigners {
    fileprivate init(_ json: StrictJSON) throws(PinListRefusal) {
        let members = try json.members(["threshold", "keys"], code: .listInvalid)
        var keys: [PinSigningKey] = []
        for key in try members.array("keys") { keys.append(try PinSigningKey(key)) }
        do throws(PinSignersError) {
            try self.init(keys, threshold: try Self.threshold(members))
        } catch {
            throw PinListRefusal(.listInvalid, "signers: \(error)")
        }
    }

    private static func threshold(_ members: StrictJSON.Members) throws(PinSignersError) -> Int {
        guard let number = try? members.number("threshold") else { throw .threshold(0, 0) }
        return number
    }
}

extension PinSigningKey {
    /// A JWK (RFC 7517) of one of the two kinds, with its required members and no others: no private part, no use that is ignored.
    fileprivate init(_ json: StrictJSON) throws(PinListRefusal) {
        let kind = try json.members(["kty", "crv", "x"], optional: ["y"], code: .listInvalid)
        func coordinate(_ key: String) throws(PinListRefusal) -> [UInt8] {
            guard let bytes = Base64URL.decode(try kind.string(key)), bytes.count == 32 else {
                throw PinListRefusal(.listInvalid, "\(json.place): \(key) is not 32 bytes in base64url")
            }
            return bytes
        }
        let x = try coordinate("x")
        let family = ExactText(try kind.string("kty"))
        let curve = ExactText(try kind.string("crv"))
        do throws(PinSigningKeyError) {
            switch (family, curve, kind.has("y")) {
            case (ExactText("EC"), ExactText("P-256"), true):
                guard let y = try? coordinate("y") else { throw PinSigningKeyError("y is not 32 bytes in base64url") }
                try self.init(.es256, [4] + x + y)
            case (ExactText("OKP"), ExactText("Ed25519"), false): try self.init(.ed25519, x)
            default: throw PinSigningKeyError("expected a P-256 or an Ed25519 key")
            }
        } catch {
            throw PinListRefusal(.listInvalid, "\(json.place): \(error)")
        }
    }
}
