// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting

/// Pin files that don't do what their authors expect.
extension Situation {
    /// Pins without a key. Their bytes are consecutive, because lint would report a pin of one repeated byte as a
    /// placeholder.
    private static let samples = (1...3).map { first in Base64.encode((0..<32).map { UInt8(first * 7 + $0) }) }

    static let pins: [Situation] = [
        pinned(
            "TLSA records for retired CAs reject the next certificate", file: "tlsa-of-retired-authorities",
            source: "simple-login/app 2268, Mailu/Mailu 2326", "tlsa.zone", status: 1,
            ["pins/retired-authority", "odd/bad-value", "pins/retired-authority", "odd/bad-value"],
            """
            ; The intermediates R3 and R4 of Let's Encrypt.
            _25._tcp.mail.example.com. 3600 IN TLSA 2 1 1 8d02536c887482bc34ff54e41d2ba659bf85b341a0a20afadb5813dcfbcf286d
            _25._tcp.mail.example.com. 3600 IN TLSA 2 1 1 e5545e211347241891c554a03934cde9b749664a59d26d615fe58f77990f2d03

            """),
        pinned(
            "A TLSA record for the whole certificate becomes outdated with every renewal",
            file: "tlsa-of-a-certificate",
            source: "virtualmin/virtualmin-gpl 803, mail-in-a-box/mailinabox 172", "tlsa.zone", status: 1,
            ["file/bad-digest", "odd/bad-value"],
            """
            _25._tcp.box.example.com. 3600 IN TLSA 3 0 1 873f1a0c5be2479d86ff0312a4c7719be5d0836a2f4c11d79a8e60b5327c9de7

            """),
        pinned(
            "A pattern with one star doesn't pin the domain and deeper subdomains", file: "okhttp-star",
            source: "square/okhttp 5432, square/okhttp 3399", "Client.kt", status: 0, ["hosts/one-label"],
            """
            val pinner = CertificatePinner.Builder()
                .add("*.example.com", "sha256/\(samples[0])")
                .add("*.example.com", "sha256/\(samples[1])")
                .build()

            """),
        pinned(
            "TrustKit refuses to start with a rule for a public suffix", file: "trustkit-suffix",
            source: "datatheorem/TrustKit 199, datatheorem/TrustKit 42", "Info.plist", status: 1,
            ["file/contradiction"], trustKit([("azurewebsites.net", true, samples.prefix(2).map(\.self))])),
        pinned(
            "TrustKit refuses to start with a domain that has no pins", file: "trustkit-empty",
            source: "datatheorem/TrustKit 88", "Info.plist", status: 1,
            ["hosts/whole-domain", "file/empty-list"],
            trustKit([("example.com", true, samples.prefix(2).map(\.self)), ("dontpin.example.com", false, [])])),
        pinned(
            "Android ignores expired pins", file: "android-expired", source: "OWASP/mastg 3035",
            "network_security_config.xml", status: 1, ["expiry/passed", "hosts/whole-domain"],
            """
            <?xml version="1.0" encoding="utf-8"?>
            <network-security-config>
                <domain-config>
                    <domain includeSubdomains="true">example.com</domain>
                    <pin-set expiration="2026-06-30">
                        <pin digest="SHA-256">\(samples[0])</pin>
                        <pin digest="SHA-256">\(samples[1])</pin>
                    </pin-set>
                </domain-config>
            </network-security-config>

            """),
        pinned(
            "A hexadecimal fingerprint isn't an OkHttp pin", file: "okhttp-fingerprint",
            source: "square/okhttp 5025, httptoolkit/frida-interception-and-unpinning 42", "Client.java", status: 1,
            ["file/bad-digest"],
            """
            CertificatePinner pinner = new CertificatePinner.Builder()
                .add("api.example.com", "5F:3A:21:C4:0B:77:E8:9D:12:6C:A5:F0:38:4E:D9:B1:73:06:2F:8C:5A:E7:41:9B:C8:10:3D:F6:84:2A:B5:6E")
                .build();

            """),
        pinned(
            "Fingerprints of certificates in Dart aren't pins of keys", file: "flutter-fingerprint",
            source: "diefferson/http_certificate_pinning 78", "pins.dart", status: 2, ["file/unreadable"],
            """
            Future<String> probe() => HttpCertificatePinning.check(
              serverURL: "https://api.example.com/", sha: SHA.SHA256,
              allowedSHAFingerprints: ["9D 7C 3F 1A A6 AD 2B 2E C0 D5 CF 1E 24 6F 8D 9A E6 CB C9 FD 07 55 AD 37 BB 97 4B 1F 2F B6 03 F3"]);

            """),
        pinned(
            "Envoy's YAML isn't read, but its JSON is", file: "envoy-yaml",
            source: "Envoy, CertificateValidationContext",
            "envoy.yaml", status: 2, ["file/unreadable"],
            "validation_context:\n  verify_certificate_spki:\n  - \(samples[0])\n"),
        pinned(
            "Browsers don't read the pins of a header", file: "header-pins", source: "RFC 7469", "pins.conf", status: 2,
            ["file/unreadable"],
            "add_header Public-Key-Pins 'pin-sha256=\"\(samples[0])\"; pin-sha256=\"\(samples[1])\"; max-age=5184000';\n"
        ),
        pinned(
            "nginx has no pins", file: "nginx-upstream", source: "nginx, ngx_http_proxy_module", "nginx.conf",
            status: 2,
            ["file/unreadable"], "proxy_ssl_trusted_certificate /etc/ssl/ca.pem;\nproxy_ssl_verify on;\n"),
        pinned(
            "Lint reads the form in which Apple documents pins", file: "ats-fragment",
            source: "Apple, NSPinnedDomains", "fragment.plist", status: 1, ["odd/misplaced-key", "pins/no-backup"],
            """
            <key>NSPinnedDomains</key>
            <dict>
             <key>api.example.com</key>
             <dict>
              <key>NSPinnedCAIdentities</key>
              <array><dict><key>SPKI-SHA256-BASE64</key><string>\(samples[0])</string></dict></array>
             </dict>
            </dict>

            """),
        pinned(
            "curl's -k beside a pin accepts any certificate with the key", file: "curl-insecure",
            source: "curl, --pinnedpubkey", "get.sh", status: 1, ["odd/contradiction", "pins/leaf-only"],
            "curl -fsSk --pinnedpubkey \"sha256//\(samples[0]);sha256//\(samples[1])\" https://api.example.com/\n"),
        pinned(
            "TrustKit without enforcement accepts any valid path", file: "trustkit-off",
            source: "datatheorem/TrustKit, kTSKEnforcePinning", "Info.plist", status: 1, ["hosts/not-enforced"],
            trustKit([("api.example.com", false, samples.prefix(2).map(\.self))])),
        pinned(
            "A faulty pin of one host doesn't hide a finding about another", file: "okhttp-one-faulty",
            source: "square/okhttp 5025", "Client.kt", status: 1, ["file/wrong-length", "pins/no-backup"],
            """
            CertificatePinner.Builder()
                .add("a.example.com", "sha256/AAAA")
                .add("b.example.com", "sha256/\(samples[0])")
                .build()

            """),
        Situation(
            "A server key in the list of CA pins is never compared with the server's key",
            file: "ats-server-as-authority",
            source: "mullvad/mullvadvpn-app 5443",
            ["pins", "lint", "Info.plist", "--certs", "chain.pem", "--anchors", "root.pem"], status: 1,
            .findings(["pins/not-in-path"])
        ) {
            let authority = try TestAuthority.root(.authority("App Root")).intermediate(.authority("App CA"))
            let leaf = try authority.issue(.leaf("am.example.net"))
            let pin = SPKIPin(leaf.certificate).description.dropFirst(7)
            return chain(leaf, of: authority).merging([
                "Info.plist": Data(ats("am.example.net", authorities: [String(pin), samples[0]]).utf8)
            ]) { $1 }
        },
    ]

