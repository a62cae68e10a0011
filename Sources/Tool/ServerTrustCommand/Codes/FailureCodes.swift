// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import ServerTrust

/// The failure codes of the package, `verify --batch` and `--expires-within`.
enum FailureCodes {
    /// All codes, most specific first.
    static let all: [TrustFailure.Code] =
        (TrustFailure.Code.all + TrustFailure.Code.batch + [.certificateExpiresSoon]).sorted {
            ($1.rank, $0.name) < ($0.rank, $1.name)
        }

    /// Earlier names of codes, each with its present name.
    static let aliases = ["keyDenied": "certificateDenied"]

    /// Returns the code with exactly this present or earlier name.
    static func named(_ name: String) -> TrustFailure.Code? {
        all.first { $0.name == name } ?? aliases[name].flatMap { name in all.first { $0.name == name } }
    }

    /// Returns up to three similar names.
    static func closest(to name: String) -> [String] { similar(to: name, among: all.map(\.name)) }

    /// Returns the guide to the code with this present or earlier name.
    static func guide(to name: String) -> Book.Entry? { Guides.failures[aliases[name] ?? name] }
}
