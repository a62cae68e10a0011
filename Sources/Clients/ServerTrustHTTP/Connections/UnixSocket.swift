// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

/// Unix socket URLs for async-http-client.
enum UnixSocket {
    /// Returns `http+unix://PATH`. In the path, every byte except letters, digits, `-`, `.`, `_` and `~` is
    /// percent-encoded (RFC 3986 § 2.3).
    static func urlPrefix(of path: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes = Array("http+unix://".utf8)
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

#endif
