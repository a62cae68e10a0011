// SPDX-License-Identifier: Apache-2.0

/// The words of a message: lower case, without quotes, punctuation, escapes of terminals and line breaks.
///
/// A minus in front of a number belongs to it, and an underscore to its word: `-9843`, `err_cert_date_invalid`. An apostrophe inside of a
/// word is left out: `isn't` is `isnt`.
struct MessageText: Sendable, Hashable {
    /// The words, in order.
    let words: [String]

    /// The number of characters of all words.
    var length: Int { words.reduce(0) { $0 + $1.utf8.count } }

    /// Splits a text, in time proportional to its length.
    init(_ text: some Sequence<Unicode.Scalar>) {
        var splitter = Splitter()
        for scalar in text { splitter.take(scalar) }
        splitter.endWord()
        words = splitter.words
    }
}

/// The state between two characters.
private struct Splitter {
    var words: [String] = []
    private var word = String.UnicodeScalarView()
    private var previous: Unicode.Scalar = " "
    /// Whether an escape sequence of a terminal goes on: ESC [ 31 m.
    private var isInEscape = false
    /// Whether the previous character is a minus that isn't a hyphen inside of a word.
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
        // A log in JSON writes line breaks as \n.
        case "n" where previous == "\\", "r" where previous == "\\", "t" where previous == "\\": endWord()
        // Inside of a word it is left out; at its end it is a quote, and the next character ends the word.
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

    /// Whether the character is part of a word. Beyond ASCII letters alone are.
    fileprivate var isWordCharacter: Bool {
        isASCII ? isASCIILetter || isDigit : properties.isAlphabetic
    }

    fileprivate var lowercased: Unicode.Scalar {
        ("A"..."Z").contains(self) ? Unicode.Scalar(UInt8(value) + 32) : self
    }
}
