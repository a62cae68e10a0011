# SPDX-License-Identifier: Apache-2.0
"""The verifiers: `servertrust verify --batch`, OpenSSL and GnuTLS through peers.c, Python's cryptography, and Go through peers.go.

Each one takes a block of requests and returns an answer for each request: a verdict (True: accepted, None: not checked) and reasons.
"""
import base64
import calendar
import datetime
import ipaddress
import json
import subprocess
import warnings

from cryptography import x509
from cryptography.x509 import verification

PEERS = ("openssl", "gnutls", "cryptography", "go")
TITLES = {"openssl": "OpenSSL", "gnutls": "GnuTLS", "cryptography": "Python's cryptography", "go": "Go"}
VERDICTS = {"accept": True, "refuse": False, "none": None}
warnings.filterwarnings("ignore")


class PeerError(Exception):
    """A verifier ended before its last answer: a crash."""


def run(command, lines, what):
    done = subprocess.run(command, input="\n".join(lines).encode() + b"\n", stdout=subprocess.PIPE)
    answers = done.stdout.decode().splitlines()
    if done.returncode != 0 or len(answers) != len(lines):
        culprit = lines[min(len(answers), len(lines) - 1)]
        raise PeerError(f"{what} ended with {done.returncode} after {len(answers)} of {len(lines)} answers, at: {culprit}")
    return answers


def ours(program, requests, profiles):
    """Returns an answer by profile for each request."""
    lines = [json.dumps({**request, "profile": profile}) for request in requests for profile in profiles]
    answers = [json.loads(line) for line in run([program, "verify", "--batch", "--jobs", "1"], lines, "servertrust")]
    outcomes = []
    for position in range(len(requests)):
        outcome = {}
        for profile, answer in zip(profiles, answers[position * len(profiles) :]):
            codes = sorted({failure["code"] for failure in answer["failures"]})
            if answer["verdict"] == "unreadable" and not codes:
                codes = ["unreadable"]
            outcome[profile] = (answer["verdict"] == "trusted", codes)
        outcomes.append(outcome)
    return outcomes


def line(request):
    """Returns the line that peers.c and peers.go read."""
    moment = datetime.datetime.fromisoformat(request["time"].rstrip("Z"))
    inputs = request.get("policies", {})
    flags = "".join(letter for key, letter in (("requireExplicit", "e"), ("inhibitMapping", "m"), ("inhibitAny", "a")) if inputs.get(key))
    lists = [request["chain"], request.get("intermediates", []), request["anchors"], request.get("crls", [])]
    # These peers don't read OCSP responses. Without CRLs, they don't check revocation.
    revocation = request.get("revocation", "-") if request.get("crls") or not request.get("ocspResponses") else "-"
    fields = [
        request["id"], request.get("host", "-"), str(calendar.timegm(moment.timetuple())), request["purpose"], flags or "-",
        ",".join(inputs.get("acceptable", [])) or "-", revocation, *(str(len(one)) for one in lists), *(text for one in lists for text in one),
    ]  # fmt: skip
    return " ".join(fields)


def openssl_and_gnutls(program, requests):
    outcomes = []
    for request, answer in zip(requests, run([program], [line(request) for request in requests], "OpenSSL or GnuTLS")):
        identifier, *answers = answer.split(" ")
        assert identifier == request["id"]
        outcomes.append({"openssl": (VERDICTS[answers[0]], [answers[1]]), "gnutls": (VERDICTS[answers[2]], answers[3].split("+"))})
    return outcomes


def go(program, requests):
    outcomes = []
    for request, answer in zip(requests, run([program], [line(request) for request in requests], "Go")):
        identifier, verdict, reason = answer.split(" ", 2)
        assert identifier == request["id"]
        outcomes.append((VERDICTS[verdict], [reason]))
    return outcomes


def load(text):
    try:
        return x509.load_der_x509_certificate(base64.b64decode(text))
    except Exception:
        return None


def cryptography(request):
    """It only verifies servers with a name."""
    host = request.get("host")
    if host is None or request["purpose"] != "serverAuth" or "policies" in request:
        return None, ["not asked"]
    leaf, *others = (load(text) for text in request["chain"] + request.get("intermediates", []))
    if leaf is None:
        return False, ["parse"]
    anchors = [one for one in map(load, request["anchors"]) if one]
    if not anchors:
        return False, ["no anchor"]
    try:
        try:
            subject = x509.IPAddress(ipaddress.ip_address(host))
        except ValueError:
            subject = x509.DNSName(host)
        moment = datetime.datetime.fromisoformat(request["time"].rstrip("Z"))
        verifier = verification.PolicyBuilder().store(verification.Store(anchors)).time(moment).build_server_verifier(subject)
        verifier.verify(leaf, [one for one in others if one])
        return True, ["-"]
    except (verification.VerificationError, ValueError, x509.UnsupportedGeneralNameType, x509.DuplicateExtension) as error:
        return False, [f"{error}"]
    except Exception as error:
        return False, [f"{type(error).__name__}: {error}"]
