// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import Testing

@testable import Diagnosis

@Suite("Codes that explain a message best") struct LeadingCodeTests {
    @Test("A reported message leads to its code first") func reportedMessages() {
        #expect(LeadingCodes.rows.count > 200)
        for row in LeadingCodes.rows {
            let search = MessageSearch(row.text)
            #expect(
                search.names.first == row.code,
                "\(row.text): \(search.names), \(search.matches.map { "\($0.message.tool): \($0.form)" })")
        }
    }

    @Test("A generated name leads to its codes, as a constant and in its context") func generatedNames() {
        let entries = Book(packed: PackedBook.names).entries
        #expect(entries.count > 100)
        for entry in entries {
            let names = entry["names"].split(separator: "; ").flatMap { $0.split(separator: " | ") }
            #expect(!names.isEmpty && !entry["after"].isEmpty)
            for code in entry["codes"].split(separator: " ") { #expect(isExplained(String(code)), "\(code)") }
            for name in names.prefix(5) where !MessageText(name.unicodeScalars).words.isEmpty {
                let text = "\(entry["after"].split(separator: " ")[0]) \(name)"
                #expect(!MessageSearch(text).names.isEmpty, "\(text)")
            }
        }
    }

    private func isExplained(_ name: String) -> Bool {
        TrustFailure.Code.named(name).flatMap { Guides.of($0) } != nil || Guides.errors[name] != nil
            || Guides.causes[name] != nil
    }

    @Test("Every code of a message has a guide") func codesHaveGuides() {
        for message in ForeignMessages.all {
            #expect(message.names.allSatisfy(isExplained), "\(message.forms[0]): \(message.names)")
        }
        for cause in Guides.causes.entries {
            #expect(TrustFailure.Code.named(cause.name) == nil && Guides.errors[cause.name] == nil, "\(cause.name)")
            #expect(!cause.meaning.isEmpty && !cause.remedies.isEmpty)
        }
    }

    @Test("A name without a rule says that its cause isn't known") func nameWithoutRule() throws {
        let search = MessageSearch("error:0A00007F:SSL routines::bad write retry")
        let match = try #require(search.matches.first)
        #expect(search.names == ["unknownCause"] && match.message.isUnexplained && search.codes.isEmpty)
        #expect(
            match.message.note == "This is OpenSSL's reason \"bad write retry\". Its cause isn't known here.")
        // Another message in the same text explains more.
        #expect(
            MessageSearch("SSL routines::bad write retry, then certificate has expired").names
                == ["certificateExpired"])
    }

    @Test(
        "A short phrase of a library counts only in its context",
        arguments: [
            "bad write retry", "the length mismatch of two lists", "an internal error occurred", "bad data in row 7",
        ])
    func phraseWithoutContext(_ text: String) {
        let isWhole = text == "bad write retry"
        #expect(MessageSearch(text).names.isEmpty != isWhole, "\(MessageSearch(text).matches.map(\.form))")
    }

    @Test("A message whose reason is elsewhere comes after that reason") func reasonElsewhere() {
        let search = MessageSearch(#"NSURLErrorDomain Code=-1200 UserInfo={_kCFStreamErrorCodeKey=-9843}"#)
        #expect(search.names == ["hostMismatch", "subjectAlternativeNameMissing"])
        #expect(MessageSearch("-1200").names.first == "untrustedRoot")
    }

    @Test("Only messages that share most of their words are near") func nearness() {
        for text in [
            "key mismatch of two rows", "unable to open the door", "the certificate of the school", "host names differ",
        ] {
            #expect(MessageSearch.nearest(to: text).isEmpty, "\(MessageSearch.nearest(to: text).map(\.forms[0]))")
        }
        let near = MessageSearch.nearest(to: "unable to obtain local issuer certificate")
        #expect(near.count <= 3 && near.contains { $0.names.first == "unknownIssuer" })
    }

    @Test("The search in generated names ends on hostile text", .timeLimit(.minutes(10)))
    func hostileText() {
        for part in ["SEC_ERROR_", "routines bad ", "_", "invalid_", "ssl error ssl_", "certificate "] {
            _ = MessageSearch(String(repeating: part, count: 50_000))
        }
    }
}
