// SPDX-License-Identifier: Apache-2.0

/// A chain that is expensive to evaluate, in a few dozen bytes: the fuzzer changes the plan, and ``CostlyChain`` writes the
/// certificates. Every plan gives a chain of at most a megabyte.
public struct CostPlan: Sendable {
    /// Rules and shape.
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }
        /// The strict rules as well.
        public static let strict = Options(rawValue: 1)
        /// Plain path validation instead of the web profile.
        public static let plain = Options(rawValue: 2)
        /// A host that the leaf doesn't name is asked for.
        public static let host = Options(rawValue: 4)
        /// Every authority has the same key.
        public static let sharedKey = Options(rawValue: 8)
        /// Every authority names every other as its issuer.
        public static let clique = Options(rawValue: 16)
        /// Signatures are those of the shared key, so that the checks after them are reached.
        public static let signed = Options(rawValue: 32)
        /// Subjects are spelled in one way and the issuers that name them in another.
        public static let twoSpellings = Options(rawValue: 64)
        /// A certificate policy is required.
        public static let explicitPolicy = Options(rawValue: 128)
        /// The anchor has signed nothing, so that every path fails at its end.
        public static let forgedTop = Options(rawValue: 256)
    }

    /// The difference between two spellings of a name.
    public struct Spelling: OptionSet, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        public static let otherCase = Spelling(rawValue: 1)
        public static let spaces = Spelling(rawValue: 2)
        /// BMPString for UTF8String, or for PrintableString where all is ASCII.
        public static let otherType = Spelling(rawValue: 4)
        /// The attributes of a set in the opposite order, where DER leaves a choice: their values are prefixed so.
        public static let reversed = Spelling(rawValue: 8)
        public static let fullWidth = Spelling(rawValue: 16)
        /// The last value is another: everything before it is compared for nothing.
        public static let lastDiffers = Spelling(rawValue: 32)
        /// As ``lastDiffers``, for the directory names of constraints alone.
        public static let directoriesDiffer = Spelling(rawValue: 64)
        /// The last relative name, by which candidates are found, is short and ASCII.
        public static let plainLast = Spelling(rawValue: 128)
    }

    /// A long list somewhere.
    public struct List: Sendable {
        public enum Kind: UInt8, Sendable, CaseIterable {
            case dnsNames, addresses, mailboxes, uris, directoryNames, otherNames
            case purposes, policies, qualifiedPolicies, mappings
            case permittedDNS, excludedDNS, permittedDirectories, excludedDirectories, permittedAddresses,
                excludedAddresses
            case permittedMailboxes, excludedMailboxes, permittedURIs, excludedURIs
            case accessDescriptions, distributionPoints, unknownExtensions, commonNames, tlsFeatures
        }

        public enum Place: UInt8, Sendable, CaseIterable {
            case leaf, authorities, everywhere
            /// The authorities that may issue the leaf.
            case firstLayer
        }

        public var kind: Kind
        public var place: Place
        public var count: Int
        /// Members that are spelled alike are compared to their end: how many letters they have in common.
        public var length: UInt8

        public init(_ kind: Kind, _ place: Place, _ count: Int, length: UInt8 = 0) {
            self.kind = kind
            self.place = place
            self.count = count
            self.length = length
        }
    }

    public var options: Options = []
    public var layers = 1
    public var width = 1
    /// Relative names of a subject beside the last one.
    public var relativeNames = 0
    /// Attributes in the last relative name.
    public var attributes = 1
    /// Letters in a value.
    public var letters = 8
    /// Index into ``CostNames/alphabets``.
    public var alphabet = 0
    public var spelling: Spelling = []
    /// Bytes of a key identifier.
    public var identifier = 0
    public var lists: [List] = []

    public init() {}
}

extension CostPlan {
    /// Reads a plan from any bytes; missing bytes are zero.
    public init(_ bytes: [UInt8]) {
        var reader = PlanReader(bytes: bytes)
        options = Options(rawValue: UInt16(reader.next(2)))
        layers = reader.next() % 65
        width = max(1, reader.next(2) % 1025)
        relativeNames = reader.next() % 64
        attributes = max(1, reader.next(2) % 10_001)
        letters = reader.next(2)
        alphabet = reader.next() % CostNames.alphabets.count
        spelling = Spelling(rawValue: UInt8(reader.next()))
        identifier = reader.next(2)
        while !reader.isAtEnd, lists.count < 8 {
            let kind = List.Kind(rawValue: UInt8(reader.next() % List.Kind.allCases.count)) ?? .dnsNames
            let place = List.Place(rawValue: UInt8(reader.next() % List.Place.allCases.count)) ?? .leaf
            let count = reader.next(3) % 200_001
            lists.append(List(kind, place, count, length: UInt8(reader.next())))
        }
    }

    /// The bytes that ``init(_:)`` reads as this plan: a seed.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        func append(_ number: Int, _ count: Int = 1) {
            for index in (0..<count).reversed() { bytes.append(UInt8(number >> (8 * index) & 0xff)) }
        }
        append(Int(options.rawValue), 2)
        append(layers)
        append(width, 2)
        append(relativeNames)
        append(attributes, 2)
        append(letters, 2)
        append(alphabet)
        append(Int(spelling.rawValue))
        append(identifier, 2)
        for list in lists {
            append(Int(list.kind.rawValue))
            append(Int(list.place.rawValue))
            append(list.count, 3)
            append(Int(list.length))
        }
        return bytes
    }
}

private struct PlanReader {
    let bytes: [UInt8]
    var index = 0

    var isAtEnd: Bool { index >= bytes.count }

    mutating func next(_ count: Int = 1) -> Int {
        var number = 0
        for _ in 0..<count {
            number = number << 8 | (index < bytes.count ? Int(bytes[index]) : 0)
            index += 1
        }
        return number
    }
}
