// SPDX-License-Identifier: Apache-2.0

/// The words of a message in lower case, without quotes, punctuation, terminal escapes and line breaks.
///
/// A minus before a number belongs to the number, and an underscore belongs to its word: `-9843`,
/// `err_cert_date_invalid`. An apostrophe inside a word is omitted: `isn't` becomes `isnt`.
struct MessageText: Sendable, Hashable {
    /// The words, in order.
    let words: [String]

    /// The number of UTF-8 bytes in all words.
    var length: Int { words.reduce(0) { $0 + $1.utf8.count } }

    /// Splits a text, in time proportional to its length.
    init(_ text: some Sequence<Unicode.Scalar>) {
        var splitter = Splitter()
        for scalar in text { splitter.take(scalar) }
        splitter.endWord()
        words = splitter.words
    }
}

/// The state between two scalars.
private struct Splitter {
    var words: [String] = []
    private var word = String.UnicodeScalarView()
    private var previous: Unicode.Scalar = " "
    /// Whether a terminal escape sequence is still open, such as ESC [ 31 m.
    private var isInEscape = false
    /// Whether the previous scalar is a minus rather than a hyphen inside a word.
    private var isAfterMinus = false

    mutating func take(_ scalar: Unicode.Scalar) {
        defer { previous = scalar }
        if isInEscape {
            isInEscape = !(scalar.isASCIILetter || scalar == "\n")
            return
        }
        switch scalar {
        case "\u{1b}":
            endWord()
            isInEscape = true
        // JSON logs write line breaks as \n.
        case "n" where previous == "\\", "r" where previous == "\\", "t" where previous == "\\": endWord()
        // Inside a word, an apostrophe is omitted. At the end of a word it is a quote, and the next scalar ends the
        // word.
        case "'", "\u{2019}": break
        case "-":
            let isInWord = !word.isEmpty
            endWord()
            isAfterMinus = !isInWord
        case "_": append(scalar)
        default:
            if scalar.isWordCharacter { append(scalar) } else { endWord() }
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if word.isEmpty, isAfterMinus, scalar.isDigit { word.append("-") }
        isAfterMinus = false
        word.append(scalar.lowercased)
    }

    mutating func endWord() {
        isAfterMinus = false
        guard !word.isEmpty else { return }
        words.append(String(word))
        word = String.UnicodeScalarView()
    }
}

extension Unicode.Scalar {
    fileprivate var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

    /// Whether the scalar is part of a word. Outside ASCII, only letters are.
    fileprivate var isWordCharacter: Bool {
        isASCII ? isASCIILetter || isDigit : properties.isAlphabetic
    }

    fileprivate var lowercased: Unicode.Scalar {
        ("A"..."Z").contains(self) ? Unicode.Scalar(UInt8(value) + 32) : self
    }
}
