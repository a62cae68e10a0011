// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import Testing

@testable import Diagnosis

@Suite("The checks of a report in the book")
struct CheckGroupTests {
    private static let entries = Book(packed: PackedBook.checks).entries

    @Test("Every check has a title, in the order of the checks")
    func titles() {
        #expect(Self.entries.map(\.name) == CheckGroup.allCases.map(\.rawValue))
        #expect(CheckGroup.allCases.allSatisfy { !$0.title.isEmpty && $0.title != $0.rawValue })
    }

    @Test("Each code exists, belongs to one check, and leads to this check")
    func codes() throws {
        var seen: Set<TrustFailure.Code> = []
        for entry in Self.entries {
            for name in entry["codes"].split(separator: " ") {
                let code = try #require(TrustFailure.Code.named(String(name)), "\(name)")
                #expect(seen.insert(code).inserted, "\(name)")
                #expect(CheckGroup(code).rawValue == entry.name, "\(name)")
            }
        }
        #expect(CheckGroup(.strictKeyUsage) == .strict && CheckGroup(.stepBudgetExceeded) == .budget)
        #expect(seen.count > 50)
    }
}
