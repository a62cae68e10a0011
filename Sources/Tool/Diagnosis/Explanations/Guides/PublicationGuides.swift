// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let publication: [FailureGuide] = [
        anchorDistrustedAfter, anchorNameNotPermitted, anchorPurposeNotPermitted, anchorNotInProgram,
        transparencyNotMet, transparencyLogListMissing,
    ]

    private static let anchorDistrustedAfter = FailureGuide(
        .anchorDistrustedAfter,
        meaning:
            "The root program only trusts the root for certificates issued up to a certain date, but this one was issued later.",
        sign:
            "`servertrust roots report --against LIST` names the root and the date. The message states the date of issuance and which clock it comes from.",
        causes: [
            "A browser no longer trusts the CA, but accepts older certificates until they expire.",
            "The certificate was renewed with the usual CA after the program's date.",
            "The certificate states an early date, but the timestamps of logs show when it was really issued.",
        ],
        serverRemedies: [
            "Have the certificate issued by another CA: `certbot certonly --server https://acme-v02.api.letsencrypt.org/directory -d HOST`.",
            "If the CA has a cross-certificate from a root that is still trusted, send it in the chain.",
            "Find other hosts with the same root before their renewal: `servertrust roots report --against LIST --hosts hosts.txt`.",
        ],
        customization: .change(
            "Add an exception for this certificate at this host until the server has one from another CA.", .exception),
        never: [
            "Setting the verify date back: the rule uses the date of issuance, and expired certificates would be accepted.",
            "Removing the root program's list for all hosts.",
        ])

    private static let anchorNameNotPermitted = FailureGuide(
        .anchorNameNotPermitted,
        meaning:
            "The root program only trusts the root for certain domains, and the certificate has a name outside them.",
        sign:
            "The message lists the permitted domains and the name. `servertrust roots show --against LIST` prints the root's conditions.",
        causes: [
            "The root belongs to a government or a region, and programs limit it to its own top-level domain.",
            "The certificate has several names, and one of them is outside the permitted domains.",
            "The certificate has an IP address among its names, but the condition only permits domains.",
        ],
        serverRemedies: [
            "Have the certificate issued by a CA without such a limit.",
            "Split the certificate. Keep names in the permitted domains with this CA, and get a certificate from another CA for the others.",
        ],
        customization: .change(
            "Add an exception for this certificate at this host until the server has one from another CA.", .exception),
        never: ["Trusting the root for every name because one host needs it."])

    private static let anchorPurposeNotPermitted = FailureGuide(
        .anchorPurposeNotPermitted,
        meaning:
            "In the root program's list, the root is for another purpose, such as email, or has conditions that this version can't check.",
        sign:
            "`servertrust roots report --against LIST` lists the root as not trusted for servers.",
        causes: [
            "The program no longer trusts the root for servers, but still trusts it for signed email.",
            "The system's store has one bundle for all purposes.",
            "The list is newer than the program that reads it, and contains a new type of condition.",
        ],
        serverRemedies: [
            "Have the certificate issued by a CA that the program trusts for servers.",
            "If the CA has moved to a newer root, send the chain that ends in that root.",
        ],
        customization: .change(
            "Add an exception for this certificate at this host until the server has one from another CA.", .exception),
        never: ["Allowing any purpose (`--purpose any`) so that the check passes."])

    private static let anchorNotInProgram = FailureGuide(
        .anchorNotInProgram,
        meaning:
            "The system's store contains the root, but the root program's complete list doesn't. The root was removed, or was never in it.",
        sign: "`servertrust roots report --against LIST` reports that the root isn't in the list.",
        causes: [
            "The system is old, and its store dates from a time when the program still contained the root.",
            "The root belongs to a company, and was copied into the store's folder instead of the administrator's.",
            "The list is from a different root program than the one that contains the server's CA.",
        ],
        serverRemedies: [
            "Have the certificate issued by a CA in the program.",
            "If the root is yours, install it in the administrator's folder: `/usr/local/share/ca-certificates` on Debian, `/etc/pki/ca-trust/source/anchors` on Fedora.",
            "Update the system's store: `apt-get install --only-upgrade ca-certificates`.",
        ],
        customization: .change(
            "Trust the root only for the hosts that need it, instead of the whole store.", .privateAnchors),
        never: ["Keeping every root that isn't in the list (`--roots-unlisted keep`) because of one of them."])

    private static let transparencyNotMet = FailureGuide(
        .transparencyNotMet,
        meaning:
            "The certificate doesn't prove that it was published. For the policy, it has too few signed certificate timestamps (SCTs), or SCTs from the wrong logs.",
        sign:
            "`servertrust verify chain.pem --ct-logs LIST` lists each SCT with its log, and why it doesn't count.",
        causes: [
            "The CA issued the certificate without SCTs, because it is for internal use or was ordered without them.",
            "A log was retired or rejected after the certificate was issued, and the other SCTs are too few.",
            "The list of logs is from another time or another program, and doesn't contain the certificate's logs.",
            "The certificate is a few minutes old, and the client's clock is slow: SCTs from the future don't count.",
            "A CA that was attacked, or that cooperates with an attacker, issued the certificate secretly.",
        ],
        serverRemedies: [
            "Have the certificate reissued. Public CAs include enough SCTs from current logs.",
            "If it is an internal certificate under a public root, move it to a private CA.",
            "If you find certificates with too few SCTs that you didn't order, ask the CA to revoke them, and search the logs for others.",
        ],
        customization: .change(
            "Require publication for every host except the one whose certificate can't have SCTs.", .publishedButOne),
        never: [
            "Adding logs whose keys anyone can use, such as test logs.",
            "Accepting a list of any age: timestamps of logs that were rejected since would count.",
        ])

    private static let transparencyLogListMissing = FailureGuide(
        .transparencyLogListMissing,
        meaning: "The client requires that certificates were published, but has no list of logs to verify this.",
        sign:
            "The evaluation's settings use the `require` mode, but have no list. The verdict lists the check as not performed.",
        causes: [
            "The list comes with signed updates, but the first one hasn't arrived.",
            "A `verify --batch` request sets the `require` mode in `ct`, but the command has no `--ct-logs`.",
        ],
        serverRemedies: [
            "Nothing is wrong on the server. Give the client a list of logs.",
            "Ship a list with the program, for use before the first update.",
        ],
        customization: .change("Only report missing publication until a list is available.", .reportedPublication),
        never: ["Fetching a list without checking its signature or a known digest."])
}
