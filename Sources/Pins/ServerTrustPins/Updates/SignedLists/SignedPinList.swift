// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// JWS in the general JSON serialization (RFC 7515 § 7.2.1), which allows several signatures. Common libraries (jwt-kit)
// support only the compact serialization with one signature, and use the header to select the claims to check. This
// file implements only the necessary part of JWS. swift-crypto computes the signatures.
//
// It is stricter than the RFC, so that every document has only one form and any changed bit is detected: no unprotected
// header, no unknown member, no padding, no duplicate key.

/// A pin list with its signatures, as it is stored and sent. Don't trust anything in it before you verify it
/// (``BuiltInPinList/verify(_:at:makeManager:)``, ``PinStore``).
///
/// ```json
/// {"payload":"BASE64URL","signatures":[{"protected":"BASE64URL","signature":"BASE64URL"}],"rotations":[…]}
/// ```
/// `rotations` are earlier lists, oldest first. Each of these lists names other signing keys than its predecessor. With
/// them, a client that knows only old keys can verify the current keys. Other JWS readers ignore this member.
public struct SignedPinList: Sendable, Hashable {
    /// A signature with its header.
    struct Signature: Sendable, Hashable {
        /// The signed header, exactly as in the document.
        let protected: String
        let algorithm: PinSigningKey.Algorithm
        let keyID: String
        let bytes: [UInt8]
    }

    /// The signed payload, exactly as in the document.
    let payload: String
    let signatures: [Signature]
    /// The earlier lists that named other keys, oldest first. They contain no rotations.
    package let rotations: [SignedPinList]

    /// The maximum size of a document in bytes, including rotations: 8 MiB.
    public static let maximumSize = 8 << 20
    /// The maximum number of rotations: one a month for five years.
    static let maximumRotations = 60
    /// The maximum size of a stored document in bytes. It consists of a document of the maximum size, and possibly one
    /// more document among its rotations. The additional document contains the newest filter manifest that the client
    /// has accepted.
    static let maximumStoredSize = 2 * maximumSize + 64
    /// The maximum number of signatures: one by each old key and each new key.
    static let maximumSignatures = 2 * PinSigners.maximumCount
    /// The `typ` of every signature (RFC 7515 § 4.1.9). It prevents other documents signed by these keys from passing
    /// as a pin list.
    static let type = "pin-list+jws"

    /// Parses a document. Neither its signatures nor the contents of its payload are checked.
    /// - Parameters:
    ///   - bytes: the document.
    ///   - allowsNoSignature: whether the document may have no signature yet, because another program will sign it
    ///     (``signingInput(for:)``).
    /// - Throws: ``PinListError``.
    public init(_ bytes: [UInt8], allowsNoSignature: Bool = false) throws(PinListError) {
        try self.init(
            bytes, maximumSize: Self.maximumSize, maximumRotations: Self.maximumRotations,
            allowsNoSignature: allowsNoSignature)
    }

    /// Parses a document that a client has stored (``PinListState/document``).
    init(stored bytes: [UInt8]) throws(PinListError) {
        try self.init(
            bytes, maximumSize: Self.maximumStoredSize, maximumRotations: Self.maximumRotations + 1,
            allowsNoSignature: false)
    }

    private init(
        _ bytes: [UInt8], maximumSize: Int, maximumRotations: Int, allowsNoSignature: Bool
    ) throws(PinListError) {
        try PinListError.check(bytes.count, "bytes", atMost: maximumSize)
        guard !Self.isCutOff(bytes) else { throw PinListError(.pinListTruncated, "the document ends early") }
        try self.init(
            try SignedJSON(bytes, "the document"), maximumRotations: maximumRotations,
            allowsNoSignature: allowsNoSignature)
    }

    /// - Parameter maximumRotations: nil for a rotation, which contains no rotations.
    private init(
        _ json: SignedJSON, maximumRotations: Int?, allowsNoSignature: Bool = false
    ) throws(PinListError) {
        let members = try json.members(
            ["payload", "signatures"], optional: maximumRotations == nil ? [] : ["rotations"])
        self.payload = try members.string("payload")
        guard Base64URL.decode(payload) != nil else {
            throw PinListError(.pinListMalformed, "payload is not base64url")
        }
        let signatures = try members.array("signatures", mayBeEmpty: allowsNoSignature)
        try PinListError.check(signatures.count, "signatures", atMost: Self.maximumSignatures)
        var read: [Signature] = []
        for signature in signatures { read.append(try Signature(signature)) }
        self.signatures = read
        var rotations: [SignedPinList] = []
        if let maximumRotations, members.has("rotations") {
            let elements = try members.array("rotations")
            try PinListError.check(elements.count, "rotations", atMost: maximumRotations)
            for element in elements { rotations.append(try SignedPinList(element, maximumRotations: nil)) }
        }
        self.rotations = rotations
        guard Set(self.signatures.map { ExactText($0.keyID) }).count == self.signatures.count else {
            throw PinListError(.pinListMalformed, "a key has signed twice, expected once")
        }
    }

    init(payload: String, signatures: [Signature], rotations: [SignedPinList]) {
        self.payload = payload
        self.signatures = signatures
        self.rotations = rotations
    }

    /// The document. It ends with its last brace, so truncation is always detected.
    public var bytes: [UInt8] { Array(text.utf8) }

