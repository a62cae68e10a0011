// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A product that inspects TLS connections. It answers instead of the server, with certificates from its own CA.
///
/// Such products are one of the most frequent causes of reports (Azure/azure-iot-explorer 604, astral-sh/uv 10724), and
/// the server's operator can't help.
enum InspectingProxy {
    /// The products, each with a text that the subject of its CAs contains, in lower case.
    private static let products: KeyValuePairs = [
        "zscaler": "Zscaler", "netskope": "Netskope", "fortinet": "Fortinet", "fortigate": "FortiGate",
        "palo alto networks": "Palo Alto Networks", "blue coat": "Blue Coat", "cisco umbrella": "Cisco Umbrella",
        "forcepoint": "Forcepoint", "sophos ssl": "Sophos", "skyhigh security": "Skyhigh",
        "barracuda networks": "Barracuda", "cloudflare for teams": "Cloudflare Gateway",
        "gateway ca - cloudflare": "Cloudflare Gateway", "kaspersky anti-virus": "Kaspersky",
        "avast web/mail shield": "Avast", "avg web/mail shield": "AVG", "eset ssl filter": "ESET",
        "bitdefender": "Bitdefender", "mitmproxy": "mitmproxy", "charles proxy": "Charles",
        "do_not_trust_fiddlerroot": "Fiddler", "portswigger": "Burp Suite", "proxyman": "Proxyman",
        "anyproxy": "AnyProxy",
    ]

    /// Returns the product that a CA's name contains, or nil for any other CA.
    ///
    /// Not checked: whether the CA really belongs to the product. A name isn't proof.
    static func product(of name: DistinguishedName) -> String? {
        let texts = (name.values(of: .organizationName) + name.values(of: .commonName)).prefix(4)
            .map { $0.abridged(toBytes: 256).lowercased() }
        return products.first { product in texts.contains { $0.contains(product.key) } }?.value
    }
}
