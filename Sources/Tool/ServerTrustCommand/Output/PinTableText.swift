// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PinLint
import ServerTrust

/// The text about pin candidates and valid paths, for people.
enum PinTableText {
    /// Returns the lines of the text.
    /// - Parameter time: the date from which to count the days left.
    static func lines(_ candidates: PinCandidates, at time: Time, _ palette: Palette) -> [String] {
        var lines: [String] = []
        for candidate in candidates.candidates {
            let kind = candidate.isBackup ? "backup" : candidate.kind.rawValue
            lines.append(
                kind.padded(to: 8) + candidate.stability.rawValue.padded(to: 15)
                    + palette.bold(candidate.pin.description)
                    + "  " + printable(candidate.name))
            var remarks: [String] = []
            if let certificate = candidate.certificate {
                remarks.append("until \(certificate.notAfter), \(DaysLeft(until: certificate.notAfter, at: time))")
            }
            if !candidates.paths.isEmpty, candidate.kind != .key {
                remarks.append(presence(candidate, candidates.paths.count))
            }
            if !remarks.isEmpty { lines.append(palette.faint("        " + remarks.joined(separator: ", "))) }
        }
        if !candidates.paths.isEmpty { lines += [""] + paths(candidates.paths) }
        for certificates in candidates.crossSigned {
            let issuers = certificates.map { printable($0.issuer.description) }
            lines += [
                "",
                "cross-signed: \(printable(certificates[0].subject.description)) by \(issuers.joined(separator: " and by "))",
                "  these paths share its key, but not the certificates above it",
            ]
        }
        return lines
    }

    private static func presence(_ candidate: PinCandidate, _ count: Int) -> String {
        switch candidate.paths.count {
        case count: "in every valid path"
        case 0: "in no valid path"
        default: "in \(candidate.paths.count) of \(count) valid paths: not enough by itself"
        }
    }

    private static func paths(_ paths: [ValidatedPath]) -> [String] {
        ["valid paths"]
            + paths.enumerated().map { index, path in
                "  \(index + 1)  " + path.certificates.map { printable($0.description) }.joined(separator: " < ")
            }
    }
}
