// SPDX-License-Identifier: Apache-2.0

import Explanations
import ServerTrust
import TrustSupport

/// The failure codes of the package, of `verify --batch` and of `--expires-within`.
enum FailureCodes {
    /// All codes, most specific first.
    static let all: [TrustFailure.Code] =
        (TrustFailure.Code.all + TrustFailure.Code.batch + [.certificateExpiresSoon]).sorted {
            ($1.rank, $0.name) < ($0.rank, $1.name)
        }

    /// Earlier names of codes, each with the present one.
    static let aliases = ["keyDenied": "certificateDenied"]

    /// Returns the code with exactly this name, or that had it earlier.
    static func named(_ name: String) -> TrustFailure.Code? {
        all.first { $0.name == name } ?? aliases[name].flatMap { name in all.first { $0.name == name } }
    }

    /// Returns up to three similar names.
    static func closest(to name: String) -> [String] { similar(to: name, among: all.map(\.name)) }

    /// Returns the guide to a code; nil for none of these codes.
    static func guide(to code: TrustFailure.Code) -> FailureGuide? {
        FailureGuide.of(code) ?? CommandGuides.all.first { $0.code == code }
    }
}
