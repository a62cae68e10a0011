// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinModel
import ServerTrust

// JWS in the general JSON serialization (RFC 7515 § 7.2.1), which is the one with several signatures. Libraries at hand (jwt-kit)
// read and write the compact form alone, which has one, and decide by the header which claims count; what is needed of JWS is this
// file, and the signatures are swift-crypto's.
//
// Stricter than the RFC, so that every document has one form and no bit of it can be changed unseen: no unprotected header, no
// member that isn't named here, no padding, no key twice.

/// A pin list with its signatures, as it is stored and sent; nothing of it is believed until it was verified
/// (``PinFloor/verify(_:at:makeManager:)``, ``PinStore``).
///
/// ```json
/// {"payload":"BASE64URL","signatures":[{"protected":"BASE64URL","signature":"BASE64URL"}],"rotations":[…]}
/// ```
/// `rotations` are earlier lists, oldest first, each of which named other signing keys than those before it: by them a client that
/// knows only old keys gets from key to key. Other readers of JWS ignore that member.
public struct SignedPinList: Sendable, Hashable {
    /// One signature, with what it says about itself.
    struct Signature: Sendable, Hashable {
        /// As it stands in the document: it is what was signed.
        let protected: String
        let algorithm: PinSigningKey.Algorithm
        let keyID: String
        let bytes: [UInt8]
    }

    /// As it stands in the document: it is what was signed.
    let payload: String
    let signatures: [Signature]
    /// Earlier lists that named other keys, oldest first; they have none of their own.
    public let rotations: [SignedPinList]

    /// A document is at most this long, in bytes, rotations included.
    public static let maximumSize = 8 << 20
    /// So many rotations are carried along: one a month for five years.
    public static let maximumRotations = 60
    /// One by each of the old keys and of the new ones.
    static let maximumSignatures = 2 * PinSigners.maximumCount
    /// `typ` of every signature (RFC 7515 § 4.1.9): nothing else that these keys may sign can be taken for a pin list.
    static let type = "pin-list+jws"

    /// Reads the form, not the contents: no signature is checked.
    /// - Throws: ``PinListRefusal``.
    public init(_ bytes: [UInt8]) throws(PinListRefusal) {
        guard bytes.count <= Self.maximumSize else {
            throw PinListRefusal(.tooLarge, "\(bytes.count) bytes, expected at most \(Self.maximumSize)")
        }
        guard !Self.isCutOff(bytes) else { throw PinListRefusal(.truncated, "the document ends early") }
        try self.init(try StrictJSON(bytes, "the document"), isRotation: false)
    }

    private init(_ json: StrictJSON, isRotation: Bool) throws(PinListRefusal) {
        let members = try json.members(["payload", "signatures"], optional: isRotation ? [] : ["rotations"])
        self.payload = try members.string("payload")
        guard Base64URL.decode(payload) != nil else { throw PinListRefusal(.malformed, "payload is not base64url") }
        let signatures = try members.array("signatures")
        guard signatures.count <= Self.maximumSignatures else {
            throw PinListRefusal(
                .tooLarge, "\(signatures.count) signatures, expected at most \(Self.maximumSignatures)")
        }
        var read: [Signature] = []
        for signature in signatures { read.append(try Signature(signature)) }
        self.signatures = read
        var rotations: [SignedPinList] = []
        if members.has("rotations") {
            let elements = try members.array("rotations")
            guard elements.count <= Self.maximumRotations else {
                throw PinListRefusal(
                    .tooLarge, "\(elements.count) rotations, expected at most \(Self.maximumRotations)")
            }
            for element in elements { rotations.append(try SignedPinList(element, isRotation: true)) }
        }
        self.rotations = rotations
        guard Set(self.signatures.map { ExactText($0.keyID) }).count == self.signatures.count else {
            throw PinListRefusal(.malformed, "a key has signed twice, expected once")
        }
    }

    init(payload: String, signatures: [Signature], rotations: [SignedPinList]) {
        self.payload = payload
        self.signatures = signatures
        self.rotations = rotations
    }

    /// The document. It ends with its last brace: whatever is cut off, something is missing.
    public var bytes: [UInt8] { Array(text.utf8) }

    private var text: String {
        let signatures = signatures.map {
            #"{"protected":"\#($0.protected)","signature":"\#(Base64URL.encode($0.bytes))"}"#
        }
        let rotations =
            rotations.isEmpty ? "" : #","rotations":[\#(rotations.map(\.text).joined(separator: ","))]"#
        return #"{"payload":"\#(payload)","signatures":[\#(signatures.joined(separator: ","))]\#(rotations)}"#
    }

