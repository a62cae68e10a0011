// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1
import ServerTrust
import Testing

@testable import ServerTrustHTTP

@Suite("The number of retries")
struct RepeatBudgetTests {
    static let limits: [(UnansweredRequest.Fate, HTTPMethod, Int)] = [
        (.refused(servesOthers: true), .GET, 20), (.refused(servesOthers: true), .POST, 20),
        (.refused(servesOthers: false), .GET, 1), (.refused(servesOthers: false), .POST, 1),
        (.unsent, .GET, 3), (.unsent, .POST, 3),
        (.lost, .GET, 1), (.lost, .HEAD, 1), (.lost, .OPTIONS, 1), (.lost, .TRACE, 1), (.lost, .PUT, 1),
        (.lost, .DELETE, 1), (.lost, .POST, 0), (.lost, .PATCH, 0), (.lost, .CONNECT, 0),
        (.lost, .RAW(value: "get"), 0),
    ]

    @Test("Each cause of retries has its own limit", arguments: limits)
    func limit(fate: UnansweredRequest.Fate, method: HTTPMethod, count: Int) {
        var budget = RepeatBudget()
        let reasons = (0..<100).compactMap { _ in budget.spend(on: fate, method) }
        #expect(reasons == Array(repeating: fate == .lost ? .connectionLost : .notProcessed, count: count))
    }

    @Test("All causes together have one limit")
    func together() {
        var budget = RepeatBudget()
        let fates: [UnansweredRequest.Fate] = [
            .lost, .unsent, .refused(servesOthers: false), .refused(servesOthers: true),
        ]
        #expect((0..<1000).count { budget.spend(on: fates[$0 % 4], .GET) != nil } == 25)
    }
}
