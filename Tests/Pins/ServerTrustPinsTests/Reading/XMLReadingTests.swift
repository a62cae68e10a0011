// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ServerTrustPins

/// XML 1.0 (Fifth Edition) and Namespaces in XML 1.0, rule by rule.
@Suite("XML parsing") struct XMLReadingTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let text: String
        /// The events in a short form, or nil for a fault.
        let events: String?
        var testDescription: String { name }

        init(_ name: String, _ text: String, _ events: String?) {
            self.name = name
            self.text = text
            self.events = events
        }
    }

    @Test(
        "A written comment is a single comment, whatever its text",
        arguments: [
            "-", "--", "---", "a-->b", "--\u{301}", "-\u{301}-", "--\u{301}>", "-->\u{301}", "\u{ffff}", "\u{1}-\u{2}-",
        ])
    func writtenComments(_ text: String) throws {
        let events = try events(Array("<a>\(XMLText.comment(text, indent: ""))</a>".utf8))
        #expect(events.hasPrefix("<a>{ ") && events.hasSuffix("}\"\n\"</>"), "\(events)")
        #expect(events.count { $0 == "{" } == 1)
    }

    /// - Returns: the events as `<a b=c>`, `</>`, `"text"` and `{comment}`. Parts of a text are joined.
    private func events(_ bytes: [UInt8]) throws(XMLFault) -> String {
        var reader = try XMLReader(bytes, allowsPropertyListType: false)
        var result = ""
        var text = ""
        while let event = try reader.next() {
            if case .text(let part) = event {
                text += part
                continue
            }
            if !text.isEmpty { result += "\"\(text)\"" }
            text = ""
            switch event {
            case .start(let name, let attributes):
                let list = attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
                result += "<\(name)\(list)>"
            case .end: result += "</>"
            case .comment(let comment): result += "{\(comment)}"
            case .text: break
            }
        }
        return result
    }

    static let rows: [Row] = [
        // Structure
        Row("an empty element", "<a/>", "<a></>"),
        Row("an empty element with a space", "<a />", "<a></>"),
        Row("elements, text and comments", "<a>x<b>y</b><!-- c --></a>", "<a>\"x\"<b>\"y\"</>{ c }</>"),
        Row(
            "spaces, comments and instructions around the root", " <!--x-->\n<?i?><a/>\n<?i j?><!--y-->\n",
            "{x}<a></>{y}"),
        Row("a byte order mark", "\u{feff}<a/>", "<a></>"),
        Row("a declaration", "<?xml version=\"1.0\" encoding='utf-8' standalone = \"yes\" ?><a/>", "<a></>"),
        Row("nothing", "", nil),
        Row("blanks alone", " \n", nil),
        Row("a comment alone", "<!--x-->", nil),
        Row("text before the root", "x<a/>", nil),
        Row("text after the root", "<a/>x", nil),
        Row("a reference after the root", "<a/>&#32;", nil),
        Row("two roots", "<a/><b/>", nil),
        Row("a CDATA section after the root", "<a/><![CDATA[x]]>", nil),
        Row("an element without an end", "<a><b></b>", nil),
        Row("elements that overlap", "<a><b></a></b>", nil),
        Row("an end tag without a start", "<a/></a>", nil),
        Row("an end tag in another case", "<a></A>", nil),
        Row("an end tag with an attribute", "<a></a b='c'>", nil),
        Row("a start tag without an end", "<a", nil),
        Row("a document type", "<!DOCTYPE a><a/>", nil),
        Row("a document type inside", "<a><!DOCTYPE a></a>", nil),
        Row("version 1.1", "<?xml version='1.1'?><a/>", nil),
        Row("a declaration without a version", "<?xml encoding='utf-8'?><a/>", nil),
        Row("a declaration in another order", "<?xml version='1.0' standalone='no' encoding='utf-8'?><a/>", nil),
        Row("a declaration after blanks", " <?xml version='1.0'?><a/>", "<a></>"),
        Row("a declaration after a comment", "<!--b--><?xml version='1.0'?><a/>", nil),
        Row("two declarations", "<?xml version='1.0'?><?xml version='1.0'?><a/>", nil),
        // Attributes
        Row("both quotes", "<a b=\"1'\" c='2\"'/>", "<a b=1' c=2\"></>"),
        Row("white space in a value", "<a b='1\t2\n3\r\n4\r5'/>", "<a b=1 2 3 4 5></>"),
        Row("white space by character number in a value", "<a b='1&#9;2&#xA;3'/>", "<a b=1\t2\n3></>"),
        Row("> in a value", "<a b='1>2'/>", "<a b=1>2></>"),
        Row("< in a value", "<a b='1<2'/>", nil),
        Row("& in a value", "<a b='1&2'/>", nil),
        Row("a value without quotes", "<a b=c/>", nil),
        Row("an attribute without a value", "<a b/>", nil),
        Row("attributes without a space between them", "<a b='1'c='2'/>", nil),
        Row("an attribute twice", "<a b='1' b='1'/>", nil),
        Row("a value without an end", "<a b='1/>", nil),
        // Names
        Row("names in other scripts", "<é ü·='1'/>", "<é ü·=1></>"),
        Row("a name that begins with a digit", "<1a/>", nil),
        Row("a name that begins with a combining character", "<\u{301}a/>", nil),
        Row("a name with a multiplication sign", "<a×b/>", nil),
        Row("a space before a name", "< a/>", nil),
        // Namespaces
        Row("declared prefixes", "<b:a xmlns:b='u' b:c='1'/>", "<b:a b:c=1 xmlns:b=u></>"),
        Row("the prefix xml", "<a xml:lang='en'/>", "<a xml:lang=en></>"),
        Row("a prefix that the parent declares", "<a xmlns:b='u'><b:c/></a>", "<a xmlns:b=u><b:c></></>"),
        Row("a prefix that a sibling declares", "<a><b xmlns:c='u'/><c:d/></a>", nil),
        Row("an element with an unknown prefix", "<b:a/>", nil),
        Row("an attribute with an unknown prefix", "<a b:c='1'/>", nil),
        Row("two colons", "<a xmlns:b='u'><b:c:d/></a>", nil),
        Row("a colon at the start", "<:a/>", nil),
        Row("a colon at the end", "<a:/>", nil),
        Row("a local name that begins with a digit", "<b:1 xmlns:b='u'/>", nil),
        Row("an attribute twice within its namespace", "<a xmlns:b='u' xmlns:c='u' b:d='1' c:d='2'/>", nil),
        Row("a prefix for no namespace", "<a xmlns:b=''/>", nil),
        Row("the default namespace undeclared", "<a xmlns='u'><b xmlns=''/></a>", "<a xmlns=u><b xmlns=></></>"),
        Row("xml for another namespace", "<a xmlns:xml='u'/>", nil),
        Row("the prefix xmlns", "<a xmlns:xmlns='u'/>", nil),
        // Text
        Row("the five entities", "<a>&lt;&gt;&amp;&quot;&apos;</a>", "<a>\"<>&\"'\"</>"),
        Row("an entity in an entity", "<a>&amp;lt;</a>", "<a>\"&lt;\"</>"),
        Row("characters by number", "<a>&#65;&#x1F600;&#00000000065;</a>", "<a>\"A😀A\"</>"),
        Row("line ends", "<a>1\r\n2\r3\n</a>", "<a>\"1\n2\n3\n\"</>"),
        Row("a line end by character number", "<a>&#13;</a>", "<a>\"\r\"</>"),
        Row("a CDATA section", "<a>x<![CDATA[<b>&amp;]]]></a>", "<a>\"x<b>&amp;]\"</>"),
        Row("an unknown entity", "<a>&nbsp;</a>", nil),
        Row("an entity without an end", "<a>&lt</a>", nil),
        Row("& alone", "<a>a & b</a>", nil),
        Row("number 0", "<a>&#0;</a>", nil),
        Row("the number of a control character", "<a>&#1;</a>", nil),
        Row("the number of a surrogate", "<a>&#xD800;</a>", nil),
        Row("the number of U+FFFE", "<a>&#xFFFE;</a>", nil),
        Row("a number beyond Unicode", "<a>&#x110000;</a>", nil),
        Row("a number that would overflow", "<a>&#4294967361;</a>", nil),
        Row("a number beyond 64 bits", "<a>&#18446744073709551681;</a>", nil),
        Row("a number without digits", "<a>&#;</a>", nil),
        Row("a hexadecimal number in decimal form", "<a>&#1F;</a>", nil),
        Row("a number with X", "<a>&#X41;</a>", nil),
        Row("]]> in text", "<a>]]></a>", nil),
        Row("a control character", "<a>\u{1}</a>", nil),
        Row("U+FFFF", "<a>\u{ffff}</a>", nil),
        Row("a CDATA section without an end", "<a><![CDATA[x</a>", nil),
        // Comments and instructions
        Row("a comment with markup", "<a><!-- <b> & - --></a>", "<a>{ <b> & - }</>"),
        Row("-- in a comment", "<a><!-- -- --></a>", nil),
        Row("--- at the end of a comment", "<a><!-- ---></a>", nil),
        Row("a comment without an end", "<a><!-- </a>", nil),
        Row("an instruction with ?", "<a><?b ? > ?></a>", "<a></>"),
        Row("an instruction for XML", "<a><?XmL x?></a>", nil),
        Row("an instruction with a colon", "<a><?b:c x?></a>", nil),
        Row("an instruction without a name", "<a><? b?></a>", nil),
        Row("an instruction without an end", "<a><?b</a>", nil),
    ]

    @Test("The parser follows XML's rules", arguments: rows)
    func rules(_ row: Row) {
        let found = try? events(Array(row.text.utf8))
        #expect(found == row.events)
    }

    @Test("Elements can be nested up to the limit")
    func depth() throws {
        let open = String(repeating: "<a>", count: PinNode.maximumDepth - 1)
        let close = String(repeating: "</a>", count: PinNode.maximumDepth - 1)
        #expect(throws: Never.self) { try events(Array((open + "<b/>" + close).utf8)) }
        let fault = #expect(throws: XMLFault.self) { try events(Array((open + "<b><c/></b>" + close).utf8)) }
        #expect(fault?.kind == .limit)
    }

    @Test("An element's line is the line where its start tag ends")
    func lines() throws {
        let text = "<a>\r\n<b\n c='1'\n/><!--\n--><d>\n</d></a>"
        let tree = try XMLTree(Array(text.utf8), file: "file")
        #expect(tree.root.line == 1)
        #expect(tree.root.children.map(\.line) == [4, 5])
    }

    @Test("Every truncated document causes a fault, not a trap")
    func beginnings() {
        let text =
            "\u{feff}<?xml version='1.0'?><!--é--><a xmlns:b='u' b:c='&#65;'>x&amp;<![CDATA[y]]><?i j?><b:d/></a>"
        let bytes = Array(text.utf8)
        #expect(throws: Never.self) { try events(bytes) }
        for count in 0..<bytes.count { #expect(throws: XMLFault.self) { try events(Array(bytes[..<count])) } }
    }

    /// 1 MB of comments and blanks. A parser that rescans the text at each comment would take minutes.
    @Test("Parsing text in many parts takes linear time", .timeLimit(.minutes(10)))
    func manyParts() throws {
        let text = "<a>" + String(repeating: " <!---->", count: 125_000) + "</a>"
        let tree = try XMLTree(Array(text.utf8), file: "file")
        #expect(tree.strayComments.count == 125_000)
        #expect(!tree.root.hasSplitText)
    }

    // MARK: Work

    /// Returns the numbers of events and attributes in a document.
    private func counts(_ text: String) throws(XMLFault) -> [Int] {
        var reader = try XMLReader(Array(text.utf8), allowsPropertyListType: false)
        var (events, attributes) = (0, 0)
        while let event = try reader.next() {
            events += 1
            if case .start(_, let found) = event { attributes += found.count }
        }
        return [events, attributes]
    }

    @Test("Twice the parts in a document cause twice the events", arguments: [100, 200, 400])
    func events(_ count: Int) throws {
        func repeated(_ text: String) -> String { String(repeating: text, count: count) }
        #expect(try counts("<a>\(repeated("<b c='1'>x</b>"))</a>") == [3 * count + 2, count])
        #expect(try counts("<a>\(repeated("<!--x-->"))</a>") == [count + 2, 0])
        #expect(try counts("<a>\(repeated("<![CDATA[x]]>"))</a>") == [count + 2, 0])
        #expect(try counts("<a>\(repeated("&#120;&amp;"))</a>") == [3, 0])
        #expect(try counts("<a>\(repeated("<?b c?>"))</a>") == [2, 0])
        #expect(
            try counts("<a xmlns:p='u' \((0..<count).map { "p:a\($0)=''" }.joined(separator: " "))/>") == [
                2, count + 1,
            ])
        #expect(try counts("<a>\(repeated("<p:b xmlns:p='u' p:c=''/>"))</a>") == [2 * count + 2, 2 * count])
        let list = "<plist><array>\(repeated("<string>x</string>"))</array></plist>"
        #expect(try PinNode(xmlPropertyList: Array(list.utf8), file: "file").count == count)
    }
}
