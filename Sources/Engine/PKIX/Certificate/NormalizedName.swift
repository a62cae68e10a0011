// SPDX-License-Identifier: Apache-2.0

/// A name in the form in which equal names are equal bytes: RFC 5280 § 7.1 after RFC 4518's preparation.
///
/// Making one takes time linear in the name's bytes, times the logarithm of the attributes of a relative name. Comparing two
/// takes one pass over their text.
struct NormalizedName {
    /// A relative name: its attributes in one order, each its type and its prepared value.
    struct RelativeName {
        /// The attributes in ascending order, behind control characters, which prepared values don't have.
        var text: String
        /// False if RFC 4518 might require another text: unequal texts then don't prove that the names differ.
        var isExact: Bool
        /// The attributes whose text is a guess, TeletexString beyond ASCII: equal texts prove that the names are equal
        /// only if both are guesses.
        var guesses: [String] = []
    }

    /// Most significant first, as they are encoded.
    let relativeNames: [RelativeName]
    /// The hash of the texts. Strings are normalized each time that they are hashed, which takes as long as folding
    /// them.
    private let textHash: Int

    /// The order of relations from a name to a directory subtree.
    enum Relation {
        case within
        case outside
        /// A relation that can't be shown: a character or an encoding is involved that isn't prepared here.
        case undecidable
    }

    /// Whether the name is `base` or a name below it (RFC 5280 § 4.2.1.10).
    /// - Parameter acceptingGuesses: whether a text that is a guess may equal one that isn't.
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
    /// Normalizes an encoded name, tag and length included. Bytes that are no name give a name of their own.
    init(_ bytes: Span<UInt8>, _ range: ByteRange) {
        // Parsed certificates hold no names that can't be read; if one did, it would equal the same bytes alone.
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

    /// The units of ``WorkMeter/charge(work:)`` that normalizing an encoded name costs.
    ///
    /// Folding a character beyond ASCII and hashing the result takes 0.2 to 0.5 µs: a string of such characters is decoded, each is mapped to
    /// upper case and its parts to lower case, and the text is normalized for its hash. A BMPString has them in two bytes, none of which has
    /// to be beyond ASCII. The attributes of one set are sorted.
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
    /// The cost of a byte that is a character beyond ASCII, half of one, or a part of one.
    private static let costPerWideByte = 256
    /// The cost of an ASCII character in a string with others.
    private static let costPerNarrowByte = 48

    /// The units that folding a value costs beside those for its bytes; 0 for ASCII.
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
    /// Normalizes the members of a set; nil if they are no attributes.
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
        // The order of strings goes by canonical equivalence, as their equality does.
        attributes.sort()
        guesses.sort()
        text = attributes.joined()
    }

    /// Creates one attribute: its type, then its prepared text, or its bytes if it is no text.
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
        // The character sets of T.61 that are in use beyond ASCII can't be distinguished.
        guard value.tag == DERTag.teletexString else { return }
        isExact = false
        guesses = [text]
    }

    /// Appends an ASCII value, prepared.
    /// - Returns: false, with nothing appended, if the value isn't ASCII.
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
