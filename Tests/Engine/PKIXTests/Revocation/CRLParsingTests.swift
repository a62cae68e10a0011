// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// The form of CRLs (RFC 5280 §§ 5.1 to 5.3) and their index.
@Suite("CRL parsing")
struct CRLParsingTests {
    let fixture: RevocationFixture

    init() throws { fixture = try RevocationFixture() }

    private var leaf: Certificate { fixture.leaf.certificate }

    @Test("The parser reads every field as it was written")
    func fields() throws {
        let made = try fixture.issuer.crl {
            $0.number = 0x1234
            $0.revoke(leaf, at: .days(-2), reason: .keyCompromise, invalidityDate: .days(-9))
            $0.scope {
                $0.fullName = [.uri("http://a.example")]
                $0.onlyContainsUserCertificates = true
                $0.onlySomeReasons = [.keyCompromise, .aACompromise]
            }
            $0.freshestCRL = ["http://a.example/delta"]
        }
        let crl = try CertificateRevocationList(der: made.der)
        #expect(crl.der == made.der)
        #expect(crl.version == 2)
        #expect(crl.issuer == fixture.issuer.certificate.subject)
        #expect(crl.thisUpdate == TestAuthority.now.advanced(by: -3600))
        #expect(crl.nextUpdate == .days(7))
        #expect(crl.number == [0x12, 0x34])
        #expect(!crl.isDelta)
        #expect(crl.authorityKeyIdentifier == fixture.issuer.key.identifier)
        #expect(crl.freshestCRL.first?.fullName == [.uri("http://a.example/delta")])
        let scope = try #require(crl.issuingDistributionPoint)
        #expect(scope.fullName == [.uri("http://a.example")])
        #expect(scope.onlyContainsUserCertificates && !scope.onlyContainsCACertificates && !scope.isIndirect)
        #expect(scope.onlySomeReasons == 1 << 1 | 1 << 8)
        let entry = try #require(crl.entry(for: leaf))
        #expect(entry.serialNumber == leaf.serialNumber)
        #expect(entry.revocationDate == .days(-2))
        #expect(entry.reason == .keyCompromise)
        #expect(entry.invalidityDate == .days(-9))
        #expect(crl.entries == [entry])
        #expect(crl.count == 1)
    }

    @Test("§ 5.2.4: a delta CRL has the number of its base CRL")
    func delta() throws {
        let crl = try CertificateRevocationList(der: fixture.issuer.crl { ($0.number, $0.deltaBase) = (300, 200) }.der)
        #expect(crl.isDelta)
        #expect(crl.deltaBaseNumber == [0x00, 0xc8])
    }

    @Test("§ 5.1.2.1: a v1 CRL has no extensions, and the engine evaluates it like others")
    func versionOne() throws {
        #expect(try fixture.status(crls: [fixture.issuer.crl { $0.version = 1 }]) == .good)
        let revoked = try fixture.issuer.crl {
            $0.version = 1
            $0.revoke(leaf, reason: .keyCompromise)
        }
        #expect(try CertificateRevocationList(der: revoked.der).version == 1)
        #expect(try fixture.status(crls: [revoked]) == .revoked())
    }

    @Test("§ 5.1.2.2: the engine compares serial numbers as bytes, whether long, negative or different in length")
    func serialNumbers() throws {
        let long = [UInt8](repeating: 0x7f, count: 20)
        let serials: [[UInt8]] = [long, [0x01], [0x7f], [0x00, 0x80], Array(long.dropLast()) + [0x7e]]
        for serial in serials {
            let crl = try CertificateRevocationList(
                der: fixture.issuer.crl { $0.entries = [.init(serialNumber: serial)] }.der)
            for other in serials {
                let certificate = try fixture.issuer.issue(
                    .leaf("a.example").with { $0.serialNumber = Array(other.drop { $0 == 0 }) }
                ).certificate
                #expect((crl.entry(for: certificate) != nil) == (serial == other))
            }
        }
        // Serial numbers that swift-certificates can't create.
        let negative = try CertificateRevocationList(
            der: fixture.issuer.crl { $0.entries = [.init(serialNumber: [0xff])] }.der)
        var made = CraftedCertificate.leaf(issuer: fixture.issuer.certificate.subject.der)
        made.serialNumber = [0x02, 0x01, 0xff]
        #expect(negative.entry(for: try made.certificate()) != nil)
        made.serialNumber = [0x02, 0x02, 0x00, 0xff]
        #expect(negative.entry(for: try made.certificate()) == nil)
    }