    /// What the list says, **unverified**: for showing a document, never for using it.
    /// - Throws: ``PinListRefusal`` if it can't be read.
    public func unverifiedList() throws(PinListRefusal) -> PinList { try PinList(payload: payloadBytes) }

    /// Thumbprints of the keys in whose names it is signed (``PinSigningKey/id``), unverified.
    public var claimedSigners: [String] { signatures.map(\.keyID) }

    var payloadBytes: [UInt8] { Base64URL.decode(payload) ?? [] }

    /// The same without what leads to it.
    var withoutRotations: SignedPinList { SignedPinList(payload: payload, signatures: signatures, rotations: []) }

    func with(rotations: [SignedPinList]) -> SignedPinList {
        SignedPinList(payload: payload, signatures: signatures, rotations: rotations)
    }

    /// Whether braces that are open outside of texts are never closed. What is malformed in another way isn't looked for.
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
    fileprivate init(_ json: StrictJSON) throws(PinListRefusal) {
        let members = try json.members(["protected", "signature"])
        let protected = try members.string("protected")
        guard let header = Base64URL.decode(protected), let bytes = Base64URL.decode(try members.string("signature"))
        else { throw PinListRefusal(.malformed, "a signature is not base64url") }
        guard header.count <= 1024 else { throw PinListRefusal(.tooLarge, "a header of \(header.count) bytes") }
        // Parameters that aren't known and not critical are ignored (RFC 7515 § 4); keys in a header (`jwk`, `x5c`) never count.
        let parameters = try StrictJSON(header, "a header").members(["alg", "kid", "typ"], optional: nil)
        if parameters.has("crit") {
            throw PinListRefusal(.unknownCriticalField, "a signature has critical parameters, expected none")
        }
        guard try parameters.string("typ").isExactly(SignedPinList.type) else {
            throw PinListRefusal(.foreignType, "typ is not \(SignedPinList.type)")
        }
        let algorithm = try parameters.string("alg")
        guard let known = PinSigningKey.Algorithm.allCases.first(where: { $0.rawValue.isExactly(algorithm) }) else {
            throw PinListRefusal(
                .algorithmNotAllowed, "alg \"\(StrictJSON.shown(algorithm))\", expected ES256 or EdDSA")
        }
        self.init(protected: protected, algorithm: known, keyID: try parameters.string("kid"), bytes: bytes)
    }
}

// MARK: - Signing

extension SignedPinList {
    /// Signs a list with each of the keys.
    /// - Parameters:
    ///   - payload: what is signed, from ``PinList/payload(audience:sequence:issued:notBefore:expires:pins:deniedKeys:signers:usesSequenceReserve:)``.
    ///   - keys: those of the signers before, and those that the list names.
    ///   - rotations: earlier lists that lead from older keys to those that sign this one, oldest first.
    /// - Throws: what swift-crypto throws. Whether clients will accept it is not checked: ``PinFloor/verify(_:at:makeManager:)`` does.
    public static func signed(
        _ payload: [UInt8], by keys: [PinSigningPrivateKey], rotations: [SignedPinList] = []
    ) throws -> SignedPinList {
        let payload = Base64URL.encode(payload)
        let signatures = try keys.map { key in
            let name = key.publicKey
            let header = #"{"alg":"\#(name.algorithm.rawValue)","kid":"\#(name.id)","typ":"\#(Self.type)"}"#
            let protected = Base64URL.encode(Array(header.utf8))
            return Signature(
                protected: protected, algorithm: name.algorithm, keyID: name.id,
                bytes: try key.signature(over: Array("\(protected).\(payload)".utf8)))
        }
        return SignedPinList(payload: payload, signatures: signatures, rotations: rotations.map(\.withoutRotations))
    }

    /// The same list with another party's signatures added: keys that don't lie in one place sign one after the other.
    public func adding(_ keys: [PinSigningPrivateKey]) throws -> SignedPinList {
        let present = Set(signatures.map { ExactText($0.keyID) })
        let more = try SignedPinList.signed(
            payloadBytes, by: keys.filter { !present.contains(ExactText($0.publicKey.id)) })
        return SignedPinList(payload: payload, signatures: signatures + more.signatures, rotations: rotations)
    }
}
