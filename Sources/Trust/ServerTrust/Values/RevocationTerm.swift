// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A name that findings about revocation carry, with its words for people.
package struct RevocationTerm: Sendable, Hashable {
    /// The kinds of names.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The kind of evidence that has the status.
        case source
        /// The reason why no evidence is needed.
        case exemption
        /// An obstacle to a status.
        case obstacle
        /// A reservation about a status.
        case note
        /// The reason why a trusted verdict lacks a status.
        case gap
    }

    /// The stable name, as in JSON.
    package let name: String
    /// The kind; obstacles are the most.
    package let kind: Kind
    /// The meaning: the rest of a sentence, without a full stop.
    package let words: String

    /// All names, by kind. Names of a kind are unique.
    package static let all: [RevocationTerm] =
        terms(.source, sources) + terms(.exemption, exemptions) + terms(.obstacle, obstacles)
        + terms(.obstacle, fetchObstacles) + terms(.note, notes)
        + RevocationGap.allCases.map { RevocationTerm(name: $0.rawValue, kind: .gap, words: $0.reason) }

    /// Returns the term of a name; nil for names that aren't known.
    package static func named(_ name: String, _ kind: Kind) -> RevocationTerm? {
        all.first { $0.name == name && $0.kind == kind }
    }

    /// Returns `words (name)` for each name, with semicolons between them; names that aren't known stand alone.
    package static func words(_ names: some Sequence<String>, _ kind: Kind) -> String {
        names.map { name in named(name, kind).map { "\($0.words) (\(name))" } ?? name }.joined(separator: "; ")
    }

    /// Returns `words (name)` for each obstacle, and the date of its evidence behind the name.
    package static func words(_ obstacles: some Sequence<RevocationObstacle>) -> String {
        obstacles.map { obstacle in
            let name = obstacle.name + (obstacle.date.map { ", \($0)" } ?? "")
            return named(obstacle.name, .obstacle).map { "\($0.words) (\(name))" } ?? name
        }.joined(separator: "; ")
    }

    private static func terms(_ kind: Kind, _ words: KeyValuePairs<String, String>) -> [RevocationTerm] {
        words.map { RevocationTerm(name: $0.key, kind: kind, words: $0.value) }
    }
}

extension RevocationTerm {
    private static let sources: KeyValuePairs = [
        RevocationFinding.Source.staple.rawValue: "an OCSP response that the server sent in the handshake",
        RevocationFinding.Source.ocsp.rawValue: "an OCSP response that was fetched or handed over",
        RevocationFinding.Source.crl.rawValue: "a CRL, or several together",
        RevocationFinding.Source.filter.rawValue:
            "a filter of revoked certificates (CRLite), which covers a timestamp of the certificate",
        RevocationFinding.Source.deniedList.rawValue: "a list of denied certificates, which names it",
    ]

    private static let exemptions: KeyValuePairs = [
        RevocationExemption.noRevAvail.rawValue:
            "the issuer publishes no revocation information about it, as its extension noRevAvail says",
        RevocationExemption.shortLived.rawValue:
            "the certificate is short-lived, so that no revocation information is needed",
    ]

    private static let obstacles: KeyValuePairs = [
        "noEvidence": "no CRL of the issuer and no OCSP response about it",
        "noRevAvailIgnored":
            "its extension noRevAvail doesn't count, as it is a CA's or names a place of revocation information",
        "evidenceMalformed": "the evidence is no CRL or OCSP response, or a part of it is malformed",
        "budgetExceeded": "the evidence takes more work to check than any honest one",
        "ocspMalformedRequest": "the OCSP responder could not read the request",
        "ocspInternalError": "the OCSP responder has an internal error",
        "ocspTryLater": "the OCSP responder can't answer at present",
        "ocspSignatureRequired": "the OCSP responder answers signed requests only",
        "ocspUnauthorized": "the OCSP responder doesn't answer this client, or not for this certificate",
        "ocspUnknown": "the OCSP responder doesn't know the certificate",
        "ocspResponderNotAuthorized":
            "the OCSP response is signed neither by the issuer nor by a responder that the issuer has authorized",
        "ocspSignatureInvalid": "the signature of the OCSP response doesn't verify",
        "ocspNotYetValid": "the OCSP response is dated into the future",
        "ocspExpired": "the OCSP response has expired",
        "ocspTooOld": "the OCSP response is older than evidence may be",
        "ocspCriticalExtension": "the OCSP response has a critical extension that isn't processed",
        "crlScopeMismatch": "the CRL covers other certificates or another distribution point",
        "crlNotYetValid": "the CRL is dated into the future",
        "crlExpired": "the CRL's next update is past, or it has none",
        "crlTooOld": "the CRL is older than evidence may be",
        "crlSignerNotFound":
            "the CRL is signed by no CA of the path, and by no signer that one of them has certified for that",
        "crlSignatureInvalid": "the signature of the CRL doesn't verify",
        "crlCriticalExtension": "the CRL has a critical extension that isn't processed",
        "crlNumberMalformed": "the CRL's number is marked critical, which it may not be",
        "filterNotCovered": "no filter at hand covers a timestamp of the certificate, or there is no complete one",
        "filterNotEnrolled": "the issuer has no entry in the filters that cover the certificate",
        "filterTooOld": "the filters at hand are older than they may be",
        "crlReasonsNotCovered": "the CRLs at hand don't cover every reason for a revocation",
        "signerRevoked": "the certificate of the evidence's signer is itself revoked",
        "signatureWeak":
            "the signature is valid, and by an algorithm or a key that is too weak to vouch: SHA-1, RSA below 2048 bits",
        "signatureUnsupported":
            "the signature is of an algorithm or a key that isn't verified: MD5, DSA, RSA below 1024 bits",
        "signerNotCurrent":
            "the certificate of the evidence's signer was valid at the date of the evidence, and isn't at the verify date",
        "signerUnchecked": "the certificate of the evidence's signer can't be checked, although that is required",
    ]

