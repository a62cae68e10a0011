import PKIX
import ServerTrustTesting
import Testing

/// Encodings that DER doesn't have and that roots and servers of real life use: read by default, refused by the strict rules.
@Suite("Encodings that are deployed all the same")
struct DeployedEncodingsTests {
    private static let rows: [(name: String, extension: Extension)] = [
        (
            "trailing zero bits of the key usage (Trustwave's roots)",
            Extension(
                identifier: OID("2.5.29.15") ?? .anyPolicy, isCritical: true, value: [0x03, 0x03, 0x07, 0x80, 0x00])
        ),
        (
            "cA FALSE written out",
            Extension(
                identifier: OID("2.5.29.19") ?? .anyPolicy, isCritical: true, value: [0x30, 0x03, 0x01, 0x01, 0x00])
        ),
    ]

    @Test("They are read by default and refused when strict", arguments: rows)
    func deployed(name: String, `extension`: Extension) throws {
        let root = try TestAuthority.root()
        let leaf = try root.issue(
            .leaf("www.example.com").with {
                $0.isAuthority = nil
                $0.keyUsage = nil
                $0.extensions = [`extension`]
            }
        ).certificate
        let host = try Hostname("www.example.com")
        func codes(strict: Bool) -> [TrustFailure.Code] {
            let validator = PathValidator(
                anchors: AnchorStore([root.certificate]), policy: ValidationPolicy(isStrict: strict), memory: nil)
            return validator.validate(leaf, host: host, at: TestAuthority.now).rejection?.failures.map(\.code) ?? []
        }
        #expect(codes(strict: false) == [], "\(name)")
        #expect(codes(strict: true) == [.strictEncoding], "\(name)")
    }

    @Test("A path length on something that is no CA is for the strict rules too")
    func pathLengthWithoutAuthority() throws {
        let root = try TestAuthority.root()
        let constraints = Extension(
            identifier: OID("2.5.29.19") ?? .anyPolicy, isCritical: true, value: [0x30, 0x03, 0x02, 0x01, 0x00])
        let leaf = try root.issue(
            .leaf("www.example.com").with {
                $0.isAuthority = nil
                $0.extensions = [constraints]
            }
        ).certificate
        #expect(leaf.basicConstraints == BasicConstraints(isCertificateAuthority: false, maximumPathLength: 0))
        let validator = PathValidator(
            anchors: AnchorStore([root.certificate]), policy: ValidationPolicy(isStrict: true), memory: nil)
        let rejection = validator.validate(
            leaf, host: try Hostname("www.example.com"), at: TestAuthority.now
        ).rejection
        #expect(rejection?.failures.map(\.code) == [.strictExtensionNotAllowed])
    }
}
