// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let publication: [FailureGuide] = [
        anchorDistrustedAfter, anchorNameNotPermitted, anchorPurposeNotPermitted, anchorNotInProgram,
        transparencyNotMet, transparencyLogListMissing,
    ]

    private static let anchorDistrustedAfter = FailureGuide(
        .anchorDistrustedAfter,
        meaning:
            "The root program trusts the root for certificates that were issued up to a date, and this one was issued later.",
        sign:
            "`servertrust roots report --against LIST` names the root and the date; the message has the date of issuance and the clock that it is of.",
        causes: [
            "A browser has withdrawn its trust from the CA and keeps older certificates working until they end.",
            "The certificate was renewed with the CA that it always came from, after the program's date.",
            "The certificate says an early date, and the timestamps of logs say when it was really issued.",
        ],
        serverRemedies: [
            "Have the certificate issued by another CA: `certbot certonly --server https://acme-v02.api.letsencrypt.org/directory -d HOST`.",
            "If the CA has a cross-certificate of a root that is still trusted, send it in the chain.",
            "Find the other hosts with the same root before their renewal: `servertrust roots report --against LIST --hosts hosts.txt`.",
        ],
        customization: .change(
            "Agree to this certificate of this host until the server has one of another CA.", .exception),
        never: [
            "Setting the verify date back: the rule counts by the date of issuance, and expired certificates would pass.",
            "Leaving out the list of the root program for all hosts.",
        ])

    private static let anchorNameNotPermitted = FailureGuide(
        .anchorNameNotPermitted,
        meaning:
            "The root program trusts the root for certain domains alone, and the certificate has a name outside of them.",
        sign:
            "The message has the permitted domains and the name; `servertrust roots show --against LIST` has the conditions of the root.",
        causes: [
            "The root is a government's or a region's, which programs limit to its own top-level domain.",
            "The certificate has several names, one of which is outside.",
            "The certificate has an IP address among its names, and the condition permits domains.",
        ],
        serverRemedies: [
            "Have the certificate issued by a CA without such a limit.",
            "Split it: names inside the permitted domains stay with this CA, others get a certificate of another.",
        ],
        customization: .change(
            "Agree to this certificate of this host until the server has one of another CA.", .exception),
        never: ["Trusting the root for every name because one host needs it."])

    private static let anchorPurposeNotPermitted = FailureGuide(
        .anchorPurposeNotPermitted,
        meaning:
            "The root is in the root program's list for another purpose than this one, such as e-mail, or under conditions that this version can't decide.",
        sign:
            "`servertrust roots report --against LIST` lists the root as one that is not trusted for servers.",
        causes: [
            "The program has taken the purpose of servers from the root, and keeps it for signed e-mail.",
            "The system's store has one bundle for all purposes.",
            "The list is newer than the program that reads it, and has a condition of a new kind.",
        ],
        serverRemedies: [
            "Have the certificate issued by a CA that the program trusts for servers.",
            "If the CA has moved to a newer root, send the chain to that one.",
        ],
        customization: .change(
            "Agree to this certificate of this host until the server has one of another CA.", .exception),
        never: ["Asking for any purpose (`--purpose any`) to get through."])

    private static let anchorNotInProgram = FailureGuide(
        .anchorNotInProgram,
        meaning:
            "The system's store has the root, and the root program's list, which is complete, doesn't: it was removed, or was never in it.",
        sign: "`servertrust roots report --against LIST` lists the root as one that is not in the list.",
        causes: [
            "The system is old: its store is of a time when the program still had the root.",
            "The root is a company's own, and was copied into the store's folder instead of the administrator's.",
            "The list is another program's than the one that the server's CA belongs to.",
        ],
        serverRemedies: [
            "Have the certificate issued by a CA of the program.",
            "If the root is your own, install it as the administrator's: on Debian in `/usr/local/share/ca-certificates`, on Fedora in `/etc/pki/ca-trust/source/anchors`.",
            "Update the system's store: `apt-get install --only-upgrade ca-certificates`.",
        ],
        customization: .change(
            "Trust the root for the hosts that need it, in place of the whole store.", .privateAnchors),
        never: ["Keeping every root that the list lacks (`--roots-unlisted keep`) because of one of them."])

    private static let transparencyNotMet = FailureGuide(
        .transparencyNotMet,
        meaning:
            "The certificate doesn't prove that it was published: its signed certificate timestamps (SCTs) are too few, or of the wrong logs, for the policy.",
        sign:
            "`servertrust verify chain.pem --ct-logs LIST` lists each SCT with its log, and why it doesn't count.",
        causes: [
            "The CA has issued the certificate without SCTs, because it is for internal use or was ordered so.",
            "A log was retired or rejected after the certificate was issued, and the others are too few.",
            "The list of logs is of another time or another program, and doesn't have the certificate's logs.",
            "The certificate is minutes old, and the client's clock is behind: SCTs of the future don't count.",
            "The certificate was made to stay unseen, by a CA that was attacked or by one that takes part.",
        ],
        serverRemedies: [
            "Have the certificate issued anew: public CAs put enough SCTs of current logs into it.",
            "If the certificate is an internal one under a public root, move it to a private CA.",
            "If certificates with too few SCTs appear that you didn't order, ask the CA for their revocation, and search the logs for others.",
        ],
        customization: .change(
            "Require publication for every host but the one whose certificate can't have SCTs.", .publishedButOne),
        never: [
            "Putting logs on the list whose keys anyone can use, such as test logs.",
            "Taking a list of any age for good: timestamps of logs that were since rejected would count.",
        ])

    private static let transparencyLogListMissing = FailureGuide(
        .transparencyLogListMissing,
        meaning: "The client requires that certificates were published, and has no list of logs to verify that with.",
        sign:
            "The settings of the evaluation have the mode `require` and no list; the verdict lists the check as not performed.",
        causes: [
            "The list comes with signed updates, and the first one hasn't arrived.",
            "A request of `verify --batch` asks for `ct` with the mode `require`, and the command has no `--ct-logs`.",
        ],
        serverRemedies: [
            "Nothing is wrong on the server: give the client a list of logs.",
            "Ship a list with the program, for the time before the first update.",
        ],
        customization: .change("Report until a list is at hand.", .reportedPublication),
        never: ["Fetching a list from an address without a signature or digest that the program knows."])
}
