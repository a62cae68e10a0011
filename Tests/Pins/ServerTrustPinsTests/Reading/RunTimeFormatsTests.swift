// SPDX-License-Identifier: Apache-2.0

import PinLint
import PinTestSupport
import ServerTrust
import ServerTrustPins
import Testing

/// The formats that apps read at run time, unlike those in PinFiles.
@Suite struct RunTimeFormatsTests {
    static let others: [(String, PinFormat)] = [
        ("CertificatePinner.Builder().add(\"a.test\", \"sha256/{CA}\").build()", .okHttp),
        ("[kTSKPinnedDomains: [\"a.test\": [kTSKPublicKeyHashes: [\"{CA}\", \"{OTHER}\"]]]]", .trustKit),
        ("const pins = {NSPinnedDomains: {'a.test': {NSPinnedCAIdentities: []}}};", .ats),
        ("initializeSslPinning({'a.test': {publicKeyHashes: ['{CA}', '{OTHER}']}});", .reactNative),
        ("{\"a.test\": {\"publicKeyHashes\": [\"{CA}\", \"{OTHER}\"]}}", .reactNative),
        ("sha256//{LEAF}", .curl), ("-----BEGIN PUBLIC KEY-----\n", .curl),
        ("[http \"https://a.test\"]\n\tpinnedPubkey = sha256//{LEAF}\n", .git),
        ("_443._tcp.a.test. IN TLSA 3 1 1 00\n", .tlsa),
        ("{\"verify_certificate_spki\": [\"{LEAF}\"]}", .envoy),
    ]

    @Test("Sources and tool files are refused, whether their format is given or not", arguments: others)
    func othersAreRefused(_ text: String, _ format: PinFormat) throws {
        let bytes = Array(try PinFixture.shared().filled(text).utf8)
        // JSON also begins with a bracket.
        let unclear: ErrorCode = text.hasPrefix("[") ? .pinFileUnreadable : .pinFileFormatUnclear
        for (asked, code) in [(format, ErrorCode.pinFileUnreadable), (nil, unclear)] {
            let error = #expect(throws: PinFileError.self) {
                try PinConfiguration(reading: bytes, as: asked, file: "file")
            }
            #expect(error?.problems.map(\.code) == [code], "\(String(describing: error))")
        }
    }

    @Test("PinFiles reads the app formats exactly as PinFormats does") func readersAgree() throws {
        let files = [
            (ATSSemanticsTests.rows, PinFormat.ats), (TrustKitSemanticsTests.rows, .trustKit),
            (AndroidSemanticsTests.rows, .android), (OtherSemanticsTests.okHttp, .okHttp),
            (OtherSemanticsTests.isp, .isp), (OtherSemanticsTests.json, .json),
        ]
        for (rows, format) in files {
            for row in rows {
                let bytes = Array(try PinFixture.shared().filled(row.file).utf8)
                let configuration = try PinConfiguration(reading: bytes, as: format, file: "file")
                #expect(try PinConfiguration(importing: bytes, as: format, file: "file") == configuration)
                #expect(try PinConfiguration(reading: bytes, file: "file") == configuration)
            }
        }
    }
}
