// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

@testable import PinLint
@testable import ServerTrustPins

extension ErrorRow {
    /// The problems in pin files, and the errors in enforcing and writing them.
    static let pinFiles: [ErrorRow] = rows(of: refused) + rows(of: odd) + enforcement + writing

    /// A file with one problem, possibly among others.
    private typealias File = (code: ErrorCode, format: PinFormat?, text: String)

    private static let digest = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    private static let other = Base64.encode([UInt8](repeating: 7, count: 32))
    private static let hashes = "\"TSKPublicKeyHashes\": [\"\(digest)\", \"\(other)\"]"
    private static let android = "<domain>a.test</domain><pin-set><pin digest=\"SHA-256\">\(digest)</pin></pin-set>"
    private static let atsPins =
        "<key>NSPinnedCAIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key><string>\(digest)</string></dict></array>"

    private static func kit(_ domains: String) -> String { "{\"TSKPinnedDomains\": {\n\(domains)\n}}" }
    private static func xml(_ text: String) -> String {
        "<network-security-config><domain-config>\n\(text)\n</domain-config></network-security-config>"
    }
    private static func ats(_ domains: String) -> String {
        "<plist version=\"1.0\"><dict><key>NSPinnedDomains</key><dict>\n\(domains)\n</dict></dict></plist>"
    }
    private static func own(_ rule: String) -> String {
        "{\"schemaVersion\": 1, \"selection\": \"mostSpecific\", \"unlistedHosts\": \"refused\", \"rules\": [\n\(rule)\n]}"
    }

    // MARK: - Files

    /// Files that the parser rejects.
    private static let refused: [File] = [
        (.pinFileUnreadable, .android, "<network-security-config>"),
        (.pinFileTooLarge, .json, "{\"rules\": [" + String(repeating: "1,", count: PinNode.maximumCount) + "1]}"),
        (.pinFileFormatUnclear, nil, "{\"a\": 1}"),
        (.pinFileEntity, .android, "<!DOCTYPE a [<!ENTITY b \"c\">]>" + xml(android)),
        (.pinFileUnknownKey, .android, xml("<domain>a.test</domain>\n<pinset/>")),
        (.pinFileMissingKey, .android, xml("<pin-set><pin digest=\"SHA-256\">\(digest)</pin></pin-set>")),
        (.pinFileDuplicateKey, .trustKit, kit("\"a.example.org\": {\(hashes)},\n\"a.example.org\": {\(hashes)}")),
        (.pinFileWrongType, .trustKit, kit("\"a.example.org\": {\(hashes), \"TSKExpirationDate\": 2027}")),
        (.pinFileBadValue, .android, xml("<domain includeSubdomains=\"yes\">a.test</domain>")),
        (.pinFileBadBase64, .okHttp, "a.example.com sha256/!"),
        (.pinFileWrongLength, .okHttp, "a.example.com sha256/AAAA"),
        (.pinFileBadDigest, .okHttp, "a.test sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA="),
        (.pinFileBadDate, .trustKit, kit("\"a.example.org\": {\(hashes), \"TSKExpirationDate\": \"2027-02-30\"}")),
        (.pinFileBadHost, .trustKit, kit("\"nas.local\": {\(hashes)}")),
        (
            .pinFileDuplicateHost, .json,
            own(
                "{\"hosts\": [\"a.test\"], \"mode\": \"unpinned\"},\n{\"hosts\": [\"A.test.\"], \"mode\": \"unpinned\"}"
            )
        ),
        (.pinFileEmptyList, .trustKit, kit("\"a.example.org\": {\"TSKPublicKeyHashes\": []}")),
        (.pinFileTooFewPins, .trustKit, kit("\"a.example.org\": {\"TSKPublicKeyHashes\": [\"\(digest)\"]}")),
        (
            .pinFileBadCertificate, .isp,
            "<plist><dict><key>a.test</key><array>\n<data>LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==</data></array></dict></plist>"
        ),
        (.pinFileBadURI, .trustKit, kit("\"a.example.org\": {\(hashes), \"TSKReportUris\": [\"\"]}")),
        (
            .pinFileContradiction, .trustKit,
            kit("\"a.example.org\": {\(hashes)},\n\"b.a.example.org\": {\"kSKExcludeSubdomainFromParentPolicy\": true}")
        ),
    ]

