// SPDX-License-Identifier: Apache-2.0

/// A name in normalized form, so that equal names have equal bytes: RFC 5280 § 7.1 after RFC 4518's preparation.
///
/// Normalizing takes time linear in the name's bytes, times the logarithm of the number of attributes in a relative
/// name. Comparing two names takes one pass over their text.
struct NormalizedName {
    /// A relative name: its attributes in a fixed order, each with its type and its prepared value.
    struct RelativeName {
        /// The attributes in ascending order. A control character precedes each attribute, because prepared values
        /// don't contain any.
        var text: String
        /// False if RFC 4518 might require a different text. Unequal texts then don't prove that the names differ.
        var isExact: Bool
        /// The attributes whose text is a guess (TeletexString with characters beyond ASCII). Equal texts prove equal
        /// names only if both are guesses.
        var guesses: [String] = []
    }

    /// The relative names in encoding order, most significant first.
    let relativeNames: [RelativeName]
    /// The hash of the texts. Swift normalizes a string each time it hashes it, which takes as long as folding it.
    private let textHash: Int

    /// The relation of a name to a directory subtree.
    enum Relation {
        case within
        case outside
        /// The relation isn't known, because a name contains a character or an encoding that can't be prepared here.
        case undecidable
    }

    /// Returns whether the name is `base` or a name below it (RFC 5280 § 4.2.1.10).
    /// - Parameter acceptingGuesses: whether a guessed text may equal a text that isn't guessed.
    func relation(to base: NormalizedName, acceptingGuesses: Bool = false) -> Relation {
        guard base.relativeNames.count <= relativeNames.count else { return .outside }
        var isDecided = true
        for (own, other) in zip(relativeNames, base.relativeNames) {
            if own.text == other.text {
                if !acceptingGuesses, own.guesses != other.guesses { isDecided = false }
                continue
            }
            if own.isExact, other.isExact { return .outside }
            isDecided = false
        }
        return isDecided ? .within : .undecidable
    }
}

extension NormalizedName: Hashable {
    static func == (left: NormalizedName, right: NormalizedName) -> Bool {
        left.textHash == right.textHash && left.relativeNames.count == right.relativeNames.count
            && zip(left.relativeNames, right.relativeNames).allSatisfy { $0.text == $1.text }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(textHash) }
}

// MARK: - Reading

extension NormalizedName {
    /// Normalizes an encoded name, including tag and length. Bytes that aren't a name produce a name that equals only
    /// the same bytes.
    init(_ bytes: Span<UInt8>, _ range: ByteRange) {
        // Names in parsed certificates are always readable. If one weren't, it would equal only the same bytes.
        relativeNames =
            Self.relativeNames(bytes, range)
            ?? [RelativeName(text: "\u{4}" + Hex.encode(bytes.copy(range)), isExact: false)]
        var hasher = Hasher()
        for name in relativeNames { hasher.combine(name.text) }
        textHash = hasher.finalize()
    }

    private static func relativeNames(_ bytes: Span<UInt8>, _ range: ByteRange) -> [RelativeName]? {
        var outer = DERReader(bytes, range)
        guard let sequence = try? outer.next("name") else { return nil }
        var names: [RelativeName] = []
        var sets = outer.inside(sequence)
        while !sets.isAtEnd {
            guard let set = try? sets.next("name"), let name = RelativeName(bytes, set.contents) else { return nil }
            names.append(name)
        }
        return names
    }

    /// The cost of normalizing an encoded name, in units of ``WorkMeter/charge(work:)``.
    ///
    /// Folding a character beyond ASCII and hashing the result takes 0.2 to 0.5 µs. This includes decoding the string,
    /// mapping each character to uppercase and the result to lowercase, and normalizing the text for its hash. A
    /// BMPString encodes such characters in two bytes, which may both be ASCII. The attributes of one set are sorted.
    static func cost(_ bytes: Span<UInt8>, _ range: ByteRange) -> Int {
        var outer = DERReader(bytes, range)
        guard let sequence = try? outer.next("name") else { return range.count &* costPerWideByte }
        var cost = range.count &* costPerByte
        var sets = outer.inside(sequence)
        while !sets.isAtEnd {
            guard let set = try? sets.next("name") else { return range.count &* costPerWideByte }
            var members = sets.inside(set)
            var count = 0
            while !members.isAtEnd {
                guard let (_, value) = try? members.nextAttribute("name") else {
                    return range.count &* costPerWideByte
                }
                count &+= 1
                cost &+= costPerAttribute &+ Self.cost(bytes, value)
            }
            if count > 1 { cost &+= count &* costPerComparison &* (Int.bitWidth &- count.leadingZeroBitCount) }
        }
        return cost
    }

