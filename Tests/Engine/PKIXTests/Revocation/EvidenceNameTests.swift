// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX

/// Records and other programs contain these names, so they never change.
@Suite("Names of notes and obstacles")
struct EvidenceNameTests {
    @Test("A note's name doesn't change")
    func notes() {
        let rows: [(note: RevocationNote, name: String)] = [
            (.crlSignedWithOtherKey, "crlSignedWithOtherKey"), (.crlSelfSigned, "crlSelfSigned"),
            (.crlSignerUnchecked, "crlSignerUnchecked"), (.ocspSignerUnchecked, "ocspSignerUnchecked"),
            (.signatureWeak, "signatureWeak"), (.crlNotYetValid, "crlNotYetValid"),
            (.crlCriticalExtension, "crlCriticalExtension"), (.crlScopeMismatch, "crlScopeMismatch"),
            (.ocspNotYetValid, "ocspNotYetValid"), (.ocspCriticalExtension, "ocspCriticalExtension"),
            (.evidenceMalformed, "evidenceMalformed"), (.signerNotCurrent, "signerNotCurrent"),
            (.signerRevoked, "signerRevoked"), (.holdExpired, "holdExpired"),
        ]
        for row in rows { #expect(row.note.name == row.name) }
        #expect(Set(rows.map(\.name)).count == rows.count)
    }

    @Test("An obstacle's name doesn't change")
    func obstacles() {
        let rows: [(obstacle: RevocationObstacle, name: String)] = [
            (.noEvidence, "noEvidence"), (.noRevAvailIgnored, "noRevAvailIgnored"),
            (.evidenceMalformed, "evidenceMalformed"), (.budgetExceeded, "budgetExceeded"),
            (.ocspMalformedRequest, "ocspMalformedRequest"), (.ocspInternalError, "ocspInternalError"),
            (.ocspTryLater, "ocspTryLater"), (.ocspSignatureRequired, "ocspSignatureRequired"),
            (.ocspUnauthorized, "ocspUnauthorized"), (.ocspUnknown, "ocspUnknown"),
            (.ocspResponderNotAuthorized, "ocspResponderNotAuthorized"),
            (.ocspSignatureInvalid, "ocspSignatureInvalid"), (.ocspNotYetValid, "ocspNotYetValid"),
            (.ocspExpired, "ocspExpired"), (.ocspTooOld, "ocspTooOld"),
            (.ocspCriticalExtension, "ocspCriticalExtension"), (.crlScopeMismatch, "crlScopeMismatch"),
            (.crlNotYetValid, "crlNotYetValid"), (.crlExpired, "crlExpired"), (.crlTooOld, "crlTooOld"),
            (.crlSignerNotFound, "crlSignerNotFound"), (.crlSignatureInvalid, "crlSignatureInvalid"),
            (.crlCriticalExtension, "crlCriticalExtension"), (.crlNumberMalformed, "crlNumberMalformed"),
            (.filterNotCovered, "filterNotCovered"), (.filterNotEnrolled, "filterNotEnrolled"),
            (.filterTooOld, "filterTooOld"), (.crlReasonsNotCovered, "crlReasonsNotCovered"),
            (.signerRevoked, "signerRevoked"), (.signatureWeak, "signatureWeak"),
            (.signatureUnsupported, "signatureUnsupported"), (.signerNotCurrent, "signerNotCurrent"),
            (.signerUnchecked, "signerUnchecked"),
        ]
        for row in rows { #expect(row.obstacle.name == row.name) }
        #expect(Set(rows.map(\.name)).count == rows.count)
    }
}
