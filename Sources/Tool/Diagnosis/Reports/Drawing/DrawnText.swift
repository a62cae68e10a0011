// SPDX-License-Identifier: Apache-2.0

/// The estimated width of text in drawings. The code that writes a page can't measure text.
enum DrawnText {
    /// Returns the start of a text that takes at most `width` units, with an ellipsis if it is cut.
    ///
    /// A unit is the width of an average lowercase letter. Wide letters and those of East Asian scripts count more. A
    /// character that ``HTMLText`` writes as `\u{…}` counts as many units as its escape has characters.
    static func cut(_ text: String, to width: Double) -> String {
        var used = 0.0
        var marks = 0
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isMark = scalar.properties.generalCategory == .nonspacingMark
            marks = isMark ? marks + 1 : 0
            let unit = isMark && marks <= 2 ? 0 : self.width(of: scalar)
            guard used + unit <= width - 1, marks <= HTMLText.maximumMarks else { return String(kept) + "…" }
            used += unit
            kept.append(scalar)
        }
        return String(kept)
    }

    private static func width(of scalar: Unicode.Scalar) -> Double {
        switch scalar {
        case "i", "l", "j", "t", "f", "r", "I", ".", ",", ":", ";", "'", "|", "!", " ", "(", ")", "/": 0.6
        case "m", "w", "M", "W", "@", "%": 1.6
        case "<", ">", "=", "&", "+", "~", "^": 1.4
        case "A"..."Z": 1.25
        case _ where scalar.isASCII: 1.05
        default:
            HTMLText.escaped(String(scalar)).hasPrefix("\\")
                ? 8 : scalar.value < 0x530 ? 1.15 : 2
        }
    }
}