    private static let costPerByte = 8
    private static let costPerAttribute = 64
    private static let costPerComparison = 32
    /// The cost of a byte that is a character beyond ASCII, or a part of one.
    private static let costPerWideByte = 256
    /// The cost of an ASCII character in a string with characters beyond ASCII.
    private static let costPerNarrowByte = 48

    /// The cost of folding a value, in addition to the cost of its bytes. 0 for ASCII.
    private static func cost(_ bytes: Span<UInt8>, _ value: DERElement) -> Int {
        guard NameFolding.isString(value.tag) else { return 0 }
        switch value.tag {
        case DERTag.bmpString: return value.contentCount &* costPerWideByte
        case DERTag.universalString: return value.contentCount &* costPerWideByte / 2
        default: break
        }
        var wide = 0
        for index in value.contents.indices where bytes[index] >= 0x80 { wide &+= 1 }
        guard wide > 0 else { return 0 }
        return wide &* costPerWideByte &+ (value.contentCount &- wide) &* costPerNarrowByte
    }
}

extension NormalizedName.RelativeName {
    /// Normalizes the members of a set. Returns nil if they aren't attributes.
    init?(_ bytes: Span<UInt8>, _ members: ByteRange) {
        var reader = DERReader(bytes, members)
        guard let (type, value) = try? reader.nextAttribute("name") else { return nil }
        self.init(bytes, type, value)
        guard !reader.isAtEnd else { return }
        var attributes = [text]
        while !reader.isAtEnd {
            guard let (type, value) = try? reader.nextAttribute("name") else { return nil }
            let attribute = Self(bytes, type, value)
            attributes.append(attribute.text)
            if !attribute.isExact { isExact = false }
            guesses += attribute.guesses
        }
        // Strings sort by canonical equivalence, and compare equal the same way.
        attributes.sort()
        guesses.sort()
        text = attributes.joined()
    }

    /// Creates one attribute: its type, then its prepared text, or its bytes if it isn't text.
    private init(_ bytes: Span<UInt8>, _ type: ByteRange, _ value: DERElement) {
        text = "\u{1}" + Hex.encode(bytes.copy(type))
        isExact = true
        guard NameFolding.isString(value.tag) else {
            text += "\u{3}" + Hex.encode(bytes.copy(value.whole))
            return
        }
        if NameFolding.isSingleByte(value.tag), appendASCII(bytes, value.contents) { return }
        guard let characters = NameFolding.characters(bytes, value) else {
            text += "\u{3}" + Hex.encode(bytes.copy(value.whole))
            isExact = false
            return
        }
        let folded = NameFolding.fold(characters)
        text += "\u{2}" + folded.text
        isExact = folded.isExact
        // Several character sets of T.61 are in use beyond ASCII, and there is no way to distinguish them.
        guard value.tag == DERTag.teletexString else { return }
        isExact = false
        guesses = [text]
    }

    /// Appends a prepared ASCII value.
    /// - Returns: false, without appending anything, if the value isn't ASCII.
    private mutating func appendASCII(_ bytes: Span<UInt8>, _ range: ByteRange) -> Bool {
        var folded: [UInt8] = [2]
        folded.reserveCapacity(range.count + 1)
        var reader = FoldedASCII(bytes, range)
        while let byte = reader.next() {
            guard byte != 0xff else { return false }
            folded.append(byte)
        }
        text += String(decoding: folded, as: UTF8.self)
        return true
    }
}
