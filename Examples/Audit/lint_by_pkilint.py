# SPDX-License-Identifier: Apache-2.0
"""Lints the leaves in request lines from standard input with pkilint, for `measure`. Prints the ID and whether there are findings.

Uses the CA/Browser Forum's rules for servers. Doesn't check paths, requested names and signatures. Creates the linter for each type
of certificate only once.
"""

import base64
import functools
import json
import sys

from pkilint import finding_filter, loader, report
from pkilint.cabf import serverauth
from pkilint.pkix import certificate
from pkilint.validation import ValidationFindingSeverity


@functools.cache
def linter(kind):
    validators = certificate.create_pkix_certificate_validator_container(
        serverauth.create_decoding_validators(), serverauth.create_validators(kind)
    )
    return validators, serverauth.create_serverauth_finding_filters(kind)


def findings(request: dict) -> int:
    leaf = loader.load_certificate(base64.b64decode(request["chain"][0]), request["id"])
    validators, filters = linter(serverauth.determine_certificate_type(leaf))
    results, _ = finding_filter.filter_results(filters, validators.validate(leaf.root))
    return report.get_findings_count(results, ValidationFindingSeverity.WARNING)


for line in sys.stdin.buffer:
    request = json.loads(line)
    try:
        answer = "findings" if findings(request) else "clean"
    except ValueError:
        answer = "unreadable"
    sys.stdout.write(f"{request['id']}\t{answer}\n")
