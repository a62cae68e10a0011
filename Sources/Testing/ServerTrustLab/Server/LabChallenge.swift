// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import Crypto
import Foundation
import PKIX

/// A lab server's HTTP authentication challenge (RFC 9110 § 11, RFC 7617, RFC 7616).
///
/// Only for testing clients. It protects nothing: its nonces aren't random and can be used more than once.
public struct LabChallenge: Sendable {
    /// The authentication scheme.
    public enum Scheme: Sendable, Hashable, CaseIterable {
        /// Basic (RFC 7617).
        case basic
        /// Digest with SHA-256 (RFC 7616).
        case digest
        /// Digest with MD5, for clients that connect to old servers.
        case digestMD5

        var isDigest: Bool { self != .basic }
    }

    /// The offered schemes, in this order, with one `www-authenticate` field for each.
    var schemes: [Scheme]
    /// The realm.
    var realm: String
    /// The accepted user.
    var user: String
    /// The accepted password.
    var password: String

    /// Creates a challenge that accepts one user.
    public init(_ schemes: Scheme..., realm: String = "lab", user: String = "user", password: String = "secret") {
        self.schemes = schemes
        self.realm = realm
        self.user = user
        self.password = password
    }

    static let nonce = "bGFiLW5vbmNl"

    /// The values of `www-authenticate`.
    var headers: [String] {
        schemes.map { scheme in
            guard scheme.isDigest else { return "Basic realm=\"\(realm)\", charset=\"UTF-8\"" }
            let algorithm = scheme == .digest ? "SHA-256" : "MD5"
            return "Digest realm=\"\(realm)\", qop=\"auth\", algorithm=\(algorithm), nonce=\"\(Self.nonce)\""
        }
    }

    /// Returns whether a request's `authorization` contains the right credentials for one of the schemes.
    func accepts(_ authorization: String?, method: String) -> Bool {
        guard let authorization, let space = authorization.firstIndex(of: " ") else { return false }
        let rest = authorization[authorization.index(after: space)...]
        switch authorization[..<space].lowercased() {
        case "basic":
            return schemes.contains(.basic) && rest == Data("\(user):\(password)".utf8).base64EncodedString()
        case "digest": return acceptsDigest(Self.parameters(of: rest), method: method)
        default: return false
        }
    }

    /// RFC 7616 § 3.4.1 with `qop=auth`.
    private func acceptsDigest(_ parameters: [String: String], method: String) -> Bool {
        let scheme: Scheme = parameters["algorithm"]?.uppercased() == "SHA-256" ? .digest : .digestMD5
        guard schemes.contains(scheme), parameters["username"] == user, parameters["realm"] == realm,
            parameters["nonce"] == Self.nonce, parameters["qop"] == "auth", let uri = parameters["uri"],
            let count = parameters["nc"], let clientNonce = parameters["cnonce"]
        else { return false }
        let secret = Self.hash("\(user):\(realm):\(password)", scheme)
        let request = Self.hash("\(method):\(uri)", scheme)
        return parameters["response"]
            == Self.hash("\(secret):\(Self.nonce):\(count):\(clientNonce):auth:\(request)", scheme)
    }

    private static func hash(_ text: String, _ scheme: Scheme) -> String {
        let bytes = Data(text.utf8)
        let digest = scheme == .digest ? Array(SHA256.hash(data: bytes)) : Array(Insecure.MD5.hash(data: bytes))
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// `name=value` and `name="value"`, separated by commas. No value here contains a comma.
    private static func parameters(of text: Substring) -> [String: String] {
        var parameters: [String: String] = [:]
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2 else { continue }
            parameters[pair[0].lowercased()] = pair[1].trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        }
        return parameters
    }
}

#endif