    private var text: String {
        let signatures = signatures.map {
            #"{"protected":"\#($0.protected)","signature":"\#(Base64URL.encode($0.bytes))"}"#
        }
        let rotations =
            rotations.isEmpty ? "" : #","rotations":[\#(rotations.map(\.text).joined(separator: ","))]"#
        return #"{"payload":"\#(payload)","signatures":[\#(signatures.joined(separator: ","))]\#(rotations)}"#
    }

    /// Returns the contents of the list, **unverified**: only for display.
    /// - Throws: ``PinListError`` if the contents can't be read.
    public func unverifiedList() throws(PinListError) -> PinList { try PinList(payload: payloadBytes) }

    /// The thumbprints of the keys that the signatures name (``PinSigningKey/id``), unverified.
    package var claimedSigners: [String] { signatures.map(\.keyID) }

    var payloadBytes: [UInt8] { Base64URL.decode(payload) ?? [] }

    /// The list without rotations.
    var withoutRotations: SignedPinList { SignedPinList(payload: payload, signatures: signatures, rotations: []) }

    func with(rotations: [SignedPinList]) -> SignedPinList {
        SignedPinList(payload: payload, signatures: signatures, rotations: rotations)
    }

    /// Returns whether braces outside of strings are left open. Other syntax errors aren't detected.
    private static func isCutOff(_ bytes: [UInt8]) -> Bool {
        var depth = 0
        var isInText = false
        var isEscaped = false
        for byte in bytes {
            if isEscaped {
                isEscaped = false
            } else if isInText {
                if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInText = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                default: break
                }
            }
        }
        return depth > 0 || isInText || bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }
    }
}

extension SignedPinList.Signature {
    fileprivate init(_ json: SignedJSON) throws(PinListError) {
        let members = try json.members(["protected", "signature"])
        let protected = try members.string("protected")
        guard let header = Base64URL.decode(protected), let bytes = Base64URL.decode(try members.string("signature"))
        else { throw PinListError(.pinListMalformed, "a signature is not base64url") }
        guard header.count <= 1024 else {
            throw PinListError(
                .pinListTooLarge, "a header of \(header.count) bytes", expected: .number(1024),
                found: .number(header.count))
        }
        // Unknown parameters that aren't critical are ignored (RFC 7515 § 4). Keys in a header (`jwk`, `x5c`) never
        // count.
        let parameters = try SignedJSON(header, "a header").members(["alg", "kid", "typ"], optional: nil)
        if parameters.has("crit") {
            throw PinListError(.pinListUnknownCriticalField, "a signature has critical parameters, expected none")
        }
        guard try parameters.string("typ").isExactly(SignedPinList.type) else {
            throw PinListError(
                .pinListForeignType, "typ is not \(SignedPinList.type)", expected: .text(SignedPinList.type))
        }
        let algorithm = try parameters.string("alg")
        guard let known = PinSigningKey.Algorithm.allCases.first(where: { $0.rawValue.isExactly(algorithm) }) else {
            throw PinListError(
                .pinListAlgorithmNotAllowed, "alg \"\(clipped(algorithm))\", expected ES256 or EdDSA",
                expected: .list(PinSigningKey.Algorithm.allCases.map(\.rawValue)), found: .text(clipped(algorithm)))
        }
        self.init(protected: protected, algorithm: known, keyID: try parameters.string("kid"), bytes: bytes)
    }
}

extension SignedPinList.Signature {
    /// Returns the base64url header for signatures by a key.
    static func header(for key: PinSigningKey) -> String {
        let header = #"{"alg":"\#(key.algorithm.rawValue)","kid":"\#(key.id)","typ":"\#(SignedPinList.type)"}"#
        return Base64URL.encode(Array(header.utf8))
    }
}

// MARK: - Signing

extension SignedPinList {
    /// Signs a list with each of the keys.
    /// - Parameters:
    ///   - payload: the payload that ``PinListPayload/bytes()`` returns.
    ///   - keys: the keys of the previous signers, and the keys that the list names. Empty for a list that another
    ///     program signs.
    ///   - rotations: the earlier lists that changed the keys, from older keys up to the keys that sign this list,
    ///     oldest first.
    /// - Throws: errors from swift-crypto. Whether clients accept the list isn't checked. To check it, call
    ///   ``BuiltInPinList/verify(_:at:makeManager:)``.
    public static func signed(
        _ payload: [UInt8], by keys: [PinSigningPrivateKey], rotations: [SignedPinList] = []
    ) throws -> SignedPinList {
        let payload = Base64URL.encode(payload)
        let signatures = try keys.map { key in
            let name = key.publicKey
            let protected = Signature.header(for: name)
            return Signature(
                protected: protected, algorithm: name.algorithm, keyID: name.id,
                bytes: try key.signature(over: Array("\(protected).\(payload)".utf8)))
        }
        return SignedPinList(payload: payload, signatures: signatures, rotations: rotations.map(\.withoutRotations))
    }

    /// Returns the list with additional signatures. If the keys are in different places, sign with one key after the
    /// other.
    /// - Throws: errors from swift-crypto.
    package func adding(_ keys: [PinSigningPrivateKey]) throws -> SignedPinList {
        let present = Set(signatures.map { ExactText($0.keyID) })
        let more = try SignedPinList.signed(
            payloadBytes, by: keys.filter { !present.contains(ExactText($0.publicKey.id)) })
        return SignedPinList(payload: payload, signatures: signatures + more.signatures, rotations: rotations)
    }
}
