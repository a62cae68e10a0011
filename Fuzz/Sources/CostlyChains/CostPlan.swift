// SPDX-License-Identifier: Apache-2.0

/// The description of a chain that is expensive to evaluate, in a few dozen bytes. The fuzzer changes the plan, and
/// ``CostlyChain`` writes the certificates. Every plan produces a chain of at most a megabyte.
public struct CostPlan: Sendable {
    /// Rules and shape.
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }
        /// Evaluates with the strict rules too.
        public static let strict = Options(rawValue: 1)
        /// Plain path validation instead of the web profile.
        public static let plain = Options(rawValue: 2)
        /// Evaluates for a host that the leaf doesn't name.
        public static let host = Options(rawValue: 4)
        /// All authorities have the same key.
        public static let sharedKey = Options(rawValue: 8)
        /// Each authority names every other authority as its issuer.
        public static let clique = Options(rawValue: 16)
        /// The shared key makes valid signatures, so that the checks after them run.
        public static let signed = Options(rawValue: 32)
        /// Subjects are spelled differently from the issuer names that refer to them.
        public static let twoSpellings = Options(rawValue: 64)
        /// The evaluation requires a certificate policy.
        public static let explicitPolicy = Options(rawValue: 128)
        /// The anchor has signed nothing, so every path fails at its end.
        public static let forgedTop = Options(rawValue: 256)
    }

    /// The difference between two spellings of a name.
    public struct Spelling: OptionSet, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        public static let otherCase = Spelling(rawValue: 1)
        public static let spaces = Spelling(rawValue: 2)
        /// Uses BMPString instead of UTF8String, or instead of PrintableString if the value is ASCII.
        public static let otherType = Spelling(rawValue: 4)
        /// Reverses the attributes of a set where DER allows a choice. Their values get prefixes for that.
        public static let reversed = Spelling(rawValue: 8)
        public static let fullWidth = Spelling(rawValue: 16)
        /// The last value differs, so everything before it is compared in vain.
        public static let lastDiffers = Spelling(rawValue: 32)
        /// Like ``lastDiffers``, but only for the directory names of constraints.
        public static let directoriesDiffer = Spelling(rawValue: 64)
        /// The last relative name, which is used to find candidates, is short and ASCII.
        public static let plainLast = Spelling(rawValue: 128)
    }

    /// A long list in some place.
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
        /// The number of letters that members have in common. Members that are spelled alike are compared to their end.
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
    /// The number of relative names of a subject in addition to the last one.
    public var relativeNames = 0
    /// The number of attributes in the last relative name.
    public var attributes = 1
    /// The number of letters in a value.
    public var letters = 8
    /// The index into ``CostNames/alphabets``.
    public var alphabet = 0
    public var spelling: Spelling = []
    /// The size of a key identifier in bytes.
    public var identifier = 0
    public var lists: [List] = []

    public init() {}
}

extension CostPlan {
    /// Reads a plan from any bytes. Missing bytes are zero.
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
