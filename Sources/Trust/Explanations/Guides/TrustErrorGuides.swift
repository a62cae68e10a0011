// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    /// The guides to errors of the folder Trust, apart from files.
    static let trust: [ErrorGuide] = fetches + resources + caches

    private static let fetches: [ErrorGuide] = [
        ErrorGuide(
            "fetchUnsupportedAddress",
            meaning:
                "The address of a CRL, an OCSP responder or an issuer's certificate is neither `http` nor `https`.",
            remedies: [
                "Supply the evidence yourself: `--crl`, `--ocsp`, or `TrustSettings` in code.",
                "Have the CA put an `http` address into its certificates. Addresses of LDAP aren't fetched.",
            ]),
        ErrorGuide(
            "fetchForbiddenAddress",
            meaning:
                "The address is loopback, link-local or private, and the app hasn't permitted it. A certificate could otherwise make a server send requests inside of its network.",
            remedies: [
                "If a CA of your network has its CRLs there, permit the network: `AddressRules` in code, `--fetch-from` of the command.",
                "Compare the address with the certificate's if you don't expect it.",
            ]),
        ErrorGuide(
            "fetchUnreachable",
            meaning: "No connection to the server of the resource could be made: DNS, TCP or TLS failed.",
            remedies: [
                "Try the address from the same machine: `curl -v URL`.",
                "Allow the address in the firewall, or configure the proxy: `HTTP_PROXY`.",
                "Staple an OCSP response on the server, so that clients needn't fetch.",
            ]),
        ErrorGuide(
            "fetchStatus", meaning: "The server of the resource answered with another status than 200.",
            remedies: [
                "Try the address: `curl -i URL`. For 404 tell the CA that the address in its certificates is wrong.",
                "For 403 or 407 look into the rules of the proxy on the way.",
                "For 5xx wait: the request is repeated later.",
            ]),
        ErrorGuide(
            "fetchTooLarge", meaning: "The response is larger than the limit for its kind of resource.",
            remedies: [
                "Raise the limit if the CRL really is that large: `TrustResourceLimits` in code.",
                "Fetch large CRLs in advance with `servertrust cache prefetch`, or use filters of revoked certificates.",
            ]),
        ErrorGuide(
            "fetchTooManyRedirects", meaning: "The server redirects more often than allowed, or in a circle.",
            remedies: [
                "Follow the redirects to see where they lead: `curl -sIL URL`. The CA has to correct the address."
            ]),
        ErrorGuide(
            "fetchTimedOut", meaning: "The fetch, or the evaluation that needs it, took longer than its time limit.",
            remedies: [
                "Try the address and its time: `curl -o /dev/null -w '%{time_total}' URL`.",
                "Raise the limits: `TrustResourceLimits` in code, `--timeout` of the command.",
                "Fetch in advance, so that no connection waits: `servertrust cache prefetch`.",
            ]),
        ErrorGuide(
            "fetchCancelled",
            meaning: "The fetch was canceled: its task, or every evaluation that needs it, has ended.",
            remedies: ["Evaluate again. If it happens often, the time limit of the surrounding task is too short."]),
        ErrorGuide(
            "fetchProtocolViolation", meaning: "The server violated HTTP, or ended its response early.",
            remedies: [
                "Try the address: `curl -v URL`. A proxy or a captive portal on the way is the usual cause.",
                "Report it to the CA if the response is broken without a proxy as well.",
            ]),
    ]

    private static let resources: [ErrorGuide] = [
        ErrorGuide(
            "fetchBackingOff",
            meaning: "Fetching the resource failed recently. It isn't requested again before the time in the message.",
            remedies: ["End the first error, which the message names. The next fetch after the wait clears it."]),
        ErrorGuide(
            "fetchMalformed",
            meaning: "The response isn't a certificate, a CRL or an OCSP response, as its kind requires.",
            remedies: [
                "See the bytes: `curl -s URL | servertrust inspect -`. A page of HTML comes from a portal or a proxy.",
                "Have the CA serve DER at the address: RFC 5280 requires it.",
            ]),
        ErrorGuide(
            "fetchOutOfDate", meaning: "The fetched CRL or OCSP response has expired, or isn't valid yet.",
            remedies: [
                "Compare the clock of this machine: `date -u`.",
                "Have the CA publish a new one. The message has the dates.",
                "Clear a proxy that serves an old copy.",
            ]),
        ErrorGuide(
            "fetchOlderThanKnown",
            meaning:
                "The fetched CRL or OCSP response is older than one that is known already. It is a replay, or a server that lags behind.",
            remedies: [
                "Wait until every server of the CA has the new one: the known one is used meanwhile.",
                "Clear a proxy that serves an old copy.",
            ]),
        ErrorGuide(
            "fetchNotCached", meaning: "The network may not be used for the resource, and no cache has it.",
            remedies: [
                "Allow fetching in the revocation policy, or fill the cache in advance: `servertrust cache prefetch`.",
                "Supply the evidence with the chain: `--crl`, `--ocsp`.",
            ]),
        ErrorGuide(
            "fetchRefused",
            meaning:
                "The fetched resource was evaluated and can't be used, for example because of its signer. The message has the reason.",
            remedies: [
                "Inspect it: `curl -s URL | servertrust inspect -`. The CA has to publish a new one.",
                "Use another source for the status: OCSP in place of CRLs, or the other way round.",
            ]),
    ]

    private static let caches: [ErrorGuide] = [
        ErrorGuide(
            "cacheFailed",
            meaning:
                "The cache could not be read or written, or one of its entries was damaged. Evaluations go on without the cache.",
            remedies: [
                "Check the free space and the permissions: `df -h FILE`, `ls -l FILE`.",
                "Remove the file: lost entries are fetched again.",
            ]),
        ErrorGuide(
            "cacheFolderMissing", meaning: "The folder of the cache doesn't exist, or isn't a folder.",
            remedies: ["Make the folder: `mkdir -p -m 700 FOLDER`."]),
        ErrorGuide(
            "cacheNotWritable", meaning: "The cache, or a file that belongs beside it, can't be created or written.",
            remedies: [
                "Give the user that runs the program the folder: `chown USER FOLDER`.",
                "Name a file in a folder that it may write. Containers often have a read-only root.",
            ]),
        ErrorGuide(
            "cacheNotReadable", meaning: "The cache can't be read.",
            remedies: ["Check that the file exists, and its permissions: `ls -l FILE`."]),
        ErrorGuide(
            "cacheFileOfAnotherKind",
            meaning:
                "The path names something other than a cache: a folder, another file, the database of another program.",
            remedies: ["Name another file. The one at the path is left as it is."]),
        ErrorGuide(
            "cacheWritableByOthers",
            meaning: "Group or others may write the cache. They could remove evidence from it.",
            remedies: ["Take the permission away: `chmod go-w FILE`."]),
        ErrorGuide(
            "cacheOwnedByAnother",
            meaning: "The cache belongs to a user other than the one that runs the program and root.",
            remedies: [
                "Give the file to the user that runs the program: `chown USER FILE`.",
                "Name another file for the cache.",
            ]),
        ErrorGuide(
            "cacheDamaged", meaning: "The cache is damaged, and the policy is to leave it as it is.",
            remedies: [
                "Remove the file: lost entries are fetched again.",
                "Choose the policy that sets damaged files aside: `DamagedFilePolicy.setAside`.",
            ]),
        ErrorGuide(
            "cachePlaceTaken",
            meaning:
                "The cache is damaged, and a file that isn't a database has the name under which it would be set aside.",
            remedies: ["Move one of the two files away. The message has both names."]),
        ErrorGuide(
            "cacheVersionNewer", meaning: "A later version of this package made the cache.",
            remedies: ["Update this program, or name another file for it."]),
    ]
}
