// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// Superfluous values in CRLs and OCSP responses. DER's readers may disagree about what such evidence says.
@Suite("Superfluous values in evidence")
struct EvidenceStructureTests {
    let fixture: RevocationFixture

    init() throws { fixture = try RevocationFixture() }

    private var leaf: Certificate { fixture.leaf.certificate }

    /// Two values, because one could be the parameters of an algorithm.
    private static let further = [ASN1.null, ASN1.null]
    private static let unknown = Extension(identifier: .anyPolicy, isCritical: false, value: ASN1.null)

    private func response() throws -> DERTree {
        let made = try fixture.issuer.ocspResponse {
            $0.add(leaf, .revoked(at: .days(-1), reason: .superseded)) { $0.extensions = [Self.unknown] }
            $0.add(leaf)
            $0.nonce = [1, 2, 3]
            $0.certificates = [fixture.issuer.certificate]
        }
        return try #require(DERTree(made.der))
    }

    /// The path to tbsResponseData: responseBytes, its SEQUENCE, the OCTET STRING, BasicOCSPResponse.
    private static let data: DERTree.Path = [1, 0, 1, 0, 0]

    /// The path to the certificates, whose parser has its own tests.
    private static let certificates: DERTree.Path = [1, 0, 1, 0, 3, 0]

    /// Whether the parser refuses a response or limits it to revoking.
    private func isNoticed(_ der: [UInt8]) -> Bool {
        guard let response = try? OCSPResponse(der: der) else { return true }
        return response.fields.isMalformed || response.fields.singles.contains(where: \.isMalformed)
    }

    @Test("A further value at any place makes a response unreadable or limits it to revoking")
    func responses() throws {
        let named = try response()
        var versioned = named
        versioned[Self.data].members?.insert(try #require(DERTree(ASN1.explicit(0, ASN1.integer(0)))), at: 0)
        var keyed = named
        keyed[Self.data + [0]] = try #require(DERTree(ASN1.explicit(2, ASN1.octets([UInt8](repeating: 7, count: 20)))))
        for tree in [named, versioned, keyed] {
            #expect(!isNoticed(tree.der))
            for path in tree.parents where !path.starts(with: Self.certificates + [0]) {
                #expect(isNoticed(tree.adding(Self.further, at: path).der), "at \(path)")
            }
        }
    }

    @Test("A response that isn't successful ends after its status, and the parser ignores only its responseBytes")
    func errors() throws {
        #expect(throws: DERError.self) { try OCSPResponse(der: [0x30, 0x05, 0x0a, 0x01, 0x03, 0x05, 0x00]) }
        let ignored = try OCSPResponse(der: ASN1.sequence([0x0a, 0x01, 0x03], ASN1.explicit(0, ASN1.null)))
        #expect(ignored.status == .tryLater)
        #expect(throws: DERError.self) {
            try OCSPResponse(der: ASN1.sequence([0x0a, 0x01, 0x03], ASN1.explicit(0, ASN1.null), ASN1.null))
        }
    }

    @Test("RFC 6960 § 4.2.1: the version is 1, the key hash has 20 bytes, and dates are GeneralizedTime")
    func values() throws {
        let tree = try response()
        func isReadable(_ change: (inout DERTree) throws -> Void) rethrows -> Bool {
            var copy = tree
            try change(&copy)
            return (try? OCSPResponse(der: copy.der)) != nil
        }
        for (number, isExpected) in [(0, true), (1, false), (2, false)] {
            let version = try #require(DERTree(ASN1.explicit(0, ASN1.integer(number))))
            #expect(isReadable { $0[Self.data].members?.insert(version, at: 0) } == isExpected)
        }
        for (count, isExpected) in [(19, false), (20, true), (21, false)] {
            let hash = try #require(DERTree(ASN1.explicit(2, ASN1.octets([UInt8](repeating: 7, count: count)))))
            #expect(isReadable { $0[Self.data + [0]] = hash } == isExpected)
        }
        let utc = try #require(DERTree(ASN1.utcTime("260101000000Z")))
        let single = Self.data + [2, 0]
        #expect(!isReadable { $0[Self.data + [1]] = utc })
        // thisUpdate, nextUpdate, and the date of the revocation
        for path in [single + [2], single + [3, 0], single + [1, 0]] {
            var copy = tree
            copy[path] = utc
            let answers = try OCSPResponse(der: copy.der).fields.singles
            #expect(answers.map(\.isMalformed) == [true, false], "at \(path)")
            guard case .revoked = answers[0].status else {
                Issue.record("at \(path)")
                continue
            }
        }
    }

