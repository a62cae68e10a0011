// SPDX-License-Identifier: Apache-2.0

struct BatchTopic: Topic {
    static let name = "batch"
    static let title = "The rows of verify --batch: one in, one answer out, in the same order."
    static let text = """
        Rows come from standard input or from files, in order, plain or compressed with
        gzip or Zstandard. Compressed input may expand to \(ByteStream.defaultExpansion) times its size, or to
        128 KiB if that is more. Beyond that, the run ends with exit code 2 and the
        number of answers so far. For input that you trust, --maximum-expansion raises
        the limit. --input sets the format of the rows:

        requests      the lines below (the default)
        ndjson        JSON lines with the columns id, host (or hostname, domain) and
                      chain (or pem, certificates, certificate). A chain is PEM, DER in
                      base64 with white space between certificates, or an array of
                      these. Other keys are those of requests
        csv           RFC 4180 with a header and the same columns. Others are ignored
        zgrab2        zgrab2 output: the server_certificates of each handshake. The
                      host comes from the HTTP request's url, or else the line's domain,
                      the requested name, or the ip. After a redirect, only the
                      request's own host counts. Rows are called DOMAIN IP PORT
        zcertificate  zcertificate output: raw. A line has one certificate. Supply the
                      others with --intermediates
        pem           chains one after the other, leaf first. A CA's certificate belongs
                      to the chain before it if its subject is the issuer of that
                      chain's last certificate
        der-dir       folders. Each file is a chain in DER, PEM or PKCS #7. The leaf is
                      the only certificate that isn't a CA's

        --id-column, --host-column and --chain-column name other columns of ndjson and
        csv. A row without a name is called FILE:LINE (- is standard input). Options
        supply what rows don't: --host, --anchors, --intermediates, --time, --purpose,
        --profile, --strict, --maximum-intermediates, --revocation, --crl, --ocsp,
        --ct, --ct-policy. --without-host compares no host. Without --host and
        --without-host, a row of ndjson, csv or zgrab2 that has no host is unreadable,
        and a csv without the host column causes an error, except for the clientAuth
        purpose. A row that can't be read gets an answer like any other. A file that
        can't be read ends the run with exit code 2.

        servertrust audit evaluates the same rows. It takes the input's format from the
        file's name. Its --format is jsonl, csv (--columns) or tsv (--short).

        Answers are the lines below. --columns prints comma-separated values with a
        header. --short prints name, verdict, first code and expiry (the first end of
        validity in the path), separated by tabs. Both write characters that control or
        reorder text as \\u{1b}, the backslash of a literal \\u{ as \\u{5c}, and an
        apostrophe before a cell that a spreadsheet would run: one that begins with
        =, +, - or @, also after apostrophes.

        --output FILE creates the file when it is complete. A signal that ends the run
        removes the incomplete file. Devices, pipes and /dev/stdout are written to
        directly. A symbolic link to a file is refused. A closing line on standard
        error counts rows and answers. --summary FILE (.json or .html) counts them by
        code, issuer, root, key, signature, validity, expiry and more. --record FOLDER
        writes a record of each row's verdict.

        --checkpoint FILE, with --output and input files: after a run was killed, the
        same command resumes it, and no row is lost or duplicated. Rows without a time
        are evaluated at the time of the first start. The program, the command (except
        --jobs and --maximum-expansion), the input, the named files and the system's
        anchors must be the same. A compressed file (gzip, Zstandard) is read again up
        to that point. The state has a digest. A changed state causes an error, and
        nothing is written.

        $ servertrust verify --batch --input zgrab2 scan.jsonl.zst --output a.jsonl \\
            --checkpoint a.state --summary a.html --roots-overlay certdata.txt
        servertrust: 1000000 lines read, 1000000 answers: 812345 trusted, ...

        Requests, one per line. Blank lines are skipped, and unknown keys are ignored.
        No key below may occur twice in its object, however it is written (\\u0069d is
        id). In zgrab2 and zcertificate output, no key at all may. Such a line is
        unreadable:

        id                   string, echoed
        host                 DNS name or IP address. Absent: no identity check
        chain                array of base64 DER, leaf first. Required
        intermediates        array of base64 DER. Absent: none
        anchors              array of base64 DER, the only anchors; [] for none.
                             Absent: the system's. --roots-overlay applies to all of
                             the system's anchors, even if its list lacks them, but
                             to the anchors here only if its list names them
        time                 RFC 3339. Second 60 only at 23:59:60 UTC on 30 June and 31
                             December. Absent: now
        purpose              serverAuth, clientAuth, any. Absent: serverAuth
        profile              webPKI, rfc5280. Absent: webPKI
        strict               boolean. Absent: false
        maximumIntermediates integer. Absent: the budget's depth
        revocation           off, bestEffort, required. Absent: off. Every certificate
                             except the anchor is checked, only with crls,
                             ocspResponses and the filters in --filter. bestEffort
                             rejects revoked certificates. required also rejects those
                             with an unknown status, unless they are exempt
        crls, ocspResponses  arrays of base64 DER, in any order. chain and
                             intermediates may contain CRL signers outside the path
        exemptShortLived     boolean: leaves that are valid for at most 7 days (10 if
                             issued before 2026-03-15, none before 2024-03-15) need
                             no revocation evidence. Absent: false with anchors,
                             otherwise true only under public anchors
        policies             object: acceptable (array of dotted OIDs),
                             requireExplicit, inhibitMapping, inhibitAny (booleans)
        pins                 array of sha256/BASE64: one must be in the validated path
        ct                   object: policy (chrome, mozilla, apple; required) and mode
                             (report, require; absent: --ct, else report). Compares the
                             SCTs with the policy, whatever the anchors, using the
                             --ct-logs list. require rejects the chain if they fail or
                             there is no list. Absent: not checked

        record               integer: the line is a record of a verdict, written with
                             --record or the TrustRecords library. Its evaluation is
                             repeated. Of the options, only --denied applies. Every key
                             must be known. Large values are files in --blobs. A
                             record that isn't reproducible is unreadable. A last line
                             without its end is skipped. Absent: a plain request

        Answers, one per line:

        id        the request's, or null
        place     only if a line has several chains (zgrab2): the chain's position
        verdict   trusted, rejected, or unreadable: the line isn't a JSON object, a key
                  has the wrong type (null is wrong, too) or an invalid value, or
                  base64 or the leaf can't be parsed
        result    proceed, unspecified, recoverableFailure, fatalFailure, otherError
        path      SHA-256 of each certificate, leaf first: the validated path, or the
                  best candidate
        failures  most specific first: code, certificate (0 is the leaf, null the
                  whole path), message. Codes: servertrust explain --list
        warnings  only if there are any: certificates above the leaf, CRLs and OCSP
                  responses that can't be parsed and were left out, and what
                  bestEffort couldn't check

        rejectedNames
                  only if no name of the leaf matches the host: at most 20 of its
                  names, with type, value and reason. rejectedNamesOmitted counts the
                  others. verify and check also write both, and remedies: code,
                  certificates, party, fix and options

        revocation
                  only if requested: an object for each certificate of the path except
                  the anchor: status (good, revoked, exempt, unknown), source (ocsp,
                  crl, filter, deniedList, and of an exemption noRevAvail, shortLived;
                  or null) and reason (of the revocation, or the obstacles to a status;
                  or null). Empty if no path to an anchor passed all other checks
        ct        only if requested: outcome (complies, fails, notChecked), code (the
                  reason, absent for complies) and scts, an array of objects: log
                  (base64 of its ID), operator, state, timestamp (milliseconds),
                  signature (valid, invalid, unknownLog), counts, reason (null for
                  one that counts). Codes: notEnoughSCTs, notDiverse,
                  noApprovedSCTNow, noRFC6962Log; not checked: logListOutOfDate
                  (70 days before time, Apple 60; --ct-any-age ignores it), noLogList.
                  A list that is newer than time is used

        --denied FILE rejects every path with a certificate in the list, for all
        requests: OneCRL's JSON or a CRLSet, read once. The status in revocation is
        then revoked, with source deniedList.

        A line over 16 MiB is skipped, and its answer is unreadable. Without its id, an
        answer takes less than 64 KB. It contains at most the first twenty failures and
        warnings. failuresOmitted and warningsOmitted count the others, and so does
        sctsOmitted for scts.

        $ echo '{"id":"a","host":"a.example","chain":["MIIB..."]}' |
            servertrust verify --batch
        {"id":"a","verdict":"rejected","result":"recoverableFailure",...}
        """
}