    // MARK: - Extensions

    private static let unknown = OID.anyPolicy

    @Test("§ 5.2: an unprocessed critical extension of the CRL rules it out, but a noncritical one doesn't")
    func unknownExtension() throws {
        for isCritical in [true, false] {
            let crl = try fixture.issuer.crl {
                $0.extensions = [Extension(identifier: Self.unknown, isCritical: isCritical, value: [0x05, 0x00])]
            }
            #expect(try fixture.status(crls: [crl]) == (isCritical ? .unobtainable(.crlCriticalExtension) : .good))
        }
    }

    @Test("§ 5.3: an unprocessed critical extension of any entry rules the CRL out for every certificate")
    func unknownEntryExtension() throws {
        for isCritical in [true, false] {
            let crl = try fixture.issuer.crl {
                var entry = TestCRL.Entry(serialNumber: [0x42])
                entry.extensions = [Extension(identifier: Self.unknown, isCritical: isCritical, value: [0x05, 0x00])]
                $0.entries = [entry]
            }
            #expect(try fixture.status(crls: [crl]) == (isCritical ? .unobtainable(.crlCriticalExtension) : .good))
        }
    }

    @Test("§ 6.3.3: a v2 CRL without a number counts, even next to older ones with or without a number")
    func withoutNumber() throws {
        let plain = try fixture.issuer.crl { $0.number = nil }
        #expect(try fixture.status(crls: [plain]) == .good)
        let revoking = try fixture.issuer.crl {
            $0.number = nil
            $0.revoke(leaf)
        }
        #expect(try fixture.status(crls: [revoking]) == .revoked())
        // Of two CRLs without numbers, the later one counts: dates are the only order they have.
        let older = try fixture.issuer.crl {
            ($0.number, $0.thisUpdate) = (nil, .days(-1))
            $0.revoke(leaf)
        }
        #expect(try fixture.status(crls: [older, plain]) == .good)
        #expect(try fixture.status(crls: [plain, older]) == .good)
        // A list without a number doesn't supersede one that has a number.
        let numbered = try fixture.issuer.crl {
            $0.thisUpdate = .days(-1)
            $0.revoke(leaf)
        }
        #expect(try fixture.status(crls: [numbered, plain]) == .revoked())
        let newer = try fixture.issuer.crl { $0.thisUpdate = TestAuthority.now.advanced(by: -60) }
        #expect(try fixture.status(crls: [newer, older]) == .good)
        // A delta CRL doesn't add to it either.
        let delta = try fixture.issuer.crl {
            ($0.number, $0.deltaBase) = (12, 10)
            $0.revoke(leaf, reason: .removeFromCRL)
        }
        #expect(try fixture.status(crls: [revoking, delta]) == .revoked())
    }

    @Test("§ 5.2.3: a CRL with a critical number gives no good status, but its revocations count")
    func number() throws {
        let critical = Extension(
            identifier: try #require(OID("2.5.29.20")), isCritical: true, value: [0x02, 0x01, 0x05])
        for change: (inout TestCRL.Template) -> Void in [
            {
                $0.number = nil
                $0.extensions = [critical]
            }
        ] {
            #expect(try fixture.status(crls: [fixture.issuer.crl(change)]) == .unobtainable(.crlNumberMalformed))
            let revoking = try fixture.issuer.crl {
                change(&$0)
                $0.revoke(leaf)
            }
            #expect(try fixture.status(crls: [revoking]) == .revoked())
        }
    }

    @Test("§ 5.3.1: the finding reports every defined reason, and an undefined or absent one revokes without a reason")
    func reasons() throws {
        for reason in RevocationReason.allCases where reason != .removeFromCRL {
            let crl = try fixture.issuer.crl { $0.revoke(leaf, reason: reason) }
            #expect(try fixture.status(crls: [crl]) == .revoked(RevocationReason(rawValue: reason.rawValue)))
        }
        let odd = try fixture.issuer.crl {
            var entry = TestCRL.Entry(serialNumber: leaf.serialNumber.bytes)
            entry.extensions = [
                Extension(identifier: OID("2.5.29.21") ?? .anyPolicy, isCritical: false, value: [0x0a, 0x01, 0x07])
            ]
            $0.entries = [entry]
        }
        #expect(try fixture.status(crls: [odd]) == .revoked())
    }

    struct Malformed: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let change: @Sendable (inout TestCRL.Template) -> Void
    }

