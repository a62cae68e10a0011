// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import Testing

@Suite struct BatchContractTests {
    /// A change to a good request, and the expected answer.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var changes: @Sendable (Lab) -> [String: BatchLine.Value]
        var verdict: String
        var result: String
        var codes: [String]
        /// The number of warnings.
        var warnings: Int
    }

    private static func trusted(
        _ name: String, warnings: Int = 0, _ changes: @escaping @Sendable (Lab) -> [String: BatchLine.Value]
    ) -> Row {
        Row(
            testDescription: name, changes: changes, verdict: "trusted", result: "unspecified", codes: [],
            warnings: warnings)
    }

    private static func rejected(
        _ name: String, _ code: String, _ result: String = "recoverableFailure", warnings: Int = 0,
        _ changes: @escaping @Sendable (Lab) -> [String: BatchLine.Value]
    ) -> Row {
        Row(
            testDescription: name, changes: changes, verdict: "rejected", result: result, codes: [code],
            warnings: warnings)
    }

    private static func unreadable(
        _ name: String, _ codes: String..., changes: @escaping @Sendable (Lab) -> [String: BatchLine.Value]
    ) -> Row {
        Row(
            testDescription: name, changes: changes, verdict: "unreadable", result: "otherError", codes: codes,
            warnings: 0)
    }

    static let keys: [Row] = [
        trusted("a good request") { _ in [:] },
        trusted("the batch ignores unknown keys") { _ in ["colour": .object(["red": .array([.number(1), .null])])] },
        trusted("without a host, the batch compares no names") { _ in ["host": .absent] },
        trusted("an IP literal") {
            ["host": .string("192.0.2.1"), "chain": .strings([$0.address.base64, $0.intermediate.base64])]
        },
        rejected("another host", "hostMismatch") { _ in ["host": .string("www.example.com")] },
        rejected("an IP address, although the names are DNS names", "hostMismatch") { _ in
            ["host": .string("192.0.2.1")]
        },
        trusted("the intermediate in the list of intermediates") {
            ["chain": .strings([$0.leaf.base64]), "intermediates": .strings([$0.intermediate.base64])]
        },
        rejected("no intermediate", "unknownIssuer") {
            ["chain": .strings([$0.leaf.base64]), "intermediates": .strings([])]
        },
        rejected("an empty list of anchors", "unknownIssuer") { _ in ["anchors": .strings([])] },
        rejected("another anchor", "unknownIssuer") { ["anchors": .strings([$0.unrelated.base64])] },
        Row(
            testDescription: "a verify date before all certificates",
            changes: { _ in ["time": .string("2020-01-01T00:00:00Z")] }, verdict: "rejected",
            result: "recoverableFailure",
            codes: Array(repeating: "certificateNotYetValid", count: 3), warnings: 0),
        trusted("a verify date with an offset") { _ in
            ["time": .string(TestTime.withOffset)]
        },
        rejected("another purpose", "extendedKeyUsageNotAllowed") { _ in ["purpose": .string("clientAuth")] },
        trusted("any purpose") { _ in ["purpose": .string("any")] },
        trusted("the default purpose") { _ in ["purpose": .string("serverAuth")] },
        trusted("the other profile") { _ in ["profile": .string("rfc5280")] },
        trusted("the default profile") { _ in ["profile": .string("webPKI")] },
        trusted("not strict") { _ in ["strict": .boolean(false)] },
        trusted("one intermediate allowed") { _ in ["maximumIntermediates": .number(1)] },
        rejected("no intermediate allowed", "maximumIntermediatesExceeded") { _ in ["maximumIntermediates": .number(0)]
        },
        trusted("revocation off, although the request has CRLs") { _ in
            ["revocation": .string("off"), "crls": .strings(["AAAA"]), "ocspResponses": .strings([])]
        },
        trusted("a warning about two certificates without revocation data", warnings: 2) { _ in
            ["revocation": .string("bestEffort")]
        },
        trusted("a warning about revocation of a leaf that is its own anchor", warnings: 1) {
            ["revocation": .string("bestEffort"), "anchors": .strings([$0.leaf.base64])]
        },
        Row(
            testDescription: "required revocation checks for two certificates",
            changes: { _ in ["revocation": .string("required")] }, verdict: "rejected", result: "recoverableFailure",
            codes: ["revocationUnavailable", "revocationUnavailable"], warnings: 0),
        trusted("any policy") { _ in ["policies": .object([:])] },
        rejected("a policy that no certificate has", "policyNotAcceptable") { _ in
            ["policies": .object(["acceptable": .strings(["1.2.3"]), "requireExplicit": .boolean(true)])]
        },
        trusted("policies that aren't required") { _ in
            [
                "policies": .object([
                    "acceptable": .strings(["1.2.3"]), "requireExplicit": .boolean(false),
                    "inhibitMapping": .boolean(true), "inhibitAny": .boolean(true), "unknown": .number(1),
                ])
            ]
        },
        trusted("timestamps without a log list are reported") { _ in
            ["ct": .object(["policy": .string("chrome"), "unknown": .null])]
        },
        rejected("required timestamps without a log list", "transparencyLogListMissing") { _ in
            ["ct": .object(["policy": .string("apple"), "mode": .string("require")])]
        },
        trusted("the CA's pin") { ["pins": .strings([TestTime.missedPin, SPKIPin($0.intermediate).description])] },
        trusted("the anchor's pin, although the server didn't send the anchor") {
            ["pins": .strings([SPKIPin($0.root).description])]
        },
        rejected("a pin that doesn't match", "pinNotMatched", "fatalFailure") { _ in
            ["pins": .strings([TestTime.missedPin])]
        },
        trusted("the batch ignores an unreadable anchor", warnings: 1) {
            ["anchors": .strings(["AAAA", $0.root.base64])]
        },
        trusted("the batch ignores an unreadable intermediate", warnings: 1) { _ in
            ["intermediates": .strings(["AAAA"])]
        },
        trusted("the batch ignores an unreadable presented certificate above the leaf", warnings: 1) {
            ["chain": .strings([$0.leaf.base64, "AAAA", $0.intermediate.base64])]
        },
        rejected("an unreadable anchor doesn't bring back the system's anchors", "unknownIssuer", warnings: 1) { _ in
            ["anchors": .strings(["AAAA"])]
        },
        unreadableIssuer("the answer names an unreadable presented issuer by its place") {
            ["chain": .strings([$0.leaf.base64, "AAAA"])]
        },
        unreadableIssuer("the answer names an unreadable presented issuer by its subject") {
            ["chain": .strings([$0.leaf.base64, $0.root.base64, damaged($0.intermediate)])]
        },
        unreadableIssuer("the answer names an unreadable intermediate if it is the issuer") {
            ["chain": .strings([$0.leaf.base64]), "intermediates": .strings([damaged($0.intermediate)])]
        },
        unreadableIssuer("the answer names an unreadable anchor if it is the issuer") {
            ["anchors": .strings([damaged($0.root)])]
        },
        rejected("the answer doesn't name an unreadable anchor with another name", "unknownIssuer", warnings: 1) {
            ["anchors": .strings([damaged($0.unrelated)])]
        },
    ]

    private static func unreadableIssuer(
        _ name: String, _ changes: @escaping @Sendable (Lab) -> [String: BatchLine.Value]
    ) -> Row {
        Row(
            testDescription: name, changes: changes, verdict: "rejected", result: "recoverableFailure",
            codes: ["issuerUnreadable", "unknownIssuer"], warnings: 1)
    }

    /// Returns a certificate in base64 with an extra byte after its signature.
    @Sendable private static func damaged(_ certificate: Certificate) -> String {
        // The outer length includes the byte, so that the subject remains readable.
        var der = certificate.der + [0]
        let length = der.count - 4
        (der[2], der[3]) = (UInt8(length >> 8), UInt8(length & 0xff))
        return Base64.encode(der)
    }

    static let unreadableKeys: [Row] =
        [
            unreadable("no chain", "requestKeyMissing") { _ in ["chain": .absent] },
            unreadable("an empty chain", "requestValueInvalid") { _ in ["chain": .strings([])] },
            unreadable("an empty host", "requestValueInvalid") { _ in ["host": .string("")] },
            unreadable("an invalid host", "requestValueInvalid") { _ in ["host": .string("a b")] },
            unreadable("an invalid time", "requestValueInvalid") { _ in ["time": .string("yesterday")] },
            unreadable("an unknown purpose", "requestValueInvalid") { _ in ["purpose": .string("ServerAuth")] },
            unreadable("an unknown profile", "requestValueInvalid") { _ in ["profile": .string("")] },
            unreadable("an unknown revocation mode", "requestValueInvalid") { _ in ["revocation": .string("soft")]
            },
            unreadable("a negative limit", "requestValueInvalid") { _ in ["maximumIntermediates": .number(-1)] },
            unreadable("half an intermediate", "requestKeyWrongType") { _ in ["maximumIntermediates": .number(1.5)] },
            unreadable("a number of intermediates beyond the integer range", "requestKeyWrongType") { _ in
                ["maximumIntermediates": .number(1e30)]
            },
            unreadable("an empty list of pins", "requestValueInvalid") { _ in ["pins": .strings([])] },
            unreadable("a pin of three bytes", "requestValueInvalid") { _ in ["pins": .strings(["sha256/AAAA"])] },
            unreadable("two invalid pins", "requestValueInvalid", "requestValueInvalid") { _ in
                ["pins": .strings(["x", "y"])]
            },
            unreadable("a policy that isn't an OID", "requestValueInvalid") { _ in
                ["policies": .object(["acceptable": .strings(["one.two"])])]
            },
            unreadable("policies of another type", "requestKeyWrongType") { _ in
                ["policies": .object(["acceptable": .string("1.2.3")])]
            },
            unreadable("a policy switch of another type", "requestKeyWrongType") { _ in
                ["policies": .object(["inhibitAny": .number(1)])]
            },
            unreadable("timestamps without a policy", "requestKeyMissing") { _ in
                ["ct": .object(["mode": .string("report")])]
            },
            unreadable(
                "timestamps by an unknown policy, in an unknown mode", "requestValueInvalid", "requestValueInvalid"
            ) { _ in ["ct": .object(["policy": .string("Chrome"), "mode": .string("enforce")])] },
            unreadable("a timestamp policy of another type", "requestKeyWrongType") { _ in
                ["ct": .object(["policy": .number(1), "mode": .string("enforce")])]
            },
            unreadable("null as the timestamp mode", "requestKeyWrongType") { _ in
                ["ct": .object(["policy": .string("apple"), "mode": .null])]
            },
            unreadable("a leaf with invalid base64", "base64Malformed") { _ in ["chain": .strings(["!"])] },
            unreadable("base64 in lines", "base64Malformed") {
                ["chain": .strings([String($0.leaf.base64.prefix(64)) + "\n" + $0.leaf.base64.dropFirst(64)])]
            },
            unreadable("an anchor with invalid base64", "base64Malformed") {
                ["anchors": .strings([$0.root.base64, "A"])]
            },
            unreadable("an intermediate with invalid base64", "base64Malformed") { _ in
                ["intermediates": .strings(["AA="])]
            },
            unreadable("a CRL with invalid base64", "base64Malformed") { _ in ["crls": .strings(["-"])] },
            unreadable("a leaf that isn't a certificate", "certificateMalformed") { _ in ["chain": .strings(["AAAA"])]
            },
            unreadable("a truncated leaf", "certificateMalformed") {
                ["chain": .strings([Base64.encode(Array($0.leaf.der.dropLast()))])]
            },
            unreadable(
                "the answer reports every problem", "requestKeyWrongType", "requestValueInvalid", "requestValueInvalid"
            ) { _ in
                ["host": .string(""), "time": .string(""), "strict": .number(1)]
            },
        ]
        + ([
            "host", "time", "purpose", "profile", "revocation", "chain", "intermediates", "anchors", "crls",
            "ocspResponses", "pins", "strict", "maximumIntermediates", "exemptShortLived", "policies", "ct",
        ] as [String]).flatMap { key in
            [
                unreadable("null doesn't mean that \(key) is absent", "requestKeyWrongType") { _ in [key: .null] },
                unreadable("\(key) of another type", "requestKeyWrongType") { _ in
                    [key: ["strict", "exemptShortLived", "policies"].contains(key) ? .string("true") : .boolean(true)]
                },
                unreadable("\(key) with another type inside", "requestKeyWrongType") { _ in
                    [key: .array([.string("AAAA"), .number(1)])]
                },
            ]
        }

    private static let rows = keys + unreadableKeys

    /// All rows in one run, as a user would send them.
    private static let answers = Result {
        let lab = try Lab.shared()
        return try Tool.batch(rows.reduce(into: Data()) { $0 += try BatchLine(lab, $1.changes(lab)).data() })
    }

    @Test(
        "A request gets the answer that the contract defines",
        arguments: rows.enumerated().map { ($0.offset, $0.element) })
    func isAnswered(_ index: Int, _ row: Row) throws {
        let answers = try Self.answers.get()
        try #require(answers.count == Self.rows.count)
        let answer = answers[index]
        #expect(answer.id == "row")
        #expect(answer.verdict == row.verdict)
        #expect(answer.result == row.result)
        #expect(answer.failures.map(\.code) == row.codes)
        #expect((answer.warnings ?? []).count == row.warnings)
        #expect(answer.path.isEmpty == (row.verdict == "unreadable"))
    }

    @Test("A strict request also applies the strict rules") func strictRulesAreAdded() throws {
        let lab = try Lab.shared()
        let line = BatchLine(lab, ["strict": .boolean(true), "chain": .strings([lab.root.base64]), "host": .absent])
        let answer = try #require(try Tool.batch(line.data()).first)
        #expect(answer.failures.contains { $0.code.hasPrefix("strict") })
    }

    @Test("The answer contains the path from leaf to anchor") func thePathIsToldFromLeafToAnchor() throws {
        let lab = try Lab.shared()
        let answer = try #require(try Tool.batch(BatchLine(lab).data()).first)
        #expect(answer.path == [lab.leaf, lab.intermediate, lab.root].map(\.hexDigest))
        let refused = BatchLine(lab, ["host": .string("www.example.com")])
        #expect(try Tool.batch(refused.data()).first?.path == answer.path)
    }

    @Test("explain knows every code in an answer") func everyCodeOfAnAnswerCanBeExplained() throws {
        let lab = try Lab.shared()
        let input = try (Self.keys + Self.unreadableKeys).reduce(into: Data()) {
            $0 += try BatchLine(lab, $1.changes(lab)).data()
        }
        let codes = Set(try Tool.batch(input).flatMap(\.failures).map(\.code))
        #expect(!codes.isEmpty)
        #expect(try Tool.run(["explain"] + codes.sorted()).status == 0)
    }

    @Test("A failure refers to its certificate by its index in the path")
    func theFailuresCertificateIsItsIndexInThePath()
        throws
    {
        let lab = try Lab.shared()
        let late = BatchLine(lab, ["time": .string("2020-01-01T00:00:00Z"), "chain": .strings([lab.leaf.base64])])
        let malformed = BatchLine(lab, ["chain": .strings(["AAAA"])])
        let wholePath = BatchLine(lab, ["maximumIntermediates": .number(0)])
        let answers = try Tool.batch(late.data() + malformed.data() + wholePath.data())
        #expect(answers.map { $0.failures.first?.certificate } == [0, 0, nil])
    }

    @Test("A request without anchors uses the system's anchors, and is rejected on a system without anchors")
    func absentAnchorsAreTheSystemsAndMissingOnesReject() throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let system = try folder.write("system.pem", pem(lab.root))
            let line = try BatchLine(lab, ["anchors": .absent]).data()
            #expect(try Tool.batch(line, anchors: system).first?.verdict == "trusted")
            let without = try #require(try Tool.batch(line).first)
            #expect(without.verdict == "rejected")
            #expect(without.result == "otherError")
            #expect(without.failures.map(\.code) == ["systemAnchorsUnavailable"])
            // A request with an empty list of anchors doesn't use the system's.
            let empty = try BatchLine(lab, ["anchors": .strings([])]).data()
            #expect(try Tool.batch(empty, anchors: system).first?.verdict == "rejected")
        }
    }

    @Test("The default verify date is the current time") func theTimeIsNowIfAbsent() throws {
        let lab = try Lab.shared()
        let line = try BatchLine(lab, ["time": .absent]).data()
        let isNow = (lab.leaf.notBefore...lab.leaf.notAfter).contains(
            Time(secondsSinceEpoch: Int64(Date().timeIntervalSince1970)))
        #expect(try Tool.batch(line).first?.verdict == (isNow ? "trusted" : "rejected"))
    }

    @Test("The anchor cache distinguishes strings that differ but are canonically equivalent")
    func theSameAnchorsInOtherTextAreNotTaken() throws {
        // The Kelvin sign is canonically equivalent to K, but it isn't valid base64.
        let lab = try Lab.shared()
        let base64 = lab.root.base64
        let kelvin = base64.replacingOccurrences(of: "K", with: "\u{212a}")
        try #require(kelvin == base64 && Array(kelvin.utf8) != Array(base64.utf8))
        let good = try BatchLine(lab).data()
        let odd = try BatchLine(lab, ["anchors": .strings([kelvin])]).data()
        #expect(try Tool.batch(good + odd + good, jobs: 1).map(\.verdict) == ["trusted", "unreadable", "trusted"])
    }

    @Test("Unreadable anchors also stay unreadable for later lines") func whatWasUnreadableOnceIsUnreadableAgain()
        throws
    {
        let lab = try Lab.shared()
        let malformed = try BatchLine(lab, ["anchors": .strings([lab.root.base64, "A"])]).data()
        #expect(try Tool.batch(malformed + malformed, jobs: 1).map(\.verdict) == ["unreadable", "unreadable"])
        let leftOut = try BatchLine(lab, ["anchors": .strings([lab.root.base64, "AAAA"])]).data()
        #expect(try Tool.batch(leftOut + leftOut, jobs: 1).map { $0.warnings?.count } == [1, 1])
    }

    @Test("The answer shows the type of a name that almost matches the host, and the reason") func nearlyTheHost()
        throws
    {
        let lab = try Lab.shared()
        let name = try #require(
            lab.leaf.subjectAlternativeNames?.compactMap { name -> String? in
                if case .dnsName(let name) = name, !name.hasPrefix("*") { name } else { nil }
            }.first)
        let input = try BatchLine(lab, ["host": .string("below.\(name)")]).data()
        let outcome = try Tool.run(["verify", "--batch"], input: input)
        let object = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
        let names = try #require(object["rejectedNames"] as? [[String: String]])
        #expect(names.contains(["type": "dNSName", "value": name, "reason": "domainAbove"]))
        #expect(names.count <= 20)
    }

    @Test("An answer has the keys that the contract defines") func theAnswerHasTheKeysOfTheContract() throws {
        let lab = try Lab.shared()
        let input = try BatchLine(lab, ["host": .string("x.example")]).data()
        let outcome = try Tool.run(["verify", "--batch"], input: input)
        let object = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
        #expect(Set(object.keys) == ["id", "verdict", "result", "path", "failures"])
        let failure = try #require((object["failures"] as? [[String: Any]])?.first)
        #expect(Set(failure.keys) == ["code", "certificate", "message"])
        #expect(outcome.lines.count == 1)
    }
}

enum TestTime {
    /// ``Lab/time`` with a UTC offset of two hours.
    static let withOffset: String = {
        let shifted = (try? Time(rfc3339: Lab.time))?.advanced(by: 7200).description ?? ""
        return shifted.dropLast() + "+02:00"
    }()

    static let missedPin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
}
