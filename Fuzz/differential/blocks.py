# SPDX-License-Identifier: Apache-2.0
"""Blocks of chains: one is made, answered by everybody and compared in one process."""
import collections
import multiprocessing
import sys
import time

import peers
from chain import PROFILES
from compare import Tally, sort

BLOCK = 500


class shared:
    """What processes inherit when they are forked."""


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


def blocks(settings):
    """Ends by count or, with what was begun, by time."""
    end = time.monotonic() + settings.seconds if settings.seconds else None
    first, last = settings.first, settings.first + settings.count if settings.count else None
    while (last is None or first < last) and (end is None or time.monotonic() < end):
        yield first, min(BLOCK, last - first if last else BLOCK)
        first += BLOCK


def work(settings):
    tally = Tally()
    started = time.monotonic()
    with multiprocessing.get_context("fork").Pool(settings.jobs) as pool:
        waiting = collections.deque()
        for one in blocks(settings):
            waiting.append(pool.apply_async(block, one))
            # Few in advance, so that time is looked at.
            while len(waiting) > 2 * settings.jobs:
                tally.add(waiting.popleft().get())
                print(f"\r{tally.counts['chains']} chains, {tally.counts['unexplained']} unexplained", end="", file=sys.stderr)
        while waiting:
            tally.add(waiting.popleft().get())
    print(file=sys.stderr)
    tally.counts["seconds"] = int(time.monotonic() - started)
    return tally
