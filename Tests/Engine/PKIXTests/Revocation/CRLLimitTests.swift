// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// Lists that no CA writes, from the tests' own writer. Nothing here depends on the signature.
@Suite("Malformed CRLs")
struct CRLLimitTests {
    /// A list with a version, a date of the next list, entries and extensions.
    private func list(
        version: [UInt8] = ASN1.integer(1), nextUpdate: [UInt8] = ASN1.time(.days(1)), entries: [[UInt8]] = [],
        _ extensions: [UInt8] = []
    ) -> [UInt8] {
        let algorithm = ASN1.algorithm("1.2.840.10045.4.3.2")
        let tbs = ASN1.sequence(
            version, algorithm, ASN1.name("CA"), ASN1.time(.days(-1)), nextUpdate,
            entries.isEmpty ? [] : ASN1.sequence(entries), extensions)
        return ASN1.sequence(tbs, algorithm, ASN1.bits([0x30, 0x00]))
    }

    private func extensions(_ count: Int) -> [UInt8] {
        ASN1.sequence((0..<count).map { Extension.named("1.2.3.\($0)", ASN1.null).encoded })
    }

    private func entry(_ number: Int, _ extensions: [UInt8]) -> [UInt8] {
        ASN1.sequence(ASN1.integer(number), ASN1.time(.days(-1)), extensions)
    }

    private func problem(_ der: [UInt8]) -> DERError? {
        do throws(DERError) {
            return try CertificateRevocationList(der: der).problem
        } catch { return error }
    }

    @Test("§ 5.1.2.1: extensions in a v1 list are a problem, and so is an empty list of extensions")
    func extensionsOfVersionOne() {
        let some = ASN1.explicit(0, extensions(1))
        #expect(problem(list(version: [])) == nil && problem(list(some)) == nil)
        #expect(problem(list(version: [], some))?.reason == .invalid("extensions in a v1 CRL"))
        #expect(problem(list(ASN1.explicit(0, ASN1.sequence())))?.reason == .empty)
    }

    @Test("The parser reads every extension of a list and of an entry, and finds a repetition of a known one")
    func manyExtensions() throws {
        let number = Extension.named("2.5.29.20", ASN1.integer(9)).encoded
        let reason = Extension.named("2.5.29.21", [0x0a, 1, 4]).encoded
        for count in [1, 64, 200] {
            let unknown = (0..<count).map { Extension.named("1.2.3.\($0)", ASN1.null).encoded }
            let own = ASN1.sequence(unknown + [reason])
            let der = list(entries: [entry(5, own)], ASN1.explicit(0, ASN1.sequence(unknown + [number])))
            let crl = try CertificateRevocationList(der: der)
            #expect(crl.problem == nil && crl.number == [9] && crl.entries.map(\.reason) == [.superseded])
            for known in [number, reason] {
                let members = ASN1.sequence([known] + unknown + [known])
                let isNumber = known == number
                let twice = isNumber ? list(ASN1.explicit(0, members)) : list(entries: [entry(5, members)])
                #expect(problem(twice)?.reason == .duplicate, "\(count), \(isNumber)")
                // An entry that repeats an extension has no reason.
                if !isNumber { #expect(try CertificateRevocationList(der: twice).entries.map(\.reason) == [nil]) }
            }
        }
    }

    @Test("The parser finds a repetition of an unknown extension among the first 64 of a list and 16 of an entry")
    func repeatedUnknown() {
        let rows = [(62, true, true), (63, true, false), (14, false, true), (15, false, false)]
        for (others, isOfList, isFound) in rows {
            let first = Extension.named("1.2.4", ASN1.null).encoded
            let unknown = (0..<others).map { Extension.named("1.2.3.\($0)", ASN1.null).encoded }
            let members = ASN1.sequence([first] + unknown + [first])
            let der = isOfList ? list(ASN1.explicit(0, members)) : list(entries: [entry(5, members)])
            #expect(problem(der)?.reason == (isFound ? .duplicate : nil), "\(others)")
        }
    }

    @Test("A malformed date of the next list is a problem, and the parser still reads the fields after it")
    func malformedNextUpdate() throws {
        let number = ASN1.explicit(0, ASN1.sequence(Extension.named("2.5.29.20", ASN1.integer(9)).encoded))
        for tag: UInt8 in [0x17, 0x18] {
            let date = ASN1.value(tag, Array("991399000000Z".utf8))
            let crl = try CertificateRevocationList(der: list(nextUpdate: date, entries: [entry(5, [])], number))
            #expect(crl.problem?.reason == .timeMalformed && crl.problem?.field == "nextUpdate")
            #expect(crl.nextUpdate == nil && crl.entries.count == 1 && crl.number == [9])
        }
    }

    @Test("An entry names at least one issuer", arguments: [0, 1, 8, 9, 1000])
    func issuers(count: Int) throws {
        let names = (0..<count).map { ASN1.directory(ASN1.name("CA \($0)")) } + [ASN1.dns("example.com")]
        let issuer = Extension.named("2.5.29.29", critical: true, ASN1.sequence(names))
        let point = Extension.named("2.5.29.28", critical: true, ASN1.sequence(ASN1.implicit(4, [0xff])))
        let der = list(
            entries: [entry(5, ASN1.sequence(issuer.encoded))], ASN1.explicit(0, ASN1.sequence(point.encoded)))
        #expect((problem(der) == nil) == (count > 0))
    }

    @Test("Lists with the same bytes are equal and have the same hash")
    func equality() throws {
        let (one, other) = (list(), list(ASN1.explicit(0, extensions(1))))
        let lists = try [one, one, other].map { der throws in try CertificateRevocationList(der: der) }
        #expect(lists[0] == lists[1] && lists[0] != lists[2] && Set(lists).count == 2)
        #expect(lists[0].description == "CRL of CN=CA, \(Time.days(-1))")
        #expect(lists[0].deltaBaseNumber == nil && lists[0].issuingDistributionPoint == nil)
        #expect(lists[0].authorityKeyIdentifier == nil && lists[0].number == nil && lists[0].freshestCRL.isEmpty)
    }

    @Test("A finding's text names status, time, reason, source, end and notes")
    func findingTexts() {
        let rows: [(RevocationFinding.Status, String)] = [
            (.good, "good"), (.unchecked, "unchecked"), (.exempt(.shortLived), "exempt: shortLived"),
            (.unobtainable([.noEvidence, .ocspUnknown]), "unobtainable: noEvidence, ocspUnknown"),
            (.revoked(at: nil, reason: nil), "revoked"),
            (.revoked(at: .days(-1), reason: .superseded), "revoked \(Time.days(-1)), superseded"),
        ]
        for (status, text) in rows {
            #expect(RevocationFinding(certificate: 3, status: status).description == "certificate 3 \(text)")
            let finding = RevocationFinding(
                certificate: 0, status: status, source: .crl, validUntil: .days(1), notes: [.holdExpired])
            #expect(finding.description == "certificate 0 \(text) (crl, until \(Time.days(1)), holdExpired)")
            #expect(finding.isExpiredHold == finding.isRevoked)
        }
        #expect(RevocationNote.holdExpired.description == "holdExpired")
        let dated = RevocationObstacle.noEvidence.dated(.days(1))
        #expect(Set([RevocationObstacle.noEvidence, dated]).count == 1 && dated.date == .days(1))
    }

    @Test("A reason has its name of RFC 5280, and no other name is a reason")
    func reasonNames() {
        for reason in RevocationReason.allCases { #expect(RevocationReason(name: reason.name) == reason) }
        #expect(RevocationReason(name: "unknown") == nil)
    }
}
