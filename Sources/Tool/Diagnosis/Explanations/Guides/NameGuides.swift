// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let names: [FailureGuide] = [hostMismatch, subjectAlternativeNameMissing]

    private static let hostMismatch = FailureGuide(
        .hostMismatch,
        meaning:
            "The certificate is for different names than the one that the client connects to. Only the subject alternative name counts, and a wildcard matches exactly one label.",
        sign:
            "The requested name isn't in `openssl s_client -connect HOST:443 -servername HOST </dev/null | openssl x509 -noout -ext subjectAltName`.",
        causes: [
            "The server has several sites and answers with its default certificate, because it has no site for this name or the client sends no SNI.",
            "The certificate has `www.example.com` but not `example.com`, or the other way round.",
            "An administrator expected a wildcard to cover more than one label: `*.example.com` isn't valid for `a.b.example.com`.",
            "The client connects to an IP address, an internal alias or the name of a load balancer.",
            "The name points to another machine: old DNS, a parked domain, a captive portal or an interceptor.",
        ],
        serverRemedies: [
            "Have the certificate reissued with every name that clients use: `certbot certonly --nginx -d example.com -d www.example.com`.",
            "Configure a separate site for the name, with its own certificate (`server_name` in nginx, `<VirtualHost>` with `ServerName` in Apache). Compare the answers for two names: `openssl s_client -connect HOST:443 -servername NAME`.",
            "Check where the name points: `dig +short NAME`. If it is another machine, correct the record.",
            "Have clients connect by name. For an IP address, the certificate needs an `IP:` entry in its subject alternative name.",
        ],
        customization: .change(
            "If the server has another name than the address in use, expect that name at that address. All other checks still apply.",
            .expectedName),
        never: [
            "Accepting any name (`validateHost: false`, `--insecure`, `verify_hostname = False`) without a pin: the holder of any certificate can then pose as the server."
        ])

    private static let subjectAlternativeNameMissing = FailureGuide(
        .subjectAlternativeNameMissing,
        meaning:
            "The certificate has no name of the type that the client checks. A host that only appears in the common name hasn't counted since 2017 (Chrome 58). RFC 9525 forbids it.",
        sign: "`openssl x509 -noout -ext subjectAltName -in cert.pem` prints `No extensions in certificate`.",
        causes: [
            "The certificate was created with `openssl req -x509` and only a subject, following old instructions.",
            "An internal CA drops the extension from the request. By default, `openssl x509 -req` copies no extensions.",
            "The certificate comes from a device's factory and has the serial number as its common name.",
        ],
        serverRemedies: [
            "Create the request with the names: `openssl req -new -key key.pem -subj /CN=api.example.com -addext subjectAltName=DNS:api.example.com -out request.pem`.",
            "Have the CA copy the names: `openssl x509 -req -copy_extensions copy …`, `copy_extensions = copy` in `openssl.cnf`, or `servertrust ca issue api.example.com`.",
        ],
        customization: .change(
            "For a device with such a certificate, accept exactly this certificate, and only at the device's address.",
            .pinnedLeafUnderAnyName),
        never: [
            "Falling back to the common name: it has no defined form, and CAs' name constraints don't cover it in the same way.",
            "Accepting any name for all hosts.",
        ])
}
