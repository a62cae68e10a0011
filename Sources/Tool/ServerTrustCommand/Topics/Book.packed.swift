// SPDX-License-Identifier: Apache-2.0
//
// Written by Scripts/pack-book. Don't edit this file. Edit the texts in Book and run the script.
//
// swift-format-ignore-file

/// The texts of the book that this module shows, in the form that `Book` reads.
enum PackedBook {
    /// The help pages that belong to no verb.
    static let topics = #"""
exit-codes
title: The exit codes of every verb. They never change.
line: 0   trusted, or nothing found
line:     verify --batch, audit: every row got an answer, whatever its verdict
line:     lab, ca ocsp serve: ended by a signal, with nothing left behind
line:     check --watch: ended by a signal; the code comes from the last whole round
line: 1   rejected, or something found
line:     audit --replay: a connection would be refused with the changes, a record
line:     differs without one, or --fail-on applies
line:     pins rehearse: connections would be refused, or lint finds something
line:     --expires-within: trusted, but a certificate expires within the time
line: 2   could not evaluate: a file can't be read, input is unreadable,
line:     there are no system anchors, output can't be written, a port is in use
line:     check: stopped by a signal with servers left, and none rejected
line: 3   not known
line:     audit --replay, pins rehearse: no connection would be refused as far as the
line:     records say, but a record or a host's record is missing, can't be replayed
line:     or can't be read; --allow-unknown accepts that for a host
line: 64  wrong usage: an unknown option or an invalid value
line:
line: check --format nagios uses a plugin's codes instead: 0 OK, 1 WARNING
line: (--expires-within), 2 CRITICAL (rejected), 3 UNKNOWN (could not evaluate).
line:
line: Messages on standard error are human-readable. Programs use the exit code, or
line: the verdict and codes in --format json.

profiles
title: The rules of --profile and --strict.
line: webPKI    browsers' rules for public TLS servers: RFC 5280, and a v3 leaf
line:           under v3 issuers. The default.
line: rfc5280   plain path validation, for private PKIs and purposes other than TLS.
line:           Accepts v1 anchors and leaf keys of unknown algorithms, and doesn't
line:           check the leaf's key usage.
line: --strict  adds to either the rules that bind CAs, but that most verifiers relax
line:           (serial numbers, key identifiers, criticality, ...), and to webPKI
line:           those of the CA/Browser baseline, too. Their codes start with
line:           "strict": servertrust explain --list
line:
line: Both take the host name only from the subject alternative name, and refuse
line: RSA below 2048 bits, SHA-1, MD5, DSA and curves other than P-256, P-384 and
line: P-521.

batch
title: The rows of verify --batch: one in, one answer out, in the same order.
line: Rows come from standard input or from files, in order, plain or compressed with
line: gzip or Zstandard. Compressed input may expand to {expansion} times its size, or to
line: 128 KiB if that is more. Beyond that, the run ends with exit code 2 and the
line: number of answers so far. For input that you trust, --maximum-expansion raises
line: the limit. --input sets the format of the rows:
line:
line: requests      the lines below (the default)
line: ndjson        JSON lines with the columns id, host (or hostname, domain) and
line:               chain (or pem, certificates, certificate). A chain is PEM, DER in
line:               base64 with white space between certificates, or an array of
line:               these. Other keys are those of requests
line: csv           RFC 4180 with a header and the same columns. Others are ignored
line:
line: Examples/Audit/to_rows.py in the source package converts other formats to
line: ndjson: zgrab2 and zcertificate output, PEM with one or many chains, and
line: folders of files.
line:
line: $ zstdcat scan.jsonl.zst | Examples/Audit/to_rows.py zgrab2 > rows.ndjson
line: $ servertrust verify --batch --input ndjson rows.ndjson --short
line:
line: --id-column, --host-column and --chain-column name other columns of ndjson and
line: csv. A row without a name is called FILE:LINE (- is standard input). Options
line: supply what rows don't: --host, --anchors, --intermediates, --time, --purpose,
line: --profile, --strict, --maximum-intermediates, --revocation, --crl, --ocsp,
line: --ct, --ct-policy. --without-host compares no host. Without --host and
line: --without-host, a row of ndjson or csv that has no host is unreadable, and a csv
line: without the host column causes an error, except for the clientAuth purpose. A
line: row that can't be read gets an answer like any other. A file that can't be read
line: ends the run with exit code 2.
line:
line: servertrust audit evaluates the same rows. It takes the input's format from the
line: file's name. Its --format is jsonl, csv (--columns) or tsv (--short).
line:
line: Answers are the lines below. --columns prints comma-separated values with a
line: header. --short prints name, verdict, first code and expiry (the first end of
line: validity in the path), separated by tabs. Both write characters that control or
line: reorder text as \u{1b}, the backslash of a literal \u{ as \u{5c}, and an
line: apostrophe before a cell that a spreadsheet would run: one that begins with
line: =, +, - or @, also after apostrophes.
line:
line: --output FILE creates the file when it is complete. A signal that ends the run
line: removes the incomplete file. Devices, pipes and /dev/stdout are written to
line: directly. A symbolic link to a file is refused. A closing line on standard
line: error counts rows and answers. --summary FILE (.json) counts them by
line: code, issuer, root, key, signature, validity, expiry and more. --record FOLDER
line: writes a record of each row's verdict.
line:
line: --checkpoint FILE, with --output and input files: after a run was killed, the
line: same command resumes it, and no row is lost or duplicated. Rows without a time
line: are evaluated at the time of the first start. The program, the command (except
line: --jobs and --maximum-expansion), the input, the named files and the system's
line: anchors must be the same. A compressed file (gzip, Zstandard) is read again up
line: to that point. The state has a digest. A changed state causes an error, and
line: nothing is written.
line:
line: $ servertrust verify --batch --input ndjson rows.ndjson.zst --output a.jsonl \
line:     --checkpoint a.state --summary a.json --roots-overlay certdata.txt
line: servertrust: 1000000 lines read, 1000000 answers: 812345 trusted, ...
line:
line: Requests, one per line. Blank lines are skipped, and unknown keys are ignored.
line: No key below may occur twice in its object, however it is written (\u0069d is
line: id). Such a line is unreadable:
line:
line: id                   string, echoed
line: host                 DNS name or IP address. Absent: no identity check
line: chain                array of base64 DER, leaf first. Required
line: intermediates        array of base64 DER. Absent: none
line: anchors              array of base64 DER, the only anchors; [] for none.
line:                      Absent: the system's. --roots-overlay applies to all of
line:                      the system's anchors, even if its list lacks them, but
line:                      to the anchors here only if its list names them
line: time                 RFC 3339. Second 60 only at 23:59:60 UTC on 30 June and 31
line:                      December. Absent: now
line: purpose              serverAuth, clientAuth, any. Absent: serverAuth
line: profile              webPKI, rfc5280. Absent: webPKI
line: strict               boolean. Absent: false
line: maximumIntermediates integer. Absent: the budget's depth
line: revocation           off, bestEffort, required. Absent: off. Every certificate
line:                      except the anchor is checked, only with crls,
line:                      ocspResponses and the filters in --filter. bestEffort
line:                      rejects revoked certificates. required also rejects those
line:                      with an unknown status, unless they are exempt
line: crls, ocspResponses  arrays of base64 DER, in any order. chain and
line:                      intermediates may contain CRL signers outside the path
line: exemptShortLived     boolean: leaves that are valid for at most 7 days (10 if
line:                      issued before 2026-03-15, none before 2024-03-15) need
line:                      no revocation evidence. Absent: false with anchors,
line:                      otherwise true only under public anchors
line: policies             object: acceptable (array of dotted OIDs),
line:                      requireExplicit, inhibitMapping, inhibitAny (booleans)
line: pins                 array of sha256/BASE64: one must be in the validated path
line: ct                   object: policy (chrome, mozilla, apple; required) and mode
line:                      (report, require; absent: --ct, else report). Compares the
line:                      SCTs with the policy, whatever the anchors, using the
line:                      --ct-logs list. require rejects the chain if they fail or
line:                      there is no list. Absent: not checked
line:
line: record               integer: the line is a record of a verdict, written with
line:                      --record or the TrustRecords library. Its evaluation is
line:                      repeated. Of the options, only --denied applies. Every key
line:                      must be known. Large values are files in --blobs. A
line:                      record that isn't reproducible is unreadable. A last line
line:                      without its end is skipped. Absent: a plain request
line:
line: Answers, one per line:
line:
line: id        the request's, or null
line: verdict   trusted, rejected, or unreadable: the line isn't a JSON object, a key
line:           has the wrong type (null is wrong, too) or an invalid value, or
line:           base64 or the leaf can't be parsed
line: result    proceed, unspecified, recoverableFailure, fatalFailure, otherError
line: path      SHA-256 of each certificate, leaf first: the validated path, or the
line:           best candidate
line: failures  most specific first: code, certificate (0 is the leaf, null the
line:           whole path), message. Codes: servertrust explain --list
line: warnings  only if there are any: certificates above the leaf, CRLs and OCSP
line:           responses that can't be parsed and were left out, and what
line:           bestEffort couldn't check
line:
line: rejectedNames
line:           only if no name of the leaf matches the host: at most 20 of its
line:           names, with type, value and reason. rejectedNamesOmitted counts the
line:           others. verify and check also write both, and remedies: code,
line:           certificates, party, fix and options
line:
line: revocation
line:           only if requested: an object for each certificate of the path except
line:           the anchor: status (good, revoked, exempt, unknown), source (ocsp,
line:           crl, filter, deniedList, and of an exemption noRevAvail, shortLived;
line:           or null) and reason (of the revocation, or the obstacles to a status;
line:           or null). Empty if no path to an anchor passed all other checks
line: ct        only if requested: outcome (complies, fails, notChecked), code (the
line:           reason, absent for complies) and scts, an array of objects: log
line:           (base64 of its ID), operator, state, timestamp (milliseconds),
line:           signature (valid, invalid, unknownLog), counts, reason (null for
line:           one that counts). Codes: notEnoughSCTs, notDiverse,
line:           noApprovedSCTNow, noRFC6962Log; not checked: logListOutOfDate
line:           (70 days before time, Apple 60; --ct-any-age ignores it), noLogList.
line:           A list that is newer than time is used
line:
line: --denied FILE rejects every path with a certificate in the list, for all
line: requests: OneCRL's JSON or a CRLSet, read once. The status in revocation is
line: then revoked, with source deniedList.
line:
line: A line over 16 MiB is skipped, and its answer is unreadable. Without its id, an
line: answer takes less than 64 KB. It contains at most the first twenty failures and
line: warnings. failuresOmitted and warningsOmitted count the others, and so does
line: sctsOmitted for scts.
line:
line: $ echo '{"id":"a","host":"a.example","chain":["MIIB..."]}' |
line:     servertrust verify --batch
line: {"id":"a","verdict":"rejected","result":"recoverableFailure",...}

"""#
}
