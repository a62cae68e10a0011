// SPDX-License-Identifier: Apache-2.0

/// The pins of one host, or of several that share them: those in use, and those kept for the day on which they must change.
///
/// A value of this type is never empty, holds no pin twice, and has a backup unless whoever made it has said otherwise: a
/// host whose pinned keys are all lost locks its users out until they have a new version of the program (RFC 7469 § 4.3 makes a
/// backup pin a condition). Whether the pins are right for a host is not checked.
///
/// ```swift
/// let pins = try SPKIPinSet(
///     pins: ["sha256/qSxxQj6iwxU0NfH7PTRqdilz9kmorIme2QB4t+SSj3Q="],
///     backup: ["sha256/dmufTFNcMsgKUGbzyO5v37XeWSyRW4KYzc8xYUvgUv4="])
/// ```
///
/// Two sets are equal if they have the same pins in use and the same backups, in whatever order.
public struct SPKIPinSet: Sendable {
    /// What is accepted and expected to be met now; at least one, in the order given, none twice.
    public let pins: [SPKIPin]

    /// What is accepted as well: keys that are kept ready and are not in use yet. In the order given, none twice and none
    /// that is in ``pins``; empty only after ``init(pinsRiskingLockout:)-([SPKIPin])``.
    public let backup: [SPKIPin]

    /// What the pins stand for, for look-ups.
    private let roles: [SPKIPin: Role]

    /// A set with a backup.
    /// - Throws: ``SPKIPinSetError`` with everything that is wrong: no pin, no backup, a pin twice.
    public init(pins: [SPKIPin], backup: [SPKIPin]) throws(SPKIPinSetError) {
        try self.init(.init(pins, .inUse), .init(backup, .backup), requiresBackup: true)
    }

    /// A set with a backup, from texts as ``SPKIPin/init(_:)-(String)`` takes them: `sha256/BASE64`.
    /// - Throws: ``SPKIPinSetError`` with everything that is wrong: texts that are no pins, no pin, no backup, a pin twice.
    public init(pins: [String], backup: [String]) throws(SPKIPinSetError) {
        try self.init(.init(pins, .inUse), .init(backup, .backup), requiresBackup: true)
    }

    /// A set without a backup, which is told in ``warnings``: if the pinned keys are lost, so is every user until the next
    /// version of the program.
    /// - Throws: ``SPKIPinSetError`` with everything that is wrong: no pin, a pin twice.
    public init(pinsRiskingLockout pins: [SPKIPin]) throws(SPKIPinSetError) {
        try self.init(.init(pins, .inUse), .init([SPKIPin](), .backup), requiresBackup: false)
    }

    /// A set without a backup, from texts; see ``init(pinsRiskingLockout:)-([SPKIPin])``.
    /// - Throws: ``SPKIPinSetError`` with everything that is wrong: texts that are no pins, no pin, a pin twice.
    public init(pinsRiskingLockout pins: [String]) throws(SPKIPinSetError) {
        try self.init(.init(pins, .inUse), .init([SPKIPin](), .backup), requiresBackup: false)
    }

    private init(_ inUse: Candidates, _ backup: Candidates, requiresBackup: Bool) throws(SPKIPinSetError) {
        var problems: [SPKIPinSetError.Problem] = []
        if inUse.count == 0 { problems.append(.noPin) }
        if requiresBackup, backup.count == 0 { problems.append(.noBackup) }
        problems += inUse.problems + backup.problems
        let candidates = inUse.pins + backup.pins
        var places: [SPKIPin: [Place]] = [:]
        for (pin, place) in candidates { places[pin, default: []].append(place) }
        // In the order in which they were given.
        for (pin, place) in candidates {
            guard let all = places[pin], all.count > 1, all.first == place else { continue }
            problems.append(.duplicate(pin, all))
        }
        guard problems.isEmpty else { throw SPKIPinSetError(problems: problems) }
        self.pins = inUse.pins.map(\.pin)
        self.backup = backup.pins.map(\.pin)
        self.roles = Dictionary(candidates.map { ($0.pin, $0.place.role) }) { first, _ in first }
    }
}

// MARK: - Looking up

