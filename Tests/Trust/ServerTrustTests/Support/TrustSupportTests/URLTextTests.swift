// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import Testing

@Suite("URLs in error messages")
struct URLTextTests {
    @Test(
        "A URL in an error loses only its user and password",
        arguments: [
            ("https://a.example/b?c#d", "https://a.example/b?c#d"), ("", ""), ("a", "a"),
            ("https://user@a.example/", "https://a.example/"), ("https://user:secret@a.example", "https://a.example"),
            ("http://:secret@a.example:80/b?c#d", "http://a.example:80/b?c#d"),
            ("https://user:s@cret@a.example/", "https://a.example/"),
            ("socks5h://user:secret@[::1]:1080", "socks5h://[::1]:1080"),
            // An @ after the authority is part of the path, the query or the fragment.
            ("https://a.example/@user", "https://a.example/@user"),
            ("https://a.example:443/?mail=a@b", "https://a.example:443/?mail=a@b"),
            ("https://[::1]/@user", "https://[::1]/@user"), ("https://[::1]:1/#@", "https://[::1]:1/#@"),
        ])
    func removed(url: String, text: String) {
        #expect(withoutUserInformation(url) == text)
    }

    @Test(
        "An unreadable URL in an error shows nothing before its last @",
        arguments: [
            "https://user:secret/word@a.example/", "https://user:secret?word@a.example/",
            "https://user:secret#word@a.example/", "https://user:sec@ret/word@a.example/", "user:secret@a.example/",
            "//user:secret@a.example/", "https:/user:secret@a.example/", "https:///user:secret@a.example/",
            "https:\\\\user:secret@a.example/", "user:secret@x://a.example/", "https://user:\r\nsecret@a.example/",
            "https://user:secret\\@a.example/", "https://user:secret@\u{301}a.example/", "@user:secret@a.example/",
        ])
    func unreadable(url: String) {
        let text = withoutUserInformation(url)
        for part in ["user", "secret", "sec", "word"] { #expect(!text.contains(part)) }
        #expect(text.hasSuffix("a.example/"))
    }
}
