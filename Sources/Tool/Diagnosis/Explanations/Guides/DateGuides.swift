// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let dates: [FailureGuide] = [certificateExpired, certificateNotYetValid]

    private static let certificateExpired = FailureGuide(
        .certificateExpired,
        meaning: "A certificate in the path expired before the verify date.",
        sign:
            "`notAfter` is in the past: `openssl s_client -connect HOST:443 </dev/null | openssl x509 -noout -dates`.",
        causes: [
            "Renewal failed unnoticed: the ACME client can no longer answer its challenge, because of a moved DNS record, a closed port 80 or a new redirect.",
            "The certificate was renewed on disk, but the server wasn't reloaded and still serves the old one from memory.",
            "One node behind a load balancer wasn't renewed, so the failure comes and goes.",
            "A CA certificate in the chain expired, and the server still sends that old intermediate.",
            "The client's clock is wrong. A device without a battery starts in 1970 or in the year it was built.",
        ],
        serverRemedies: [
            "Renew and reload: `certbot renew --deploy-hook \"systemctl reload nginx\"`. Check with `systemctl list-timers` that the timer runs.",
            "If the file is already new, reload the server: `nginx -s reload`, `apachectl graceful`, `systemctl reload haproxy`.",
            "If a CA's certificate has expired, put the CA's current chain into the chain file (`fullchain.pem`) and reload.",
            "Check every node by its address: `servertrust check HOST --all-addresses`.",
            "Monitor the certificate: run `servertrust check HOST --expires-within 21d` in a scheduled job.",
        ],
        customization: .change(
            "If your app has a user, ask the user to accept exactly this failure of exactly this certificate for a few days.",
            .exception),
        never: [
            "Setting the verify date back for all connections: this accepts every stolen certificate that has expired since.",
            "Turning off validation \"until the renewal\": the setting outlives the renewal.",
        ])

    private static let certificateNotYetValid = FailureGuide(
        .certificateNotYetValid,
        meaning: "A certificate in the path becomes valid only after the verify date.",
        sign: "`openssl x509 -noout -startdate -in cert.pem` prints a `notBefore` that is later than `date -u`.",
        causes: [
            "The client's clock is slow: a virtual machine resumed from a snapshot, or a device started without network time.",
            "The clock of a private CA is ahead of the clients' clocks, and certificates go into service in the minute they are issued.",
            "A certificate for a later date was installed too early.",
        ],
        serverRemedies: [
            "First compare the clocks: `date -u` on client and server, then `timedatectl` or `chronyc tracking`.",
            "Keep the previous certificate in service until the new one's `notBefore` has passed.",
            "Configure the private CA to set `notBefore` one hour in the past, as public CAs do.",
        ],
        customization: .change(
            "If a device's clock isn't set, evaluate with a verify date from an authenticated source, such as NTS or a signed response.",
            .verifyDate),
        never: [
            "Ignoring all dates because one clock is wrong: set the clock.",
            "Taking the date from the server itself, such as from the `Date` header of the same connection.",
        ])
}