extension SPKIPinSet {
    /// Whether a key with this pin is accepted, be it in use or a backup. The time does not depend on how many pins there are.
    public func contains(_ pin: SPKIPin) -> Bool { roles[pin] != nil }

    /// Whether this is a backup: a server that is met with one has changed its key, and the set needs a new backup.
    public func isBackup(_ pin: SPKIPin) -> Bool { roles[pin] == .backup }

    /// What is allowed and yet should worry whoever wrote the set; empty if nothing is.
    public var warnings: [Warning] { backup.isEmpty ? [.noBackup] : [] }

    /// Something that is allowed and dangerous. More may be added.
    public struct Warning: Sendable, Hashable, CustomStringConvertible {
        /// Stable, for programs.
        public let code: String
        /// One line for people; its wording may change.
        public let description: String

        /// The set has no backup: losing the pinned keys locks every user out.
        public static let noBackup = Warning(
            code: "noBackup", description: "no backup pin: if the pinned keys are lost, every user is locked out")
    }

    /// What a pin is there for.
    public enum Role: Sendable, Hashable {
        case inUse
        case backup
    }

    /// Where a pin stands among those that were given.
    public struct Place: Sendable, Hashable, CustomStringConvertible {
        /// The list it is in.
        public let role: Role
        /// Its index in that list, from 0.
        public let index: Int

        public init(_ role: Role, _ index: Int) {
            self.role = role
            self.index = index
        }

        /// `pins[0]` or `backup[0]`
        public var description: String {
            switch role {
            case .inUse: "pins[\(index)]"
            case .backup: "backup[\(index)]"
            }
        }
    }
}

extension SPKIPinSet: Hashable {
    public static func == (left: SPKIPinSet, right: SPKIPinSet) -> Bool { left.roles == right.roles }

    public func hash(into hasher: inout Hasher) { hasher.combine(roles) }
}

// MARK: - Errors

/// Why pins are no set of pins: every problem of them.
public struct SPKIPinSetError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One thing that is wrong. The set is complete.
    public enum Problem: Sendable, Hashable {
        /// No pin in use was given: an empty set would refuse everybody, or, in careless hands, nobody.
        case noPin
        /// No backup was given, and ``SPKIPinSet/init(pinsRiskingLockout:)-([SPKIPin])`` was not asked for.
        case noBackup
        /// A text that is no pin, and where it stands.
        case notAPin(SPKIPinError, SPKIPinSet.Place)
        /// A pin that was given more than once, and everywhere it stands.
        case duplicate(SPKIPin, [SPKIPinSet.Place])
    }
    /// At least one: what is missing, then bad texts, then pins given twice, each in the order of the lists.
    public let problems: [Problem]

    /// One line for people for each problem; the wording may change.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension SPKIPinSetError.Problem: CustomStringConvertible {
    /// One line for people; its wording may change.
    public var description: String {
        switch self {
        case .noPin: "no pin, expected at least one (sha256/BASE64)"
        case .noBackup: "no backup pin, expected at least one: if the pinned keys are lost, every user is locked out"
        case .notAPin(let error, let place): "\(place): \(error)"
        case .duplicate(let pin, let places):
            "\(pin) is given \(places.count) times, expected once: " + places.map(\.description).joined(separator: ", ")
        }
    }
}

// MARK: - Reading

extension SPKIPinSet {
    /// One of the two lists as far as it could be read.
    private struct Candidates {
        /// How many were given, pins or not.
        let count: Int
        let pins: [(pin: SPKIPin, place: Place)]
        let problems: [SPKIPinSetError.Problem]

        init(_ pins: [SPKIPin], _ role: Role) {
            self.count = pins.count
            self.pins = pins.enumerated().map { ($0.element, Place(role, $0.offset)) }
            self.problems = []
        }

        init(_ texts: [String], _ role: Role) {
            var pins: [(pin: SPKIPin, place: Place)] = []
            var problems: [SPKIPinSetError.Problem] = []
            for (index, text) in texts.enumerated() {
                do throws(SPKIPinError) {
                    pins.append((try SPKIPin(text), Place(role, index)))
                } catch {
                    problems.append(.notAPin(error, Place(role, index)))
                }
            }
            self.count = texts.count
            self.pins = pins
            self.problems = problems
        }
    }
}
