// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Lists of denied certificates")
struct DeniedListTests {
    private static let digest = [UInt8](repeating: 7, count: 32)

    private static func problem(_ bytes: [UInt8]) -> String? {
        do throws(DeniedListError) {
            _ = try DeniedList(bytes)
            return nil
        } catch {
            return error.description
        }
    }

    private static func problem(_ json: String) -> String? { problem(Array(json.utf8)) }

    /// Whether a list denies a certificate under an issuer.
    private static func denies(_ bytes: [UInt8], _ certificate: Certificate, _ issuer: Certificate) throws -> Bool {
        try DeniedList(bytes).entry(denying: certificate, issuers: [issuer]) != nil
    }

    // MARK: - Entries

    @Test("Each kind of entry denies only its certificate") func kinds() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let other = try lab.leaf()
        let issuer = lab.intermediate.certificate
        let subject = Base64.encode(Digests.sha256(leaf.subject.der))
        let stranger = Base64.encode(Self.digest)
        let lists = [
            DeniedListBytes.oneCRL(DeniedListBytes.record(serialOf: leaf)),
            DeniedListBytes.oneCRL(DeniedListBytes.record(keyOf: leaf)),
            DeniedListBytes.crlSet(DeniedListBytes.member("BlockedSPKIs", leaf)),
            DeniedListBytes.crlSet(DeniedListBytes.member("BlockedInterceptionSPKIs", leaf)),
            DeniedListBytes.crlSet(parents: [(issuer.subjectPublicKeyInfoSHA256, [leaf.serialNumber.bytes])]),
        ]
        for bytes in lists {
            #expect(try Self.denies(bytes, leaf, issuer))
            #expect(try !Self.denies(bytes, other, issuer))
            #expect(try !Self.denies(bytes, issuer, lab.root.certificate))
        }
        // The same subject with any key except the permitted one.
        let limited = DeniedListBytes.crlSet(#","LimitedSubjects":{"\#(subject)":["\#(stranger)"]}"#)
        #expect(try Self.denies(limited, leaf, issuer))
        #expect(try !Self.denies(limited, issuer, lab.root.certificate))
        let key = Base64.encode(leaf.subjectPublicKeyInfoSHA256)
        let own = DeniedListBytes.crlSet(#","LimitedSubjects":{"\#(subject)":["\#(stranger)","\#(key)"]}"#)
        #expect(try !Self.denies(own, leaf, issuer))
        #expect(DeniedList(keys: [SPKIPin(leaf)]).entry(denying: leaf, issuers: []) != nil)
        #expect(DeniedList(keys: [SPKIPin(leaf)]).entry(denying: other, issuers: []) == nil)
    }

    @Test("A serial number from another issuer denies nothing") func otherIssuer() throws {
        let key = TestKey.p256()
        let one = try TestAuthority.root(.authority("One"))
        let two = try TestAuthority.root(.authority("Two"))
        let template = CertificateTemplate.leaf(TrustLab.host).with { $0.serialNumber = [0x41, 0x42] }
        let ofOne = try one.issue(template, key: key).certificate
        let ofTwo = try two.issue(template, key: key).certificate
        for bytes in [
            DeniedListBytes.oneCRL(DeniedListBytes.record(serialOf: ofOne)),
            DeniedListBytes.crlSet(parents: [(one.certificate.subjectPublicKeyInfoSHA256, [[0x41, 0x42]])]),
        ] {
            #expect(try Self.denies(bytes, ofOne, one.certificate))
            #expect(try !Self.denies(bytes, ofTwo, two.certificate))
        }
    }

    @Test(
        "Serial numbers compare as numbers, with and without leading zeros",
        arguments: [[0x80, 0x01], [0x7f, 0x01], [0x00, 0x80, 0x01], [0x01]] as [[UInt8]])
    func leadingZeros(serial: [UInt8]) throws {
        let root = try TestAuthority.root()
        let leaf = try root.issue(.leaf(TrustLab.host).with { $0.serialNumber = serial }).certificate
        let stated = leaf.serialNumber.bytes
        let magnitude = Array(stated.drop { $0 == 0 })
        let key = root.certificate.subjectPublicKeyInfoSHA256
        for written in [magnitude, [0] + magnitude, [0, 0] + magnitude] {
            #expect(try Self.denies(DeniedListBytes.crlSet(parents: [(key, [written])]), leaf, root.certificate))
        }
        for written in [stated, [0] + stated] {
            let record = DeniedListBytes.record(issuer: leaf.issuer.der, serial: written)
            #expect(try Self.denies(DeniedListBytes.oneCRL(record), leaf, root.certificate))
        }
        // OneCRL contains the contents of an INTEGER, which here is a negative number.
        guard magnitude[0] >= 0x80 else { return }
        let negative = DeniedListBytes.record(issuer: leaf.issuer.der, serial: magnitude)
        #expect(try !Self.denies(DeniedListBytes.oneCRL(negative), leaf, root.certificate))
    }

    @Test("A serial number under a self-issued certificate's own key denies it") func selfIssued() throws {
        let root = try TestAuthority.root().certificate
        let bytes = DeniedListBytes.crlSet(
            parents: [(root.subjectPublicKeyInfoSHA256, [root.serialNumber.bytes])])
        #expect(try DeniedList(bytes).entry(denying: root, issuers: []) != nil)
    }

    @Test("The list reports a key known for interception but doesn't deny it") func interception() throws {
        let lab = try TrustLab()
        let issuer = lab.intermediate.certificate
        let list = try DeniedList(
            DeniedListBytes.crlSet(DeniedListBytes.member("KnownInterceptionSPKIs", issuer)))
        #expect(list.entry(denying: issuer, issuers: []) == nil)
        #expect(list.isKnownForInterception(issuer))
        #expect(!list.isKnownForInterception(lab.root.certificate))
    }

    @Test("Several lists deny whatever any of them denies, and equal lists are equal") func union() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let first = try DeniedList(DeniedListBytes.oneCRL(DeniedListBytes.record(serialOf: leaf)))
        let second = DeniedList(keys: [SPKIPin(lab.root.certificate)])
        let both = try #require(DeniedList.union(first, second))
        #expect(both.count == 2)
        #expect(both.entry(denying: leaf, issuers: []) != nil)
        #expect(both.entry(denying: lab.root.certificate, issuers: []) != nil)
        #expect(both.entry(denying: lab.intermediate.certificate, issuers: []) == nil)
        #expect(both != first && both != second)
        #expect(DeniedList.union(both, first) == both)
        #expect(DeniedList(keys: [SPKIPin(lab.root.certificate)]) == second)
        #expect(DeniedList.union(nil, first) == first && DeniedList.union(nil, nil) == nil)
    }