    private static func twice(_ dotted: String, _ value: [UInt8]) -> [Extension] {
        OID(dotted).map { [Extension(identifier: $0, isCritical: false, value: value)] } ?? []
    }

    private static let reservedRows = [
        Malformed(testDescription: "a serial number in a longer form than it needs") {
            $0.entries = [.init(serialNumber: [0x00, 0x01])]
        },
        Malformed(testDescription: "an empty serial number") { $0.entries = [.init(serialNumber: [])] },
        Malformed(testDescription: "a certificateIssuer without a name") {
            var entry = TestCRL.Entry(serialNumber: [1])
            entry.extensions = twice("2.5.29.29", [0x30, 0x00])
            $0.entries = [.init(serialNumber: [2]), entry]
        },
        Malformed(testDescription: "an extension twice") { $0.extensions = twice("2.5.29.20", [0x02, 0x01, 0x01]) },
        Malformed(testDescription: "an unknown extension twice") {
            $0.extensions = twice("1.2.3", [0x05, 0x00]) + twice("1.2.3", [0x05, 0x00])
        },
        Malformed(testDescription: "a negative number") {
            $0.number = nil
            $0.extensions = twice("2.5.29.20", [0x02, 0x01, 0xff])
        },
        Malformed(testDescription: "a number of 22 bytes") {
            $0.number = nil
            $0.extensions = twice("2.5.29.20", [0x02, 22] + [UInt8](repeating: 1, count: 22))
        },
        Malformed(testDescription: "bytes after the number") {
            $0.number = nil
            $0.extensions = twice("2.5.29.20", [0x02, 0x01, 0x01, 0x05, 0x00])
        },
        Malformed(testDescription: "a scope that isn't a SEQUENCE") {
            $0.extensions = twice("2.5.29.28", [0x05, 0x00])
        },
        Malformed(testDescription: "an entry's extension twice") {
            var entry = TestCRL.Entry(serialNumber: [1])
            entry.reason = .superseded
            entry.extensions = twice("2.5.29.21", [0x0a, 0x01, 0x01])
            $0.entries = [entry]
        },
        Malformed(testDescription: "a reason that isn't an ENUMERATED") {
            var entry = TestCRL.Entry(serialNumber: [1])
            entry.extensions = twice("2.5.29.21", [0x02, 0x01, 0x01])
            $0.entries = [entry]
        },
    ]

    @Test("A CRL with a malformed extension revokes but never proves a certificate good", arguments: reservedRows)
    func malformedExtension(row: Malformed) throws {
        let good = try fixture.issuer.crl(row.change)
        #expect(try fixture.status(crls: [good]) == .unobtainable(.evidenceMalformed))
        let bad = try fixture.issuer.crl {
            row.change(&$0)
            $0.revoke(leaf)
        }
        let found = try fixture.findings(crls: [bad])[0]
        #expect(found.status == .revoked())
        #expect(found.notes.contains(.evidenceMalformed))
        // A newer list without the defect doesn't supersede a list whose scope isn't certain.
        let newer = try fixture.issuer.crl { ($0.thisUpdate, $0.number) = (TestAuthority.now, 9) }
        #expect(try fixture.status(crls: [bad, newer]).isRevoked)
        #expect(try fixture.status(crls: [good, newer]) == .good)
    }

    @Test("The parser rejects every truncated CRL and a CRL with a trailing byte")
    func cut() throws {
        let der = try fixture.issuer.crl { $0.revoke(leaf, reason: .superseded) }.der
        for count in 0..<der.count {
            #expect(throws: DERError.self) { try CertificateRevocationList(der: Array(der.prefix(count))) }
        }
        #expect(throws: DERError.self) { try CertificateRevocationList(der: der + [0]) }
        #expect(throws: DERError.self) { try CertificateRevocationList(der: leaf.der) }
    }

    // MARK: - Index

    @Test("Of two entries for one serial number, the one that revokes counts")
    func duplicates() throws {
        for reasons in [[RevocationReason.removeFromCRL, .superseded], [.superseded, .removeFromCRL]] {
            let made = try fixture.issuer.crl { crl in for reason in reasons { crl.revoke(leaf, reason: reason) } }
            #expect(try CertificateRevocationList(der: made.der).entry(for: leaf)?.reason == .superseded)
        }
    }

