// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let dates: [FailureGuide] = [certificateExpired, certificateNotYetValid]

    private static let certificateExpired = FailureGuide(
        .certificateExpired,
        meaning: "The validity of a certificate of the path ended before the date of the evaluation.",
        sign:
            "`notAfter` is in the past: `openssl s_client -connect HOST:443 </dev/null | openssl x509 -noout -dates`.",
        causes: [
            "Renewal failed unnoticed: the ACME client can't answer its challenge any more, because of a moved DNS record, a closed port 80 or a new redirect.",
            "The certificate was renewed on disk and the server was not reloaded, so it still serves the old one from memory.",
            "One node behind a load balancer was left out of the renewal, so the failure comes and goes.",
            "A CA certificate of the chain has expired, and the server still sends that old intermediate.",
            "The client's clock is wrong: a device without a battery starts in 1970 or in the year it was built.",
        ],
        serverRemedies: [
            "Renew and reload: `certbot renew --deploy-hook \"systemctl reload nginx\"`, and see that the timer runs with `systemctl list-timers`.",
            "If the file is new already, reload the server: `nginx -s reload`, `apachectl graceful`, `systemctl reload haproxy`.",
            "If certificate 1 or higher has expired, put the CA's current chain into the chain file (`fullchain.pem`) and reload.",
            "Ask every node by its address: `servertrust check HOST --all-addresses`.",
            "Have it watched: `servertrust check HOST --expires-within 21d` in a scheduled job.",
        ],
        customization: .change(
            "An app with a user can let the user agree to exactly this failure of exactly this certificate, for a few days.",
            .exception),
        never: [
            "Setting the verify date back for all connections: it accepts every certificate that was ever stolen and has expired since.",
            "Switching validation off \"until the renewal\": the switch outlives the renewal.",
        ])

    private static let certificateNotYetValid = FailureGuide(
        .certificateNotYetValid,
        meaning: "The validity of a certificate of the path begins after the date of the evaluation.",
        sign: "`notBefore` is in the future: `openssl x509 -noout -startdate -in cert.pem`, beside `date -u`.",
        causes: [
            "The client's clock is behind: a virtual machine resumed from a snapshot, or a device that started without network time.",
            "The clock of a private CA runs ahead of the clients, and certificates are put into service in the minute they are issued.",
            "A certificate for a later date was installed ahead of time.",
        ],
        serverRemedies: [
            "Compare clocks first: `date -u` on client and server, then `timedatectl` or `chronyc tracking`.",
            "Keep the previous certificate in service until the new one's `notBefore` has passed.",
            "Have the private CA set `notBefore` an hour into the past, as public CAs do.",
        ],
        customization: .change(
            "A device whose clock isn't set can evaluate at a date from an authenticated source, such as NTS or a signed response.",
            .verifyDate),
        never: [
            "Ignoring dates as a whole because one clock is wrong: set the clock.",
            "Taking the date from the server itself, such as the `Date` header of the connection in question.",
        ])
}
