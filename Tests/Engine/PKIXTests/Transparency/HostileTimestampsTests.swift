// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// Certificates and lists that no CA or log creates but a hostile server can send. The tests' own writer encodes them.
@Suite("Timestamps from hostile servers", .timeLimit(.minutes(10)))
struct HostileTimestampsTests {
    // MARK: - Lengths that change with the removal

    @Test("RFC 6962 § 2.1.4: a log's key is on P-256, or RSA with 2048 to 8192 bits")
    func logKeys() throws {
        for (bits, isUsable) in [(2047, false), (2048, true), (2049, true), (4096, true), (8192, true), (8193, false)] {
            var modulus = [UInt8](repeating: 0x5b, count: (bits + 7) / 8)
            let top = UInt8(1) << UInt8((bits - 1) % 8)
            modulus[0] = top | (modulus[0] & (top - 1))
            let key = ASN1.publicKey(
                ASN1.algorithm("1.2.840.113549.1.1.1", ASN1.null),
                ASN1.sequence(ASN1.unsigned(modulus), ASN1.integer(65_537)))
            #expect((TransparencyLogKey(try SubjectPublicKeyInfo(der: key)) != nil) == isUsable, "\(bits)")
        }
        let other = SigningKey.p384().publicKey
        #expect(TransparencyLogKey(try SubjectPublicKeyInfo(der: other)) == nil)
    }

