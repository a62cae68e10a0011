// SPDX-License-Identifier: Apache-2.0

import PKIX

extension String {
    /// The text as one word of a POSIX shell, in single quotes if necessary.
    package var shellWord: String {
        if !isEmpty, utf8.allSatisfy({ $0.isLetterOrDigit || "/._-".utf8.contains($0) }) { return self }
        var quoted = "'"
        for scalar in unicodeScalars { quoted += scalar == "'" ? "'\\''" : String(scalar) }
        return quoted + "'"
    }
}
