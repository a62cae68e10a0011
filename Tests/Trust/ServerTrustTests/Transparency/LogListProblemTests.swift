// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@testable import ServerTrust
@testable import ServerTrustTesting

@Suite("Problems of log lists")
struct LogListProblemTests {
    private let now = TestAuthority.now

    private func list(_ logs: [TestLog], mimics: [TestLog] = [], age: Int = 1) throws -> CTLogList {
        try CTLogList(
            json: TestLog.list(logs + mimics, at: now.advanced(by: .days(-age))), now: now,
            mimics: Set(mimics.map(\.logID)))
    }

    private func logs(_ operators: String...) throws -> [TestLog] {
        try operators.enumerated().map { try TestLog("Log \($0)", operatedBy: $1) }
    }

    @Test("A current list with two operators has no problem")
    func none() throws {
        let list = try list(logs("A", "B"))
        #expect(list.problems(at: now) == [] && list.isFitForUse)
    }

    @Test("A list with one operator, or without a log in use, has that problem")
    func operators() throws {
        #expect(try list(logs("A", "A")).problems(at: now).map { $0.contains("same operator") } == [true])
        for state in [TestLog.State.pending, .rejected, .retired(since: now)] {
            let list = try list(logs("A", "B").map { log in log.with { $0.state = state } })
            #expect(list.problems(at: now) == ["no log is in use"] && !list.isFitForUse)
        }
        for state in [TestLog.State.qualified, .readOnly(since: now)] {
            #expect(try list(logs("A", "B").map { log in log.with { $0.state = state } }).problems(at: now) == [])
        }
    }

    @Test("A list that is too old names the policies and their limits")
    func age() throws {
        let apple = try list(logs("A", "B"), age: 65).problems(at: now)
        #expect(apple == ["too old for apple: 65 days, at most 59"])
        let all = try list(logs("A", "B"), age: 71).problems(at: now)
        #expect(all == ["too old for chrome, mozilla, apple: 71 days, at most 69, 69, 59"])
        #expect(CTPolicy.named("apple") == .apple && CTPolicy.named("other") == nil)
    }

    @Test("Logs whose private key is public are counted, and the first 20 skipped logs are named")
    func mimics() throws {
        let one = try list(logs("A", "B"), mimics: logs("C"))
        #expect(one.problems(at: now).first?.hasPrefix("1 log has a private key that is public") == true)
        #expect(one.problems(at: now).count == 2 && !one.isFitForUse)
        let many = try list(logs("A", "B"), mimics: (0..<25).map { try TestLog("Mimic \($0)", operatedBy: "C") })
        let problems = many.problems(at: now)
        #expect(problems.first?.hasPrefix("25 logs have private keys that are public") == true)
        #expect(problems.count == 22 && problems.last == "left out: 5 more")
    }

    @Test("A timestamp counts unless there is a reason against it, and its time is in whole seconds")
    func timestamps() throws {
        var scene = try PolicyScene()
        scene.embedded = ["A1", "B1", .at("C1", seconds: 1, milliseconds: 999)]
        scene.unlisted = ["B1"]
        let finding = try #require(scene.findings([.mozilla]).first)
        #expect(Set(finding.timestamps.filter { !$0.counts }.map(\.reason)) == [.unknownLog])
        #expect(finding.timestamps.count { $0.counts } == finding.count && finding.count == 2)
        #expect(finding.timestamps.last?.time == PolicyScene.issued.advanced(by: 1))
        // Every timestamp is later than a verify date before 1970.
        scene.time = Time(secondsSinceEpoch: -1)
        let early = try #require(scene.findings([.mozilla]).first)
        #expect(early.timestamps.map(\.reason) == [.future, .unknownLog, .future] && early.count == 0)
    }
}
