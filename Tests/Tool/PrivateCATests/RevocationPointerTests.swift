// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import PrivateCA
import ServerTrustTesting
import Testing

@Suite("CRL and OCSP addresses in issued certificates")
struct RevocationPointerTests {
    private static let now = TestAuthority.now
    private static let crl = "http://crl.example.com/root.crl"
    private static let ocsp = "http://ocsp.example.com/"
    private static let other = "http://other.example.com/x"

    private func inFolder(_ body: (String) throws -> Void) throws {
        let parent = FileManager.default.temporaryDirectory.appendingPathComponent("private-ca-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: parent) }
        try body(parent.appendingPathComponent("ca").path)
    }

    private func make(_ path: String) throws -> AuthorityFolder {
        try AuthorityFolder.create(
            at: path, crlAddress: RevocationAddress(Self.crl, kind: .crl),
            ocspAddress: RevocationAddress(Self.ocsp, kind: .ocsp), at: Self.now)
    }

    private func choice(
        crl: String? = nil, ocsp: String? = nil, mustStaple: Bool? = nil
    ) throws -> RevocationPointerChoice {
        RevocationPointerChoice(
            crl: try address(crl, .crl), ocsp: try address(ocsp, .ocsp), mustStaple: mustStaple)
    }

    /// Returns a choice: nil for no choice, an empty string for no address.
    private func address(
        _ url: String?, _ kind: RevocationAddress.Kind
    ) throws -> RevocationPointerChoice.Address {
        guard let url else { return .inherited }
        return url.isEmpty ? .omitted : .named(try RevocationAddress(url, kind: kind))
    }

    /// The addresses and features that the engine reads in a certificate.
    private struct Found: Equatable {
        var crls: [String] = []
        var responders: [String] = []
        var features: [UInt16]?

        init(_ certificate: PKIX.Certificate) {
            for case .uniformResourceIdentifier(let url) in certificate.crlDistributionPoints.flatMap(\.fullName) {
                crls.append(url)
            }
            for access in certificate.authorityInformationAccess where access.method == .ocspAccess {
                if case .uniformResourceIdentifier(let url) = access.location { responders.append(url) }
            }
            features = certificate.tlsFeatures
        }

        init(_ crl: String?, _ ocsp: String?, features: [UInt16]? = nil) {
            self.crls = crl.map { [$0] } ?? []
            self.responders = ocsp.map { [$0] } ?? []
            self.features = features
        }
    }

    @Test("The CA adds its addresses to certificates unless the caller chooses otherwise")
    func choices() throws {
        try inFolder { path in
            _ = try make(path)
            let folder = try AuthorityFolder(opening: path)
            #expect(try folder.addresses().crl?.url == Self.crl)
            #expect(try folder.addresses().ocsp?.url == Self.ocsp)
            let rows: [(choice: RevocationPointerChoice, found: Found)] = [
                (try choice(), Found(Self.crl, Self.ocsp)), (try choice(crl: Self.other), Found(Self.other, Self.ocsp)),
                (try choice(ocsp: Self.other), Found(Self.crl, Self.other)),
                (try choice(crl: ""), Found(nil, Self.ocsp)),
                (try choice(ocsp: ""), Found(Self.crl, nil)), (try choice(crl: "", ocsp: ""), Found(nil, nil)),
                (try choice(mustStaple: true), Found(Self.crl, Self.ocsp, features: [5])),
                (try choice(crl: "", ocsp: "", mustStaple: true), Found(nil, nil, features: [5])),
                (try choice(mustStaple: false), Found(Self.crl, Self.ocsp)),
            ]
            for (number, row) in rows.enumerated() {
                let issued = try folder.issue(
                    [CertifiedName("host\(number).example.com")], revocation: row.choice, at: Self.now)
                #expect(Found(issued.certificate) == row.found, "row \(number)")
                #expect(try AuthorityFolder(opening: path).records().last == issued.record)
                let pointers = issued.record.revocationPointers
                #expect(
                    Found(pointers.crl?.url, pointers.ocsp?.url, features: pointers.mustStaple ? [5] : nil) == row.found
                )
            }
        }
    }

