// SPDX-License-Identifier: Apache-2.0

extension StringProtocol {
    /// The text with its ASCII letters in lower case, for the case-insensitive names of HTTP. Other letters stay
    /// unchanged.
    package var asciiLowercased: String {
        String(decoding: utf8.map { $0 >= 0x41 && $0 <= 0x5a ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// The text without spaces and tabs at its ends (OWS, RFC 9110 § 5.6.3).
    package var withoutOuterSpace: SubSequence {
        guard let first = firstIndex(where: { $0 != " " && $0 != "\t" }),
            let last = lastIndex(where: { $0 != " " && $0 != "\t" })
        else { return self[endIndex...] }
        return self[first...last]
    }
}
