// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import Crypto
import PKIX
import ServerTrust

/// A Digest challenge that this package can answer (RFC 7616 § 3.3).
struct DigestChallenge: Sendable, Hashable {
    /// The part of the request that the response protects.
    enum Protection: String, Sendable, Hashable {
        /// Method and address.
        case auth
        /// Method, address and body.
        case authInt = "auth-int"
    }

    let realm: String
    private(set) var nonce: String
    let opaque: String?
    let algorithm: DigestAlgorithm
    /// The protections that the server offers. Empty for a server that follows RFC 2069, which doesn't define any.
    let protections: Set<Protection>
    /// Whether the server accepts the credentials but requires a new nonce.
    private(set) var isStale: Bool

    /// Returns nil for a challenge that can't be answered: it has no nonce or realm, an unknown algorithm, or only
    /// unknown protections.
    init?(_ challenge: HTTPChallenge) {
        guard challenge.scheme == "digest", let realm = challenge.realm, let nonce = challenge.parameters["nonce"],
            let algorithm = DigestAlgorithm(name: challenge.parameters["algorithm"])
        else { return nil }
        let offers = challenge.parameters["qop"]?.split(separator: ",").map {
            String($0.filter { $0 != " " && $0 != "\t" }).asciiLowercased
        }
        let protections = Set((offers ?? []).compactMap(Protection.init(rawValue:)))
        if let offers, !offers.isEmpty, protections.isEmpty { return nil }
        self.realm = realm
        self.nonce = nonce
        self.opaque = challenge.parameters["opaque"]
        self.algorithm = algorithm
        self.protections = protections
        self.isStale = challenge.parameters["stale"]?.asciiLowercased == "true"
    }

    /// Returns the challenge with the nonce that the server sent for the next request (`Authentication-Info:
    /// nextnonce=…`, RFC 7616 § 3.5).
    func with(nonce: String) -> DigestChallenge {
        var next = self
        (next.nonce, next.isStale) = (nonce, false)
        return next
    }
}

/// A request to sign.
struct DigestRequest: Sendable {
    let method: String
    /// The request's target exactly as the client sends it: path and query.
    let target: String
    /// Returns the body, or nil if it isn't completely known before the client sends it. Called only if the body has to
    /// be signed.
    let body: @Sendable () -> [UInt8]?
}

extension DigestRequest {
    /// The `CONNECT` request for a tunnel.
    init(tunnelTo target: String) { self.init(method: "CONNECT", target: target, body: { [] }) }
}

extension DigestChallenge {
    /// Whether ``authorization(user:password:request:count:clientNonce:)`` returns a value for the request.
    func canSign(_ request: DigestRequest) -> Bool {
        protections.isEmpty || protections.contains(.auth) || request.body() != nil
    }

    /// Returns the value of `Authorization` (RFC 7616 § 3.4).
    /// - Parameters:
    ///   - count: how often the client has used the nonce, including this time: 1 for the first use.
    ///   - clientNonce: a random text, new at least for each nonce.
    /// - Returns: nil if the server requires a protected body, but the body isn't known.
    func authorization(
        user: String, password: String, request: DigestRequest, count: UInt32, clientNonce: String
    ) -> String? {
        let protection: Protection?
        if protections.contains(.auth) {
            protection = .auth
        } else if protections.contains(.authInt) {
            protection = .authInt
        } else {
            protection = nil
        }
        var secret = algorithm.hash("\(user):\(realm):\(password)")
        if algorithm.isSession { secret = algorithm.hash("\(secret):\(nonce):\(clientNonce)") }
        var subject = "\(request.method):\(request.target)"
        if protection == .authInt {
            guard let body = request.body() else { return nil }
            subject += ":" + algorithm.hash(bytes: body)
        }
        let subjectHash = algorithm.hash(subject)
        let number = String(count, radix: 16)
        let padded = String(repeating: "0", count: 8 - number.count) + number
        let response =
            protection.map {
                algorithm.hash("\(secret):\(nonce):\(padded):\(clientNonce):\($0.rawValue):\(subjectHash)")
            } ?? algorithm.hash("\(secret):\(nonce):\(subjectHash)")
        var fields = [
            "username=\(Self.quoted(user))", "realm=\(Self.quoted(realm))", "nonce=\(Self.quoted(nonce))",
            "uri=\(Self.quoted(request.target))", "response=\"\(response)\"", "algorithm=\(algorithm.name)",
        ]
        if let opaque { fields.append("opaque=\(Self.quoted(opaque))") }
        if let protection {
            fields += ["qop=\(protection.rawValue)", "nc=\(padded)", "cnonce=\(Self.quoted(clientNonce))"]
        } else if algorithm.isSession {
            fields.append("cnonce=\(Self.quoted(clientNonce))")
        }
        return "Digest " + fields.joined(separator: ", ")
    }

    /// Quotes a text (RFC 9110 § 5.6.4). Control characters, which would end the header, are left out because a header
    /// can't contain them.
    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        for byte in text.utf8 where byte >= 0x20 && byte != 0x7f || byte == 0x09 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A hash algorithm of RFC 7616 § 6.1, strongest first. SHA-512-256 is left out: swift-crypto doesn't have it, and
/// servers don't use it.
enum DigestAlgorithm: Int, Sendable, CaseIterable {
    case sha256
    case sha256Session
    case md5
    case md5Session

    /// Finds an algorithm by its name, ignoring case. The default is MD5 if the server names none (RFC 7616 § 3.3).
    /// Returns nil for an unknown name.
    init?(name: String?) {
        let name = name?.asciiLowercased ?? "md5"
        guard let found = Self.allCases.first(where: { $0.name.asciiLowercased == name }) else { return nil }
        self = found
    }

    var name: String {
        switch self {
        case .md5: "MD5"
        case .md5Session: "MD5-sess"
        case .sha256: "SHA-256"
        case .sha256Session: "SHA-256-sess"
        }
    }

    /// Whether each nonce has a new secret (`-sess`).
    var isSession: Bool { self == .md5Session || self == .sha256Session }

    /// Returns the hash in lowercase hexadecimal.
    func hash(_ text: String) -> String { hash(bytes: Array(text.utf8)) }

    func hash(bytes: [UInt8]) -> String {
        switch self {
        case .md5, .md5Session: Hex.encode(Insecure.MD5.hash(data: bytes))
        case .sha256, .sha256Session: Hex.encode(SHA256.hash(data: bytes))
        }
    }
}

#endif
