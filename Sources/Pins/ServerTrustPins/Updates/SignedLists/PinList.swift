// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The contents of a signed pin list. Each list is complete: it replaces the previous one as a whole.
public struct PinList: Sendable, Hashable {
    /// The name of the app that the list is for. Its vendor chooses the name: `com.example.app`.
    public let audience: String
    /// The sequence number, from 1. It increases with every list.
    public let sequence: Int
    /// The time at which the list was issued.
    public let issued: Time
    /// The first second at which clients accept the list.
    public let notBefore: Time
    /// The last second at which clients accept the list. An accepted list stays in force until a newer one replaces it.
    /// Pins expire as their rules say (`PinRule.expiry`).
    public let expires: Time
    /// The hosts and pins.
    public let configuration: PinConfiguration
    /// The keys that no path may contain, for any host. For emergencies.
    public let deniedKeys: Set<SPKIPin>
    /// The signers of the next list. They have also signed this list.
    public let signers: PinSigners
    /// The lists of denied certificates, or nil for none.
    package let denied: PinListDenied?
    /// The root keys, or nil if the signers name their successors themselves. Root keys have to sign each list that
    /// changes the signers or the root keys.
    public let root: PinSigners?
    /// The Certificate Transparency logs, or nil for none.
    package let logs: PinListLogs?
    /// The manifest of revocation filters, or nil for none.
    package let filters: PinListFilters?

    /// The maximum sequence number, 2^53 - 1, which every JSON reader represents exactly (RFC 8259 § 6). No list can
    /// follow it.
    static let maximumSequence = 1 << 53 - 1
    /// The number of reserved sequence numbers at the end of the range. The reserve prevents an accidental signature on
    /// one of them.
    static let sequenceReserve = 1_000_000
    /// The largest step between two sequence numbers that is signed without a warning. Clients accept any step, so that
    /// a client that was offline for years isn't locked out.
    package static let maximumUsualStep = 1_000
    /// The supported version of lists.
    static let version = 1
    /// The maximum length of an audience in bytes.
    static let maximumAudienceLength = 255
    /// The maximum number of denied keys.
    static let maximumDeniedKeys = 10_000
}

extension PinList {
    /// Reads the payload of a signed list.
    init(payload bytes: [UInt8]) throws(PinListError) {
        let json = try SignedJSON(bytes, "the list")
        // First reads the members that determine whether the rest can be understood.
        let unchecked = try json.members(["version"], optional: nil, code: .pinListInvalid)
        guard try unchecked.number("version") == Self.version else {
            throw PinListError(
                .pinListUnknownVersion, "a list of another version, expected \(Self.version)",
                expected: .number(Self.version))
        }
        if unchecked.has("critical") {
            for name in try unchecked.strings("critical") where !Self.members.containsExactly(name) {
                throw PinListError(
                    .pinListUnknownCriticalField,
                    "the list has the unknown critical member \(clipped(name))", found: .text(clipped(name)))
            }
        }
        let members = try json.members(Self.required, optional: nil, code: .pinListInvalid)
        audience = try members.string("audience")
        guard (1...Self.maximumAudienceLength).contains(audience.utf8.count) else {
            throw PinListError(
                .pinListInvalid, "audience is \(audience.utf8.count) bytes long, expected 1 to 255",
                found: .number(audience.utf8.count))
        }
        sequence = try members.number("sequence")
        guard sequence >= 1 else { throw PinListError(.pinListInvalid, "sequence is 0, expected 1 or more") }
        issued = try members.time("issued")
        notBefore = try members.time("notBefore")
        expires = try members.time("expires")
        guard issued <= notBefore, notBefore < expires else {
            throw PinListError(.pinListInvalid, "issued, notBefore and expires are not in this order")
        }
        let keys = try members.strings("deniedKeys", mayBeEmpty: true)
        try PinListError.check(keys.count, "denied keys", atMost: Self.maximumDeniedKeys)
        var deniedKeys: Set<SPKIPin> = []
        for text in keys {
            guard let pin = try? SPKIPin(text), deniedKeys.insert(pin).inserted else {
                throw PinListError(.pinListInvalid, "a denied key isn't sha256/BASE64, or occurs twice")
            }
        }
        self.deniedKeys = deniedKeys
        signers = try PinSigners(try members.value("signers"))
        root = members.has("root") ? try PinSigners(try members.value("root")) : nil
        guard root?.isDisjoint(with: signers) != false else {
            throw PinListError(.pinListInvalid, "a key is both a signer and a root key, expected only one of them")
        }
        logs = members.has("logs") ? try PinListLogs(try members.value("logs"), issued: issued) : nil
        denied =
            members.has("denied")
            ? try PinListDenied(base64URL: try members.strings("denied", mayBeEmpty: true)) : nil
        filters = members.has("filters") ? try PinListFilters(base64URL: try members.string("filters")) : nil
        let pins = try members.value("pins")
        do throws(PinFileError) {
            configuration = try JSONPinReader.read(pins.node, file: "pins")
        } catch {
            throw PinListError(.pinListPinsInvalid, error.description, at: error.location?.description)
        }
    }