    /// Returns an unsigned list of these serial numbers.
    private func list(
        _ serials: some Sequence<[UInt8]>, version: [UInt8] = ASN1.integer(1), rest: ([UInt8]) -> [UInt8] = { _ in [] }
    ) throws -> CertificateRevocationList {
        let date = ASN1.time(TestAuthority.now)
        let algorithm = ASN1.algorithm("1.2.840.10045.4.3.2")
        let entries = serials.map { ASN1.sequence(ASN1.value(0x02, $0), date, rest($0)) }
        return try CertificateRevocationList(
            der: ASN1.sequence(
                ASN1.sequence(
                    version, algorithm, fixture.issuer.certificate.subject.der, date, date,
                    ASN1.sequence(entries)), algorithm, ASN1.bits([1])))
    }

    private static let reason = ASN1.sequence(
        ASN1.sequence(ASN1.value(0x06, [0x55, 0x1d, 0x15]), ASN1.octets([0x0a, 0x01, 0x01])))

    @Test("§ 5.1.2.6: entries of a v1 CRL have no extensions, not even a reason")
    func versionOneReason() throws {
        #expect(try list([[1]], rest: { _ in Self.reason }).count == 1)
        #expect(try list([[1]], version: []).version == 1)
        #expect(try list([[1]], version: []).problem == nil)
        let reason: DERError.Reason = .invalid("entry extensions in a v1 CRL")
        #expect(try list([[1]], version: [], rest: { _ in Self.reason }).problem?.reason == reason)
        let one = try list([[1], [2], [3]], version: [], rest: { $0 == [2] ? Self.reason : [] })
        #expect(one.problem?.reason == reason && one.entries.count == 3)
    }

    @Test(
        "The index distinguishes numbers of every length that differ in one bit, in entries with and without extensions"
    )
    func neighbours() throws {
        let unusual = ASN1.sequence(ASN1.sequence(ASN1.value(0x06, [0x2a, 0x03]), ASN1.octets([0x05, 0x00])))
        var (listed, others): ([[UInt8]], [[UInt8]]) = ([], [])
        for size in 1...20 {
            let base = (0..<size).map { UInt8(0x21 + $0) }
            for index in 0..<size {
                var serial = base
                serial[index] ^= 0x04
                if index % 2 == 0 { listed.append(serial) } else { others.append(serial) }
            }
        }
        let crl = try list(listed, rest: { [[], Self.reason, unusual][$0.count % 3] })
        #expect(crl.count == listed.count)
        var made = CraftedCertificate.leaf(issuer: fixture.issuer.certificate.subject.der)
        for (serials, isListed) in [(listed, true), (others, false)] {
            for serial in serials {
                made.serialNumber = ASN1.value(0x02, serial)
                let entry = crl.entry(for: try made.certificate())
                #expect((entry?.serialNumber.bytes == serial) == isListed)
                #expect(entry?.reason == (isListed && serial.count % 3 == 1 ? .keyCompromise : nil))
            }
        }
    }

    @Test("The index finds each of twenty thousand entries by its number, and no other certificate")
    func many() throws {
        var random = Repeatable(3)
        let serials = Set((0..<20_000).map { _ in (0..<6).map { _ in UInt8.random(in: 1..<127, using: &random) } })
        let crl = try list(serials)
        #expect(crl.count == serials.count)
        var numbers: [[UInt8]] = Array(serials.prefix(300))
        for number in 0..<300 { numbers.append([UInt8(1 + number / 100), UInt8(1 + number % 100)]) }
        var wrong = 0
        for serial in numbers {
            let certificate = try fixture.issuer.issue(.leaf("a.example").with { $0.serialNumber = serial }).certificate
            let isFound = crl.entry(for: certificate) != nil
            if isFound != serials.contains(serial) { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    @Test("A number that occurs a hundred thousand times is one entry and costs no more than others")
    func same() throws {
        let crl = try list(repeatElement([0x05], count: 100_000))
        #expect(crl.count == 100_000)
        let certificate = try fixture.issuer.issue(.leaf("a.example").with { $0.serialNumber = [5] }).certificate
        #expect(crl.entry(for: certificate) != nil)
    }
}
