// SPDX-License-Identifier: Apache-2.0

extension SourceLexer {
    /// Reads a string's opening delimiter, and the string up to its end or its first interpolation.
    mutating func beginString(hashes: Int) {
        let (start, startLine) = (index, line)
        index += hashes
        let quote = byte()
        index += 1
        var form = StringForm(quote: quote, isLong: quote == UInt8(ascii: "`"), hashes: hashes)
        if quote == UInt8(ascii: "\""), language != .objectiveC, language != .javaScript, byte() == quote,
            byte(1) == quote
        {
            form.isLong = true
            index += 2
        }
        emit(.string, from: start, line: startLine)
        string(form, token: tokens.count - 1)
    }

    /// Reads a string up to its end or an interpolation.
    /// - Parameter token: the index of its token, or nil after an interpolation, where the token has already ended.
    mutating func string(_ form: StringForm, token: Int?) {
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x0a {
                guard form.isLong else { return unterminated(token) }
                line += 1
                index += 1
            } else if byte == form.quote, isEnd(of: form) {
                index += (form.isLong && form.quote == UInt8(ascii: "\"") ? 3 : 1) + form.hashes
                // In Kotlin, further quotes at the end belong to the text.
                while language == .kotlin, form.isLong, self.byte() == form.quote { index += 1 }
                if let token { endLastToken(at: token) }
                return
            } else if byte == UInt8(ascii: "\\"), hasEscapes(form) {
                if language == .swift, self.byte(form.hashes + 1) == UInt8(ascii: "("), isFollowedByHashes(form.hashes)
                {
                    return interpolate(form, token, opener: index + 1 + form.hashes)
                }
                let isEscape = isFollowedByHashes(form.hashes)
                index += isEscape ? 1 + form.hashes : 1
                // The next iteration counts an escaped line break.
                if isEscape, index < bytes.count, bytes[index] != 0x0a { index += 1 }
            } else if byte == UInt8(ascii: "$"), isInterpolation(form) {
                if self.byte(1) == UInt8(ascii: "{") { return interpolate(form, token, opener: index + 1) }
                if let token { makeDynamic(token) }
                index += 1
            } else {
                index += 1
            }
        }
        if form.isLong { noteUnended() }
        unterminated(token)
    }

    private func hasEscapes(_ form: StringForm) -> Bool { !(language == .kotlin && form.isLong) }

    /// Whether a `$` starts an interpolation. It does before a name or a brace in Kotlin, and before a brace in
    /// JavaScript templates.
    private func isInterpolation(_ form: StringForm) -> Bool {
        switch language {
        case .kotlin:
            byte(1) == UInt8(ascii: "{") || byte(1).isNameStart && byte(1) != UInt8(ascii: "$")
                || byte(1) == UInt8(ascii: "`")
        case .javaScript: form.quote == UInt8(ascii: "`") && byte(1) == UInt8(ascii: "{")
        default: false
        }
    }

    private func isEnd(of form: StringForm) -> Bool {
        guard form.isLong, form.quote == UInt8(ascii: "\"") else {
            return isFollowedByHashes(form.hashes) || form.hashes == 0
        }
        guard byte(1) == form.quote, byte(2) == form.quote else { return false }
        for distance in 0..<form.hashes where byte(3 + distance) != UInt8(ascii: "#") { return false }
        return true
    }

    private mutating func interpolate(_ form: StringForm, _ token: Int?, opener: Int) {
        if let token {
            endLastToken(at: token)
            makeDynamic(token)
        }
        interpolations.append(Interpolation(string: form))
        index = opener
        symbol(bytes[opener])
    }

    /// Treats the rest of the line, or of the file, as part of the string, whose text is uncertain.
    private mutating func unterminated(_ token: Int?) {
        guard let token else { return }
        endLastToken(at: token)
        makeDynamic(token)
    }

    private mutating func makeDynamic(_ token: Int) {
        let old = tokens[token]
        setToken(token, SourceToken(kind: .dynamicString, start: old.start, end: old.end, line: old.line))
    }
}
