# SPDX-License-Identifier: Apache-2.0
"""Inverts verdicts, one kind at a time, and counts how many of them the run would have reported."""
import collections

import peers
from blocks import answers, shared
from chain import PROFILES
from compare import Tally, sort


def self_test(settings):
    """Inverts verdicts, one kind at a time, and counts how many of them the run would have reported."""
    count = settings.count or 4000
    made = [shared.generator.chain(index) for index in range(count)]
    requests = [chain.request() for chain in made]
    our, theirs = answers(settings, requests)
    honest = Tally()
    for chain, request, one, others in zip(made, requests, our, theirs):
        sort(shared.table, request, chain.expected, one, others, honest)
    print(f"as answered: {count} chains, {honest.counts['unexplained']} unexplained")
    failed = honest.counts["unexplained"] > 0
    unanimous = lambda others, verdict: [other[0] for other in others.values() if other[0] is not None] and all(other[0] in (verdict, None) for other in others.values())
    refused = lambda one, others: not one[0] and unanimous(others, False) and (True, [])
    accepted = lambda code: lambda one, others: one[0] and unanimous(others, True) and (False, [code])
    # Name, falsification (nothing if it isn't one), the chains, and the share that the run must notice. A second mutation may be refused for
    # a reason that the peers don't give. With one mutation, no other reason can hide the falsification.
    kinds = [
        ("one mutation: accepts what all refuse", refused, 1, 1.0),
        ("several: accepts what all refuse", refused, 9, 0.97),
        ("accepts what some refuse", lambda one, others: not one[0] and any(other[0] is False for other in others.values()) and (True, []), 9, 0.95),
        ("refuses what all accept, for its signature", accepted("signatureInvalid"), 9, 0.995),
        ("refuses what all accept, for its date", accepted("certificateExpired"), 9, 0.995),
        ("refuses what all accept, for a name", accepted("nameNotPermitted"), 9, 0.995),
        ("refuses what all accept, as revoked", accepted("certificateRevoked"), 9, 0.98),
        ("refuses what all accept, for want of evidence", accepted("revocationUnavailable"), 9, 0.98),
        ("refuses what all accept, as unreadable", accepted("certificateMalformed"), 9, 0.95),
    ]
    for name, falsify, tags, wanted in kinds:
        tried = noticed = 0
        missed = collections.Counter()
        for chain, request, one, others in zip(made, requests, our, theirs):
            if len(request["tags"]) > tags:
                continue
            for profile in PROFILES:
                false = falsify(one[profile], others)
                if not false:
                    continue
                tally = Tally()
                sort(shared.table, request, chain.expected, {profile: false}, others, tally)
                tried += 1
                if tally.counts["unexplained"]:
                    noticed += 1
                else:
                    missed[",".join(request["tags"])] += 1
        share = noticed / max(1, tried)
        print(f"{name}: {tried} falsified, {noticed} noticed ({share:.2%}, {wanted:.1%} wanted)")
        for tag, number in missed.most_common(settings.lines if share < wanted else 0):
            print(f"    missed {number} x {tag}")
        failed |= tried == 0 or share < wanted
    tried = noticed = 0
    for chain, request, one, others in zip(made, requests, our, theirs):
        for profile in PROFILES:
            # Only the evidence decides: there is no other reason to refuse the path.
            if one[profile] != (False, ["certificateRevoked"]) or chain.expected[profile] != "rejected":
                continue
            tally = Tally()
            sort(shared.table, request, chain.expected, {profile: (True, [])}, others, tally)
            tried += 1
            noticed += tally.counts["unexplained"] > 0
    print(f"accepts what evidence revokes: {tried} falsified, {noticed} noticed")
    failed |= tried == 0 or noticed < tried
    for peer in peers.PEERS:
        tried = noticed = 0
        for request, one, others in zip(requests, our, theirs):
            if not unanimous(others, True) or others.get(peer, (None,))[0] is None or not all(one[profile][0] for profile in PROFILES):
                continue
            tally = Tally()
            sort(shared.table, request, dict.fromkeys(PROFILES), one, {**others, peer: (False, ["turned round"])}, tally)
            tried += 1
            noticed += tally.counts["unexplained"] == len(PROFILES)
        print(f"{peer} refuses what all accept: {tried} falsified, {noticed} noticed")
        failed |= noticed < tried or tried == 0 and (peer != "go" or settings.go_peer is not None)
    return failed
