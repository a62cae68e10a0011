# SPDX-License-Identifier: Apache-2.0
"""Requests for a certificate that a peer can't parse, as a leaf that is its own anchor: a verifier that can parse it would trust it."""
import re
from datetime import datetime, timedelta

from suite import REFUSE, Case, text


def moment(der):
    """Returns an hour after the first date in the bytes, or a default date."""
    for match in re.finditer(rb"\x17\x0d(\d{12})Z", der):
        try:
            return datetime.strptime(match[1].decode(), "%y%m%d%H%M%S") + timedelta(hours=1)
        except ValueError:
            continue
    return datetime(2010, 1, 1)


def case(name, der, why, expected=REFUSE):
    return Case(name, {"chain": [text(der)], "anchors": [text(der)], "time": moment(der).strftime("%Y-%m-%dT%H:%M:%SZ"), "purpose": "any",
                       "profile": "rfc5280"}, expected, why)
