// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// The grammar of all formats with one JSON object per line.
enum JSONLine {
    /// The maximum depth of nested values in a line. Foundation's decoder traps in some deeper lines.
    private static let maximumDepth = 512
    /// The maximum number of values in the members that a reader keeps.
    private static let maximumCount = 1 << 20

    /// Parses a line, and returns the members whose keys are kept. None of these keys, and no key below them, occurs
    /// twice.
    /// - Throws: the failure for a line that isn't a JSON object, or that has texts that take long to compare as keys.
    static func members(
        of line: Data, keeping isKept: (String) -> Bool
    ) throws(TrustFailure) -> [JSONValue.Member] {
        let bytes = Array(line)
        guard !CombiningRun.isTooLong(inJSON: bytes) else {
            throw TrustFailure(.requestValueInvalid, found: .text("expected \(CombiningRun.expectation)"))
        }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(
                parsing: bytes, maximumDepth: maximumDepth, maximumCount: maximumCount,
                repeatedKeys: .refusedIfKept, keeping: isKept)
        } catch {
            guard !error.isRepeatedKey else { throw TrustFailure(.requestValueInvalid, found: .text(error.detail)) }
            throw failure(String(error.detail.trimmingPrefix("not JSON: ")))
        }
        guard case .object(let members) = value.content else { throw failure("another JSON value") }
        return members
    }

    private static func failure(_ reason: String) -> TrustFailure {
        TrustFailure(.requestNotJSON, found: .text(reason))
    }
}
