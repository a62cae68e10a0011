// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins
import ServerTrustTesting
import Testing

/// curl's rules: lib/vtls/vtls.c (`Curl_pin_peer_pubkey`, `pubkey_pem_to_der`), tests/data/test2034 to test2042.
///
/// curl doesn't refuse an argument when it starts. If no key matches the argument, each connection ends with error 90,
/// which counts as refused here.
@Suite("curl's rules") struct CurlRules {
    private static let a = "sha256//" + OwnerPins.a
    private static let b = "sha256//" + OwnerPins.b
    private static let one = OwnerDecision.accepted(["example.com": .pinned(1)])
    private static let two = OwnerDecision.accepted(["example.com": .pinned(2)])
    /// The public key from RFC 8410 § 10.1.
    private static let key =
        "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n"
    /// The signer's other key (§ 10.3).
    private static let otherKey =
        "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAhSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=\n-----END PUBLIC KEY-----\n"
    private static let certificate: String = {
        let made = try? TestAuthority.root(.authority("Root")).certificate
        return made.map { PEM.encode($0.der, label: "CERTIFICATE") } ?? ""
    }()
    private static let options = "Curl_pin_peer_pubkey, the list of hashes"
    private static let file = "pubkey_pem_to_der"

    static let rows: [OwnerRow] = [
        OwnerRow("a hash", "test2041", a, one),
        OwnerRow(
            "a hash of another algorithm is read too", "test2042",
            "sha256//bSIggTf+ikMG0CtmDlpMVBd7yi7H1md4URogRPqerso=", one),
        OwnerRow("a public key in PEM", "test2037", key, one),
        OwnerRow("a certificate for a key", "test2035", certificate, .refused),
        OwnerRow("two hashes", options, "\(a);\(b)", two),
        OwnerRow("three hashes", options, "\(a);\(b);sha256//\(OwnerPins.c)", .accepted(["example.com": .pinned(3)])),
        OwnerRow("the same hash twice", options, "\(a);\(a)", one),
        OwnerRow("white space after the semicolon", options, "\(a); \(b)", .refused),
        OwnerRow("white space before the semicolon", options, "\(a) ;\(b)", one),
        OwnerRow("a comma", options, "\(a),\(b)", .refused),
        OwnerRow("a semicolon after the only hash", options, "\(a);", .refused),
        OwnerRow("a semicolon after the last hash", options, "\(a);\(b);", one),
        OwnerRow("two semicolons", options, "\(a);;\(b)", one),
        OwnerRow("one slash", options, "sha256/\(OwnerPins.a)", .refused),
        OwnerRow("one slash in the second", options, "\(a);sha256/\(OwnerPins.b)", .refused),
        OwnerRow("no slash", options, OwnerPins.a, .refused),
        OwnerRow("the algorithm in upper case", options, "SHA256//\(OwnerPins.a)", .refused),
        OwnerRow("SHA-1", options, "sha1//DmxUShsZuNiqPQsX2Oi9uv2sCnw=", .refused),
        OwnerRow("no hash after the slashes", options, "sha256//", .refused),
        OwnerRow("no hash in the second", options, "\(a);sha256//", one),
        OwnerRow("no = at the end", options, "sha256//\(OwnerPins.a.dropLast());\(b)", one),
        OwnerRow("the URL-safe alphabet", options, "sha256//__79_Pv6-fj39vX08_Lx8O_u7ezr6uno5-bl5OPi4eA=;\(b)", one),
        OwnerRow("a hash of another length", options, "\(a);sha256//AAAA", one),
        OwnerRow("a character that isn't base64", options, "\(a);sha256//\(OwnerPins.b.dropLast())*", one),
        OwnerRow(
            "any host is pinned", "Curl_pin_peer_pubkey", a, .accepted(["a.test": .pinned(1), "192.0.2.1": .pinned(1)])),
        OwnerRow("a text before the key", file, "text\n" + key, one),
        OwnerRow("a certificate before the key", file, certificate + key, one),
        OwnerRow("two keys, where the first counts", file, key + otherKey, one),
        OwnerRow("Windows line breaks", file, key.replacing("\n", with: "\r\n"), one),
        OwnerRow("a key without an end", file, String(key.prefix(60)), .refused),
        OwnerRow(
            "a private key", file,
            "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----\n",
            .refused),
        OwnerRow("an empty key", file, "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n", .refused),
    ]

    @Test("The package follows curl's rules", arguments: rows) func rule(_ row: OwnerRow) throws {
        try expectOwnersDecision(row, .curl)
    }
}
