// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@testable import ServerTrust
@testable import ServerTrustTesting

@Suite("Problems of lists of logs")
struct LogListProblemsTests {
    private let logs: [TestLog]

    init() throws { logs = try (0..<30).map { try TestLog("Log \($0)", operatedBy: $0 == 1 ? "Two" : "One") } }

    private func list(_ logs: [TestLog], days: Int64 = 0) throws -> CTLogList {
        let date = TestAuthority.now.advanced(by: -days * 86_400)
        return try CTLogList(json: TestLog.list(logs, at: date), now: TestAuthority.now)
    }

    private func problems(_ list: CTLogList) -> [String] { list.problems(at: TestAuthority.now) }

    @Test("A current list of two operators' logs has no problem and is fit for use")
    func good() throws {
        let list = try list(Array(logs.prefix(2)))
        #expect(problems(list).isEmpty && list.isFitForUse)
    }

    @Test("Logs in use from fewer than two operators are a problem, and without any, the list isn't fit for use")
    func operators() throws {
        let one = try list([logs[0], logs[2]])
        #expect(problems(one).count == 1 && one.isFitForUse)
        let retired = logs.prefix(2).map { $0.with { $0.state = .retired(since: TestAuthority.notBefore) } }
        let none = try list(retired)
        #expect(problems(none).count == 1 && !none.isFitForUse)
        #expect(problems(none) != problems(one))
        #expect(try problems(list([logs[0], retired[1]])) == problems(one))
        // Three operators aren't a problem, either.
        #expect(try problems(list(Array(logs.prefix(2)) + [TestLog("Log", operatedBy: "Three")])).isEmpty)
    }

    @Test(
        "At most twenty skipped logs are named, and the others counted",
        arguments: [(0, 0), (1, 1), (20, 20), (21, 21), (22, 21)])
    func skipped(count: Int, problems number: Int) throws {
        // A state that begins in the future is unknown.
        let skipped = logs.dropFirst(2).prefix(count).map {
            $0.with { $0.state = .readOnly(since: TestAuthority.now.advanced(by: 1)) }
        }
        let list = try list(logs.prefix(2) + skipped)
        #expect(list.warnings.count == count && list.isFitForUse)
        let found = problems(list)
        #expect(found.count == number && found.allSatisfy { $0.hasPrefix("left out: ") })
        #expect(found.contains { $0.hasSuffix(" more") } == (count > 20))
    }

    @Test(
        "A list that is too old for a policy is a problem that names the policies and the days",
        arguments: [(59, []), (60, ["apple"]), (70, ["apple", "chrome", "mozilla"])] as [(Int64, [String])])
    func age(days: Int64, policies: [String]) throws {
        let found = problems(try list(Array(logs.prefix(2)), days: days))
        #expect(found.count == (policies.isEmpty ? 0 : 1))
        for policy in CTPolicy.all.map(\.name) {
            #expect(found.contains { $0.contains(policy) } == policies.contains(policy))
        }
        #expect(found.allSatisfy { $0.contains(": \(days) days") })
    }
}
