// SPDX-License-Identifier: Apache-2.0

/// A reader of the fields of a SEQUENCE in their order. A field that is missing or of another type is noted as a problem, and the
/// others are read all the same.
struct FieldReader {
    private var members: ASN1Members
    private var upcoming: ASN1Value?
    private let end: Int
    /// The fields that weren't as the grammar has them, in order.
    private(set) var problems: [ASN1Problem] = []

    /// - Parameter value: the SEQUENCE; nil for one that is missing.
    init(_ value: ASN1Value?) {
        self.members = value?.members ?? ASN1Members([], from: 0, to: 0)
        self.end = value?.end ?? 0
        self.upcoming = members.next()
        note()
    }

    /// The next field; nil at the end.
    var next: ASN1Value? { upcoming }

    /// Reads the next field of any type.
    @discardableResult
    mutating func any() -> ASN1Value? {
        guard let value = upcoming else { return nil }
        if let problem = value.problem { problems.append(problem) }
        upcoming = members.next()
        note()
        return value
    }

    /// Reads the next field if it is of a type.
    mutating func optional(_ type: ASN1Type) -> ASN1Value? {
        upcoming?.isUniversal(type) == true ? any() : nil
    }

    /// Reads the next field if it has the tag `[number]`.
    mutating func optional(context number: UInt64) -> ASN1Value? {
        upcoming?.isContext(number) == true ? any() : nil
    }

    /// Reads a field that must be there.
    /// - Returns: nil, with a problem noted, if it is missing or of another type.
    mutating func required(_ type: ASN1Type, _ name: String) -> ASN1Value? {
        guard let value = any() else {
            missing(name, type.name)
            return nil
        }
        guard value.isUniversal(type) else {
            problems.append(
                ASN1Problem(.unexpected(expected: "\(name) (\(type.name))", found: value.header.name), at: value.start))
            return nil
        }
        return value
    }

    /// Reads a time that must be there.
    mutating func requiredTime(_ name: String) -> ASN1Value? {
        guard let value = any() else {
            missing(name, "UTCTime or GeneralizedTime")
            return nil
        }
        if value.time == nil {
            problems.append(
                ASN1Problem(
                    .invalid("\(name) is no time: \(value.header.name) \(value.words ?? "")"), at: value.start))
        }
        return value
    }

    mutating func add(_ others: [ASN1Problem]) { problems += others }

    private mutating func missing(_ name: String, _ type: String) {
        // One sentence about the end is enough.
        guard members.problem == nil else { return }
        problems.append(ASN1Problem(.unexpected(expected: "\(name) (\(type))", found: "the end"), at: end))
    }

    private mutating func note() {
        if upcoming == nil, let problem = members.problem, problems.last != problem { problems.append(problem) }
    }
}