    @Test("A union of certificates, keys and serial numbers denies each of them and names the first entry")
    func unionOfKinds()
        throws
    {
        let lab = try TrustLab()
        let (leaf, intermediate, root) = (try lab.leaf(), lab.intermediate.certificate, lab.root.certificate)
        var all = DeniedList(certificates: [leaf], reason: "withdrawn")
        all.formUnion(try DeniedList(DeniedListBytes.oneCRL(DeniedListBytes.record(serialOf: intermediate))))
        all.formUnion(DeniedList(keys: [SPKIPin(root)], reason: "stolen"))
        #expect(all.count == 3)
        let rows: [(Certificate, TrustFailure.DeniedEntry)] = [
            (leaf, .init(.certificate, Hex.encode(leaf.sha256), reason: "withdrawn")),
            (root, .init(.key, SPKIPin(root).description, reason: "stolen")),
        ]
        for (certificate, entry) in rows {
            #expect(all.entry(denying: certificate, issuers: []) == entry)
            // The failure's value converts back to the entry.
            #expect(TrustFailure(.certificateDenied, found: entry.value).deniedEntry == entry)
        }
        #expect(all.entry(denying: intermediate, issuers: [])?.kind == .issuerAndSerial)
        // Another certificate with the leaf's key isn't denied with the leaf.
        let other = try lab.intermediate.issue(.leaf(TrustLab.host)).certificate
        #expect(all.entry(denying: other, issuers: [intermediate]) == nil)
        // A key that is denied twice keeps the first reason, and no list is lost.
        all.formUnion(DeniedList(keys: [SPKIPin(root), SPKIPin(leaf)], reason: "again"))
        #expect(all.entry(denying: root, issuers: [])?.reason == "stolen")
        #expect(all.entry(denying: leaf, issuers: [])?.reason == "withdrawn")
        #expect(all.entry(denying: SPKIPin(leaf))?.reason == "again")
        #expect(DeniedList(keys: [SPKIPin(root)]) != DeniedList(keys: [SPKIPin(root)], reason: "stolen"))
        #expect(DeniedList(certificates: [root]) != DeniedList(keys: [SPKIPin(root)]))
        #expect(DeniedList().entry(denying: leaf, issuers: [intermediate]) == nil)
    }

