// SPDX-License-Identifier: Apache-2.0

import Crypto
import PKIX
import PinTestSupport
import ServerTrust
import Testing

@testable import PinLint
@testable import ServerTrustPins

/// Reads pins in tool files: curl, git, DNS, Envoy, keys.
@Suite struct OtherPlacesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let format: PinFormat
        /// `HOSTS PIN…`, with the names of the fixture's certificates as pins.
        let rules: [String]
        let oddities: [(code: ErrorCode, line: Int)]

        init(
            _ sentence: String, _ text: String, _ format: PinFormat, _ rules: [String],
            _ oddities: (code: ErrorCode, line: Int)...
        ) {
            self.testDescription = sentence
            self.text = text
            self.format = format
            self.rules = rules
            self.oddities = oddities
        }
    }

    static let rows: [Row] = [
        // curl
        Row(
            "a .curlrc", "# options\nsilent\nuser-agent = \"x\"\npinnedpubkey = \"sha256//{LEAF};sha256//{OTHER}\"\n",
            .curl,
            ["any LEAF OTHER"]),
        Row("a .curlrc with dashes and a colon", "--silent\n--pinnedpubkey: sha256//{LEAF}\n", .curl, ["any LEAF"]),
        Row(
            "a script",
            "#!/bin/sh\n# curl --pinnedpubkey x\ncurl -s --pinnedpubkey 'sha256//{LEAF};sha256//{OTHER}' \\\n  https://a.test/ | jq .\n",
            .curl, ["any LEAF OTHER"]),
        Row(
            "a script with variables", "curl --pinnedpubkey \"sha256//$PIN\" https://a.test\n", .curl, [],
            (.pinFileNotLiteral, 1)),
        Row(
            "a script with an unquoted semicolon",
            "curl --pinnedpubkey sha256//{LEAF};sha256//{OTHER} https://a.test\n", .curl,
            ["any LEAF"], (.pinFileBadValue, 1)),
        Row(
            "a .curlrc with a comment that names curl",
            "# pins for curl\n  # as in curl --pinnedpubkey\npinnedpubkey = \"sha256//{LEAF}\"\n", .curl, ["any LEAF"]),
        Row(
            "a script with a key file", "curl --pinnedpubkey key.pem https://a.test\n", .curl, [],
            (.pinFileNotLiteral, 1)),
        Row(
            "two commands with the same pins",
            "curl --pinnedpubkey sha256//{LEAF} a\ncurl --pinnedpubkey=sha256//{LEAF} b\n", .curl,
            ["any LEAF"]),
        // git
        Row(
            "git's configuration",
            "[user]\n\tname = x\n[http]\n\tsslVerify = true\n\tpinnedPubkey = \"sha256//{LEAF};sha256//{OTHER}\" ; x\n",
            .git, ["any LEAF OTHER"]),
        Row(
            "git's configuration by URL",
            "[http \"https://a.test/\"]\n\tpinnedpubkey = sha256//{LEAF}\n[http \"https://*.b.test:8443/x\"] pinnedPubKey = \"sha256//{CA}\\\n;sha256//{OTHER}\"\n",
            .git, ["a.test LEAF", "*.b.test CA OTHER"], (.pinFileBadValue, 3), (.pinFileBadValue, 3)),
        Row(
            "git's unquoted semicolon starts a comment",
            "[http]\n\tpinnedPubkey = sha256//{LEAF};sha256//{OTHER}\n", .git,
            ["any LEAF"]),
        Row(
            "git's variable twice", "[http]\n\tpinnedPubkey = sha256//{OTHER}\n\tpinnedPubkey = sha256//{LEAF}\n", .git,
            ["any LEAF"],
            (.pinFileDuplicateKey, 3)),
        Row(
            "git's comment that ends with a backslash",
            "[http \"https://a.test\"]\n\t# kept for C:\\\n\tpinnedPubkey = sha256//{LEAF}\n", .git, ["a.test LEAF"]),
        Row(
            "git's comment after a value that ends with a backslash",
            "[http \"https://a.test\"] ; of C:\\\npinnedPubkey = sha256//{OTHER} # of C:\\\npinnedPubkey = sha256//{LEAF}\n",
            .git, ["a.test LEAF"], (.pinFileDuplicateKey, 3)),
        Row(
            "git's value on two lines, with a quoted comment sign",
            "[http]\r\n\tname = \"#\\\r\n pinnedPubkey = sha256//{OTHER} \\\r\n\"\r\n\tpinnedPubkey = \"sha256//{LEAF};\\\r\nsha256//{OTHER}\"",
            .git, ["any LEAF OTHER"]),
        Row(
            "git's value that continues after three backslashes, but not after two",
            "[http]\n\tname = C:\\\\\n\tpinnedPubkey = sha256//{LEAF}\n\tname = C:\\\\\\\n\tpinnedPubkey = sha256//{OTHER}\n",
            .git, ["any LEAF"]),
        Row("git's key file", "[http]\n\tpinnedPubkey = /etc/key.pem\n", .git, [], (.pinFileNotLiteral, 2)),
        // DNS
        Row(
            "records of a zone",
            "$ORIGIN test.\n_443._tcp.a 3600 IN TLSA 3 1 1 (\n  {LEAFHEX} ) ; the leaf\n  IN TLSA 3 1 1 {OTHERHEX}\n_443._tcp.b.test. TLSA 2 1 1 {CAHEX}\n",
            .tlsa, ["a.test LEAF OTHER", "b.test CA"]),
        Row(
            "records of a leaf and a CA, either of which is enough",
            "_443._tcp.a.test. IN TLSA 3 1 1 {LEAFHEX}\n_443._tcp.a.test. IN TLSA 2 1 1 {CAHEX}\n", .tlsa,
            ["a.test LEAF CA"],
            (.pinFileContradiction, 1)),
        Row(
            "records of another service", "_25._tcp.a.test. IN TLSA 3 1 1 {LEAFHEX}\n", .tlsa, ["a.test LEAF"],
            (.pinFileBadValue, 1)),
        // Envoy
        Row(
            "a cluster of Envoy",
            "{\"a\": [{\"sni\": \"a.test\", \"common_tls_context\": {\"validation_context\": {\n\"verify_certificate_spki\": [\"{LEAF}\"]}}}]}",
            .envoy, ["a.test LEAF"], (.pinFileMissingKey, 1)),
        // Expo
        Row(
            "an app.json of Expo with entries for the system",
            "{\"expo\": {\"name\": \"a\", \"ios\": {\"infoPlist\": {\"NSAppTransportSecurity\": {\"NSPinnedDomains\": {\n\"a.test\": {\"NSPinnedCAIdentities\": [{\"SPKI-SHA256-BASE64\": \"{CA}\"}]}}}}}}}",
            .ats, ["a.test CA"]),
        Row(
            "an app.json of Expo with pins next to the system's settings",
            "{\"expo\": {\"ios\": {\"infoPlist\": {\"NSPinnedDomains\": {\"a.test\": {\"NSPinnedCAIdentities\": [{\"SPKI-SHA256-BASE64\": \"{CA}\"}]}}}}}}",
            .ats, [], (.pinFileMisplacedKey, 1)),
        Row(
            "an app.json of Expo with pins next to the bundle's identifier",
            "{\"ios\": {\"infoPlist\": {\"CFBundleIdentifier\": \"a\", \"NSPinnedDomains\": {\"a.test\": {\"NSPinnedCAIdentities\": [{\"SPKI-SHA256-BASE64\": \"{CA}\"}]}}}}}",
            .ats, [], (.pinFileMisplacedKey, 1)),
        Row(
            "an app.json of Expo with entries for TrustKit",
            "{\"ios\": {\"infoPlist\": {\"TSKConfiguration\": {\"TSKSwizzleNetworkDelegates\": false, \"TSKPinnedDomains\": {\"a.example.com\": {\n\"TSKPublicKeyHashes\": [\"{LEAF}\", \"{OTHER}\"]}}}}}}",
            .trustKit, ["a.example.com LEAF OTHER"]),
        Row(
            "a plugin of Expo, with subdomains as on iOS",
            "{\"expo\": {\"plugins\": [\"expo-router\", [\"@bam.tech/react-native-app-security\", {\"sslPinning\": {\n\"a.test\": [\"{LEAF}\", \"{OTHER}\"]}}]]}}",
            .reactNative, ["**.a.test LEAF OTHER"]),
        Row(
            "a plugin of Expo with a wildcard, which iOS never matches",
            "{\"plugins\": [[\"@bam.tech/react-native-app-security\", {\"sslPinning\": {\n\"*.a.test\": [\"{LEAF}\", \"{OTHER}\"]}}]]}",
            .reactNative, [], (.pinFileNothingPinned, 2)),
        // React Native
        Row(
            "ssl_config.json",
            "{\"sha256Keys\": {\"a.test\": [\"sha256/{LEAF}\", \"sha256/{OTHER}\"],\n\"b.test\": [\"sha256/{CA}\"], \"10.0.0.1\": [\"sha256/{CA}\", \"sha256/{OTHER}\"]},\n\"domains\": {\"b.test\": {\"includeSubdomains\": false},\n\"c.test\": {}}}",
            .reactNative, ["**.a.test LEAF OTHER", "b.test CA", "10.0.0.1 CA OTHER"], (.pinFileTooFewPins, 2),
            (.pinFileNothingPinned, 4)),
        Row(
            "the options of fetch()",
            "import { fetch } from 'react-native-ssl-pinning';\nfetch('https://u@a.test:8443/x?y', { method: 'GET', pkPinning: true,\n sslPinning: { certs: ['sha256/{LEAF}', \"sha256/{OTHER}\"] } });\nfetch('https://a.test', { pkPinning: true, sslPinning: { certs: ['sha256/{OTHER}', 'sha256/{LEAF}'] } })",
            .reactNative, ["a.test LEAF OTHER"]),
        Row(
            "the options of fetch() in constants",
            "const URL = 'https://b.test/x';\nconst PIN = 'sha256/{CA}';\nawait get(URL, { sslPinning: { certs: [PIN] }, pkPinning: true })",
            .reactNative, ["b.test CA"]),
        Row(
            "the options of fetch() with a composed URL or composed pins",
            "fetch(url, { pkPinning: true, sslPinning: { certs: ['sha256/{LEAF}'] } })\nfetch('https://a.test', { pkPinning: true, sslPinning: { certs: await pins() } })",
            .reactNative, [], (.pinFileNotLiteral, 1), (.pinFileNotLiteral, 2)),
        Row(
            "the options of fetch() with quoted keys",
            "fetch('https://a.test', { 'pkPinning': true, \"sslPinning\": { \"certs\": ['sha256/{LEAF}'] } })",
            .reactNative, ["a.test LEAF"]),
        Row(
            "the options of fetch() that are assigned elsewhere",
            "const o = { pkPinning: true }\no.sslPinning = { certs: ['sha256/{LEAF}'] }\no['sslPinning'] = { certs: ['sha256/{CA}'] }\nfetch('https://a.test', { pkPinning: true, sslPinning })\nif (o.sslPinning == null) { fetch('https://b.test', { pkPinning: true, sslPinning: { certs: ['sha256/{CA}'] } }) }\nconst p = { pkPinning: true, sslPinning: { certs: pins() } }",
            .reactNative, ["b.test CA"], (.pinFileNotLiteral, 2), (.pinFileNotLiteral, 3), (.pinFileNotLiteral, 4),
            (.pinFileNotLiteral, 6)),
        Row(
            "the options of fetch() that pin nothing",
            "fetch('https://a.test', { sslPinning: { certs: ['sha256/{LEAF}'] } })\nfetch('https://b.test', { disableAllSecurity: true, pkPinning: true, sslPinning: { certs: ['sha256/{CA}'] } })",
            .reactNative, [], (.pinFileNothingPinned, 1), (.pinFileNothingPinned, 2)),
    ]

    @Test("The reader reads pins from each tool's files", arguments: rows)
    func pinsOfToolsAreRead(_ row: Row) throws {
        let fixture = try PinFixture.shared()
        let names = ["LEAF", "CA", "OTHER"].map { (fixture.filled("sha256/{\($0)}"), $0) }
        var text = fixture.filled(row.text)
        for (pin, name) in names {
            text = text.replacing("{\(name)HEX}", with: Hex.encode(try SPKIPin(pin).sha256))
        }
        #expect(try PinFormat(of: Array(text.utf8), file: "file") == row.format)
        #expect(PinFormat.formats(foundIn: Array(text.utf8)) == [row.format])
        let configuration = try PinConfiguration(importing: Array(text.utf8), file: "file")
        let rules = configuration.rules.map { rule in
            ([rule.isForAnyHost ? "any" : rule.hosts.map(\.description).joined(separator: "+")]
                + rule.pins.map { pin in names.first { $0.0 == pin.key.description }?.1 ?? "?" }).joined(separator: " ")
        }
        #expect(rules == row.rules)
        #expect(configuration.oddities.map(\.code) == row.oddities.map(\.code), "\(configuration.oddities)")
        #expect(configuration.oddities.map(\.location.line) == row.oddities.map(\.line), "\(configuration.oddities)")
    }

    @Test("Reading a value of many lines, or many values, takes linear time", .timeLimit(.minutes(10)))
    func longFiles() throws {
        let fixture = try PinFixture.shared()
        let git =
            "[http]\n\tname = \(String(repeating: "x\\\n", count: 200_000))\n\tpinnedPubkey = sha256//{LEAF}\n"
        let read = try PinConfiguration(importing: Array(fixture.filled(git).utf8), as: .git, file: "file")
        #expect(read.rules.first?.location?.line == 200_003)
        #expect(read.rules.first?.pins.map(\.key) == [SPKIPin(fixture.leaf)])
        let all = (0..<200).map { first in "sha256//" + Base64.encode((0..<32).map { UInt8(first + $0) }) }
        let command = "curl --pinnedpubkey '\(all.joined(separator: ";"))' https://a.test\n"
        let script = String(repeating: command, count: 50)
        #expect(try PinConfiguration(importing: Array(script.utf8), file: "file").rules.map(\.pins.count) == [200])
        let other = script + "curl --pinnedpubkey '\(all[0])' https://b.test\n"
        let error = #expect(throws: PinFileError.self) {
            try PinConfiguration(importing: Array(other.utf8), file: "file")
        }
        #expect(error?.problems.map(\.location.line) == [51])
    }

    static let refused: [(String, ErrorCode)] = [
        (
            "initializeSslPinning({ 'a.test': { publicKeyHashes: ['{LEAF}', '{CA}'] } })\nfetch('https://a.test', { pkPinning: true, sslPinning: { certs: ['sha256/{LEAF}'] } })",
            .pinFileContradiction
        ),
        (
            "fetch('https://a.test', { pkPinning: true, sslPinning: { certs: ['sha256/{LEAF}'] } })\nfetch('https://a.test/b', { pkPinning: true, sslPinning: { certs: ['sha256/{CA}'] } })",
            .pinFileContradiction
        ),
        (
            "fetch('https://a.test', { pkPinning: true, sslPinning: { certs: ['sha256/{LEAF}'] } })\nfetch('https://A.test./b', { pkPinning: true, sslPinning: { certs: ['sha256/{CA}'] } })",
            .pinFileContradiction
        ),
        (
            "initializeSslPinning({ 'a.test': { publicKeyHashes: ['{LEAF}', '{CA}'] } })\nfetch(url, { pkPinning: true, sslPinning: { certs: ['sha256/{LEAF}'] } })",
            .pinFileContradiction
        ),
        (
            "{\"plugins\": [[\"react-native-app-security\", {\"sslPinning\": {\"a.test\": [\"{LEAF}\", \"{CA}\"]}}],\n[\"react-native-app-security\", {\"sslPinning\": {\"b.test\": [\"{LEAF}\", \"{CA}\"]}}]]}",
            .pinFileContradiction
        ),
        ("fetch('http://a.test', { pkPinning: true, sslPinning: { certs: ['sha256/{LEAF}'] } })", .pinFileBadHost),
        ("{\"sha256Keys\": {\"a.test\": [\"{LEAF}\"]}}", .pinFileBadDigest),
        (
            "{\"sha256Keys\": {\"a.test\": [\"sha256/{LEAF}\", \"sha256/{CA}\"]}, \"enforcePinning\": false}",
            .pinFileUnknownKey
        ),
        ("{\"sha256Keys\": {}}", .pinFileEmptyList),
        (
            "{\"sha256Keys\": {\"a.test\": [\"sha256/{LEAF}\"]}, \"domains\": {\"a.test\": {\"enforcePining\": false}}}",
            .pinFileUnknownKey
        ),
        (
            "{\"plugins\": [[\"react-native-app-security\", {\"sslPinning\": {\"a.test\": [\"sha256/{LEAF}\"]}}]]}",
            .pinFileBadBase64
        ),
        ("curl --pinnedpubkey sha256//{LEAF} a\ncurl --pinnedpubkey sha256//{CA} b\n", .pinFileContradiction),
        ("[http \"http://a.test/\"]\npinnedPubkey = sha256//{LEAF}\n", .pinFileBadHost),
        ("_443._tcp.a.test. IN TLSA 3 0 1 {LEAF}\n", .pinFileBadDigest),
        ("_443._tcp.a.test. IN TLSA 3 1 2 {LEAF}\n", .pinFileBadDigest),
        ("a.test. IN TLSA 3 1 1 _tcp\n", .pinFileBadHost), ("_443._tcp.a.test. IN TLSA 3 1 1 zz\n", .pinFileBadValue),
        (
            "{\"verify_certificate_spki\": [\"{LEAF}\"], \"trusted_ca\": {}, \"verify_certificate_hash\": []}",
            .pinFileBadDigest
        ),
    ]

    @Test("Unreadable pins are refused", arguments: refused)
    func otherValuesAreRefused(_ text: String, _ code: ErrorCode) throws {
        let text = try PinFixture.shared().filled(text)
        let error = #expect(throws: PinFileError.self) {
            try PinConfiguration(importing: Array(text.utf8), file: "file")
        }
        #expect(
            error?.problems.contains { $0.code == code && $0.grade == .refused } ?? false,
            "\(String(describing: error))")
    }

    @Test("The reader recognizes elliptic curve keys in DER, which are shorter than RSA keys")
    func shortKeysAreRecognised() throws {
        let keys = [
            Array(P256.Signing.PrivateKey().publicKey.derRepresentation),
            // RFC 8410 § 4: the key of an Ed25519 SubjectPublicKeyInfo follows 12 bytes.
            [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00]
                + Array(Curve25519.Signing.PrivateKey().publicKey.rawRepresentation),
        ]
        for key in keys {
            #expect(try PinFormat(of: key, file: "key.der") == .curl)
            let configuration = try PinConfiguration(importing: key, file: "key.der")
            #expect(try configuration.rules.flatMap(\.pins).map(\.key) == [SPKIPin(SubjectPublicKeyInfo(der: key))])
        }
    }
}
