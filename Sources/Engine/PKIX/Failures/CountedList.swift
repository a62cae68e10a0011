// SPDX-License-Identifier: Apache-2.0

/// A list of failures' details that a certificate may make as long as it likes.
///
/// The first members are kept as text; the rest is counted. A failure of one certificate alone loses nothing by it: an
/// exception is bound to the certificate, and with it to its whole list.
struct CountedList {
    /// The largest number of members that are kept.
    static let maximumCount = 200

    private(set) var members: [String] = []
    private var omitted = 0

    var isEmpty: Bool { members.isEmpty }

    mutating func add(_ member: @autoclosure () -> String) {
        if members.count < Self.maximumCount { members.append(member()) } else { omitted += 1 }
    }

    /// All members as a list.
    var list: TrustFailure.Value { .list(members, omitting: omitted) }

    /// The only member as text, several as a list.
    var value: TrustFailure.Value { members.count == 1 ? .text(members[0]) : list }
}
