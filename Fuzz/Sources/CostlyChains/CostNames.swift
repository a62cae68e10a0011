// SPDX-License-Identifier: Apache-2.0

/// Names that are expensive to compare.
enum CostNames {
    /// The letters of values. String preparation folds, decomposes, composes or removes some of them.
    static let alphabets: [[String]] = [
        ["a", "b", "c"], ["é", "ü", "ñ"], ["Σ", "ς", "Ω"], ["漢", "字"], ["ß", "ẞ"], ["ﬃ", "ﬀ"], ["Ａ", "ｂ"],
        ["a\u{301}", "o\u{308}\u{304}"], ["a\u{ad}", "\u{200b}b"], ["각", "힣"], ["𝐀", "😀"], ["ﷺ"], ["Å", "K"],
        ["ﾊﾞ", "ｶﾞ"],
        [" ", "a"], ["\u{1d160}", "\u{1d15e}"],
    ]

    /// Returns a value of `letters` letters that ends in `mark`.
    static func value(_ plan: CostPlan, mark: String, spelled: Bool) -> [UInt8] {
        // Doubling is faster than appending, because a plan writes the same letters thousands of times.
        let round = alphabets[plan.alphabet]
        let (rounds, rest) = plan.letters.quotientAndRemainder(dividingBy: round.count)
        var text = String(repeating: round.joined(), count: rounds) + round.prefix(rest).joined() + mark
        guard spelled else { return DERWriter.text(text) }
        if plan.spelling.contains(.otherCase) {
            text = text == text.uppercased() ? text.lowercased() : text.uppercased()
        }
        if plan.spelling.contains(.spaces) { text = "  " + text + " " }
        if plan.spelling.contains(.fullWidth) {
            text = String(
                String.UnicodeScalarView(
                    text.unicodeScalars.map { scalar in
                        (0x21...0x7e).contains(scalar.value) ? Unicode.Scalar(scalar.value + 0xfee0) ?? scalar : scalar
                    }))
        }
        guard plan.spelling.contains(.otherType) else { return DERWriter.text(text) }
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return DERWriter.text(text, tag: 0x13) }
        return DERWriter.tlv(0x1e, text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] })
    }

    /// Returns a whole name that `mark` makes unique.
    static func name(_ plan: CostPlan, mark: String, spelled: Bool, attributes: Int? = nil, limit: Int) -> [UInt8] {
        let spelled = spelled && plan.options.contains(.twoSpellings)
        var sets: [[UInt8]] = []
        for index in 0..<plan.relativeNames where index * (plan.letters + 16) < limit / 2 {
            sets.append(DERWriter.set([attribute(plan, 10, "\(index).\(mark)", spelled)]))
        }
        var members: [[UInt8]] = []
        var size = 0
        let count = attributes ?? plan.attributes
        let isPlain = attributes == nil && plan.spelling.contains(.plainLast)
        for index in 0..<count where !isPlain && size < limit * 3 / 4 {
            let isReversed = spelled && plan.spelling.contains(.reversed)
            let differs = plan.spelling.contains(attributes == nil ? .lastDiffers : .directoriesDiffer)
            let other = spelled && differs && index == 0 ? "x" : ""
            var member = attribute(plan, 3, "\(index).\(mark)\(other)", spelled)
            // A SET OF is sorted with shorter members first. Spaces, which folding removes, reverse the order.
            if isReversed { member = attribute(plan, 3, "\(index).\(mark)\(other)", spelled, padding: count - index) }
            size += member.count
            members.append(member)
        }
        if isPlain {
            let plain = DERWriter.sequence(DERWriter.tlv(0x06, [0x55, 0x04, 3]), DERWriter.text("plain" + mark))
            members = [plain]
        }
        sets.append(DERWriter.set(members))
        return DERWriter.tlv(0x30, Array(sets.joined()))
    }

    private static func attribute(
        _ plan: CostPlan, _ type: UInt8, _ mark: String, _ spelled: Bool, padding: Int = 0
    ) -> [UInt8] {
        let mark = padding > 0 ? mark + String(repeating: " ", count: padding % 64) : mark
        return DERWriter.sequence(
            DERWriter.tlv(0x06, [0x55, 0x04, type]), value(plan, mark: mark, spelled: spelled))
    }
}