    @Test("A failure with another code or without a kind has no entry") func noEntry() {
        #expect(TrustFailure(.hostDenied, found: .list(["key", "sha256/AA"])).deniedEntry == nil)
        #expect(TrustFailure(.certificateDenied, found: .text("key")).deniedEntry == nil)
        #expect(TrustFailure(.certificateDenied, found: .list(["word", "name"])).deniedEntry == nil)
        #expect(TrustFailure(.certificateDenied, found: .list(["key"])).deniedEntry == nil)
    }

    // MARK: - OneCRL

    @Test("The reader accepts OneCRL as an array, as a collection's records and as a changeset") func forms() throws {
        let leaf = try TrustLab().leaf()
        let record = DeniedListBytes.record(serialOf: leaf)
        for text in [
            "[\(record)]", #"{"data":[\#(record)],"timestamp":1}"#, " \n{\"changes\":[\(record)],\"metadata\":{}}",
        ] {
            let list = try DeniedList(Array(text.utf8))
            #expect(list.count == 1)
            #expect(list.entry(denying: leaf, issuers: []) != nil)
        }
        // Old records contain names without base64 padding.
        let bare = record.replacing("=\"", with: "\"").replacing("=\"", with: "\"")
        #expect(try DeniedList(Array("[\(bare)]".utf8)).entry(denying: leaf, issuers: []) != nil)
    }

