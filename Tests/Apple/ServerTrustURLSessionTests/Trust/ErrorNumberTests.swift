// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustTesting
import Testing

@testable import ServerTrustURLSession

@Suite("Error numbers for a refused server")
struct ErrorNumberTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let scenario: LabScenario
        var isPinned = false
        var isDenied = false
        let byMeaning: Int
        let asReported: Int
    }

    static let rows = [
        Row(
            testDescription: "a missed pin", scenario: .good, isPinned: true, byMeaning: -1202, asReported: -1200),
        Row(testDescription: "a past date", scenario: .expired, byMeaning: -1201, asReported: -1202),
        Row(
            testDescription: "a missing intermediate", scenario: .missingIntermediate, byMeaning: -1203,
            asReported: -1202),
        Row(testDescription: "another name", scenario: .wrongHost, byMeaning: -1202, asReported: -1202),
        Row(testDescription: "an unknown CA", scenario: .untrustedRoot, byMeaning: -1202, asReported: -1202),
        Row(
            testDescription: "a rule that denies", scenario: .good, isDenied: true, byMeaning: -1202,
            asReported: -1202),
    ]

    private func error(
        _ lab: SessionLab, _ row: Row, _ numbers: ServerTrustErrorNumbers, hasDelegate: Bool
    ) async throws -> URLError? {
        let name = lab.server.host.description
        let pins = SPKIPinsTrustEvaluator(
            try SPKIPinSet(pinsRiskingLockout: [SPKIPin(try TestAuthority.root().certificate)]))
        let rule: HostRule = row.isDenied ? .denied : .enforced(row.isPinned ? pins : DefaultTrustEvaluator())
        let trust = SessionLab.configuration(
            try ServerTrustManager(rules: [name: rule], memory: nil), lab.server.certificates)
        let configuration = URLSessionConfiguration.ephemeral.withServerTrust(
            trust, connectingTo: lab.addresses, errorNumbers: numbers)
        let session = URLSession(
            configuration: configuration, delegate: hasDelegate ? ScriptedDelegate() : nil, delegateQueue: nil)
        return await session.failure(lab.url)
    }

    @Test("A session's configuration selects the error numbers without changing the verdict", arguments: rows)
    func numbers(row: Row) async throws {
        try await SessionLab.with(row.scenario) { lab in
            for hasDelegate in [false, true] {
                let meaning = try #require(try await error(lab, row, .byMeaning, hasDelegate: hasDelegate))
                let reported = try #require(try await error(lab, row, .asReported, hasDelegate: hasDelegate))
                #expect(meaning.code.rawValue == row.byMeaning)
                #expect(reported.code.rawValue == row.asReported)
                #expect(
                    meaning.serverTrustVerdict?.headline?.code == reported.serverTrustVerdict?.headline?.code)
            }
            #expect(lab.server.counts.requestBytes == 0)
        }
    }

    @Test("The default numbers match the failure's meaning, and a configuration's copy keeps its choice")
    func defaults() throws {
        let manager = try ServerTrustManager(evaluators: ["a.example": DefaultTrustEvaluator()])
        func numbers(_ configuration: URLSessionConfiguration) -> ServerTrustErrorNumbers? {
            (URLSession(configuration: configuration).configuration as? ServerTrustSessionConfiguration)?.policy?
                .errorNumbers
        }
        #expect(numbers(URLSessionConfiguration.default.withServerTrust(manager)) == .byMeaning)
        #expect(
            numbers(URLSessionConfiguration.default.withServerTrust(manager, errorNumbers: .asReported)) == .asReported)
        let trust = ServerTrustConfiguration(manager)
        #expect(numbers(URLSessionConfiguration.ephemeral.withServerTrust(trust)) == .byMeaning)
        #expect(
            numbers(URLSessionConfiguration.ephemeral.withServerTrust(trust, errorNumbers: .asReported)) == .asReported)
    }
}
