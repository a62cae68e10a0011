// SPDX-License-Identifier: Apache-2.0

import Explanations
import ServerTrust

/// The guides to the codes of the command: requests of `verify --batch` that can't be evaluated, and certificates that end soon.
enum CommandGuides {
    static let all: [FailureGuide] = [
        FailureGuide(
            .certificateExpiresSoon,
            meaning: "A certificate of a trusted path ends within the time of `--expires-within`. It is valid today.",
            sign: "The finding names the certificate, its end and the days that are left.",
            causes: [
                "Renewal is due: ACME clients renew when a third of the validity is left.",
                "Renewal has failed for some time, and nothing else has reported it.",
                "A CA certificate of the path ends before the server's certificate does.",
            ],
            serverRemedies: [
                "Renew and reload, such as by `certbot renew --deploy-hook \"systemctl reload nginx\"`.",
                "If certificate 1 or higher ends, put the CA's newer chain into the chain file.",
            ],
            customization: .none(because: "Nothing has failed, and clients trust the server until the end."),
            never: ["Raising the threshold until the job is quiet: the end comes all the same."]),
        request(
            .requestNotJSON, "A line of `verify --batch` is no JSON object.",
            sign: "`head -n LINE requests.jsonl | tail -n 1 | jq .` fails.",
            cause: "The JSON is printed over several lines, or the line is a list or a text.",
            remedy: "Write one object on each line: `jq -c . requests.json > requests.jsonl`."),
        request(
            .requestTooLong, "A line of `verify --batch` is longer than the limit, and was skipped.",
            sign:
                "The finding names the limit in bytes; `awk '{ print length }' requests.jsonl | sort -n | tail -1` prints the longest line.",
            cause: "A whole bundle of CRLs or anchors is part of each request.",
            remedy: "Name anchors and CRLs once for all requests, by options of `verify`."),
        request(
            .requestKeyMissing, "A request of `verify --batch` lacks a key that is needed.",
            sign: "The finding names the key.",
            cause: "The program that writes requests leaves empty values out, or spells a key differently.",
            remedy: "Compare with the format: `servertrust help batch`."),
        request(
            .requestKeyWrongType, "A key of a request of `verify --batch` has another JSON type than the format.",
            sign: "The finding has the found and the expected type.",
            cause: "A chain of one certificate is written as a text in place of a list, or a missing value as `null`.",
            remedy: "Write lists as lists, and leave out keys without a value."),
        request(
            .requestValueInvalid, "A value of a request of `verify --batch` has the right type and no meaning there.",
            sign: "The finding has the value and the key.",
            cause: "A host is written as a URL, a date isn't RFC 3339, or a profile is misspelled.",
            remedy: "Write hosts without scheme and port, and dates as `2026-11-21T09:30:00Z`."),
        request(
            .base64Malformed, "A certificate, CRL or OCSP response of a request isn't base64 as the format has it.",
            sign: "`jq -r '.chain[0]' request.json | base64 -d | openssl x509 -inform DER -noout` fails.",
            cause: "The value is PEM with its frame and line breaks, or base64 for URLs without padding.",
            remedy: "Write the DER: `openssl x509 -in cert.pem -outform DER | base64 -w 0`."),
    ]

    private static func request(
        _ code: TrustFailure.Code, _ meaning: String, sign: String, cause: String, remedy: String
    ) -> FailureGuide {
        FailureGuide(
            code, meaning: meaning + " Nothing was evaluated.", sign: sign, causes: [cause],
            serverRemedies: ["Nothing is wrong on the server: correct the request.", remedy],
            customization: .none(because: "The request has to be corrected before there is anything to trust."),
            never: ["Counting a request without a verdict as trusted."])
    }
}