    @Test("An unreadable record causes an error with its place, never a shorter list") func records() throws {
        let leaf = try TrustLab().leaf()
        let good = DeniedListBytes.record(serialOf: leaf)
        let name = Base64.encode(leaf.issuer.der)
        let digest = Base64.encode(Self.digest)
        let rows: [(String, String)] = [
            (#"{"id":"1"}"#, "data[1]"),
            (#"{"issuerName":"\#(name)"}"#, "data[1]"),
            (#"{"serialNumber":"AQ=="}"#, "data[1]"),
            (#"{"issuerName":"\#(name)","serialNumber":""}"#, "data[1]"),
            (#"{"issuerName":"\#(name)","serialNumber":"?"}"#, "data[1].serialNumber"),
            (#"{"issuerName":"\#(name)","serialNumber":7}"#, "data[1]"),
            (#"{"issuerName":"AQ==","serialNumber":"AQ=="}"#, "data[1].issuerName"),
            (#"{"subject":"\#(name)","pubKeyHash":"AQ=="}"#, "data[1].pubKeyHash"),
            (#"{"subject":"AQ==","pubKeyHash":"\#(digest)"}"#, "data[1].subject"),
            (#"{"subject":"\#(name)"}"#, "data[1]"),
            (#"{"subject":"\#(name)","subject":"\#(name)","pubKeyHash":"\#(digest)"}"#, "once"),
            (#"{"deleted":true,"id":"1"}"#, "data[1]"),
            ("7", "data[1]"),
        ]
        for (record, place) in rows {
            let problem = Self.problem(DeniedListBytes.oneCRL(good, record))
            #expect(problem?.contains(place) == true, "\(record): \(problem ?? "read")")
        }
    }

    @Test(
        "Another form or a list without entries causes an error",
        arguments: [
            "", " ", "{}", "[]", #"{"data":[]}"#, #"{"data":{}}"#, #"{"data":[],"changes":[]}"#, "7", "nonsense",
            #"{"records":[]}"#, "[", "[[[[[[[[[[[[",
        ])
    func otherForms(text: String) { #expect(Self.problem(text) != nil) }

    @Test("An empty list is accepted only if the caller allows it") func empty() throws {
        #expect(try DeniedList(Array("[]".utf8), allowsEmpty: true).count == 0)
        #expect(Self.problem(DeniedListBytes.crlSet())?.contains("at least one") == true)
        #expect(try DeniedList(DeniedListBytes.crlSet(), allowsEmpty: true).count == 0)
    }

    // MARK: - CRLSets

    private static let set = DeniedListBytes.crlSet(
        #","BlockedSPKIs":["\#(Base64.encode(digest))"],"NotAfter":1795000000"#,
        parents: [(digest, [[1], [2, 3]]), ([UInt8](repeating: 9, count: 32), [[0x80, 4]])])

    @Test("A CRLSet that is truncated anywhere or too long causes an error")
    func truncated() throws {
        #expect(try DeniedList(Self.set).count == 4)
        for count in 0..<Self.set.count {
            #expect(Self.problem(Array(Self.set.prefix(count))) != nil, "\(count) bytes")
        }
        #expect(Self.problem(Self.set + [0]) != nil)
    }

    @Test("A changed byte in a CRLSet causes an error or yields another list, and quickly", .timeLimit(.minutes(10)))
    func mutated() {
        for index in Self.set.indices {
            for bit in 0..<8 {
                var bytes = Self.set
                bytes[index] ^= 1 << bit
                if let list = try? DeniedList(bytes) { #expect(list.count >= 1) }
            }
        }
    }

    @Test("A header that doesn't belong to a complete set causes an error") func headers() {
        let rows: [(String, String)] = [
            (#"{"ContentType":"CRLSet","Sequence":1}"#, "Version"),
            (#"{"Version":1,"ContentType":"CRLSet","Sequence":1}"#, "Version"),
            (#"{"Version":0,"ContentType":"CRLSet"}"#, "Sequence"),
            (#"{"Version":0,"ContentType":"CRLSetDelta","Sequence":2}"#, "whole set"),
            (#"{"Version":0,"ContentType":"CRLSet","Sequence":2,"DeltaFrom":1}"#, "DeltaFrom"),
            (#"{"Version":0,"ContentType":"CRLSet","Sequence":2,"NumParents":1}"#, "NumParents"),
            (#"{"Version":0,"ContentType":"CRLSet","Sequence":2,"NotAfter":"x"}"#, "NotAfter"),
            (#"{"Version":0,"ContentType":"CRLSet","Sequence":2,"BlockedSPKIs":["AQ=="]}"#, "BlockedSPKIs"),
            (#"{"Version":0,"ContentType":"CRLSet","Sequence":2,"BlockedSPKIs":{}}"#, "BlockedSPKIs"),
            (#"{"Version":0,"ContentType":"CRLSet","Sequence":2,"LimitedSubjects":{"x":[]}}"#, "LimitedSubjects"),
            (#"{"Version":0,"ContentType":"CRLSet","Sequence":2,"KnownInterceptionSPKIs":[1]}"#, "Interception"),
        ]
        for (header, part) in rows {
            let problem = Self.problem([UInt8(header.utf8.count), 0] + Array(header.utf8))
            #expect(problem?.contains(part) == true, "\(header): \(problem ?? "read")")
        }
    }

    @Test("The reader skips an unknown member with a warning") func unknownMember() throws {
        let list = try DeniedList(
            DeniedListBytes.crlSet(#","FutureThings":[1]"#, parents: [(Self.digest, [[1]])]))
        #expect(list.warnings.count == 1)
        #expect(list.warnings.first?.contains("FutureThings") == true)
    }

    @Test("Counts that exceed the file's contents cost no memory", .timeLimit(.minutes(10))) func promises() {
        var bytes = DeniedListBytes.crlSet()
        let huge = Self.digest + [0xff, 0xff, 0xff, 0xff]
        bytes += huge
        #expect(Self.problem(bytes)?.contains("serial numbers") == true)
        #expect(Self.problem([UInt8](repeating: UInt8(ascii: "["), count: 1 << 20)) != nil)
        let large = [UInt8](repeating: 0x20, count: DeniedList.maximumSize + 1)
        #expect(Self.problem(large)?.contains("16 MiB") == true)
        // More entries than any list has.
        let serials = (0..<1_000_001).map { [UInt8($0 & 0xff), UInt8($0 >> 8 & 0xff), UInt8($0 >> 16)] }
        let many = DeniedListBytes.crlSet(parents: [(Self.digest, serials)])
        #expect(Self.problem(many)?.contains("at most") == true)
    }

    @Test("An error in a file names the file") func file() {
        #expect {
            try DeniedList(contentsOfFile: "/nowhere/onecrl.json")
        } throws: { error in
            String(describing: error).hasPrefix("/nowhere/onecrl.json: ")
        }
    }
}
