// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ServerTrust

@Suite("Packed texts") struct BookTests {
    private static let packed = """
        first
        meaning: It is first: `a: b`.
        remedy: One.
        remedy: Two.
        line:   indented
        line:

        x509: a name with a colon
        note: N.

        empty

        """

    @Test("Entries keep their order, and each has its own texts") func entries() {
        let book = Book(packed: Self.packed)
        #expect(book.entries.map(\.name) == ["first", "x509: a name with a colon", "empty"])
        #expect(book["first"]?["meaning"] == "It is first: `a: b`.")
        #expect(book["first"]?.all("remedy") == ["One.", "Two."])
        #expect(book["first"]?.all("line") == ["  indented", ""])
        #expect(book["x509: a name with a colon"]?.all("note") == ["N."])
        #expect(book["first"]?.all("note") == [])
        #expect(book["second"] == nil)
    }

    @Test("A book fills only its entries without texts from another book") func filling() {
        var book = Book(packed: "a\n\nb\nmeaning: B.\n\nc\n")
        book.fill(from: Book(packed: "b\nmeaning: Other.\n\na\nmeaning: A.\n"))
        #expect(book.entries.map { $0["meaning"] } == ["A.", "B.", ""])
    }
}
