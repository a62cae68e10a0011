// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

@Suite("Extension index")
struct ExtensionIndexTests {
    /// The contents of every identifier that the parser knows.
    private static let identifiers: [KnownExtension: [UInt8]] = {
        var identifiers: [KnownExtension: [UInt8]] = [:]
        let attributes = (0...255).map { [0x55, 0x1d, UInt8($0)] }
        let accesses = (0...255).map { ASN1.arcs("1.3.6.1.5.5.7.1") + [UInt8($0)] }
        let others = ["1.3.6.1.5.5.7.48.1.5", "1.3.6.1.4.1.11129.2.4.2"].map(ASN1.arcs)
        for contents in attributes + accesses + others {
            guard let known = known(contents) else { continue }
            identifiers[known] = contents
        }
        return identifiers
    }()

    private static func known(_ contents: [UInt8]) -> KnownExtension? {
        let view = contents[...]
        return KnownExtension(view.span, ByteRange(0, contents.count))
    }

    private func index(_ extensions: Extension...) throws -> ExtensionIndex {
        try CraftedCertificate().with { $0.extensions = extensions.map(\.encoded) }.unsigned()
            .storage.fields.extensions
    }

    @Test("An identifier that differs in one byte, or is longer or shorter, isn't the same extension")
    func identifiers() {
        #expect(Self.identifiers.count == KnownExtension.allCases.count)
        for (known, contents) in Self.identifiers {
            for index in contents.indices {
                for change in [1, 2, 0x10, 0x7f] as [UInt8] {
                    var other = contents
                    other[index] ^= change
                    let found = Self.known(other)
                    #expect(found != known)
                    // Only the last byte distinguishes known extensions.
                    #expect(found == nil || index == contents.count - 1, "\(Hex.encode(other))")
                }
            }
            for other in [contents + [1], [0x55] + contents, Array(contents.dropLast()), Array(contents.dropFirst())] {
                #expect(Self.known(other) == nil, "\(Hex.encode(other))")
            }
        }
        // Identifiers of a key purpose, of a method of access, and of OCSP's basic response and its neighbors.
        for dotted in ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.48.1", "1.3.6.1.5.5.7.48.1.1", "1.3.6.1.5.5.7.48.1.4"] {
            #expect(Self.known(ASN1.arcs(dotted)) == nil, "\(dotted)")
        }
    }

    @Test("A malformed extension that the parser treats as absent leaves no value")
    func leftOut() throws {
        // The parser reads each value before it finds the byte after it.
        let values: [KnownExtension: [UInt8]] = [
            .subjectKeyIdentifier: ASN1.octets([1, 2]), .issuerAlternativeName: ASN1.sequence(ASN1.dns("a")),
            .authorityKeyIdentifier: ASN1.sequence(ASN1.implicit(0, [1]), ASN1.implicit(2, [1])),
            .crlDistributionPoints: ASN1.sequence(ASN1.sequence(ASN1.explicit(0, ASN1.explicit(0, ASN1.uri("a:"))))),
            .freshestCRL: ASN1.sequence(ASN1.sequence(ASN1.explicit(0, ASN1.explicit(0, ASN1.uri("a:"))))),
            .certificatePolicies: ASN1.sequence(ASN1.sequence(ASN1.oid("1.2.3"))),
            .authorityInformationAccess: ASN1.sequence(ASN1.sequence(ASN1.oid("1.2.3"), ASN1.uri("a:"))),
            .subjectInformationAccess: ASN1.sequence(ASN1.sequence(ASN1.oid("1.2.3"), ASN1.uri("a:"))),
            .signedCertificateTimestamps: ASN1.octets([0, 3, 0, 1, 9]),
        ]
        for (known, value) in values {
            let dotted = try #require(Self.identifiers[known].map { OID(checkedContents: $0).description })
            #expect(try index(.named(dotted, value)).has(known))
            let index = try index(.named(dotted, value + [0]))
            #expect(index.isMalformed(known) && !index.has(known), "\(known)")
            #expect(index.malformedExtensions == [known])
            #expect(!index.value(known).isPresent, "\(known)")
            #expect(!index.subjectKeyIdentifier.isPresent && !index.authorityKeyIdentifier.isPresent, "\(known)")
            #expect(!index.authorityKeyIdentifierHasIssuer, "\(known)")
        }
    }
}
