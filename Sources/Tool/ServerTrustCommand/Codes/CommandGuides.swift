// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import ServerTrust

/// The guides to the command's own codes: for `verify --batch` requests that can't be evaluated, and for certificates
/// that expire soon.
enum CommandGuides {
    static let all: [FailureGuide] = [
        FailureGuide(
            .certificateExpiresSoon,
            meaning:
                "A certificate in a trusted path expires within the `--expires-within` time. It is valid today.",
            sign: "The finding names the certificate, its expiry date and the days left.",
            causes: [
                "Renewal is due: ACME clients renew when a third of the validity period is left.",
                "Renewal has been failing for some time, and nothing else has reported it.",
                "A CA certificate in the path expires before the server's certificate does.",
            ],
            serverRemedies: [
                "Renew the certificate and reload the server, for example with `certbot renew --deploy-hook \"systemctl reload nginx\"`.",
                "If a CA's certificate expires, put the CA's newer chain into the chain file.",
            ],
            customization: .none(
                because: "Nothing has failed: clients trust the server until the certificate expires."),
            never: ["Raising the threshold until the job is quiet. The certificate still expires."]),
        request(
            .requestNotJSON, "A `verify --batch` line isn't a JSON object.",
            sign: "`head -n LINE requests.jsonl | tail -n 1 | jq .` fails.",
            cause: "The JSON spans several lines, or the line contains an array or a string.",
            remedy: "Write one object on each line: `jq -c . requests.json > requests.jsonl`."),
        request(
            .requestTooLong, "A `verify --batch` line is longer than the limit and was skipped.",
            sign:
                "The finding states the limit in bytes; `awk '{ print length }' requests.jsonl | sort -n | tail -1` prints the longest line.",
            cause: "Each request contains a whole bundle of CRLs or anchors.",
            remedy: "Pass anchors and CRLs once for all requests, with the options of `verify`."),
        request(
            .requestKeyMissing, "A `verify --batch` request lacks a required key.",
            sign: "The finding names the key.",
            cause: "The program that writes the requests omits empty values, or spells a key differently.",
            remedy: "Compare the request with the format: `servertrust help batch`."),
        request(
            .requestKeyWrongType, "A key in a `verify --batch` request has the wrong JSON type.",
            sign: "The finding states the found and the expected type.",
            cause:
                "A chain with one certificate is written as a string instead of an array, or a missing value as `null`.",
            remedy: "Write arrays even for one value, and omit keys without a value."),
        request(
            .requestValueInvalid,
            "A value in a `verify --batch` request has the right type, but isn't valid for its key.",
            sign: "The finding states the value and the key.",
            cause: "A host is written as a URL, a date isn't in RFC 3339 format, or a profile is misspelled.",
            remedy: "Write hosts without scheme and port, and dates like `2026-11-21T09:30:00Z`."),
        request(
            .base64Malformed, "A certificate, CRL or OCSP response in a request isn't in the expected base64 form.",
            sign: "`jq -r '.chain[0]' request.json | base64 -d | openssl x509 -inform DER -noout` fails.",
            cause: "The value is PEM with its header, footer and line breaks, or URL-safe base64 without padding.",
            remedy: "Write the DER in base64: `openssl x509 -in cert.pem -outform DER | base64 -w 0`."),
    ]

    private static func request(
        _ code: TrustFailure.Code, _ meaning: String, sign: String, cause: String, remedy: String
    ) -> FailureGuide {
        FailureGuide(
            code, meaning: meaning + " Nothing was evaluated.", sign: sign, causes: [cause],
            serverRemedies: ["Correct the request. The server has no problem.", remedy],
            customization: .none(because: "Nothing can be trusted until the request is correct."),
            never: ["Treating a request without a verdict as trusted."])
    }
}
