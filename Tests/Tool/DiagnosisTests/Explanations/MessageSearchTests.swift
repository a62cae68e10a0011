// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import Testing

@testable import Diagnosis

@Suite("Search for messages from other tools") struct MessageSearchTests {
    @Test("The table is complete, with tools, forms, codes and sources") func theTableIsComplete() {
        let all = ForeignMessages.all
        #expect(all.count >= 200, "\(all.count)")
        let codes = Book(packed: PackedBook.messages).entries.flatMap { $0["codes"].split(separator: " ") }
        #expect(codes.count >= all.count)
        #expect(Set(all).count == all.count)
        for message in all {
            #expect(
                !message.tool.isEmpty && !message.forms.isEmpty && !message.names.isEmpty && !message.source.isEmpty)
            #expect(Set(message.names).count == message.names.count, "\(message.forms)")
            #expect(Set(message.forms).count == message.forms.count, "\(message.forms)")
            #expect(message.codes.allSatisfy { Guides.of($0) != nil })
            #expect(message.note.map { $0.hasSuffix(".") } ?? true, "\(message.forms)")
        }
    }

    @Test("The search finds each row by each of its forms, in any case, with words around it and in its gaps")
    func everyRowFindsItself() {
        for message in ForeignMessages.all {
            for form in message.forms {
                let text = form.split(separator: "…", omittingEmptySubsequences: false).joined(
                    separator: "www.example.com")
                for pasted in [text, "09:30:00 ERROR \(text.uppercased()) at line 7", "'\(text)'"] {
                    let search = MessageSearch(pasted)
                    #expect(search.matches.contains { $0.message == message }, "\(form)")
                    #expect(!search.names.isEmpty)
                }
            }
        }
    }

    @Test("A form without other words finds a code from its row first") func aFormLeadsToItsCode() {
        for message in ForeignMessages.all {
            for form in message.forms {
                let text = form.split(separator: "…", omittingEmptySubsequences: false).joined(
                    separator: "www.example.com")
                let first = MessageSearch(text).names.first
                #expect(
                    first.map(message.names.contains) == true,
                    "\(message.tool): \(form) leads to \(String(describing: first))")
            }
        }
    }

    @Test("The table contains Apple's numbers for every code") func applesNumbersAreInTheTable() {
        for code in TrustFailure.Code.all {
            let numbers = code.appleErrorNumbers
            for text in [
                "\(numbers.urlErrorCode)", "\(numbers.secureTransportStatus)", "\(numbers.securityStatus)",
                numbers.securityName,
            ] {
                #expect(!MessageSearch(text).codes.isEmpty, "\(text)")
            }
        }
    }

    struct Unknown: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var text: String
    }

    static let unknown: [Unknown] = [
        Unknown(testDescription: "nothing", text: ""),
        Unknown(testDescription: "spaces and signs", text: " \n\t-- … ''"),
        Unknown(testDescription: "another failure", text: "connection refused"),
        Unknown(testDescription: "one common word", text: "certificate"),
        Unknown(testDescription: "another number", text: "-12020"),
        Unknown(testDescription: "a number without its sign", text: "9843"),
        Unknown(testDescription: "words of a message in another order", text: "expired has certificate the"),
    ]

    @Test("The search finds nothing for unrelated text", arguments: unknown) func otherTextsFindNothing(_ row: Unknown)
    {
        let search = MessageSearch(row.text)
        #expect(search.matches.isEmpty, "\(search.matches.map(\.form))")
        #expect(search.codes.isEmpty)
    }

    @Test("The search suggests the messages closest to a string") func aTextCloseToAMessageNamesIt() {
        let nearest = MessageSearch.nearest(to: "unable to find the local issuer certificate")
        #expect(nearest.contains { $0.codes.first == .unknownIssuer })
        #expect(MessageSearch.nearest(to: "zzz").isEmpty)
    }

    @Test("The search finds a message from a part of it") func aPartOfAMessageFindsIt() {
        #expect(MessageSearch("does not look like a TLS handshake").codes.first == .presentedChainEmpty)
        #expect(MessageSearch("local issuer certificate").codes.first == .unknownIssuer)
    }

    @Test("A precise message outranks a general one") func aPreciseMessageDecides() {
        let search = MessageSearch("NSURLErrorDomain Code=-1202 (kCFStreamErrorDomainSSL, -9814)")
        #expect(search.codes == [.certificateExpired])
    }

    @Test("The search shortens a megabyte of text and reads both ends", .timeLimit(.minutes(10))) func aMegabyteIsCut()
    {
        let noise = String(repeating: "x509: certificate 'x", count: 50_000)
        for text in ["-9843 " + noise, noise + " -9843"] {
            let search = MessageSearch(text)
            #expect(search.isCut)
            #expect(search.codes.first == .hostMismatch)
        }
        #expect(!MessageSearch("-9843").isCut)
    }

    // Repeated words that begin many forms. The search tries each position, and none takes long.
    @Test(
        "The search terminates on repeated beginnings of messages", .timeLimit(.minutes(10)),
        arguments: ["x509 ", "the certificate of ", "a", "\u{301}", "-1", "\\n"])
    func repeatedBeginningsEnd(_ part: String) {
        _ = MessageSearch(String(repeating: part, count: 20_000))
        _ = MessageSearch.nearest(to: String(repeating: part, count: 20_000))
    }

    @Test("Terminal escapes, quotes and line breaks don't hide a message") func decorationsDontHideAMessage() {
        for text in [
            "\u{1b}[1;31mERR_CERT_DATE_INVALID\u{1b}[0m", "«certificate has expired»", "certificate\nhas\r\nexpired",
            #"certificate has\nexpired"#, "CERTIFICATE   HAS   EXPIRED", "`certificate has expired`",
        ] {
            #expect(MessageSearch(text).codes.first == .certificateExpired, "\(text)")
        }
    }
}