    @Test("A replacement certificate keeps the addresses, or the choice to have none, and the must-staple feature")
    func renewals() throws {
        try inFolder { path in
            let folder = try make(path)
            let name = [try CertifiedName("api.example.com")]
            func renew(_ choice: RevocationPointerChoice, _ purpose: IssuedPurpose = .serverAuth) throws -> Found {
                Found(
                    try folder.issue(name, for: purpose, revocation: choice, at: Self.now, replacing: true).certificate)
            }
            #expect(
                try renew(choice(crl: Self.other, ocsp: "", mustStaple: true)) == Found(Self.other, nil, features: [5]))
            #expect(try renew(choice()) == Found(Self.other, nil, features: [5]))
            #expect(try renew(choice()) == Found(Self.other, nil, features: [5]))
            #expect(try renew(choice(mustStaple: false)) == Found(Self.other, nil))
            #expect(try renew(choice(ocsp: Self.ocsp)) == Found(Self.other, Self.ocsp))
            #expect(try renew(choice()) == Found(Self.other, Self.ocsp))
            #expect(try renew(choice(), .clientAuth) == Found(Self.crl, Self.ocsp))
        }
    }

    @Test("A CA without addresses issues certificates without addresses and doesn't change its index format")
    func none() throws {
        try inFolder { path in
            let folder = try AuthorityFolder.create(at: path, at: Self.now)
            let issued = try folder.issue([CertifiedName("api.example.com")], at: Self.now)
            #expect(Found(issued.certificate) == Found(nil, nil))
            let index = try String(contentsOfFile: path + "/index.json", encoding: .utf8)
            #expect(index.contains("\"schemaVersion\" : 1"))
            #expect(!index.contains("URL") && !index.contains("mustStaple"))
            let named = try folder.issue(
                [CertifiedName("b.example.com")], revocation: choice(crl: Self.other), at: Self.now)
            #expect(Found(named.certificate) == Found(Self.other, nil))
            #expect(
                try String(contentsOfFile: path + "/index.json", encoding: .utf8).contains("\"schemaVersion\" : 2"))
        }
    }

    @Test("The CA uses addresses that were added to an older index by hand, for new and replacement certificates")
    func added() throws {
        try inFolder { path in
            let folder = try AuthorityFolder.create(at: path, at: Self.now)
            _ = try folder.issue([CertifiedName("api.example.com")], at: Self.now)
            try edit(path) { $0["crlURL"] = Self.crl }
            let renewed = try folder.issue([CertifiedName("api.example.com")], at: Self.now, replacing: true)
            #expect(Found(renewed.certificate) == Found(Self.crl, nil))
        }
    }

    static let bad = [
        "https://crl.example.com/", "", "x", "http://user@crl.example.com/", "http://crl.example.com/\nx",
        "http://b\u{fc}cher.example/", "http://a.example/" + String(repeating: "a", count: 10_000),
    ]

    @Test(
        "If the index contains a bad address, the error names the file and the position, and the CA issues nothing",
        arguments: bad)
    func edited(_ address: String) throws {
        try inFolder { path in
            let folder = try make(path)
            let serial = try folder.issue([CertifiedName("a.example.com")], at: Self.now).record.serialNumber
            let good = try Data(contentsOf: URL(fileURLWithPath: path + "/index.json"))
            let edits: [(place: String, edit: (inout [String: Any]) -> Void)] = [
                ("crlURL: found ", { $0["crlURL"] = address }), ("ocspURL: found ", { $0["ocspURL"] = address }),
                (
                    "crlURL of certificate \(serial): found ",
                    { index in
                        var rows = index["certificates"] as? [[String: Any]] ?? []
                        rows[0]["crlURL"] = address
                        index["certificates"] = rows
                    }
                ),
            ]
            for (place, change) in edits {
                try good.write(to: URL(fileURLWithPath: path + "/index.json"))
                try edit(path, change)
                let edited = try Data(contentsOf: URL(fileURLWithPath: path + "/index.json"))
                for use in [
                    { _ = try AuthorityFolder(opening: path) },
                    { _ = try folder.issue([CertifiedName("b.example.com")], at: Self.now) },
                    { _ = try folder.writeCRL(at: Self.now) },
                ] as [() throws -> Void] {
                    #expect("\(String(describing: error(use)))".contains("\(path)/index.json: \(place)"))
                }
                #expect(try Data(contentsOf: URL(fileURLWithPath: path + "/index.json")) == edited)
                #expect(!FileManager.default.fileExists(atPath: path + "/issued/b.example.com.pem"))
                #expect(!FileManager.default.fileExists(atPath: path + "/root.crl"))
            }
        }
    }

    @Test("The index rejects unknown types, versions, words and times")
    func otherTypes() throws {
        try inFolder { path in
            let folder = try make(path)
            _ = try folder.issue([CertifiedName("a.example.com")], revocation: choice(crl: ""), at: Self.now)
            let good = try Data(contentsOf: URL(fileURLWithPath: path + "/index.json"))
            for (key, value) in [
                ("crlURL", 5), ("ocspURL", [Self.ocsp]), ("schemaVersion", 3), ("schemaVersion", 0),
            ] as [(String, Any)] {
                try good.write(to: URL(fileURLWithPath: path + "/index.json"))
                try edit(path) { $0[key] = value }
                #expect(error { _ = try folder.records() } != nil)
            }
            let text = String(decoding: good, as: UTF8.self)
            for (part, other, problem) in [
                ("\"crl\"", "\"cRL\"", "expected only crl and ocsp"),
                ("\"notAfter\" : \"", "\"notAfter\" : \"x", "isn't a time, expected RFC 3339"),
            ] {
                let changed = text.replacingOccurrences(of: part, with: other)
                #expect(changed != text)
                try Data(changed.utf8).write(to: URL(fileURLWithPath: path + "/index.json"))
                #expect("\(String(describing: error { _ = try folder.records() }))".contains(problem))
            }
        }
    }

    @Test("root.crl contains the CRL from crl.pem in DER")
    func der() throws {
        try inFolder { path in
            let folder = try make(path)
            let issued = try folder.issue([CertifiedName("a.example.com")], at: Self.now)
            _ = try folder.revoke(serialNumber: issued.record.serialNumber, reason: .superseded, at: Self.now)
            let crl = try folder.writeCRL(at: Self.now)
            #expect(crl.derPath == path + "/root.crl")
            let der = [UInt8](try Data(contentsOf: URL(fileURLWithPath: crl.derPath)))
            let pem = [UInt8](try Data(contentsOf: URL(fileURLWithPath: crl.path)))
            #expect(try PEM.decode(pem, labels: ["X509 CRL"]) == [der])
        }
    }

    private func error(_ body: () throws -> Void) -> (any Error)? {
        do {
            try body()
            return nil
        } catch { return error }
    }

    private func edit(_ path: String, _ change: (inout [String: Any]) -> Void) throws {
        let file = URL(fileURLWithPath: path + "/index.json")
        var index = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        change(&index)
        try JSONSerialization.data(withJSONObject: index).write(to: file)
    }
}
