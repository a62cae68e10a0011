# SPDX-License-Identifier: Apache-2.0
"""Blocks of chains: one process creates a block, gets all verifiers' answers and compares them."""
import peers
import running
from chain import PROFILES
from compare import Tally, sort

BLOCK = 500


class shared:
    """The state that forked processes inherit."""


def answers(settings, requests):
    our = peers.ours(settings.servertrust, requests, PROFILES)
    theirs = peers.openssl_and_gnutls(settings.c_peers, requests)
    for request, answer in zip(requests, theirs):
        answer["cryptography"] = peers.cryptography(request)
    if settings.go_peer:
        for answer, one in zip(theirs, peers.go(settings.go_peer, requests)):
            answer["go"] = one
    return our, theirs


def block(first, count):
    tally = Tally()
    made = [shared.generator.chain(index) for index in range(first, first + count)]
    requests = [chain.request() for chain in made]
    try:
        our, theirs = answers(shared.settings, requests)
    except peers.PeerError as error:
        tally.counts["crashes"] += 1
        tally.unexplained.append({"crash": str(error)})
        return tally
    for chain, request, one, others in zip(made, requests, our, theirs):
        sort(shared.table, request, chain.expected, one, others, tally)
    return tally


def work(settings):
    tally = Tally()
    tally.counts["seconds"] = int(running.run(running.blocks(settings, BLOCK), block, settings, tally, "chains"))
    return tally
