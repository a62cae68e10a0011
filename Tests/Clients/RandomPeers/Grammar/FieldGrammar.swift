// SPDX-License-Identifier: Apache-2.0

/// Writes lines of header fields with faults.
enum FieldGrammar {
    static func fields(_ dice: inout Dice) -> [String] {
        if dice.chance(3) { return (0..<dice.number(50...600)).map { "x-\($0): y" } }
        return (0..<dice.number(1...4)).map { _ in field(&dice) }
    }

    private static func field(_ dice: inout Dice) -> String {
        switch dice.number(0...9) {
        case 0:
            return "connection: "
                + dice.pick("close", "keep-alive", "upgrade", "close, keep-alive", "", "Close", "transfer-encoding")
        case 1: return "upgrade: " + dice.pick("h2c", "websocket", "TLS/1.3", "", "http/1.1")
        case 2:
            return "content-encoding: " + dice.pick("gzip", "deflate", "br", "identity", "gzip, gzip", "x", "zstd", "")
        case 3: return "set-cookie: " + cookie(&dice)
        case 4: return challenge(&dice)
        case 5: return BodyGrammar.framingField(5, &dice)
        case 6:
            return dice.pick("retry-after", "age", "expires", "date", "last-modified", "cache-control", "etag") + ": "
                + dice.pick(
                    "0", "-1", "99999999999999999999", "Thu, 01 Jan 1970 00:00:00 GMT", "max-age=-1", "\"", "W/\"a", "")
        case 7:
            return dice.pick("content-range", "content-type", "trailer", "alt-svc", "keep-alive", "vary", "te") + ": "
                + dice.pick(
                    "bytes 0-4/5", "bytes */*", "bytes 9-1/2", "text/html; charset=\"", "*", "timeout=0, max=0", "clear"
                )
        case 8: return malformed(&dice)
        default: return "x-\(dice.number(0...9)): " + String(repeating: "v", count: dice.pick(0, 10, 200, 9000, 70000))
        }
    }

    private static func cookie(_ dice: inout Dice) -> String {
        dice.pick(
            "a=b", "a", "=", ";", "a=b; domain=test", "a=b; domain=.peer.test; path=/",
            "a=b; max-age=-9999999999999999999",
            "a=b; expires=Thu, 99 Foo 9999 99:99:99 GMT", "__Host-a=b", "a=\u{1}",
            "a=" + String(repeating: "c", count: 5000))
    }

    /// Returns a challenge for a password.
    static func challenge(_ dice: inout Dice) -> String {
        dice.pick("www-authenticate", "www-authenticate", "proxy-authenticate") + ": "
            + dice.pick(
                "Basic realm=\"a\"", "Basic", "Digest realm=\"a\", nonce=\"b\", qop=\"auth\"", "Digest nonce=",
                "Negotiate",
                "Digest realm=\"a\", nonce=\"b\", algorithm=SHA-512-256, qop=\"auth-int\", stale=true", "NTLM", ",,,",
                "\"",
                "Digest realm=\"\\", "Bearer", "", "Basic realm=\"a\", Digest realm=\"b\", nonce=\"c\"")
    }

    private static func malformed(_ dice: inout Dice) -> String {
        dice.pick(
            "no colon", ": no name", "x : space", " folded", "\tfolded", "x\u{0}: y", "x: \u{0}", "x: \r", "x: a\nb: c",
            "ü: ü",
            "x:" + String(repeating: " ", count: 200), "(x): y", ":status: 200", "x: \u{7f}", "Content-Length : 5", "",
            "x")
    }
}
