// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// The engine rejects a timestamp if any bit of the timestamp, of the bytes it covers, or of the log's key is flipped.
@Suite("Flipped bits in timestamps")
struct TimestampBitFlipTests {
    struct Published {
        let leaf: Certificate
        let issuerKeySHA256: [UInt8]
        let keys: [[UInt8]: TransparencyLogKey]

        /// Returns the number of valid timestamps in the certificate.
        func validCount(_ leaf: Certificate, issuerKeySHA256: [UInt8]? = nil) -> Int {
            (leaf.embeddedTimestamps?.timestamps ?? []).count { timestamp in
                keys[timestamp.logID]?.isValid(
                    timestamp,
                    for: .precertificate(of: leaf, issuerKeySHA256: issuerKeySHA256 ?? self.issuerKeySHA256)) == true
            }
        }
    }

    private static func made(_ key: TestKey = .p256()) throws -> Published {
        let log = try TestLog("Log", operatedBy: "One", key: key)
        let root = try TestAuthority.root()
        let leaf = try root.issue(.leaf("www.example.com").with { $0.timestamps = [log.timestamp()] }).certificate
        let info = try SubjectPublicKeyInfo(der: key.subjectPublicKeyInfo())
        let verifier = try #require(TransparencyLogKey(info))
        return Published(
            leaf: leaf, issuerKeySHA256: root.certificate.subjectPublicKeyInfo.sha256, keys: [log.logID: verifier])
    }

    private static func flipped(_ bytes: [UInt8], _ bit: Int) -> [UInt8] {
        var bytes = bytes
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        return bytes
    }

    /// The bytes of the TBSCertificate, the first element of the certificate.
    private static func tbs(_ der: [UInt8]) -> Range<Int> {
        func header(_ at: Int) -> (start: Int, end: Int) {
            guard der[at + 1] >= 0x80 else { return (at + 2, at + 2 + Int(der[at + 1])) }
            let count = Int(der[at + 1] & 0x7f)
            return (at + 2 + count, at + 2 + count + der[(at + 2)..<(at + 2 + count)].reduce(0) { $0 << 8 | Int($1) })
        }
        let outer = header(0).start
        return outer..<header(outer).end
    }

    private func expectRefused(_ published: Published) throws {
        let good = published.validCount(published.leaf)
        #expect(good > 0)
        let der = published.leaf.der
        let range = Self.tbs(der)
        for bit in (range.lowerBound * 8)..<(range.upperBound * 8) {
            guard let leaf = try? Certificate(der: Self.flipped(der, bit)) else { continue }
            #expect(published.validCount(leaf) < good, "bit \(bit)")
        }
        for bit in 0..<256 {
            let key = Self.flipped(published.issuerKeySHA256, bit)
            #expect(published.validCount(published.leaf, issuerKeySHA256: key) == 0)
        }
        #expect(published.validCount(published.leaf, issuerKeySHA256: []) == 0)
    }

    @Test(
        "Every flipped bit in the TBSCertificate or in its issuer's key makes the timestamp invalid",
        .timeLimit(.minutes(10)))
    func certificate() throws { try expectRefused(try Self.made()) }

    @Test(
        "Every flipped bit in a real site's certificate is detected", .timeLimit(.minutes(10)),
        .enabled(if: !Corpora.areMissing, "x509-limbo is neither in SERVERTRUST_CORPORA nor in ../shared/corpora"))
    func realCertificate() throws {
        let site = try #require(try RealLogs.sites().first)
        try expectRefused(
            Published(
                leaf: site.leaf, issuerKeySHA256: site.issuer.subjectPublicKeyInfo.sha256, keys: try RealLogs.keys()))
    }

    @Test(
        "Every flipped bit in an embedded or separate timestamp is detected, for logs with either kind of key",
        .timeLimit(.minutes(10)))
    func timestamp() throws {
        for key in [TestKey.p256(), try .rsa()] {
            let published = try Self.made(key)
            let log = try TestLog("Log", operatedBy: "One", key: key)
            let item = try log.timestamp().signed(.certificate(published.leaf.der))
            let verifier = try #require(published.keys[log.logID])
            #expect(verifier.isValid(try SignedCertificateTimestamp(item), for: .certificate(published.leaf)))
            for bit in 0..<(item.count * 8) {
                guard let timestamp = try? SignedCertificateTimestamp(Self.flipped(item, bit)) else { continue }
                #expect(!verifier.isValid(timestamp, for: .certificate(published.leaf)), "bit \(bit)")
            }
        }
    }

    @Test("Every flipped bit in a log's key is detected", .timeLimit(.minutes(10)))
    func logKey() throws {
        let key = TestKey.p256()
        let published = try Self.made(key)
        let timestamp = try #require(published.leaf.embeddedTimestamps?.timestamps.first)
        let info = try key.subjectPublicKeyInfo()
        for bit in 0..<(info.count * 8) {
            guard let info = try? SubjectPublicKeyInfo(der: Self.flipped(info, bit)),
                let verifier = TransparencyLogKey(info)
            else { continue }
            #expect(verifier.logID != timestamp.logID)
            #expect(
                !verifier.isValid(
                    timestamp,
                    for: .precertificate(of: published.leaf, issuerKeySHA256: published.issuerKeySHA256)))
        }
    }
}
