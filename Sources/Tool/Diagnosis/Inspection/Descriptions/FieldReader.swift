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

    /// Parses the next field of any type.
    @discardableResult
    mutating func any() -> ASN1Value? {
        guard let value = upcoming else { return nil }
        if let problem = value.problem { problems.append(problem) }
        upcoming = members.next()
        note()
        return value
    }

    /// Parses the next field if it has that tag.
    /// - Returns: nil if the field is absent. It also adds a problem if the grammar requires the field.
    mutating func read(_ tag: Field.Tag) -> ASN1Value? {
        switch tag {
        case .any, .last: return self.any()
        case .type(let type): return upcoming?.isUniversal(type) == true ? self.any() : nil
        case .context(let number): return upcoming?.isContext(number) == true ? self.any() : nil
        case .explicit(let number): return read(.context(number))?.inner
        case .optionalTime: return upcoming?.time == nil ? nil : self.any()
        case .group(let name, _): return read(.required(.sequence, name))
        case .required(let type, let name):
            guard let value = required("\(name) (\(type.name))") else { return nil }
            guard !value.isUniversal(type) else { return value }
            problems.append(
                ASN1Problem(.unexpected(expected: "\(name) (\(type.name))", found: value.header.name), at: value.start))
            return nil
        case .time(let name):
            let value = required("\(name) (UTCTime or GeneralizedTime)")
            if let value, value.time == nil {
                let words = "\(name) isn't a time: \(value.header.name) \(value.words ?? "")"
                problems.append(ASN1Problem(.invalid(words), at: value.start))
            }
            return value
        }
    }

    /// Parses all remaining fields. Each is a problem.
    mutating func refuseRest(expecting end: String) {
        while let other = self.any() {
            problems.append(ASN1Problem(.unexpected(expected: end, found: other.header.name), at: other.start))
        }
    }

    private mutating func required(_ expected: @autoclosure () -> String) -> ASN1Value? {
        let value = self.any()
        // One problem about the end is enough.
        if value == nil, members.problem == nil {
            problems.append(ASN1Problem(.unexpected(expected: expected(), found: "the end"), at: end))
        }
        return value
    }

    private mutating func note() {
        if upcoming == nil, let problem = members.problem, problems.last != problem { problems.append(problem) }
    }
}
