// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    /// The guides to errors of the targets in the folder Trust, except errors of files.
    static let trust: [ErrorGuide] = fetches + resources + caches

    private static let fetches: [ErrorGuide] = [
        ErrorGuide(
            "fetchUnsupportedAddress",
            meaning:
                "The address of a CRL, an OCSP responder or an issuer's certificate is neither `http` nor `https`.",
            remedies: [
                "Supply the CRL or OCSP response yourself: `--crl`, `--ocsp`, or `TrustSettings` in code.",
                "Have the CA put an `http` address into its certificates. The library doesn't fetch from LDAP addresses.",
            ]),
        ErrorGuide(
            "fetchForbiddenAddress",
            meaning:
                "The address is loopback, link-local or private, and the app hasn't permitted it. Otherwise a certificate could make a server send requests inside its network.",
            remedies: [
                "If a CA in your network publishes its CRLs there, permit the network: `AddressRules` in code, or the command's `--fetch-from`.",
                "If you don't expect this address, compare it with the one in the certificate.",
            ]),
        ErrorGuide(
            "fetchUnreachable",
            meaning: "The client couldn't connect to the resource's server: DNS, TCP or TLS failed.",
            remedies: [
                "Try the address from the same machine: `curl -v URL`.",
                "Allow the address in the firewall, or configure the proxy: `HTTP_PROXY`.",
                "Staple an OCSP response on the server, so that clients don't have to fetch one.",
            ]),
        ErrorGuide(
            "fetchStatus", meaning: "The resource's server answered with a status other than 200.",
            remedies: [
                "Try the address: `curl -i URL`. For 404, tell the CA that the address in its certificates is wrong.",
                "For 403 or 407, check the rules of the proxy on the network path.",
                "For 5xx, wait. The client retries the request later.",
            ]),
        ErrorGuide(
            "fetchTooLarge", meaning: "The response is larger than the limit for its kind of resource.",
            remedies: [
                "Raise the limit if the CRL really is that large: `TrustResourceLimits` in code.",
                "Fetch large CRLs in advance with `servertrust cache prefetch`, or use filters of revoked certificates.",
            ]),
        ErrorGuide(
            "fetchTooManyRedirects", meaning: "The server redirects more often than allowed, or in a loop.",
            remedies: [
                "Follow the redirects to see where they lead: `curl -sIL URL`. The CA has to correct the address."
            ]),
        ErrorGuide(
            "fetchTimedOut", meaning: "The fetch, or the evaluation that needs it, took longer than its time limit.",
            remedies: [
                "Try the address and measure the time: `curl -o /dev/null -w '%{time_total}' URL`.",
                "Raise the limits: `TrustResourceLimits` in code, or the command's `--timeout`.",
                "Fetch CRLs in advance, so that connections don't wait: `servertrust cache prefetch`.",
            ]),
        ErrorGuide(
            "fetchCancelled",
            meaning: "The fetch was canceled because its task, or every evaluation that needs it, ended.",
            remedies: ["Evaluate again. If this happens often, the time limit of the surrounding task is too short."]),
        ErrorGuide(
            "fetchProtocolViolation", meaning: "The server violated HTTP, or ended its response early.",
            remedies: [
                "Try the address: `curl -v URL`. The usual cause is a proxy or a captive portal on the network path.",
                "If the response is also broken without a proxy, report it to the CA.",
            ]),
    ]

    private static let resources: [ErrorGuide] = [
        ErrorGuide(
            "fetchBackingOff",
            meaning:
                "Fetching the resource failed recently. The client won't request it again before the time in the message.",
            remedies: ["Fix the first error, which the message names. The next fetch after the wait clears this one."]),
        ErrorGuide(
            "fetchMalformed",
            meaning: "The response isn't a certificate, a CRL or an OCSP response, whichever was requested.",
            remedies: [
                "Look at the bytes: `curl -s URL | servertrust inspect -`. An HTML page comes from a portal or a proxy.",
                "Have the CA serve DER at the address, as RFC 5280 requires.",
            ]),
        ErrorGuide(
            "fetchOutOfDate", meaning: "The fetched CRL or OCSP response has expired, or isn't valid yet.",
            remedies: [
                "Check the clock of this machine: `date -u`.",
                "Have the CA publish a new one. The message states the dates.",
                "Clear the cache of a proxy that serves an old copy.",
            ]),
        ErrorGuide(
            "fetchOlderThanKnown",
            meaning:
                "The fetched CRL or OCSP response is older than one that the client already has. It is a replay, or the server lags behind.",
            remedies: [
                "Wait until all of the CA's servers have the new one. Until then, the client uses the one it has.",
                "Clear the cache of a proxy that serves an old copy.",
            ]),
        ErrorGuide(
            "fetchNotCached",
            meaning: "The client isn't allowed to use the network for the resource, and no cache contains it.",
            remedies: [
                "Allow fetching in the revocation policy, or fill the cache in advance: `servertrust cache prefetch`.",
                "Supply the CRL or OCSP response with the chain: `--crl`, `--ocsp`.",
            ]),
        ErrorGuide(
            "fetchRefused",
            meaning:
                "The client evaluated the fetched resource and can't use it, for example because of its signer. The message has the reason.",
            remedies: [
                "Inspect the resource: `curl -s URL | servertrust inspect -`. The CA has to publish a new one.",
                "Use another source for the status: OCSP instead of CRLs, or the other way round.",
            ]),
    ]

    private static let caches: [ErrorGuide] = [
        ErrorGuide(
            "cacheFailed",
            meaning:
                "The cache can't be read or written, or one of its entries is damaged. Evaluations continue without the cache.",
            remedies: [
                "Check the free space and the permissions: `df -h FILE`, `ls -l FILE`.",
                "Remove the file. The client fetches lost entries again.",
            ]),
        ErrorGuide(
            "cacheFolderMissing", meaning: "The cache's folder doesn't exist, or isn't a folder.",
            remedies: ["Create the folder: `mkdir -p -m 700 FOLDER`."]),
        ErrorGuide(
            "cacheNotWritable", meaning: "The cache, or a file that belongs next to it, can't be created or written.",
            remedies: [
                "Make the program's user the owner of the folder: `chown USER FOLDER`.",
                "Choose a file in a folder that this user may write to. Containers often have a read-only root.",
            ]),
        ErrorGuide(
            "cacheNotReadable", meaning: "The cache can't be read.",
            remedies: ["Check that the file exists, and check its permissions: `ls -l FILE`."]),
        ErrorGuide(
            "cacheFileOfAnotherKind",
            meaning:
                "The path names something other than a cache: a folder, another file, or another program's database.",
            remedies: ["Choose another file. The client doesn't change the one at the path."]),
        ErrorGuide(
            "cacheWritableByOthers",
            meaning:
                "The group or other users can write to the cache. They could remove evidence (CRLs and OCSP responses) from it.",
            remedies: ["Remove the permission: `chmod go-w FILE`."]),
        ErrorGuide(
            "cacheOwnedByAnother",
            meaning: "The cache belongs neither to the program's user nor to root.",
            remedies: [
                "Make the program's user the owner of the file: `chown USER FILE`.",
                "Choose another file for the cache.",
            ]),
        ErrorGuide(
            "cacheDamaged", meaning: "The cache is damaged, and the policy says to leave it as it is.",
            remedies: [
                "Remove the file. The client fetches lost entries again.",
                "Choose the policy that sets damaged files aside: `DamagedFilePolicy.setAside`.",
            ]),
        ErrorGuide(
            "cachePlaceTaken",
            meaning:
                "The cache is damaged, but it can't be set aside: a file that isn't a database already has that name.",
            remedies: ["Move one of the two files. The message has both names."]),
        ErrorGuide(
            "cacheVersionNewer", meaning: "A later version of this package created the cache.",
            remedies: ["Update this program, or choose another file for it."]),
    ]
}
