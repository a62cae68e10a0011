// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The pins of one host, or of several hosts that share them. They include pins of the keys in use, and backup pins for
/// a change of keys.
///
/// A set is never empty and contains no pin twice. It has a backup, unless you create it with
/// ``init(pinsRiskingLockout:)-([SPKIPin])``. Without a backup, losing the pinned keys locks users out until they have
/// a new version of the program (RFC 7469 § 4.3 requires a backup pin). Not checked: whether the pins are right for a
/// host.
///
/// ```swift
/// let pins = try SPKIPinSet(
///     pins: ["sha256/qSxxQj6iwxU0NfH7PTRqdilz9kmorIme2QB4t+SSj3Q="],
///     backup: ["sha256/dmufTFNcMsgKUGbzyO5v37XeWSyRW4KYzc8xYUvgUv4="])
/// ```
///
/// Two sets are equal if they have equal pins in use and equal backups, in any order.
public struct SPKIPinSet: Sendable {
    /// The pins of keys that are in use, in the caller's order and without duplicates. There is at least one.
    public let pins: [SPKIPin]

    /// The backup pins: pins of keys that are ready but not in use yet. In the caller's order, without duplicates and
    /// without pins that are in ``pins``. Empty only after ``init(pinsRiskingLockout:)-([SPKIPin])``.
    public let backup: [SPKIPin]

    /// The role of each pin.
    private let roles: [SPKIPin: Role]

    /// Creates a set with a backup.
    /// - Throws: ``SPKIPinSetError`` with every problem: no pin, no backup, a duplicate.
    public init(pins: [SPKIPin], backup: [SPKIPin]) throws(SPKIPinSetError) {
        try self.init(.init(pins, .inUse), .init(backup, .backup), requiresBackup: true)
    }

    /// Creates a set with a backup from texts of the form `sha256/BASE64`. See ``SPKIPin/init(_:)-(String)``.
    /// - Throws: ``SPKIPinSetError`` with every problem: texts that aren't pins, no pin, no backup, a duplicate.
    public init(pins: [String], backup: [String]) throws(SPKIPinSetError) {
        try self.init(.init(pins, .inUse), .init(backup, .backup), requiresBackup: true)
    }

    /// Creates a set without a backup, which adds a warning to ``warnings``. If the pinned keys are lost, every user is
    /// locked out until the next version of the program.
    /// - Throws: ``SPKIPinSetError`` with every problem: no pin, a duplicate.
    public init(pinsRiskingLockout pins: [SPKIPin]) throws(SPKIPinSetError) {
        try self.init(.init(pins, .inUse), .init([SPKIPin](), .backup), requiresBackup: false)
    }

    /// Creates a set without a backup from texts. See ``init(pinsRiskingLockout:)-([SPKIPin])``.
    /// - Throws: ``SPKIPinSetError`` with every problem: texts that aren't pins, no pin, a duplicate.
    public init(pinsRiskingLockout pins: [String]) throws(SPKIPinSetError) {
        try self.init(.init(pins, .inUse), .init([SPKIPin](), .backup), requiresBackup: false)
    }

    private init(_ inUse: Candidates, _ backup: Candidates, requiresBackup: Bool) throws(SPKIPinSetError) {
        var problems: [SPKIPinSetError.Problem] = []
        if inUse.count == 0 { problems.append(SPKIPinSetError.Problem(.pinSetEmpty)) }
        if requiresBackup, backup.count == 0 { problems.append(SPKIPinSetError.Problem(.pinSetWithoutBackup)) }
        problems += inUse.problems + backup.problems
        let candidates = inUse.pins + backup.pins
        var places: [SPKIPin: [Place]] = [:]
        for (pin, place) in candidates { places[pin, default: []].append(place) }
        // Keeps the order of the lists.
        for (pin, place) in candidates {
            guard let all = places[pin], all.count > 1, all.first == place else { continue }
            problems.append(SPKIPinSetError.Problem(duplicate: pin, at: all))
        }
        guard problems.isEmpty else { throw SPKIPinSetError(problems: problems) }
        self.pins = inUse.pins.map(\.pin)
        self.backup = backup.pins.map(\.pin)
        self.roles = Dictionary(candidates.map { ($0.pin, $0.place.role) }) { first, _ in first }
    }
}

// MARK: - Looking up

extension SPKIPinSet {
    /// Returns whether a key with this pin is accepted, as a pin in use or as a backup. The time doesn't depend on the
    /// number of pins.
    public func contains(_ pin: SPKIPin) -> Bool { roles[pin] != nil }

    /// Returns whether the pin is a backup. A server with a backup key has changed its key, so the set needs a new
    /// backup.
    func isBackup(_ pin: SPKIPin) -> Bool { roles[pin] == .backup }

    /// Dangers of the set that are permitted but that you should know.
    public var warnings: [Warning] { backup.isEmpty ? [.noBackup] : [] }

    /// A permitted danger. More codes may be added.
    public struct Warning: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for programs.
        public let code: String
        /// One readable line. The wording may change.
        public let description: String

        /// The set has no backup: losing the pinned keys locks every user out.
        static let noBackup = Warning(
            code: "noBackup", description: "no backup pin: if the pinned keys are lost, every user is locked out")
    }

    /// The list that contains a pin. This set is complete.
    public enum Role: Sendable, Hashable {
        /// The pins of keys that are in use.
        case inUse
        /// The backup pins.
        case backup
    }

    /// The position of a pin in the caller's lists.
    public struct Place: Sendable, Hashable, CustomStringConvertible {
        /// The list.
        public let role: Role
        /// The index in that list, from 0.
        public let index: Int

        /// Creates a position from a list and an index.
        init(_ role: Role, _ index: Int) {
            self.role = role
            self.index = index
        }

        /// The position as text: `pins[0]` or `backup[0]`.
        public var description: String {
            switch role {
            case .inUse: "pins[\(index)]"
            case .backup: "backup[\(index)]"
            }
        }
    }
}

extension SPKIPinSet: Hashable {
    /// Returns whether both have equal pins in use and equal backups, in any order.
    public static func == (left: SPKIPinSet, right: SPKIPinSet) -> Bool { left.roles == right.roles }

    /// Hashes the pins and their roles.
    public func hash(into hasher: inout Hasher) { hasher.combine(roles) }
}

// MARK: - Reading

extension SPKIPinSet {
    /// One of the two lists, with the elements that could be parsed.
    private struct Candidates {
        /// The number of elements in the caller's list, valid or not.
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
                    problems.append(SPKIPinSetError.Problem(error, at: Place(role, index)))
                }
            }
            self.count = texts.count
            self.pins = pins
            self.problems = problems
        }
    }
}
