// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing

/// The engine refuses a leaf or intermediate with any bit flipped, with and without a cache that contains the valid
/// chain.
@Suite("Flipped bits")
struct BitFlipTests {
    /// Every bit in a release build. A debug build takes ten times as long and flips every seventh bit: seven is prime,
    /// so each position in a byte gets its turn.
    private static var step: Int {
        #if DEBUG
        7
        #else
        1
        #endif
    }

    struct Chain: CustomTestStringConvertible {
        var testDescription: String
        var make: @Sendable () throws -> (leaf: Certificate, intermediate: Certificate, root: Certificate)
    }

    private static func authority(_ name: String, issuer: String, key: SigningKey, issuerKey: SigningKey) throws
        -> Certificate
    {
        try CraftedCertificate.authority(
            ASN1.name(name), issuer: ASN1.name(issuer), key: key,
            [.subjectKeyIdentifier([1, 2, 3, 4]), .authorityKeyIdentifier([5, 6, 7, 8])]
        ).certificate(signedBy: issuerKey)
    }

    static let chains = [
        Chain(testDescription: "P-256") {
            let chain = try TestChain()
            return (try chain.leaf(), chain.intermediate.certificate, chain.root.certificate)
        },
        Chain(testDescription: "RSA-2048") {
            let rootKey = try SigningKey.rsa()
            let key = try SigningKey.rsa(FixedKeys.otherRSA2048)
            return (
                try CraftedCertificate.leaf(
                    issuer: ASN1.name("CA"), key: rootKey, dns: "www.example.com",
                    [.extendedKeyUsage("1.3.6.1.5.5.7.3.1")]
                )
                .certificate(signedBy: key),
                try authority("CA", issuer: "Root", key: key, issuerKey: rootKey),
                try authority("Root", issuer: "Root", key: rootKey, issuerKey: rootKey)
            )
        },
    ]

    @Test("The engine refuses a leaf with any bit flipped", arguments: chains)
    func leaf(chain: Chain) throws {
        let good = try chain.make()
        try expectRefused(good.leaf, primedWith: good) { ($0, good.intermediate) }
    }

    @Test("The engine refuses an intermediate with any bit flipped", arguments: chains)
    func intermediate(chain: Chain) throws {
        let good = try chain.make()
        try expectRefused(good.intermediate, primedWith: good) { (good.leaf, $0) }
    }

    /// - Parameter chain: the altered certificate in its place.
    private func expectRefused(
        _ certificate: Certificate, primedWith good: (leaf: Certificate, intermediate: Certificate, root: Certificate),
        _ chain: (Certificate) -> (leaf: Certificate, intermediate: Certificate)
    ) throws {
        let memory = SignatureMemory()
        let store = AnchorStore([good.root])
        let host = try Hostname("www.example.com")
        let validators = [PathValidator(anchors: store, memory: nil), PathValidator(anchors: store, memory: memory)]
        func isTrusted(_ leaf: Certificate, _ intermediate: Certificate, _ validator: PathValidator) -> Bool {
            validator.validate(leaf, intermediates: [intermediate], host: host, at: TestAuthority.now).isValid
        }
        for validator in validators { #expect(isTrusted(good.leaf, good.intermediate, validator)) }
        let remembered = memory.count
        #expect(remembered == 2)

        let der = certificate.der
        var accepted: [Int] = []
        var parsed = 0
        for bit in stride(from: 0, to: der.count * 8, by: Self.step) {
            var altered = der
            altered[bit / 8] ^= 0x80 >> UInt8(bit % 8)
            guard let wrong = try? Certificate(der: altered) else { continue }
            parsed += 1
            let (leaf, intermediate) = chain(wrong)
            for validator in validators where isTrusted(leaf, intermediate, validator) { accepted.append(bit) }
        }
        #expect(accepted.isEmpty, "accepted with one of these bits flipped")
        #expect(parsed > der.count * 8 / Self.step / 3)
        // Refused certificates added no cache entry and removed none.
        #expect(memory.count == remembered)
        for validator in validators { #expect(isTrusted(good.leaf, good.intermediate, validator)) }
    }
}
