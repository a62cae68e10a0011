// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import Diagnosis

/// Random text from pieces that could break out of markup, scripts, styles, attributes and lines.
struct HostileText {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private static let parts = [
        "<script>alert(1)</script>", "</style><script>", "</title>", "</main></body></html>",
        "<img src=x onerror=alert(1)>",
        "\" onmouseover=\"alert(1)", "' autofocus onfocus='alert(1)", "javascript:alert(1)", "data:text/html,<b>x</b>",
        "<!--", "-->", "<![CDATA[", "]]>", "<?xml version=\"1.0\"?>", "<!DOCTYPE html [<!ENTITY x \"y\">]>", "&x;",
        "&lt;", "&#60;",
        "&#x3C;script&#x3E;", "<svg onload=alert(1)>", "<a href=\"https://example.com\">",
        "<base href=\"//example.com/\">",
        "<meta http-equiv=refresh content=0>", "\u{202e}", "\u{2066}", "\u{2069}", "\u{200e}", "\u{200f}", "\u{61c}",
        "\u{200b}",
        "\u{feff}", "\u{2028}", "\u{2029}", "\u{0}", "\u{1b}[2J", "\r\n", "\n", "\t", "\u{7f}", "\u{85}", "\u{fffe}",
        "\u{ffff}",
        "\u{e000}", "\u{10ffff}", "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}", "👩‍👩‍👧", "שלום", "مرحبا", "例え", "${x}",
        "{{x}}",
        "`", "\\", "/*", "*/", "url(https://example.com)", "expression(alert(1))", "api.example.com", " ", "a",
    ]

    private mutating func random(below limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
    }

    /// Returns up to twelve pieces, and occasionally ten thousand characters.
    mutating func next() -> String {
        if random(below: 40) == 0 { return String(repeating: Self.parts[random(below: Self.parts.count)], count: 500) }
        return (0...random(below: 12)).map { _ in Self.parts[random(below: Self.parts.count)] }.joined()
    }

    /// Returns a report with hostile text in every place where a decoded report can have text.
    mutating func report(like sample: Sample) throws -> TrustReport {
        var tree = sample.tree
        for path in sample.texts { Self.set(&tree, path[...], next()) }
        return try Self.decoded(tree)
    }

    /// A report in JSON, with the positions of its strings.
    struct Sample {
        fileprivate let tree: Any
        fileprivate let texts: [[AnyHashable]]

        init(_ report: TrustReport) throws {
            let tree = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report))
            self.tree = tree
            // Dates and case names can't have other values.
            texts = HostileText.texts(in: tree, []).filter { path in
                var changed = tree
                HostileText.set(&changed, path[...], "a text")
                return (try? HostileText.decoded(changed)) != nil
            }
        }
    }

    private static func decoded(_ tree: Any) throws -> TrustReport {
        try JSONDecoder().decode(TrustReport.self, from: JSONSerialization.data(withJSONObject: tree))
    }

    private static func texts(in tree: Any, _ path: [AnyHashable]) -> [[AnyHashable]] {
        if let object = tree as? [String: Any] {
            return object.sorted { $0.key < $1.key }.flatMap { texts(in: $0.value, path + [$0.key]) }
        }
        if let list = tree as? [Any] {
            return list.enumerated().flatMap { texts(in: $0.element, path + [$0.offset]) }
        }
        return tree is String ? [path] : []
    }

    private static func set(_ tree: inout Any, _ path: ArraySlice<AnyHashable>, _ text: String) {
        guard let key = path.first else {
            tree = text
            return
        }
        if var object = tree as? [String: Any], let name = key as? String, var member = object[name] {
            set(&member, path.dropFirst(), text)
            object[name] = member
            tree = object
        } else if var list = tree as? [Any], let index = key as? Int, list.indices.contains(index) {
            set(&list[index], path.dropFirst(), text)
            tree = list
        }
    }
}
