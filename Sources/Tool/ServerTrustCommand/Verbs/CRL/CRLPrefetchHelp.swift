// SPDX-License-Identifier: Apache-2.0

/// The help of `servertrust cache prefetch`.
enum CRLPrefetchHelp {
    static let discussion = """
        $ servertrust cache prefetch --issuers chains.pem
        $ servertrust cache prefetch --issuers AllCertificateRecordsCSVFormatv4
        $ servertrust cache prefetch --hosts servers.txt
        3 of 3 CRLs are in the cache: 1 fetched (73512 bytes), 1 not modified, 1 still fresh

        Afterwards, the check and verify verbs with --fetch, and servers with the same
        cache, read the CRLs from disk for as long as they are valid. CRLs are stored as
        received: every evaluation checks their signatures. The deltas that a CRL names
        are fetched, too.

        A CRL is requested again when the lifetime that its server set is over (an
        hour if it set none, a day at most), or when a fifth of the CRL's own lifetime
        is left. --refresh requests all. Requests are conditional. If one fails, the
        previous CRL stays in the cache. A run that is killed loses nothing that it has
        stored, and the next one continues.

        A CRL is at most 32 MiB long, and a request takes at most 30 seconds. Addresses
        that aren't public are refused without --fetch-from.

        To run it every hour with systemd, as the servers' user (systemctl enable
        --now crl-prefetch.timer):

        # /etc/systemd/system/crl-prefetch.service
        [Unit]
        Description=Fetch CRLs before they are needed
        Wants=network-online.target
        After=network-online.target
        [Service]
        Type=oneshot
        User=api
        CacheDirectory=api
        ExecStart=/usr/bin/servertrust cache prefetch \\
            --issuers /etc/api/chains.pem --cache /var/cache/api/trust.sqlite

        # /etc/systemd/system/crl-prefetch.timer
        [Timer]
        OnCalendar=hourly
        RandomizedDelaySec=10min
        Persistent=true
        [Install]
        WantedBy=timers.target

        Or with cron, into the user's cache, in /etc/cron.d/crl-prefetch:

        17 * * * * api servertrust cache prefetch --issuers /etc/api/chains.pem

        Exit codes: 0 every CRL is in the cache and up to date; 1 some are not;
        2 the file or the cache can't be used.
        """
}