    @Test("A timestamp ends with its signature")
    func endOfTimestamp() throws {
        let date: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 2]
        let bytes: [UInt8] = [0] + [UInt8](repeating: 7, count: 32) + date + [0, 0, 4, 3, 0, 1, 9]
        let timestamp = try SignedCertificateTimestamp(bytes)
        #expect(timestamp.milliseconds == 258 && timestamp.extensions.isEmpty)
        #expect(throws: SignedCertificateTimestamp.Unreadable.malformed) { try SignedCertificateTimestamp(bytes + [0]) }
    }

    @Test("A timestamp verifies no matter which lengths change when its extension is removed")
    func lengths() throws {
        let scene = try CraftedScene()
        // Near 128 and 256 for the list, the field and the TBSCertificate, before and after the removal.
        var seen: Set<Int> = []
        for padding in 0..<270 {
            let count = try scene.expectValid { $0.extensions = [.padding(padding)] }
            seen.formUnion([count, count + 4])
        }
        #expect(seen.isSuperset(of: [127, 128, 255, 256]))
    }

    @Test("A timestamp verifies around lengths of 65,536 bytes, before and after the removal of its extension")
    func largeLengths() throws {
        let scene = try CraftedScene()
        let fixed = try scene.expectValid { $0.extensions = [.padding(40_000)] } - 40_000
        // The field around the list is 4 bytes longer, the TBSCertificate about 200, the timestamps' extension about
        // 150.
        let list = (65_533...65_537).map { $0 - fixed }
        let timestamps = (65_370...65_400).map { $0 - fixed }
        let tbs = stride(from: 65_310, through: 65_350, by: 3).map { $0 - fixed }
        for padding in list + timestamps + tbs { try scene.expectValid { $0.extensions = [.padding(padding)] } }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout CraftedCertificate) -> Void

        init(_ sentence: String, _ change: @escaping @Sendable (inout CraftedCertificate) -> Void) {
            testDescription = sentence
            self.change = change
        }
    }

    static let rows: [Row] = [
        Row("no other extension") { $0.extensions = nil },
        Row("a serial number of zero") { $0.serialNumber = ASN1.integer(0) },
        Row("a negative serial number") { $0.serialNumber = ASN1.value(0x02, [0x80, 0x01]) },
        Row("a serial number of 20 bytes") { $0.serialNumber = ASN1.value(0x02, [UInt8](repeating: 0x7f, count: 20)) },
        Row("dates in the form of another century") {
            $0.notBefore = ASN1.value(0x18, Array("19500101000000Z".utf8))
            $0.notAfter = ASN1.value(0x18, Array("99991231235959Z".utf8))
        },
        Row("unique identifiers before the extensions") {
            $0.uniqueIdentifiers = ASN1.implicit(1, [0, 1, 2]) + ASN1.implicit(2, [0, 3])
        },
        Row("an empty subject") { $0.subject = ASN1.sequence() },
        Row("an extension that contains the bytes of another list of timestamps") {
            $0.extensions = [
                Extension.named("1.2.3.4", ASN1.octets(TestTimestamp.ext(list: [0, 3, 0, 1, 9]).encoded)).encoded
            ]
        },
    ]

    @Test("A timestamp verifies over the remaining bytes, at each position of its extension", arguments: rows)
    func fields(row: Row) throws {
        let scene = try CraftedScene()
        for place in 0...2 {
            for isCritical in [false, true] {
                try scene.expectValid(at: place, isCritical: isCritical, row.change)
            }
        }
    }

    @Test("Without another extension the whole field is removed, and a timestamp over an empty list is invalid")
    func emptyList() throws {
        let scene = try CraftedScene()
        let entry = scene.template.with { $0.extensions = [] }
        let leaf = try scene.leaf(scene.template.with { $0.extensions = nil }, promisedFor: entry)
        #expect(try !scene.isValid(leaf))
    }

    @Test("A timestamp over another version, entry, date or extension, or with another algorithm, is invalid")
    func otherBytes() throws {
        let scene = try CraftedScene()
        let tbs = scene.tbs(scene.template)
        let right = try scene.log.timestamp().signed(.precertificate(tbs, issuerKeySHA256: scene.issuerKey))
        func isValid(_ item: [UInt8]) throws -> Bool { try scene.isValid(scene.leaf(scene.template, items: [item])) }
        #expect(try isValid(right))
        // The date, the length of the extensions (zero), then the numbers of hash and signature.
        for (index, value) in [(40, 0xff), (43, 5), (43, 0), (44, 1), (44, 0)] as [(Int, UInt8)] {
            var item = right
            item[index] = value
            #expect(try !isValid(item), "\(index)")
        }
        for entry in [
            TestTimestamp.Entry.certificate(tbs),
            .precertificate(tbs, issuerKeySHA256: [UInt8](repeating: 0, count: 32)),
            .precertificate(tbs + [0], issuerKeySHA256: scene.issuerKey),
            .precertificate(Array(tbs.dropLast()), issuerKeySHA256: scene.issuerKey),
        ] {
            #expect(try !isValid(scene.log.timestamp().signed(entry)))
        }
        // The signed bytes have another version too, so a client skips the timestamp.
        let other = try scene.log.timestamp().with { $0.version = 1 }.signed(
            .precertificate(tbs, issuerKeySHA256: scene.issuerKey))
        #expect(try !isValid(other))
    }

    // MARK: - Lists

    @Test("The parser rejects a certificate with the extension twice, whatever both contain")
    func twice() throws {
        let scene = try CraftedScene()
        let item = try scene.item()
        let one = TestTimestamp.ext(list: TestTimestamp.list(items: [item])).encoded
        let other = TestTimestamp.ext(list: TestTimestamp.list(items: [item, item])).encoded
        for both in [[one, one], [one, other], [other, one]] {
            #expect(throws: DERError.self) {
                try scene.template.with { $0.extensions = both }.certificate(signedBy: scene.key)
            }
        }
    }

    @Test("The reader reads a list of 64 KB with thousands of items up to its limit and counts the rest")
    func longLists() throws {
        let scene = try CraftedScene()
        let count = (65_535 - 2) / 3
        let junk = try TimestampList(tls: TestTimestamp.list(items: [[UInt8]](repeating: [0], count: count)))
        #expect(junk.timestamps.isEmpty && junk.malformed == 32 && junk.omitted == count - 32)
        let versions = try TimestampList(tls: TestTimestamp.list(items: [[UInt8]](repeating: [7], count: count)))
        #expect(versions.otherVersions == 32 && versions.omitted == count - 32)
        let item = try scene.item()
        let many = 65_000 / (item.count + 2)
        let leaf = try scene.leaf(scene.template, items: [[UInt8]](repeating: item, count: many))
        let list = try #require(leaf.embeddedTimestamps)
        #expect(list.timestamps.count == 32 && list.omitted == many - 32)
        // An item after the limit doesn't count.
        let late = try scene.leaf(scene.template, items: [[UInt8]](repeating: [0], count: 32) + [item])
        #expect(try !scene.isValid(late))
        let inTime = try scene.leaf(scene.template, items: [[UInt8]](repeating: [0], count: 31) + [item])
        #expect(try scene.isValid(inTime))
    }

    @Test("The reader rejects a list whose lengths contradict each other, at each byte")
    func contradictions() throws {
        let scene = try CraftedScene()
        let list = TestTimestamp.list(items: [try scene.item(), try scene.item()])
        for count in 0..<list.count {
            #expect(throws: DERError.self) { try TimestampList(tls: Array(list.prefix(count))) }
        }
        #expect(throws: DERError.self) { try TimestampList(tls: list + [0]) }
        #expect(throws: DERError.self) { try TimestampList(extensionValue: list) }
        #expect(throws: DERError.self) { try TimestampList(extensionValue: ASN1.octets(list) + [0]) }
        var random = Repeatable(19)
        for _ in 0..<5_000 {
            var changed = list
            for _ in 0..<3 {
                changed[Int.random(in: 0..<list.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            // Whatever the list is, it isn't longer than its bytes.
            guard let read = try? TimestampList(tls: changed) else { continue }
            #expect(read.timestamps.count + read.malformed + read.otherVersions + read.omitted <= list.count / 3)
        }
    }

    @Test(
        "The reader reads the latest possible dates, which are later than any certificate's",
        arguments: [UInt64.max, 1 << 63])
    func farDates(milliseconds: UInt64) throws {
        let scene = try CraftedScene()
        let item = try scene.log.timestamp().with { $0.milliseconds = milliseconds }.signed(
            .precertificate(scene.tbs(scene.template), issuerKeySHA256: scene.issuerKey))
        let leaf = try scene.leaf(scene.template, items: [item])
        let timestamp = try #require(leaf.embeddedTimestamps?.timestamps.first)
        #expect(timestamp.milliseconds == milliseconds && timestamp.time > leaf.notAfter)
        #expect(!timestamp.time.description.isEmpty)
        #expect(try scene.isValid(leaf))
    }

    // MARK: - Paths

    @Test("Timestamps of a CA don't count for its leaf and don't block a path")
    func authority() throws {
        let log = try TestLog("One", operatedBy: "One")
        let root = try TestAuthority.root()
        let issuing = try root.intermediate(.authority("Issuing").with { $0.timestamps = [log.timestamp()] })
        let leaf = try issuing.issue(.leaf("www.example.com")).certificate
        #expect(issuing.certificate.embeddedTimestamps?.timestamps.count == 1)
        #expect(leaf.embeddedTimestamps == nil)
        #expect(try validate(leaf, [issuing.certificate], anchors: [root.certificate]).isValid)
    }

    @Test(
        "The engine refuses a precertificate as a server's certificate, with or without timestamps",
        arguments: [false, true])
    func precertificate(hasTimestamps: Bool) throws {
        let log = try TestLog("One", operatedBy: "One")
        let root = try TestAuthority.root()
        let leaf = try root.issue(
            .leaf("www.example.com").with {
                $0.extensions = [.named("1.3.6.1.4.1.11129.2.4.3", critical: true, ASN1.null)]
                if hasTimestamps { $0.timestamps = [log.timestamp()] }
            }
        ).certificate
        #expect(try codes(leaf, anchors: [root.certificate]) == [.criticalExtensionUnhandled])
    }
}

/// A handwritten leaf below an issuer, with a timestamp from one log.
private struct CraftedScene {
    let log: TestLog
    let logKey: TransparencyLogKey
    let key = SigningKey.shared
    let issuerKey: [UInt8]
    /// The leaf without timestamps.
    let template = CraftedCertificate.leaf()

    init() throws {
        log = try TestLog("One", operatedBy: "One")
        logKey = try #require(TransparencyLogKey(SubjectPublicKeyInfo(der: log.key.subjectPublicKeyInfo())))
        issuerKey = try SubjectPublicKeyInfo(der: key.publicKey).sha256
    }

    func tbs(_ certificate: CraftedCertificate) -> [UInt8] { certificate.tbs(key.algorithm) }

    /// A timestamp over the template.
    func item() throws -> [UInt8] {
        try log.timestamp().signed(.precertificate(tbs(template), issuerKeySHA256: issuerKey))
    }

    /// Returns a certificate with a timestamp over an entry, by default over itself.
    func leaf(
        _ certificate: CraftedCertificate, promisedFor entry: CraftedCertificate? = nil, at place: Int = .max,
        isCritical: Bool = false
    ) throws -> Certificate {
        let item = try log.timestamp().signed(.precertificate(tbs(entry ?? certificate), issuerKeySHA256: issuerKey))
        return try leaf(certificate, items: [item], at: place, isCritical: isCritical)
    }

    func leaf(
        _ certificate: CraftedCertificate, items: [[UInt8]], at place: Int = .max, isCritical: Bool = false
    ) throws -> Certificate {
        let added = TestTimestamp.ext(list: TestTimestamp.list(items: items), isCritical: isCritical)
        return try certificate.with {
            var extensions = $0.extensions ?? []
            extensions.insert(added.encoded, at: min(place, extensions.count))
            $0.extensions = extensions
        }.certificate(signedBy: key)
    }

    /// Whether a timestamp in the certificate is valid.
    func isValid(_ leaf: Certificate) throws -> Bool {
        try #require(leaf.embeddedTimestamps).timestamps.contains {
            logKey.isValid($0, for: .precertificate(of: leaf, issuerKeySHA256: issuerKey))
        }
    }

    /// Expects that the timestamp of a changed template verifies.
    /// - Returns: The number of bytes of the extension list without the timestamps' extension.
    @discardableResult
    func expectValid(
        at place: Int = .max, isCritical: Bool = false, _ change: (inout CraftedCertificate) -> Void
    ) throws -> Int {
        let certificate = template.with(change)
        let count = (certificate.extensions ?? []).reduce(0) { $0 + $1.count }
        #expect(try isValid(leaf(certificate, at: place, isCritical: isCritical)), "\(count) bytes of extensions")
        return count
    }
}

extension [UInt8] {
    /// An unknown extension with this many bytes in its value.
    fileprivate static func padding(_ count: Int) -> [UInt8] {
        Extension.named("1.2.3", [UInt8](repeating: 7, count: count)).encoded
    }
}