    /// The obstacles of evidence that could not be fetched: the names that `TrustFetchError` reports.
    private static let fetchObstacles: KeyValuePairs = [
        "backingOff": "fetching it failed recently, and isn't tried again yet",
        "malformed": "the fetched bytes are no CRL or OCSP response",
        "outOfDate": "the fetched evidence has expired, or isn't valid yet",
        "olderThanKnown": "the fetched evidence is older than an earlier one",
        "notCached": "the network may not be used for it, and no cache has it",
        "refused": "the fetched evidence was judged before, and is none",
        "unsupportedAddress": "its address is neither http nor https, or can't be read",
        "forbiddenAddress": "its address is one that isn't permitted: loopback, link-local or private",
        "unreachable": "no connection to its address could be made",
        "status": "the server of the evidence answered with another status than 200",
        "tooLarge": "the fetched evidence is larger than the limit",
        "tooManyRedirects": "the server of the evidence redirects too often",
        "timedOut": "fetching it took too long",
        "cancelled": "fetching it was canceled",
        "protocolViolation": "the server of the evidence violated HTTP, or ended its answer early",
    ]

    /// The names of those obstacles.
    static let fetchFailures = Set(fetchObstacles.map(\.key))

    private static let notes: KeyValuePairs = [
        "crlSignedWithOtherKey":
            "the CRL is signed with an authorized key other than the one that signed the certificate",
        "crlSelfSigned": "the CRL is signed with the certificate's own key alone",
        "crlSignerUnchecked": "the revocation of the CRL's signer could not be checked",
        "ocspSignerUnchecked": "the revocation of the OCSP responder's certificate could not be checked",
        "signatureWeak":
            "the signature is valid, and by an algorithm or a key that is too weak to vouch: SHA-1, RSA below 2048 bits",
        "crlNotYetValid": "the CRL is dated into the future, and the revocation is not",
        "crlCriticalExtension": "the CRL has a critical extension that isn't processed",
        "crlScopeMismatch": "the CRL covers another distribution point or other certificates, and lists this one",
        "ocspNotYetValid": "the OCSP response is dated into the future, and the revocation is not",
        "ocspCriticalExtension": "the OCSP response has a critical extension that isn't processed",
        "evidenceMalformed": "a part of the evidence is malformed, beside the one that revokes",
        "signerNotCurrent":
            "the certificate of the evidence's signer was valid at the date of the evidence, and isn't at the verify date",
        "signerRevoked": "evidence that can only revoke says that the certificate of the signer is itself revoked",
        "holdExpired": "the certificate was on hold; that evidence has expired, and no later evidence ends the hold",
    ]
}

extension RevocationExemption {
    /// The exemption in words, for people.
    package var words: String { RevocationTerm.words([rawValue], .exemption) }
}

extension RevocationFinding.Source {
    /// The kind of evidence as a title, for people.
    package var title: String {
        switch self {
        case .staple: "OCSP response of the handshake"
        case .ocsp: "OCSP response"
        case .crl: "CRL"
        case .filter: "filter of revoked certificates"
        case .deniedList: "list of denied certificates"
        }
    }
}

extension RevocationFinding {
    /// The obstacles, the exemption or the kind of evidence in words, and then the reservations; nil where there is nothing to tell.
    package var words: String? {
        let told: String? =
            switch status {
            case .unobtainable(let obstacles): RevocationTerm.words(obstacles.prefix(16))
            case .exempt(let exemption): exemption.words
            case .good, .revoked, .unchecked: source.flatMap { RevocationTerm.named($0.rawValue, .source)?.words }
            }
        let parts = [told].compactMap { $0 } + notes.prefix(16).map { RevocationTerm.words([$0.name], .note) }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
