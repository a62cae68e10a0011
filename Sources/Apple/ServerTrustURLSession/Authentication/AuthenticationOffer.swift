// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import PKIX

/// A scheme that a server offers in the challenges of a 401.
enum AuthenticationOffer: Sendable, Hashable {
    case digest(DigestChallenge)
    case basic(realm: String)
    /// NTLM, which isn't supported.
    case ntlm
    /// Negotiate, which isn't supported.
    case negotiate

    /// Returns the offers in the order in which the delegate sees them: supported schemes first, the strongest first
    /// (RFC 7616 § 3.7 requires that), then unsupported ones. If a scheme occurs several times with one realm, only the
    /// strongest offer counts. Unknown schemes are left out.
    static func offers(in challenges: [HTTPChallenge]) -> [AuthenticationOffer] {
        var offers: [AuthenticationOffer] = []
        for challenge in challenges {
            switch challenge.scheme {
            case "digest": if let digest = DigestChallenge(challenge) { offers.append(.digest(digest)) }
            // RFC 7617 § 2 requires a realm. If a server omits it, the realm is empty.
            case "basic": offers.append(.basic(realm: challenge.realm ?? ""))
            case "ntlm": offers.append(.ntlm)
            case "negotiate": offers.append(.negotiate)
            default: break
            }
        }
        var seen: Set<String> = []
        return offers.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element).filter { seen.insert("\($0.scheme) \($0.realm ?? "")").inserted }
    }

    var realm: String? {
        switch self {
        case .digest(let challenge): challenge.realm
        case .basic(let realm): realm
        case .ntlm, .negotiate: nil
        }
    }

    var scheme: String {
        switch self {
        case .digest: "Digest"
        case .basic: "Basic"
        case .ntlm: "NTLM"
        case .negotiate: "Negotiate"
        }
    }

    /// Whether this package can answer the offer.
    var isSupported: Bool {
        switch self {
        case .digest, .basic: true
        case .ntlm, .negotiate: false
        }
    }

    /// Whether this package can answer the offer for a request; see ``DigestChallenge/canSign(_:)``.
    func canSign(_ request: DigestRequest) -> Bool {
        if case .digest(let challenge) = self { challenge.canSign(request) } else { true }
    }

    private var rank: Int {
        switch self {
        case .digest(let challenge): challenge.algorithm.rawValue
        case .basic: 100
        case .ntlm: 200
        case .negotiate: 201
        }
    }
}

/// Basic authentication (RFC 7617).
enum BasicCredentials {
    /// Returns the value of `Authorization`, in UTF-8, or nil if the user contains a colon, because the server couldn't
    /// tell user and password apart.
    static func authorization(user: String, password: String) -> String? {
        guard !user.utf8.contains(UInt8(ascii: ":")) else { return nil }
        return "Basic " + Base64.encode(Array("\(user):\(password)".utf8))
    }
}

#endif