    /// Files that the format's own client accepts.
    private static let odd: [File] = [
        (.pinFileUnmatchableHost, .trustKit, kit("\"A.example.org\": {\(hashes)}")),
        (
            .pinFileMisplacedKey, .ats,
            """
            {"NSAppTransportSecurity": {
            "NSPinnedDomains": {"a.test": {"NSPinnedCAIdentities": [{"SPKI-SHA256-BASE64": "\(digest)"}]}},
            "NSExceptionDomains": {"b.test": {"NSPinnedDomains": {}}}
            }}
            """
        ),
        (.pinFileNothingPinned, .ats, ats("<key>a.test</key><dict/>")),
        (.pinFileDuplicatePin, .okHttp, "a.test sha256/\(digest)\nA.test sha256/\(digest)"),
        (.pinFileUnmatchablePin, .okHttp, "a.test sha256/AAAA sha256/\(digest)"),
        (
            .pinFileNotLiteral, .okHttp,
            "CertificatePinner.Builder().add(\"a.example.com\", \"sha256/\(digest)\").add(b, \"sha256/\(digest)\")"
        ),
    ]

    /// Creates the rows for problems in files and for the initializer's errors.
    private static func rows(of files: [File]) -> [ErrorRow] {
        files.map { file in
            ErrorRow(
                PinFileProblem.self, file.code,
                { ["grade": $0.grade, "location": $0.location, "detail": $0.detail] }
            ) {
                let problems = problems(of: file)
                if let problem = problems.first(where: { $0.code == file.code }) { throw problem }
                return problems
            }
        }
    }

    private static func problems(of file: File) -> [PinFileProblem] {
        do throws(PinFileError) {
            return try PinConfiguration(importing: Array(file.text.utf8), as: file.format, file: "pins").oddities
        } catch {
            return error.problems
        }
    }

    // MARK: - Enforcing

    /// The pins in a file for curl.
    private static let anyHost = "sha256//" + digest

    private static let enforcement: [ErrorRow] = [
        ErrorRow(
            PinFileError.self, .pinFileFormatUnclear, { ["problems": $0.problems, "location": $0.location] }
        ) { try PinConfiguration(importing: Array("{\"a\": 1}".utf8), file: "pins") },
        ErrorRow(PinEnforcementError.self, .pinEnforcementHostMissing, { ["problems": $0.problems] }) {
            try PinConfiguration(importing: Array(anyHost.utf8), as: .curl, file: "pins").serverTrustManager()
        },
        enforcement(.pinEnforcementHostMissing) {
            try PinConfiguration(importing: Array(anyHost.utf8), as: .curl, file: "pins").serverTrustManager()
        },
        enforcement(.pinEnforcementResourceMissing, ["resource": "raw/ca"]) {
            let anchors = "<trust-anchors><certificates src=\"@raw/ca\"/></trust-anchors>"
            return try PinConfiguration(importing: Array(xml(android + anchors).utf8), as: .android, file: "pins")
                .serverTrustManager()
        },
        enforcement(.pinEnforcementAnchorsForAllHosts) {
            throw PinEnforcementError(problems: [.anchorsForAllHosts])
        },
        enforcement(.pinEnforcementRulesInvalid) {
            let rules = ServerTrustManagerError([.duplicate(try HostPattern("a.test"))])
            throw PinEnforcementError(problems: [.rules(rules)])
        },
    ]

    private static func enforcement(
        _ code: ErrorCode, _ expected: [String: String] = [:], _ body: () throws -> Any
    ) -> ErrorRow {
        ErrorRow(
            PinEnforcementError.Problem.self, code, having: expected,
            { ["resource": $0.resource, "rules": $0.rules, "file": $0.file] }
        ) {
            do { return try body() } catch let error as PinEnforcementError { throw error.problems.first ?? .noHost }
        }
    }

    // MARK: - Writing

    private static let twoHosts = kit("\"a.example.org\": {\(hashes)},\n\"b.example.org\": {\(hashes)}")

    private static let writing: [ErrorRow] = [
        ErrorRow(PinWritingError.self, .pinWritingNeedsHost, having: ["format": "curl"], writingValues) {
            try PinConfiguration(importing: Array(twoHosts.utf8), as: .trustKit, file: "pins").written(as: .curl)
        },
        ErrorRow(PinWritingError.self, .pinWritingNotBinary, having: ["format": "okhttp"], writingValues) {
            var options = PinWritingOptions()
            options.isBinary = true
            return try PinConfiguration(importing: Array(twoHosts.utf8), as: .trustKit, file: "pins")
                .written(as: .okHttp, options)
        },
        ErrorRow(PinWritingError(.pinWritingNothing, .android), writingValues),
        ErrorRow(
            PinWritingError(
                .pinWritingRefused, .trustKit,
                refusal: PinFileError(PinFileProblem(.pinFileTooFewPins, at: .start, "one pin, expected two"))),
            writingValues),
    ]

    private static func writingValues(_ error: PinWritingError) -> Values {
        ["format": error.format, "refusal": error.refusal]
    }
}

extension PinFileLocation {
    /// The start of a TrustKit file.
    fileprivate static let start = PinFileLocation(file: "trustkit", line: 1)
}
