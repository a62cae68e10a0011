// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let names: [FailureGuide] = [hostMismatch, subjectAlternativeNameMissing]

    private static let hostMismatch = FailureGuide(
        .hostMismatch,
        meaning:
            "The certificate is for other names than the one that the client connects to. Only the subject alternative name counts, and a wildcard stands for one label.",
        sign:
            "The requested name isn't in `openssl s_client -connect HOST:443 -servername HOST </dev/null | openssl x509 -noout -ext subjectAltName`.",
        causes: [
            "The server has several sites and answers with its default certificate, because no site is configured for this name or the client sends no SNI.",
            "The certificate has `www.example.com` and not `example.com`, or the other way round.",
            "A wildcard is expected to cover more than one label: `*.example.com` isn't valid for `a.b.example.com`.",
            "The client connects by an IP address, an internal alias or a load balancer's own name.",
            "The name points to another machine: old DNS, a parked domain, a captive portal or an interceptor.",
        ],
        serverRemedies: [
            "Have the certificate reissued with every name that clients use: `certbot certonly --nginx -d example.com -d www.example.com`.",
            "Give the name a site of its own with its own certificate (`server_name` in nginx, `<VirtualHost>` with `ServerName` in Apache), and compare the answers for two names: `openssl s_client -connect HOST:443 -servername NAME`.",
            "See where the name leads: `dig +short NAME`; correct the record if it is another machine.",
            "Have clients connect by name. A certificate for an IP address needs an `IP:` entry in its subject alternative name.",
        ],
        customization: .change(
            "If the server is known by another name than the address in use, expect that name at that address; everything else is still checked.",
            .expectedName),
        never: [
            "Accepting any name (`validateHost: false`, `--insecure`, `verify_hostname = False`) without a pin: the holder of any certificate can then pose as the server."
        ])

    private static let subjectAlternativeNameMissing = FailureGuide(
        .subjectAlternativeNameMissing,
        meaning:
            "The certificate has no name of the kind that the client compares with. A host in the common name alone hasn't counted since 2017 (Chrome 58; RFC 9525 forbids it).",
        sign: "`openssl x509 -noout -ext subjectAltName -in cert.pem` prints `No extensions in certificate`.",
        causes: [
            "The certificate was made with `openssl req -x509` and a subject alone, after an old recipe.",
            "An internal CA drops the extension from the request: `openssl x509 -req` copies none unless it is asked to.",
            "The certificate is a device's from the factory, with its serial number as common name.",
        ],
        serverRemedies: [
            "Make the request with the names: `openssl req -new -key key.pem -subj /CN=api.example.com -addext subjectAltName=DNS:api.example.com -out request.pem`.",
            "Have the CA keep them: `openssl x509 -req -copy_extensions copy …`, `copy_extensions = copy` in `openssl.cnf`, or `servertrust ca issue api.example.com`.",
        ],
        customization: .change(
            "A device with such a certificate can be recognized by the certificate itself, at its address alone.",
            .pinnedLeafUnderAnyName),
        never: [
            "Falling back to the common name: it has no defined form, and name constraints of CAs don't cover it in the same way.",
            "Accepting any name for all hosts.",
        ])
}
