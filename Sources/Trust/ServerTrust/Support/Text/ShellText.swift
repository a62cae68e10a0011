// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text as one word of a POSIX shell, in single quotes if necessary.
    package var shellWord: String {
        let isPlain =
            !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            }
        if isPlain { return self }
        var quoted = "'"
        for scalar in unicodeScalars { quoted += scalar == "'" ? "'\\''" : String(scalar) }
        return quoted + "'"
    }
}
