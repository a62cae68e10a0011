// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A name that appears in revocation findings, with an explanation for people.
package struct RevocationTerm: Sendable, Hashable {
    /// The kinds of names.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The kind of evidence that supplied the status.
        case source
        /// The reason why the certificate needs no evidence.
        case exemption
        /// An obstacle that kept the evaluation from finding a status.
        case obstacle
        /// A reservation about a status.
        case note
        /// The reason why a trusted verdict lacks a status.
        case gap
    }

    /// The stable name, as in JSON.
    package let name: String
    /// The kind. Most names are obstacles.
    package let kind: Kind
    /// The meaning, as the rest of a sentence without a full stop.
    package let words: String

    /// All names, by kind. A name is unique within its kind.
    package static let all: [RevocationTerm] =
        terms(.source, sources) + terms(.exemption, exemptions) + terms(.obstacle, obstacles)
        + terms(.obstacle, fetchObstacles) + terms(.note, notes)
        + RevocationGap.allCases.map { RevocationTerm(name: $0.rawValue, kind: .gap, words: $0.reason) }

    /// Returns the term with a name, or nil if the name isn't known.
    static func named(_ name: String, _ kind: Kind) -> RevocationTerm? {
        all.first { $0.name == name && $0.kind == kind }
    }

    /// Returns `words (name)` for each name, separated by semicolons. For an unknown name, the result contains only the
    /// name.
    package static func words(_ names: some Sequence<String>, _ kind: Kind) -> String {
        names.map { name in named(name, kind).map { "\($0.words) (\(name))" } ?? name }.joined(separator: "; ")
    }

    /// Returns `words (name)` for each obstacle, with the date of its evidence after the name.
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
        RevocationFinding.Source.ocsp.rawValue: "an OCSP response that was fetched or supplied",
        RevocationFinding.Source.crl.rawValue: "a CRL, or several together",
        RevocationFinding.Source.filter.rawValue:
            "a filter of revoked certificates (CRLite) that covers a timestamp of the certificate",
        RevocationFinding.Source.deniedList.rawValue: "a list of denied certificates that names it",
    ]

    private static let exemptions: KeyValuePairs = [
        RevocationExemption.noRevAvail.rawValue:
            "the issuer publishes no revocation information about it, according to its noRevAvail extension",
        RevocationExemption.shortLived.rawValue:
            "the certificate is short-lived, so it needs no revocation information",
    ]

    private static let obstacles: KeyValuePairs = [
        "noEvidence": "no CRL from its issuer and no OCSP response was available",
        "noRevAvailIgnored":
            "its noRevAvail extension doesn't count, because it is a CA's or names an address of revocation information",
        "evidenceMalformed": "the evidence isn't a CRL or OCSP response, or part of it is malformed",
        "budgetExceeded": "the evidence takes more work to check than honest evidence does",
        "ocspMalformedRequest": "the OCSP responder could not read the request",
        "ocspInternalError": "the OCSP responder has an internal error",
        "ocspTryLater": "the OCSP responder can't answer now",
        "ocspSignatureRequired": "the OCSP responder answers only signed requests",
        "ocspUnauthorized": "the OCSP responder doesn't answer this client, or doesn't answer for this certificate",
        "ocspUnknown": "the OCSP responder doesn't know the certificate",
        "ocspResponderNotAuthorized":
            "the OCSP response isn't signed by the issuer or by a responder that the issuer authorized",
        "ocspSignatureInvalid": "the signature of the OCSP response doesn't verify",
        "ocspNotYetValid": "the date of the OCSP response is in the future",
        "ocspExpired": "the OCSP response has expired",
        "ocspTooOld": "the OCSP response is older than the policy allows",
        "ocspCriticalExtension": "the OCSP response has a critical extension that this package doesn't process",
        "crlScopeMismatch": "the CRL covers other certificates or another distribution point",
        "crlNotYetValid": "the date of the CRL is in the future",
        "crlExpired": "the CRL's next update has passed, or it has no next update",
        "crlTooOld": "the CRL is older than the policy allows",
        "crlSignerNotFound":
            "the CRL isn't signed by a CA in the path or by a signer that one of them certified for this",
        "crlSignatureInvalid": "the signature of the CRL doesn't verify",
        "crlCriticalExtension": "the CRL has a critical extension that this package doesn't process",
        "crlNumberMalformed": "the CRL's number is marked critical, which isn't allowed",
        "filterNotCovered": "no available filter covers a timestamp of the certificate, or there is no complete filter",
        "filterNotEnrolled": "the issuer has no entry in the filters that cover the certificate",
        "filterTooOld": "the available filters are older than the policy allows",
        "crlReasonsNotCovered": "the available CRLs don't cover every reason for a revocation",
        "signerRevoked": "the certificate that signed the evidence is itself revoked",
        "signatureWeak":
            "the signature is valid, but its algorithm or key is too weak to rely on: SHA-1, RSA below 2048 bits",
        "signatureUnsupported":
            "the signature's algorithm or key isn't supported: MD5, DSA, RSA below 1024 bits",
        "signerNotCurrent":
            "the certificate that signed the evidence was valid at the date of the evidence, but isn't at the verify date",
        "signerUnchecked": "the certificate that signed the evidence can't be checked, although the policy requires it",
    ]

    /// The obstacles of evidence that the source couldn't obtain: the names that `TrustFetchError` reports.
    private static let fetchObstacles: KeyValuePairs = [
        "backingOff": "fetching failed recently, and the client hasn't retried yet",
        "malformed": "the fetched bytes aren't a CRL or OCSP response",
        "outOfDate": "the fetched evidence has expired or isn't valid yet",
        "olderThanKnown": "the fetched evidence is older than evidence that was fetched before",
        "notCached": "fetching over the network isn't allowed, and no cache has the evidence",
        "refused": "an earlier evaluation refused the same fetched evidence",
        "unsupportedAddress": "its address isn't an http or https address, or can't be parsed",
        "forbiddenAddress": "its address isn't allowed: loopback, link-local or private",
        "unreachable": "no connection to its address could be established",
        "status": "the evidence's server returned a status other than 200",
        "tooLarge": "the fetched evidence is larger than the limit",
        "tooManyRedirects": "the evidence's server sent too many redirects",
        "timedOut": "fetching took too long",
        "cancelled": "fetching was canceled",
        "protocolViolation": "the evidence's server violated HTTP or ended its response early",
    ]

    /// The names of ``fetchObstacles``.
    static let fetchFailures = Set(fetchObstacles.map(\.key))

    private static let notes: KeyValuePairs = [
        "crlSignedWithOtherKey":
            "the CRL is signed with an authorized key, but not with the key that signed the certificate",
        "crlSelfSigned": "the CRL is signed only with the certificate's own key",
        "crlSignerUnchecked": "the revocation status of the CRL's signer couldn't be checked",
        "ocspSignerUnchecked": "the revocation status of the OCSP responder's certificate couldn't be checked",
        "signatureWeak":
            "the signature is valid, but its algorithm or key is too weak to rely on: SHA-1, RSA below 2048 bits",
        "crlNotYetValid": "the date of the CRL is in the future, but the date of the revocation isn't",
        "crlCriticalExtension": "the CRL has a critical extension that this package doesn't process",
        "crlScopeMismatch":
            "the CRL covers other certificates or another distribution point, but lists this certificate",
        "ocspNotYetValid": "the date of the OCSP response is in the future, but the date of the revocation isn't",
        "ocspCriticalExtension": "the OCSP response has a critical extension that this package doesn't process",
        "evidenceMalformed": "part of the evidence is malformed, but not the part that revokes",
        "signerNotCurrent":
            "the certificate that signed the evidence was valid at the date of the evidence, but isn't at the verify date",
        "signerRevoked": "evidence that can only revoke says that the signer's certificate is itself revoked",
        "holdExpired": "the certificate was on hold; that evidence has expired, but no later evidence ends the hold",
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
        case .staple: "OCSP response from the handshake"
        case .ocsp: "OCSP response"
        case .crl: "CRL"
        case .filter: "filter of revoked certificates"
        case .deniedList: "list of denied certificates"
        }
    }
}

extension RevocationFinding {
    /// The obstacles, the exemption or the kind of evidence in words, followed by the reservations. nil if there is
    /// nothing to report.
    var words: String? {
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