    /// Returns a situation with one pin file.
    private static func pinned(
        _ description: String, file: String, source: String, _ name: String, status: Int32, _ rules: [String],
        _ text: String
    ) -> Situation {
        Situation(
            description, file: file, source: source, ["pins", "lint", name, "--anchors", "root.pem"], status: status,
            .findings(rules)
        ) { [name: Data(text.utf8), "root.pem": Self.text([try TestAuthority.root().certificate])] }
    }

    /// Returns an Info.plist with a TrustKit configuration: domains, whether TrustKit also enforces their pins for
    /// subdomains, and the pins.
    private static func trustKit(_ domains: [(name: String, isEnforced: Bool, pins: [String])]) -> String {
        let rules = domains.map { domain in
            """
            <key>\(domain.name)</key>
            <dict>
                <key>TSKIncludeSubdomains</key><\(domain.isEnforced)/>
                <key>TSKEnforcePinning</key><\(domain.isEnforced)/>
                <key>TSKPublicKeyHashes</key>
                <array>\(domain.pins.map { "<string>\($0)</string>" }.joined())</array>
                <key>TSKDisableDefaultReportUri</key><true/>
            </dict>
            """
        }
        return plist(
            "<key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict>\(rules.joined())</dict></dict>")
    }

    /// Returns an Info.plist with CA pins for App Transport Security.
    private static func ats(_ host: String, authorities: [String]) -> String {
        let list = authorities.map { "<dict><key>SPKI-SHA256-BASE64</key><string>\($0)</string></dict>" }.joined()
        return plist(
            """
            <key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict><key>\(host)</key><dict>
                <key>NSPinnedCAIdentities</key><array>\(list)</array>
            </dict></dict></dict>
            """)
    }

    private static func plist(_ members: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict>
        \(members)
        </dict></plist>

        """
    }
}
