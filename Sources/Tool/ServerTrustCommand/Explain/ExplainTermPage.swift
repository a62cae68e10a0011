// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import ServerTrust

/// The page for a name that occurs in findings about revocation: its meanings, and the guide to the code behind it.
struct ExplainTermPage {
    /// The meanings of the name, at least one.
    let terms: [RevocationTerm]
    let palette: Palette

    var lines: [String] {
        var lines: [String] = []
        for term in terms {
            lines.append("\(palette.bold(term.name)) (\(Self.title(of: term.kind)))")
            lines += ExplainPage.paragraph(Self.sentence(term.words)) + [""]
        }
        let guides = codes.compactMap(Guides.of)
        guard !guides.isEmpty else { return Array(lines.dropLast()) }
        lines.append(palette.bold("the code"))
        for guide in guides { lines += ExplainPage.item("\(guide.name): \(guide.meaning)") }
        let names = guides.map(\.name).joined(separator: " ")
        return lines + ["", "  For the whole guide, run servertrust explain \(names)."]
    }

    var json: [UInt8] {
        JSONWriter.answer(of: terms) { json, term in
            json.member("name", term.name)
            json.member("kind", term.kind.rawValue)
            json.member("words", term.words)
            json.member("codes", Self.codes(for: term).map(\.name))
        }
    }

    private var codes: [TrustFailure.Code] {
        var codes: [TrustFailure.Code] = []
        for code in terms.flatMap(Self.codes) where !codes.contains(code) { codes.append(code) }
        return codes
    }

    /// Returns the failure codes that such a finding causes. Empty for findings that don't refuse anything.
    private static func codes(for term: RevocationTerm) -> [TrustFailure.Code] {
        switch term.kind {
        case .source:
            term.name == RevocationFinding.Source.deniedList.rawValue ? [.certificateDenied] : [.certificateRevoked]
        case .obstacle: [.revocationUnavailable]
        case .exemption, .note, .gap: []
        }
    }

    private static func title(of kind: RevocationTerm.Kind) -> String {
        switch kind {
        case .source: "a source of a revocation status"
        case .exemption: "an exemption from revocation checks"
        case .obstacle: "an obstacle to a revocation status"
        case .note: "a caveat about a revocation status"
        case .gap: "a gap in a best-effort revocation check"
        }
    }

    private static func sentence(_ words: String) -> String { words.prefix(1).uppercased() + words.dropFirst() + "." }
}
