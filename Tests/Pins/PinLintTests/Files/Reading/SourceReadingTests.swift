// SPDX-License-Identifier: Apache-2.0

import PinTestSupport
import ServerTrust
import Testing

@testable import PinLint
@testable import ServerTrustPins

/// Reads pins in complete app sources.
@Suite struct SourceReadingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let file: String
        let text: String
        /// `HOSTS PIN…`, with the names of the fixture's certificates as pins.
        let rules: [String]
        let oddities: [(code: ErrorCode, line: Int)]

        init(
            _ sentence: String, _ file: String, _ text: String, _ rules: [String],
            _ oddities: (code: ErrorCode, line: Int)...
        ) {
            self.testDescription = sentence
            self.file = file
            self.text = text
            self.rules = rules
            self.oddities = oddities
        }
    }

    static let kotlin: [Row] = [
        Row(
            "a whole class", "A.kt",
            """
            package a.b
            import okhttp3.CertificatePinner

            /* A /* nested */ comment with .add("not.test", "sha256/{ROOT}") */
            class Api(private val list: MutableList<String>) {
                fun client(): OkHttpClient {
                    list.add("no pin")
                    val pinner = CertificatePinner.Builder()
                        .add("a.test", "sha256/{CA}") // the CA
                        // .add("b.test", "sha256/{ROOT}")
                        .add("*.b.test", "sha256/{CA}", "sha256/{OTHER}")
                        .build()
                    return OkHttpClient.Builder().certificatePinner(pinner).addInterceptor { it.add("x") }.build()
                }
            }
            """, ["a.test CA", "*.b.test CA OTHER"]),
        Row(
            "a block of apply", "A.kt",
            "val p = CertificatePinner.Builder().apply {\n  add(\"a.test\", \"sha256/{CA}\")\n  this.add(\"b.test\", \"sha256/{CA}\")\n}.build()",
            ["a.test CA", "b.test CA"]),
        Row(
            "a block of also", "A.kt",
            "val p = CertificatePinner.Builder().also { b -> b.add(\"a.test\", \"sha256/{CA}\") }.also { it.add(HOST, \"sha256/{CA}\") }",
            ["a.test CA"], (.pinFileNotLiteral, 1)),
        Row(
            "a separate block", "A.kt",
            "certificatePinner {\n  add(\"a.test\", \"sha256/{CA}\")\n  add(host, PIN)\n}",
            ["a.test CA"], (.pinFileNotLiteral, 3)),
        Row(
            "a variable", "A.kt",
            "val builder = CertificatePinner.Builder()\nfor (h in hosts) builder.add(h, \"sha256/{CA}\")\nbuilder.add(\"a.test\", \"sha256/{CA}\")",
            ["a.test CA"], (.pinFileNotLiteral, 2)),
        Row(
            "a parameter", "A.kt", "fun pin(b: CertificatePinner.Builder) {\n  b.add(\"a.test\", pins)\n}", [],
            (.pinFileNotLiteral, 2)),
        Row(
            "names and spread arrays", "A.kt",
            "CertificatePinner.Builder().add(pins = arrayOf(\"sha256/{CA}\", \"sha256/{OTHER}\"), pattern = \"a.test\").add(\"b.test\", *arrayOf(\"sha256/{CA}\")).add(\"c.test\", *listOf(\"sha256/{CA}\").toTypedArray())",
            ["a.test CA OTHER", "b.test CA", "c.test CA"]),
        Row(
            "constants of the file", "A.kt",
            """
            object Pins {
                const val HOST = "a.test"
                private const val PIN: String = "sha256/{CA}"
                val p = CertificatePinner.Builder().add(HOST, PIN, "sha256/{OTHER}").build()
            }
            """, ["a.test CA OTHER"]),
        Row(
            "names that need more than one step", "A.kt",
            """
            const val PREFIX = "sha256/"
            const val PIN = PREFIX + "{CA}"
            val PINS = arrayOf("sha256/{OTHER}", "sha256/{ROOT}")
            val p = CertificatePinner.Builder().add("a.test", PIN)
                .add("b.test", Pins.PREFIX).add("c.test", *PINS).add("d.test", "sha256/" + "{CA}")
            """, [], (.pinFileNotLiteral, 4), (.pinFileNotLiteral, 5), (.pinFileNotLiteral, 5),
            (.pinFileNotLiteral, 5)),
        Row(
            "names that may mean something else", "A.kt",
            """
            const val HOST = "a.test"
            var other = "b.test"
            const val third = "c.test"
            fun pin(third: String) = CertificatePinner.Builder()
                .add(Build.HOST, "sha256/{CA}")
                .add(other, "sha256/{CA}")
                .add(third, "sha256/{CA}")
                .add("$HOST", "sha256/{CA}")
                .add(HOST + suffix, "sha256/{CA}")
                .add(HOST.drop(1), "sha256/{CA}")
                .add(HOST, "sha256/{CA}")
            """, ["a.test CA"], (.pinFileNotLiteral, 5), (.pinFileNotLiteral, 6), (.pinFileNotLiteral, 7),
            (.pinFileNotLiteral, 8),
            (.pinFileNotLiteral, 9),
            (.pinFileNotLiteral, 10)),
        Row(
            "raw strings and escapes", "A.kt",
            "val x = \"\"\"CertificatePinner.Builder().add(\"z.test\", \"sha256/{CA}\")\"\"\"\nval p = CertificatePinner.Builder().add(\"\"\"a.test\"\"\", \"sha256/{CA}\").add(\"b.\\u0074est\", \"sha256/{CA}\" + '\"')",
            ["a.test CA"], (.pinFileNotLiteral, 2)),
        Row(
            "interpolation with strings inside", "A.kt",
            "val x = \"${f(\"}\", '\"')} .add(\\\"z.test\\\", \\\"sha256/\\\")\"\nval p = CertificatePinner.Builder().add(\"a.test\", \"sha256/{CA}\")",
            ["a.test CA"]),
        Row(
            "two pinners that agree", "A.kt",
            "val a = CertificatePinner.Builder().add(\"a.test\", \"sha256/{CA}\").build()\nval b = CertificatePinner.Builder().add(\"b.test\", \"sha256/{CA}\").build()",
            ["a.test CA", "b.test CA"], (.pinFileContradiction, 2)),
        Row(
            "three pinners that agree on a host", "A.kt",
            """
            val a = CertificatePinner.Builder().add("**.a.test", "sha256/{CA}").build()
            val b = CertificatePinner.Builder().add("b.a.test", "sha256/{CA}").build()
            val c = CertificatePinner.Builder().add("c.a.test", "sha256/{CA}").build()
            """, ["**.a.test CA", "b.a.test CA", "c.a.test CA"], (.pinFileContradiction, 2)),
        Row("pins of a list", "A.kt", "listOf(CertificatePinner.Pin(\"a.test\", \"sha256/{CA}\"))", ["a.test CA"]),
        Row(
            "an argument that is a call", "A.kt",
            "CertificatePinner.Builder().add(\"a.test\", CertificatePinner.pin(certificate), \"sha256/{CA}\")",
            ["a.test CA"],
            (.pinFileNotLiteral, 1)),
        Row(
            "a comment that doesn't end", "A.kt",
            "CertificatePinner.Builder().add(\"a.test\", \"sha256/{CA}\")\n/* .add(\"b.test\", \"sha256/{CA}\")",
            ["a.test CA"],
            (.pinFileNotLiteral, 2)),
    ]

    static let java: [Row] = [
        Row(
            "a whole class", "A.java",
            """
            import okhttp3.CertificatePinner;
            public final class A {
                private static final String HOST = "a.test";
                /* no /* nesting */ private static final String[] PINS = {"sha256/{CA}", "sha256/{OTHER}"};
                static OkHttpClient client(String host) {
                    final String hostname = "c.test";
                    CertificatePinner.Builder builder = new CertificatePinner.Builder();
                    builder.add(HOST, "sha256/{CA}");
                    builder.add("b.test", PINS);
                    builder.add(hostname, new String[] {"sha256/{CA}"});
                    builder.add(host, "sha256/" + "{CA}");
                    list.add("d.test");
                    return new OkHttpClient.Builder().certificatePinner(builder.build()).build();
                }
            }
            """, ["a.test CA", "c.test CA"], (.pinFileNotLiteral, 9), (.pinFileNotLiteral, 11)),
        Row(
            "Unicode escapes, which are processed before everything else", "A.java",
            "new CertificatePinner.Builder() /* \\u002a/ .add(\"a.test\", \"sha256/{CA}\") /* */ ;", ["a.test CA"]),
        Row(
            "text blocks", "A.java",
            "new CertificatePinner.Builder().add(\"\"\"\n    a.test\\\n    \"\"\", \"sha256/{CA}\").build();",
            [], (.pinFileNotLiteral, 1)),
    ]

    static let swift: [Row] = [
        Row(
            "a dictionary of TrustKit", "A.swift",
            """
            import TrustKit
            let domain = "a.example.org" /* a /* nested */ comment kTSKPinnedDomains */
            func start() {
                let text = #"kTSKPinnedDomains: ["x": \\(y)"#, other = "\\(f("kTSKPinnedDomains", [":": 1]))"
                let trustKitConfig: [String: Any] = [
                    kTSKSwizzleNetworkDelegates: false,
                    kTSKPinnedDomains: [
                        domain: [
                            kTSKEnforcePinning: true, kTSKPublicKeyAlgorithms: [kTSKAlgorithmRsa2048],
                            kTSKIncludeSubdomains: true,
                            kTSKDisableDefaultReportUri: true,
                            kTSKPublicKeyHashes: [
                                "{CA}",  // the CA
                                "{OTHER}",
                            ],
                        ] as [String: Any],
                        "b.example.org": [kTSKPublicKeyHashes: [Secrets.pin, "{CA}"]],
                        "c." + domain: [kTSKExcludeSubdomainFromParentPolicy: true],
                    ] as [String: Any]
                ]
                TrustKit.initSharedInstance(withConfiguration: trustKitConfig)
            }
            """, ["**.a.example.org CA OTHER"], (.pinFileNotLiteral, 17), (.pinFileNotLiteral, 18)),
        Row(
            "a dictionary that isn't one of TrustKit's", "A.swift",
            "var config = [String: Any]()\nconfig[kTSKPinnedDomains] = domains()", [], (.pinFileNotLiteral, 2)),
    ]

    static let objectiveC: [Row] = [
        Row(
            "a dictionary of TrustKit", "A.m",
            """
            #import <TrustKit/TrustKit.h>
            #define OTHER_PIN @"{OTHER}"
            #pragma mark - Don't
            static NSString *const kHost = @"a.example.org";
            - (void)start {
                NSDictionary *config = @{
                    kTSKSwizzleNetworkDelegates: @NO,
                    kTSKPinnedDomains : @{
                        kHost : @{
                            kTSKPublicKeyHashes : @[ @"{CA}", OTHER_PIN ],
                            kTSKEnforcePinning : @YES, kTSKIncludeSubdomains : @(YES),
                            kTSKDisableDefaultReportUri : @YES,
                        },
                        [self host] : @{ kTSKPublicKeyHashes : @[ @"{CA}", @"{OTHER}" ] },
                    }};
                [TrustKit initSharedInstanceWithConfiguration:config];
            }
            """, ["**.a.example.org CA OTHER"], (.pinFileNotLiteral, 14))
    ]

    static let javaScript: [Row] = [
        Row(
            "the options of react-native-ssl-public-key-pinning", "A.tsx",
            """
            import { initializeSslPinning } from 'react-native-ssl-public-key-pinning';
            const HOST = 'b.test', re = /["'`]/g;
            export const A = () => <Text>Don't</Text>;
            await initializeSslPinning({
              'a.test': { includeSubdomains: true, publicKeyHashes: ["{CA}", `{OTHER}`] }, // a
              [HOST]: { publicKeyHashes: ['{CA}', '{OTHER}', ...more], expirationDate: '2027-01-31' },
              ...others,
              'c.test': { publicKeyHashes: [`${pin}`] },
            });
            """, ["**.a.test CA OTHER", "b.test CA OTHER"], (.pinFileNotLiteral, 6), (.pinFileNotLiteral, 7),
            (.pinFileNotLiteral, 8)),
        Row("options that are created elsewhere", "A.ts", "initializeSslPinning(options)", [], (.pinFileNotLiteral, 1)),
        Row(
            "options in JSON", "pins.json", "{\"a.test\": {\"publicKeyHashes\": [\"{CA}\"]}}", ["a.test CA"],
            (.pinFileTooFewPins, 1)),
        Row(
            "Expo's configuration", "app.config.js",
            "export default ({ config }) => ({ ...config, ios: { infoPlist: { NSAppTransportSecurity: { NSAllowsLocalNetworking: dev,\n \"NSPinnedDomains\": { 'a.test': { NSPinnedCAIdentities: [{ 'SPKI-SHA256-BASE64': '{CA}' }, { 'SPKI-SHA256-BASE64': pin }] } } } } } })",
            ["a.test CA"], (.pinFileNotLiteral, 2)),
    ]

    @Test(
        "The reader finds literal pins in complete sources",
        arguments: kotlin + java + otherMeanings + otherBuilders + conditions + swift + objectiveC + javaScript)
    func literalPinsAreRead(_ row: Row) throws {
        let fixture = try PinFixture.shared()
        let names = ["CA", "OTHER", "ROOT"].map { (fixture.filled("sha256/{\($0)}"), $0) }
        let configuration: PinConfiguration
        do {
            configuration = try PinConfiguration(importing: Array(fixture.filled(row.text).utf8), file: row.file)
        } catch {
            Issue.record("\(error)")
            return
        }
        let rules = configuration.rules.map { rule in
            ([rule.hosts.map(\.description).joined(separator: "+")]
                + rule.pins.map { pin in names.first { $0.0 == pin.key.description }?.1 ?? "?" }).joined(separator: " ")
        }
        #expect(rules == row.rules)
        #expect(configuration.oddities.map(\.code) == row.oddities.map(\.code), "\(configuration.oddities)")
        #expect(configuration.oddities.map(\.location.line) == row.oddities.map(\.line), "\(configuration.oddities)")
        // Unknown values can't be enforced.
        guard row.oddities.contains(where: { $0.code == .pinFileNotLiteral }) else { return }
        #expect(throws: PinEnforcementError.self) { try configuration.serverTrustConfiguration() }
    }

    @Test("The comment after a literal belongs to its pin")
    func commentsAreKept() throws {
        let text = try PinFixture.shared().filled(Self.swift[0].text)
        let swift = try PinConfiguration(importing: Array(text.utf8), file: "A.swift")
        #expect(swift.rules[0].pins.map(\.comment) == ["the CA", nil])
        let kotlin = try PinConfiguration(
            importing: Array(try PinFixture.shared().filled(Self.kotlin[0].text).utf8), file: "A.kt")
        #expect(kotlin.rules[0].pins.map(\.comment) == ["the CA"])
        #expect(kotlin.rules.map(\.location?.line) == [9, 11])
    }

    @Test("Reading hostile sources takes time that is linear in their size", .timeLimit(.minutes(10)))
    func hostileSourcesAreLinear() {
        let parts = [
            "\"", "'", "`", "/*", "*/", "(", "[", "{", "\\", "'\\", "#", "#\"", "##/ ", "\"\"\"", "${", "\"${", "\"\\(",
            "add(",
            ".add(\"", "CertificatePinner.Builder().add(", "kTSKPinnedDomains:[", "@{kTSKPinnedDomains:",
            "val a=\"b\"+", "a.", "if(x){", "#if 0\n", "#if X\n",
            "let a=a+a\n", "initializeSslPinning({a:", "const a=\"\";", "*", "\\u", "[a:", "@", "// x\n", "x,", "))",
            "}{", "CertificatePinner.Builder.", "CertificatePinner.Builder().", ".add(\"a\",\"sha256/\")",
            "CertificatePinner.Builder().add(\"a.b.co\",\"sha256/x\")",
        ]
        let suffixes = ["", "CertificatePinner", " kTSKPinnedDomains", " initializeSslPinning"]
        for part in parts {
            for (file, suffix) in [("A.kt", 1), ("A.java", 1), ("A.swift", 2), ("A.m", 2), ("A.ts", 3)] {
                let count = (64 << 10) / part.utf8.count
                let text = String(repeating: part, count: count) + suffixes[suffix] + " .add("
                _ = try? PinConfiguration(importing: Array(text.utf8), file: file)
            }
        }
    }
}
