// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinModel
import ServerTrust
import TrustSupport

// JWS in the general JSON serialization (RFC 7515 § 7.2.1), which allows several signatures. Common libraries (jwt-kit) have the compact
// serialization alone, with one signature, and select the claims to check by the header. The needed part of JWS is this file; the
// signatures are swift-crypto's.
//
// Stricter than the RFC, so that every document has one form and any changed bit is detected: no unprotected header, no unknown member,
// no padding, no duplicate key.

/// A pin list with its signatures, as it is stored and sent. Nothing in it is trusted before it is verified
/// (``BuiltInPinList/verify(_:at:makeManager:)``, ``PinStore``).
///
/// ```json
/// {"payload":"BASE64URL","signatures":[{"protected":"BASE64URL","signature":"BASE64URL"}],"rotations":[…]}
/// ```
/// `rotations` are earlier lists, oldest first, each of which named other signing keys than its predecessor: they lead a client that
/// knows only old keys to the current ones. Other readers of JWS ignore that member.
public struct SignedPinList: Sendable, Hashable {
    /// A signature with its header.
    struct Signature: Sendable, Hashable {
        /// The signed header as it stands in the document.
        let protected: String
        let algorithm: PinSigningKey.Algorithm
        let keyID: String
        let bytes: [UInt8]
    }

    /// The signed payload as it stands in the document.
    let payload: String
    let signatures: [Signature]
    /// The earlier lists that named other keys, oldest first; they have no rotations of their own.
    package let rotations: [SignedPinList]

    /// The maximum size of a document in bytes, rotations included; 8 MiB.
    public static let maximumSize = 8 << 20
    /// The maximum number of rotations: one a month for five years.
    package static let maximumRotations = 60
    /// The maximum size of a stored document in bytes: one of the maximum size, and among its rotations another one, whose manifest of
    /// filters is the newest that the client has taken.
    static let maximumStoredSize = 2 * maximumSize + 64
    /// The maximum number of signatures: one by each of the old keys and of the new ones.
    static let maximumSignatures = 2 * PinSigners.maximumCount
    /// The `typ` of every signature (RFC 7515 § 4.1.9), so that no other document signed by these keys can be taken for a pin list.
    static let type = "pin-list+jws"

    /// Parses a document. Neither its signatures nor the contents of its payload are checked.
    /// - Parameters:
    ///   - bytes: the document.
    ///   - allowsNoSignature: whether there may be no signature yet, as in a list that is signed elsewhere (``signingInput(for:)``).
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
        guard bytes.count <= maximumSize else {
            throw PinListError(
                .pinListTooLarge, "\(bytes.count) bytes, expected at most \(maximumSize)",
                expected: .number(maximumSize), found: .number(bytes.count))
        }
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
        guard signatures.count <= Self.maximumSignatures else {
            throw PinListError(
                .pinListTooLarge, "\(signatures.count) signatures, expected at most \(Self.maximumSignatures)",
                expected: .number(Self.maximumSignatures), found: .number(signatures.count))
        }
        var read: [Signature] = []
        for signature in signatures { read.append(try Signature(signature)) }
        self.signatures = read
        var rotations: [SignedPinList] = []
        if let maximumRotations, members.has("rotations") {
            let elements = try members.array("rotations")
            guard elements.count <= maximumRotations else {
                throw PinListError(
                    .pinListTooLarge, "\(elements.count) rotations, expected at most \(maximumRotations)",
                    expected: .number(maximumRotations), found: .number(elements.count))
            }
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

    /// The document. It ends with its last brace, so that truncation is always detected.
    public var bytes: [UInt8] { Array(text.utf8) }

    private var text: String {
        let signatures = signatures.map {
            #"{"protected":"\#($0.protected)","signature":"\#(Base64URL.encode($0.bytes))"}"#
        }
        let rotations =
            rotations.isEmpty ? "" : #","rotations":[\#(rotations.map(\.text).joined(separator: ","))]"#
        return #"{"payload":"\#(payload)","signatures":[\#(signatures.joined(separator: ","))]\#(rotations)}"#
    }

    /// Returns the contents of the list, **unverified**: for display only.
    /// - Throws: ``PinListError`` if it can't be read.
    public func unverifiedList() throws(PinListError) -> PinList { try PinList(payload: payloadBytes) }

    /// The thumbprints of the keys that the signatures name (``PinSigningKey/id``), unverified.
    package var claimedSigners: [String] { signatures.map(\.keyID) }

    var payloadBytes: [UInt8] { Base64URL.decode(payload) ?? [] }

    /// The list without rotations.
    var withoutRotations: SignedPinList { SignedPinList(payload: payload, signatures: signatures, rotations: []) }

    func with(rotations: [SignedPinList]) -> SignedPinList {
        SignedPinList(payload: payload, signatures: signatures, rotations: rotations)
    }

    /// Returns whether braces outside of texts are left open. Other syntax errors are not detected.
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
        // Unknown parameters that are not critical are ignored (RFC 7515 § 4); keys in a header (`jwk`, `x5c`) never count.
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
    /// Returns the header of signatures by a key, in base64url.
    static func header(for key: PinSigningKey) -> String {
        let header = #"{"alg":"\#(key.algorithm.rawValue)","kid":"\#(key.id)","typ":"\#(SignedPinList.type)"}"#
        return Base64URL.encode(Array(header.utf8))
    }
}

// MARK: - Signing

extension SignedPinList {
    /// Signs a list with each of the keys.
    /// - Parameters:
    ///   - payload: ``PinListPayload/bytes()``.
    ///   - keys: the keys of the previous signers, and those that the list names. Empty for a list that is signed elsewhere.
    ///   - rotations: the earlier lists that lead from older keys to those that sign this one, oldest first.
    /// - Throws: errors of swift-crypto. Acceptance by clients is not checked: ``BuiltInPinList/verify(_:at:makeManager:)`` does that.
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

    /// Returns the list with additional signatures, for keys in different places, which sign one after the other.
    /// - Throws: errors of swift-crypto.
    package func adding(_ keys: [PinSigningPrivateKey]) throws -> SignedPinList {
        let present = Set(signatures.map { ExactText($0.keyID) })
        let more = try SignedPinList.signed(
            payloadBytes, by: keys.filter { !present.contains(ExactText($0.publicKey.id)) })
        return SignedPinList(payload: payload, signatures: signatures + more.signatures, rotations: rotations)
    }
}