    /// The required members of every list. Other members are ignored unless `critical` names them.
    private static let required = [
        "version", "audience", "sequence", "issued", "notBefore", "expires", "pins", "deniedKeys", "signers",
    ]
    /// The known members.
    private static let members = required + ["root", "logs", "denied", "filters"]
}

extension PinList: CustomStringConvertible {
    /// `com.example.app list 12, issued …, valid from … to …`
    public var description: String {
        "\(clipped(audience)) list \(sequence), issued \(issued), valid from \(notBefore) to \(expires)"
    }
}

extension PinSigners {
    fileprivate init(_ json: SignedJSON) throws(PinListError) {
        let members = try json.members(["threshold", "keys"], code: .pinListInvalid)
        var keys: [PinSigningKey] = []
        for key in try members.array("keys") { keys.append(try PinSigningKey(key)) }
        do throws(PinSignersError) {
            try self.init(keys, threshold: try Self.threshold(members))
        } catch {
            throw PinListError(.pinListInvalid, "signers: \(error)")
        }
    }

    private static func threshold(_ members: SignedJSON.Members) throws(PinSignersError) -> Int {
        guard let number = try? members.number("threshold") else { throw PinSignersError(.pinSignersThreshold) }
        return number
    }
}

extension PinSigningKey {
    /// Reads a JWK (RFC 7517) of either kind, which may contain only its required members. It can't contain a private
    /// part, or a member that this reader would ignore.
    fileprivate init(_ json: SignedJSON) throws(PinListError) {
        let kind = try json.members(["kty", "crv", "x"], optional: ["y"], code: .pinListInvalid)
        func coordinate(_ key: String) throws(PinListError) -> [UInt8] {
            guard let bytes = Base64URL.decode(try kind.string(key)), bytes.count == 32 else {
                throw PinListError(.pinListInvalid, "\(json.context): \(key) is not 32 bytes in base64url")
            }
            return bytes
        }
        let x = try coordinate("x")
        let family = ExactText(try kind.string("kty"))
        let curve = ExactText(try kind.string("crv"))
        do throws(PinSigningKeyError) {
            switch (family, curve, kind.has("y")) {
            case (ExactText("EC"), ExactText("P-256"), true):
                guard let y = try? coordinate("y") else {
                    throw PinSigningKeyError(.pinSigningKeyInvalid, "y is not 32 bytes in base64url")
                }
                try self.init(.es256, [4] + x + y)
            case (ExactText("OKP"), ExactText("Ed25519"), false): try self.init(.ed25519, x)
            default: throw PinSigningKeyError(.pinSigningKeyUnsupported, "expected a P-256 or an Ed25519 key")
            }
        } catch {
            throw PinListError(.pinListInvalid, "\(json.context): \(error)")
        }
    }
}
