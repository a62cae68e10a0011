// SPDX-License-Identifier: Apache-2.0

/// A list of a failure's details. The certificate decides how long it gets.
///
/// The list keeps the first members as text and counts the rest. The count is enough for exceptions: an exception is
/// bound to the certificate, and thereby to its whole list.
struct CountedList {
    /// The largest number of members that the list keeps.
    static let maximumCount = 200

    private(set) var members: [String] = []
    private var omitted = 0

    var isEmpty: Bool { members.isEmpty }

    mutating func add(_ member: @autoclosure () -> String) {
        if members.count < Self.maximumCount { members.append(member()) } else { omitted += 1 }
    }

    /// All members as a list.
    var list: TrustFailure.Value { .list(members, omitting: omitted) }

    /// A single member as text, or several members as a list.
    var value: TrustFailure.Value { members.count == 1 ? .text(members[0]) : list }
}