    @Test("The parser reads every answer of a response and its first 16 certificates, and notes a 17th extension")
    func limits() throws {
        let tree = try response()
        func parsed(_ path: DERTree.Path, _ members: [DERTree]) throws -> OCSPResponse {
            var copy = tree
            copy[path].members = members
            return try OCSPResponse(der: copy.der)
        }
        let answers = Self.data + [2]
        let answer = tree[answers + [1]]
        #expect(try parsed(answers, Array(repeating: answer, count: 5000)).responses.count == 5000)
        let certificate = tree[Self.certificates + [0]]
        for count in [16, 17] {
            let response = try parsed(Self.certificates, Array(repeating: certificate, count: count))
            #expect(response.certificates.count == 16 && response.fields.hasUnreadCertificates == (count > 16))
        }
        let extensions = try (1...17).map { try #require(DERTree(ASN1.ext(ASN1.oid("1.2.3.\($0)"), ASN1.null))) }
        #expect(!(try parsed(Self.data + [3, 0], Array(extensions.prefix(16))).fields.isMalformed))
        #expect(try parsed(Self.data + [3, 0], extensions).fields.isMalformed)
        #expect(try parsed(Self.data + [3, 0], [extensions[0], extensions[0]]).fields.isMalformed)
    }

    @Test("RFC 6960 § 4.4.1: a response may contain any nonce, critical or not, wrapped or not")
    func nonce() throws {
        let tree = try response()
        let (plain, wrapped): ([UInt8], [UInt8]) = ([7, 8], ASN1.octets([9]))
        for (value, isCritical) in [plain, wrapped, wrapped + ASN1.null].flatMap({ [($0, false), ($0, true)] }) {
            var copy = tree
            let member = Extension.named("1.3.6.1.5.5.7.48.1.2", critical: isCritical, value).encoded
            copy[Self.data + [3, 0]].members = [try #require(DERTree(member))]
            let response = try OCSPResponse(der: copy.der)
            #expect(!response.fields.unhandledCritical.isPresent && !response.fields.isMalformed)
        }
    }

    // MARK: - CRLs

    private func crl() throws -> DERTree {
        let made = try fixture.issuer.crl {
            $0.number = 7
            $0.scope {
                $0.fullName = [.uri("http://a.example"), .directoryName(fixture.issuer.certificate.subject)]
                ($0.onlyContainsUserCertificates, $0.isIndirect) = (true, true)
                $0.onlySomeReasons = [.keyCompromise]
            }
            $0.freshestCRL = ["http://a.example/delta"]
            $0.revoke(leaf, reason: .superseded, invalidityDate: .days(-3), namesIssuer: true)
            $0.revoke(leaf)
        }
        return try #require(DERTree(made.der))
    }

    /// Whether the parser refuses a list or limits it to revoking.
    private func isListNoticed(_ der: [UInt8]) -> Bool {
        guard let crl = try? CertificateRevocationList(der: der) else { return true }
        return crl.problem != nil
    }

    @Test("A further value at any place makes a CRL unreadable or limits it to revoking")
    func lists() throws {
        let tree = try crl()
        #expect(!isListNoticed(tree.der))
        for path in tree.parents {
            #expect(isListNoticed(tree.adding(Self.further, at: path).der), "at \(path)")
        }
    }

    @Test("A further value after an extension's value limits a CRL to revoking, whatever the extension")
    func extensionValues() throws {
        let tree = try crl()
        let list: DERTree.Path = [0, 6, 0]
        let entry: DERTree.Path = [0, 5, 0, 2]
        for extensions in [list, entry] {
            for index in try #require(tree[extensions].members).indices {
                var copy = tree
                let last = try #require(tree[extensions + [index]].members).count - 1
                let value = tree[extensions + [index, last]]
                let contents = value.members.map { $0.flatMap(\.der) } ?? value.contents
                copy[extensions + [index, last]] = try #require(DERTree(ASN1.octets(contents + ASN1.null)))
                #expect(isListNoticed(copy.der), "at \(extensions + [index])")
            }
        }
    }

    @Test("RFC 5280 §§ 5.1.2, 5.2: a list's extensions aren't empty and need version 2")
    func listExtensions() throws {
        let tree = try crl()
        func parsed(_ change: (inout DERTree) throws -> Void) throws -> CertificateRevocationList {
            var copy = tree
            try change(&copy)
            return try CertificateRevocationList(der: copy.der)
        }
        #expect(try parsed { $0[[0, 6, 0]].members = [] }.problem != nil)
        #expect(try parsed { $0[[0, 5, 0, 2]].members = [] }.problem != nil)
        let versionOne = try parsed {
            $0[[0]].members?.remove(at: 0)
            $0[[0]].members?.remove(at: 4)
        }
        #expect(versionOne.problem != nil && versionOne.version == 1)
        for number in [0, 2] {
            let version = try #require(DERTree(ASN1.integer(number)))
            #expect(throws: DERError.self) { try parsed { $0[[0, 0]] = version } }
        }
    }

    @Test("RFC 5280 § 5.2.3: a number has at most 20 bytes, not counting the byte for the sign")
    func numbers() throws {
        let tree = try crl()
        for (contents, isExpected) in [
            ([0x7f] + [UInt8](repeating: 1, count: 19), true), ([0x00, 0x80] + [UInt8](repeating: 1, count: 19), true),
            ([0x00, 0x80] + [UInt8](repeating: 1, count: 20), false), ([0x80], false), ([0x00, 0x80], true),
        ] as [([UInt8], Bool)] {
            var copy = tree
            let member = ASN1.ext(ASN1.oid("2.5.29.20"), ASN1.value(0x02, contents))
            copy[[0, 6, 0]].members = [try #require(DERTree(member))]
            let crl = try CertificateRevocationList(der: copy.der)
            #expect((crl.problem == nil) == isExpected, "\(contents)")
            #expect(crl.number == (isExpected ? contents : nil))
        }
    }
}
