// SPDX-License-Identifier: Apache-2.0

import PKIX
import PrivateCA
import Testing

@Suite("Names in certificates and name constraints")
struct NameTests {
    @Test(
        "A name is a host, a wildcard or an IP address",
        arguments: [
            ("api.example.com", "api.example.com", false), ("*.example.com", "*.example.com", true),
            ("192.0.2.1", "192.0.2.1", false), ("2001:db8:0::1", "2001:db8::1", false),
        ])
    func names(text: String, description: String, isWildcard: Bool) throws {
        let name = try CertifiedName(text)
        #expect(name.description == description)
        #expect(name.isWildcard == isWildcard)
    }

    @Test(
        "The initializer rejects a name with a misplaced wildcard or a hyphen at the end of a label",
        arguments: ["*", "api.*.com", "a*.example.com", "*.192.0.2.1", "", "foo-.example.com", "*.foo-.example.com"])
    func wrongNames(text: String) {
        #expect(throws: HostnameError.self) { try CertifiedName(text) }
    }

    @Test(
        "A subtree is a domain or a network",
        arguments: ["example.com", "192.0.2.0/24", "192.0.2.1", "2001:db8::/32"])
    func subtrees(text: String) throws {
        #expect(try PermittedSubtree(text).description == text)
    }

    @Test(
        "The initializer rejects text that isn't a subtree",
        arguments: ["*.example.com", "192.0.2.0/33", "192.0.2/24", "", "a b", "foo-.example.com"])
    func wrongSubtrees(text: String) {
        let error = #expect(throws: PermittedSubtreeError.self) { try PermittedSubtree(text) }
        #expect(error?.text == text)
    }
}
