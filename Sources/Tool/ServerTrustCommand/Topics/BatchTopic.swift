// SPDX-License-Identifier: Apache-2.0

struct BatchTopic: Topic {
    static let name = "batch"
    static let title = "The rows of verify --batch: one in, one answer out, in the same order."
    static let text = """
        Rows come from standard input or from files, one after the other, plain or
        compressed with gzip or Zstandard. --input names their form:

        requests      the lines below (the default)
        ndjson        JSON lines with columns: id, host (or hostname, domain) and chain
                      (or pem, certificates, certificate), which is PEM, or DER in
                      base64 with white space between, or an array of these; other
                      keys are those of requests
        csv           RFC 4180 with a header and the same columns; others are ignored
        zgrab2        lines of zgrab2: the server_certificates of each handshake. The
                      host is that of the HTTP request's url, else the line's domain,
                      the name asked for, or the ip, but of no redirected request;
                      rows are called DOMAIN IP PORT
        zcertificate  lines of zcertificate: raw. One certificate each: name the others
                      with --intermediates
        pem           chains one after the other, leaf first: a CA's certificate belongs
                      to the chain before it if its subject is the issuer of that one's
                      last certificate
        der-dir       folders: each file is a chain in DER, PEM or PKCS #7, whose leaf is
                      the only certificate that isn't a CA's

        --id-column, --host-column and --chain-column name other columns of ndjson and
        csv. A row without a name is called FILE:LINE (- is standard input). Options
        say what rows don't: --host, --anchors, --intermediates, --time, --purpose,
        --profile, --strict, --maximum-intermediates, --revocation, --crl, --ocsp,
        --ct, --ct-policy; --without-host compares no host. Without one of these two a
        row of ndjson, csv or zgrab2 that has no host is unreadable, and a csv without
        the column an error, but for the purpose clientAuth. A row that can't be read
        is answered like any other; a file that can't be read ends the run with 2.

        servertrust audit evaluates the same rows. It takes the input's format from the
        file's name. Its --format is jsonl, csv (--columns) or tsv (--short).

        Answers are the lines below; with --columns comma-separated values with a
        header; with --short name, verdict, first code and expiry (the first end of
        validity on the path), separated by tabs. Both write control characters of
        names as \\u{1b}. --output FILE writes to a file that appears when it is
        complete; a signal that ends the run removes what is there. A device, a pipe
        and /dev/stdout are written through; a symbolic link to a file is refused. A
        closing line on standard error has the numbers of rows and answers.
        --summary FILE (.json or .html) counts them by code, issuer, root, key,
        signature, validity, expiry and more.

        --checkpoint FILE, with --output and files: a run that was killed goes on when
        the same command is given again, and no row is lost or doubled. The verify date
        of rows without a time is that of the first start. Program, command (but for
        --jobs), input, the files that are named and the system's anchors have to be
        the same. A file in gzip or Zstandard is read again up to the place. The state
        has a digest: one that was changed is an error, and nothing is written.

        $ servertrust verify --batch --input zgrab2 scan.jsonl.zst --output a.jsonl \\
            --checkpoint a.state --summary a.html --roots-overlay certdata.txt
        servertrust: 1000000 lines read, 1000000 answers: 812345 trusted, ...

        Request, one a line; blank lines are passed over, unknown keys ignored:

        id                   string, echoed
        host                 DNS name or IP address. Absent: no identity check
        chain                array of base64 DER, leaf first. Required
        intermediates        array of base64 DER. Absent: none
        anchors              array of base64 DER, the only anchors; [] for none.
                             Absent: the system's. --roots-overlay changes of the
                             system's those that its list lacks as well, of these
                             the ones that it names
        time                 RFC 3339. Absent: now
        purpose              serverAuth, clientAuth, any. Absent: serverAuth
        profile              webPKI, rfc5280. Absent: webPKI
        strict               boolean. Absent: false
        maximumIntermediates integer. Absent: the budget's depth
        revocation           off, bestEffort, required. Absent: off. Every certificate
                             but the anchor is checked by crls, ocspResponses and the
                             filters of --filter alone: bestEffort rejects revoked ones, required also
                             those with an unknown status, but no exempt ones
        crls, ocspResponses  arrays of base64 DER, in any order. CRL signers beside
                             the path are looked for in chain and intermediates
        exemptShortLived     boolean: leaves that are valid for at most 7 days (10 if
                             issued before 2026-03-15, none before 2024-03-15) need
                             no revocation evidence. Absent: false with anchors,
                             without only those of public anchors
        policies             object: acceptable (array of dotted OIDs),
                             requireExplicit, inhibitMapping, inhibitAny (booleans)
        pins                 array of sha256/BASE64: one must be in the validated path
        ct                   object: policy (chrome, mozilla, apple; required) and mode
                             (report, require; absent: --ct, else report). The SCTs are
                             compared with the policy, whatever the anchors, by the
                             list of logs of --ct-logs; require rejects if they fail,
                             and without a list. Absent: not checked

        Answer, one a line:

        id        the request's, or null
        place     only of a chain of a line with several (zgrab2): where it stands
        verdict   trusted, rejected, or unreadable: the line is no JSON object, a key
                  has the wrong type or a value that is none, base64 or the leaf
                  can't be parsed. null is a wrong type
        result    proceed, unspecified, recoverableFailure, fatalFailure, otherError
        path      SHA-256 of each certificate, leaf first: the validated path, or the
                  best candidate
        failures  most specific first: code, certificate (0 is the leaf, null the
                  whole path), message. Codes: servertrust explain --list
        warnings  only if there are any: certificates above the leaf, CRLs and OCSP
                  responses that can't be parsed and were left out; what bestEffort
                  couldn't check

        rejectedNames
                  only if the leaf has no name of the host: the names that it has
                  instead, at most 20: type, value and reason, why it isn't the host's.
                  rejectedNamesOmitted counts the others. verify and check write both
                  too, and remedies: code, certificates, party, fix and options

        revocation
                  only if asked for: an object for each certificate of the path but the
                  anchor: status (good, revoked, exempt, unknown), source (ocsp, crl,
                  filter, deniedList, and of an exemption noRevAvail, shortLived; or
                  null) and reason (of the revocation, or the obstacles to a status; or
                  null). Empty where no path to an anchor passed all other checks
        ct        only if asked for: outcome (complies, fails, notChecked), code (the
                  reason, absent for complies) and scts, an array of objects: log
                  (base64 of its ID), operator, state, timestamp (milliseconds),
                  signature (valid, invalid, unknownLog), counts, reason (null for
                  one that counts). Codes: notEnoughSCTs, notDiverse,
                  noApprovedSCTNow, noRFC6962Log; not checked: logListOutOfDate
                  (70 days before time, Apple 60; --ct-any-age ignores it), noLogList.
                  A list that is newer than time is used

        --denied FILE rejects every path with a certificate of the list, for all
        requests: OneCRL's JSON or a CRLSet, read once. The status in revocation is
        revoked then, with source deniedList.

        A line over 16 MiB is answered as unreadable and skipped. Beside its id an answer
        takes less than 64 KB: the first twenty failures and warnings at most are written,
        and where there are more, failuresOmitted and warningsOmitted count them, as
        sctsOmitted does for scts.

        $ echo '{"id":"a","host":"a.example","chain":["MIIB..."]}' |
            servertrust verify --batch
        {"id":"a","verdict":"rejected","result":"recoverableFailure",...}
        """
}
