// SPDX-License-Identifier: Apache-2.0

// The two policy qualifiers of RFC 5280 § 4.2.1.4. This package doesn't show them to users, and parses them fully only
// if a critical extension makes the path depend on them.

extension DERReader {
    /// Whether § 4.2.1.4 defines the qualifier, and the qualifier has the defined form. `type` is the contents of its
    /// OID.
    consuming func isKnownQualifier(_ type: ByteRange, _ value: DERElement) -> Bool {
        // id-qt, 1.3.6.1.5.5.7.2
        guard type.count == 8, matches(bytes, type.start, [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x02]) else {
            return false
        }
        switch bytes[type.start &+ 7] {
        case 1:
            // `CPSuri ::= IA5String`
            return value.tag == DERTag.ia5String && (try? checkASCII(value.contents, "cPSuri")) != nil
        case 2: return (try? checkUserNotice(value)) != nil
        default: return false
        }
    }

    /// Checks `UserNotice ::= SEQUENCE { noticeRef NoticeReference OPTIONAL, explicitText DisplayText OPTIONAL }`.
    private func checkUserNotice(_ value: DERElement) throws(DERError) {
        guard value.tag == DERTag.sequence else {
            throw value.unexpected(DERTag.sequence, "userNotice")
        }
        var fields = inside(value)
        if let reference = try fields.nextIf(DERTag.sequence, "noticeRef") {
            var members = fields.inside(reference)
            try members.checkDisplayText(members.next("organization"))
            var list = try members.nextSequence("noticeNumbers")
            try members.finish("noticeRef")
            while !list.isAtEnd { try list.checkInteger(list.next(DERTag.integer, "noticeNumbers"), "noticeNumbers") }
        }
        if !fields.isAtEnd { try fields.checkDisplayText(fields.next("explicitText")) }
        try fields.finish("userNotice")
    }

    /// Checks `DisplayText ::= CHOICE { ia5String, visibleString, bmpString, utf8String }` of any length. § 4.2.1.4
    /// limits CAs to 200 characters, but readers should accept more.
    private func checkDisplayText(_ value: DERElement) throws(DERError) {
        switch value.tag {
        case DERTag.ia5String, DERTag.visibleString, DERTag.bmpString, DERTag.utf8String:
            guard NameFolding.characters(bytes, value) != nil else {
                throw DERError(.stringMalformed, in: "displayText", at: value.content)
            }
        default: throw DERError(.invalid("not a string type of DisplayText"), in: "displayText", at: value.start)
        }
    }
}
