// SPDX-License-Identifier: Apache-2.0

/// Parses the fields of a SEQUENCE in order. A missing field, or one of another type, becomes a problem, and parsing
/// continues.
struct FieldReader {
    private var members: ASN1Members
    private var upcoming: ASN1Value?
    private let end: Int
    /// The fields that don't match the grammar, in order.
    private(set) var problems: [ASN1Problem] = []

    /// - Parameter value: the SEQUENCE, or nil if it is missing.
    init(_ value: ASN1Value?) {
        self.members = value?.members ?? ASN1Members([], from: 0, to: 0)
        self.end = value?.end ?? 0
        self.upcoming = members.next()
        note()
    }

    /// The next field, or nil at the end.
    var next: ASN1Value? { upcoming }

    /// Parses the next field of any type.
    @discardableResult
    mutating func any() -> ASN1Value? {
        guard let value = upcoming else { return nil }
        if let problem = value.problem { problems.append(problem) }
        upcoming = members.next()
        note()
        return value
    }

    /// Parses the next field if it has that type.
    mutating func optional(_ type: ASN1Type) -> ASN1Value? {
        upcoming?.isUniversal(type) == true ? any() : nil
    }

    /// Parses the next field if it has the tag `[number]`.
    mutating func optional(context number: UInt64) -> ASN1Value? {
        upcoming?.isContext(number) == true ? any() : nil
    }

    /// Parses a required field.
    /// - Returns: nil if the field is missing or of another type. It also adds a problem.
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

    /// Parses a required time.
    mutating func requiredTime(_ name: String) -> ASN1Value? {
        guard let value = any() else {
            missing(name, "UTCTime or GeneralizedTime")
            return nil
        }
        if value.time == nil {
            problems.append(
                ASN1Problem(
                    .invalid("\(name) isn't a time: \(value.header.name) \(value.words ?? "")"), at: value.start))
        }
        return value
    }

    mutating func add(_ others: [ASN1Problem]) { problems += others }

    private mutating func missing(_ name: String, _ type: String) {
        // One problem about the end is enough.
        guard members.problem == nil else { return }
        problems.append(ASN1Problem(.unexpected(expected: "\(name) (\(type))", found: "the end"), at: end))
    }

    private mutating func note() {
        if upcoming == nil, let problem = members.problem, problems.last != problem { problems.append(problem) }
    }
}
