// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@testable import ServerTrust

@Suite("Objects in a file")
struct ObjectReaderTests {
    /// The start of a PKCS #8 key: a version, an algorithm, octets.
    static let privateKey: [UInt8] = [
        0x30, 0x0c, 0x02, 0x01, 0x00, 0x30, 0x03, 0x06, 0x01, 0x2a, 0x04, 0x02, 0x01, 0x02,
    ]
    /// A public key by its structure: an algorithm and bits.
    static let publicKey: [UInt8] = [0x30, 0x09, 0x30, 0x03, 0x06, 0x01, 0x2a, 0x03, 0x02, 0x00, 0x01]

    static func text(_ objects: (label: String, der: [UInt8])...) -> [UInt8] {
        Array(objects.map { PEM.encode($0.der, label: $0.label) }.joined(separator: "words\n").utf8)
    }

    static func der(_ object: FoundObject) -> [UInt8]? {
        if case .der(let bytes) = object.contents { bytes } else { nil }
    }

    @Test("The reader returns every object in PEM text in order, with number, label and kind")
    func pem() throws {
        let objects = try ObjectReader.objects(
            in: Self.text(("CERTIFICATE", [1]), ("NAME", [2]), ("KEY", Self.privateKey), ("OPENSSH PRIVATE KEY", [3])))
        #expect(objects.map(\.number) == [1, 2, 3, 4])
        #expect(objects.map(\.label) == ["CERTIFICATE", "NAME", "KEY", "OPENSSH PRIVATE KEY"])
        #expect(objects.map(\.kind) == [.certificate, nil, .privateKey, .privateKey])
        #expect(objects.map(Self.der) == [[1], [2], Self.privateKey, [3]])
    }

    @Test("An undecodable object stays among the others, with its offset and line")
    func undecodable() throws {
        let text = "\n-----BEGIN PUBLIC KEY-----\r\nAA*A\r\n-----END PUBLIC KEY-----\n\n-----BEGIN X-----\n"
        let objects = try ObjectReader.objects(in: Array(text.utf8))
        #expect(objects.map(\.kind) == [.publicKey, nil])
        #expect(objects.map(\.line) == [3, 7])
        let offsets = objects.map { object -> Int? in
            if case .undecodable(let error) = object.contents { error.offset } else { nil }
        }
        #expect(offsets == [31, text.utf8.count])
    }

    @Test("Lines are correct after any number of undecodable objects")
    func many() throws {
        let count = 50_000
        let text = String(repeating: "-----BEGIN X-----\n", count: count)
        let objects = try ObjectReader.objects(in: Array(text.utf8))
        #expect(objects.count == count)
        // Each object ends where the next begins, and the last object ends at the end of the text.
        #expect(objects.first?.line == 2)
        #expect(objects.last?.line == count + 1)
    }

    @Test("Bytes without a BEGIN line are one object in DER, known or not")
    func binary() throws {
        #expect(try ObjectReader.objects(in: Self.publicKey).map(\.kind) == [.publicKey])
        let unknown = try ObjectReader.objects(in: Self.publicKey + Self.publicKey + [0xff])
        #expect(unknown.map(Self.der) == [Self.publicKey + Self.publicKey + [0xff]])
        #expect(unknown.map(\.label) == [nil])
        #expect(throws: ObjectReader.Failure.empty) { try ObjectReader.objects(in: []) }
    }

    @Test("Base64 is decoded only for callers that accept it, and DER isn't text")
    func base64() throws {
        let text = Array((" " + Base64.encode(Self.publicKey) + "\n").utf8)
        #expect(try ObjectReader.objects(in: text, .base64).map(Self.der) == [Self.publicKey])
        #expect(try ObjectReader.objects(in: text).map(Self.der) == [text])
        #expect(throws: ObjectReader.Failure.notBase64(offset: 3, line: 1)) {
            try ObjectReader.objects(in: Self.publicKey, .base64)
        }
        #expect(throws: ObjectReader.Failure.notBase64(offset: 6, line: 2)) {
            try ObjectReader.objects(in: Array("AAAA\n *".utf8), .base64)
        }
        #expect(throws: ObjectReader.Failure.empty) { try ObjectReader.objects(in: Array(" \n".utf8), .base64) }
        #expect(throws: ObjectReader.Failure.encodedPEM) {
            let pem = String(decoding: Self.text(("CERTIFICATE", [1])), as: UTF8.self)
            return try ObjectReader.objects(in: Array(Base64.encode(Array(pem.utf8)).utf8), .base64)
        }
    }

    @Test("The reader finds all consecutive DER values and doesn't drop other bytes after them")
    func values() throws {
        let two = Self.publicKey + Self.privateKey
        let objects = ObjectReader.derObjects(in: two + [0x0a], maximum: 10)
        #expect(objects.map(\.kind) == [.publicKey, .privateKey])
        #expect(objects.map(Self.der) == [Self.publicKey, Self.privateKey])
        #expect(ObjectReader.derObjects(in: two, maximum: 1).map(\.number) == [1])

        let last = try #require(ObjectReader.derObjects(in: two + [0xff, 0x0a], maximum: 10).last)
        guard case .rest(let rest, let offset) = last.contents else {
            Issue.record("no rest: \(last.contents)")
            return
        }
        #expect(rest == [0xff, 0x0a])
        #expect(offset == two.count)
        #expect(last.number == 3)
    }

    @Test("A rejected object contains its kind, its structure and its parser's error")
    func refusal() throws {
        let refusal = #expect(throws: ParsedObject.Refusal.self) {
            try ParsedObject(der: Self.privateKey, as: .certificate)
        }
        #expect(refusal?.kind == .certificate)
        #expect(refusal?.shape == .privateKey)
        #expect(refusal?.error != nil)
        // This module has no parser for private keys.
        let key = try ParsedObject(der: Self.privateKey, as: .privateKey)
        #expect(key == nil)
    }
}
