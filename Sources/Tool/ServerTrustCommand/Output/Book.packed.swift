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
line:           those of the CA/Browser baseline, too. They apply to anchors, too: a
line:           root without key usage is refused, and so is a root of version 1.
line:           Their codes start with "strict": servertrust explain --list
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

    /// The remedies for servers that couldn't be checked.
    static let connections = #"""
a protocol that begins without TLS
code: connectionStartTLSNeeded
remedy: servertrust check {endpoint} --starttls {startTLS}

plain HTTP
code: connectionPlainHTTP
remedy: Use the port that has TLS, usually 443. If the server is yours, turn on TLS for this port.

another protocol
code: connectionNotTLS
remedy: Use the port that has TLS.

an old version
code: connectionOldTLSOnly
remedy: Turn on TLS 1.2 or 1.3 on the server. Current clients refuse older versions.

an unknown name
code: connectionNameRefused
remedy: Check the name, or configure the server with a certificate for it.

a client without a certificate
code: connectionClientCertificateRequired
remedy: Present a certificate from a CA that the server trusts: --client-cert FILE --client-key FILE

a name without an address
code: connectionNameNotResolved
remedy: Check the spelling, and that the name is in DNS. To connect by address instead, use --connect.

slow name servers
code: connectionNameLookupTimedOut
remedy: Check the name servers of this machine and of the domain: they don't answer. To connect by address instead, use --connect.

failing name servers
code: connectionNameServerFailed
remedy: Check the name servers of this machine and of the domain: they don't answer. To connect by address instead, use --connect.

a closed port of another protocol
code: connectionClosed
when: otherPort
remedy: Port {port} is the port of {scheme}, which begins without TLS. Run servertrust check {endpoint} --starttls {startTLS}

a closed connection
code: connectionClosed
remedy: Read the server's log. The server may have no certificate for the name, or a firewall may have closed the connection.

a silent port of another protocol
code: connectionTimedOut
when: otherPort
remedy: Port {port} is the port of {scheme}, which begins without TLS. Run servertrust check {endpoint} --starttls {startTLS}

a silent server
code: connectionTimedOut
remedy: Check whether the server is up, and whether a firewall drops its packets. Use --timeout to wait longer.

a slow evaluation
code: connectionEvaluationTimedOut
remedy: Check whether the server is up, and whether a firewall drops its packets. Use --timeout to wait longer.

an alert after a key for PSS
code: connectionHandshakeAlert
when: pssKey
remedy: Give the server a certificate for a P-256 key or a usual RSA key (rsaEncryption). Its current key is for RSASSA-PSS, which many clients don't offer.

a handshake with a key for PSS
code: connectionHandshakeFailed
when: pssKey
remedy: Give the server a certificate for a P-256 key or a usual RSA key (rsaEncryption). Its current key is for RSASSA-PSS, which many clients don't offer.

an alert after a valid signature
code: connectionHandshakeAlert
when: signed
remedy: Read the server's log for the reason of the alert. Everything up to the server's signature was valid.

a key that clients don't support
code: connectionHandshakeAlert
when: unusualKey
remedy: Give the server a certificate for a P-256 key, or an RSA key with 2048 to 8192 bits.

handshake_failure without a name
code: connectionHandshakeAlert
alert: 40
when: address
remedy: Check the host by its name: clients send none for an address, and many servers need it to choose a certificate. If the server is yours, turn on TLS 1.2 or 1.3 with ECDHE and AES-GCM or ChaCha20, and give it a default certificate.

handshake_failure
code: connectionHandshakeAlert
alert: 40
remedy: Turn on TLS 1.2 or 1.3 on the server, with cipher suites with ECDHE and AES-GCM or ChaCha20. Check that it has a certificate for this name, with a P-256 key or an RSA key: clients don't offer keys such as DSA, Ed448 or brainpool.

insufficient_security
code: connectionHandshakeAlert
alert: 71
remedy: Let the server accept usual cipher suites (ECDHE with AES-GCM or ChaCha20) and key exchange with X25519 or P-256. It requires stronger ones than clients offer.

internal_error
code: connectionHandshakeAlert
alert: 80
remedy: Read the server's log. If it asks for client certificates, shorten its list of CAs (`ssl_client_certificate` in nginx, `ca-file` in HAProxy) to those that issue them: a list above 64 KB, hundreds of CAs, ends the handshake. Otherwise check that its key and certificate can be read.

no_application_protocol
code: connectionHandshakeAlert
alert: 120
remedy: Let the server accept the protocol that clients offer in ALPN, such as `h2` or `http/1.1`. If another protocol belongs to this port, use its client.

unknown_psk_identity
code: connectionHandshakeAlert
alert: 115
remedy: Give the server a certificate. It accepts only clients that share a key with it (PSK).

access_denied
code: connectionHandshakeAlert
alert: 49
remedy: Read the server's log. A rule for the client's address or name refuses it.

illegal_parameter
code: connectionHandshakeAlert
alert: 47
remedy: Update the server's TLS library, and check the machines on the network path: one of them doesn't accept a usual client's first message.

decode_error
code: connectionHandshakeAlert
alert: 50
remedy: Update the server's TLS library, and check the machines on the network path: one of them can't read a usual client's first message.

another alert
code: connectionHandshakeAlert
remedy: Read the server's log for the reason. Configure the server with TLS 1.2 or 1.3, cipher suites with ECDHE and AES-GCM or ChaCha20, and a certificate.

an excessive message
code: connectionHandshakeFailed
when: excessive
remedy: Send only the server's certificate and the intermediates up to its root. The server sends far more, as from a file with a whole bundle of CAs. If it asks for client certificates, shorten its list of CAs, too.

a handshake on a port of another protocol
code: connectionHandshakeFailed
when: otherPort
remedy: Port {port} is the port of {scheme}, which begins without TLS. Run servertrust check {endpoint} --starttls {startTLS}

a handshake that a client can't use
code: connectionHandshakeFailed
remedy: Update the server's TLS library, or check the machines on the network path: their messages break a rule that usual clients require.

an unreachable server
code: connectionUnreachable
remedy: Start the server, or name the port that it listens on: host:port

a failing proxy
code: connectionProxyFailed
remedy: Check that the proxy runs at this address. Use --proxy to name another one.

declined STARTTLS
code: connectionStartTLSDeclined
remedy: Turn on TLS in the server's configuration, or use the port that has it.

failed STARTTLS
code: connectionStartTLSFailed
remedy: Name the protocol that the server speaks. Leave out --starttls if TLS begins at once.

"""#

    /// The discussions of verbs, and the help of options.
    static let help = #"""
servertrust
line: servertrust check api.example.com
line: servertrust verify chain.pem --host api.example.com
line: servertrust audit inventory.csv.gz --summary audit.json
line: servertrust inspect chain.pem
line: servertrust explain certificateExpired
line: servertrust pins make chain.pem --format okhttp
line: servertrust pins lint Info.plist network_security_config.xml
line: servertrust pins why Info.plist api.example.com
line: servertrust pins convert Info.plist --to android
line: servertrust pins list show list.json
line: servertrust ca init
line: servertrust roots report --against certdata.txt
line: servertrust cache prefetch --issuers chains.pem
line: servertrust lab demo

check
usage: servertrust check <host|url> ... [<options>]
line: Name a server by host, host:port, [ipv6]:port or URL: https, or another
line: service's, such as imaps://mail.example.com. check sends only the commands
line: before STARTTLS and the TLS handshake. With --follow it also sends requests,
line: but only to trusted servers. It checks several servers at once.
line:
line: $ servertrust check api.example.com
line: OK    api.example.com is trusted at 2026-11-21T09:30:00Z
line:       ...
line:
line: $ servertrust check --hosts hosts.txt --summary --expires-within 30d
line: Prints a line per server. Exits with 1 if a certificate expires within 30 days.
line:
line: $ servertrust check smtp://mail.example.com postgres://db.example.com
line: $ servertrust check ldap.example.com:1389 --starttls ldap
line: Speaks the protocol up to STARTTLS or its equivalent, then evaluates the
line: server. The default port is the protocol's.
line:
line: $ servertrust check api.example.com --pins sha256/AAAA... --pins backup.csr
line: A file contains pins, or the certificates, keys and requests to pin.
line:
line: $ servertrust check api.example.com --pins network_security_config.xml
line: Enforces an app's file as its owner does, with expiry and anchors, in any
line: format of servertrust pins convert. For a signed list, add --pins-key.
line:
line: $ servertrust check api.example.com --pins pins.txt --ccadb report.csv
line: Also shows which renewals the pins survive, and what to add for the others.
line:
line: $ servertrust check https://example.com/login --follow --pins pins.txt
line: Follows redirects, evaluates each host, and shows where a pin breaks.
line:
line: $ servertrust check api.example.com --connect 192.0.2.7 --anchors root.pem
line: Connects to 192.0.2.7 for api.example.com, such as before you switch DNS.
line:
line: $ servertrust check api.example.com --all-addresses
line: Checks every address of the name, and shows which one differs.
line:
line: $ servertrust check api.example.com --revocation required --fetch
line: Also asks the CAs' OCSP responders and fetches their CRLs.
line:
line: $ servertrust check api.example.com --ct-logs logs.json --ct-policy mozilla
line: Lists the SCTs, and shows whether they comply. --ct require refuses the server
line: if they don't.
line:
line: $ servertrust check api.example.com --proxy http://user:pw@proxy:3128
line: Tunnels through the proxy, which resolves the name. --proxy environment uses
line: the proxy in https_proxy, and keeps the password out of ps.
line:
line: $ servertrust check old.example.com --tls-minimum 1.0
line: Connects to a server that offers only old versions, but doesn't trust it.
line:
line: $ servertrust check api.example.com --showcerts > chain.pem
line:
line: $ servertrust check api.example.com --fix > chain.pem
line: Prints the chain that a trusted server should send: in order, without the root,
line: with missing intermediates. The report goes to standard error.
line:
line: $ servertrust check --hosts hosts.txt --format jsonl | jq -r .headline
line: Prints one JSON object per line. Other machine-readable formats: json, junit,
line: prometheus (for the textfile collector), nagios (plugin line and exit code).
line:
line: $ servertrust check api.example.com --format html > report.html
line: Writes a page to read and share: a drawing of the chain and the path, and every
line: certificate and check. The page loads nothing from elsewhere.
line:
line: $ servertrust check www1.example.com www2.example.com --watch 60s
line: Checks again every minute and marks what changed, until Ctrl-C.
line:
line: Ctrl-C prints the results so far and counts the remaining servers.
line: Exit code 0 if all are trusted, 1 if one is rejected or expires too soon.
line: Otherwise 2 if one couldn't be reached: servertrust help exit-codes.

check --pins
value: pin|file
text: Require one of these pins in the validated path: sha256/BASE64, or a file. May be repeated.

check --time
value: time
page: whole
text: Evaluate at this RFC 3339 time or day. (default: now)

check --pins-from
value: format
text: Read --pins in this format. (default: detected)

check --pins-key
value: file
text: Accept signatures by this public key, if --pins is a signed list. May be repeated. (default: none)

check --pins-threshold
value: n
text: Require signatures by this many keys on the list of --pins. (default: 1)

check --watch
value: time
page: whole
text: Repeat the check at this interval, 1s or more, and mark changes. (default: once)

check --anchors
value: file
text: Trust only these anchors. May be repeated.

check --connect
value: addr
text: Connect to this address: addr or addr:port. (default: the servers' own)

check --timeout
value: time
page: whole
text: Limit the time for each server: once for the DNS lookup, and again from connecting to the response. (default: 5s)

check --servername
value: name
text: Send this name in the handshake (SNI). The evaluation still uses the host. (default: the host)

check --client-cert
value: file
text: Send this client certificate and its intermediates to servers that request one. (default: none)

check --client-key
value: file
text: Use this unencrypted private key, in PEM or DER. (default: in the certificate file)

check --expires-within
value: time
text: Exit with 1 if a certificate in the path expires within this time, such as 30d. (default: not checked)

check --fetch-from
value: host
page: whole
text: Fetch from this host or address even if it isn't public. May be repeated.

check --cache
value: file
page: whole
text: Keep fetched resources in this cache file. (default: in the user's cache folder)

check --ccadb
value: file
text: Certificates of CAs that may issue the next certificate: a ccadb.org report with PEM, or any file of certificates. They are not trusted. May be repeated. (default: only those already available to this run)

check --acme-directory
value: url
text: Ask the CA's ACME directory when to renew (RFC 9773). (default: not asked)

check --hosts
value: file
text: Read servers from this file, one per line, # for comments; - is standard input. (default: only the arguments)

check --denied
value: file
text: Refuse the certificates on this list: OneCRL's JSON, or a CRLSet. May be repeated.

check --roots-overlay
value: file
text: Apply the conditions of this root program's list to the anchors. (default: SERVERTRUST_ROOTS_OVERLAY)

check --roots-unlisted
value: word
text: Refuse or keep system roots that a complete list doesn't contain. (default: refuse)

check --ct-logs
value: file
text: Check SCTs with this log list (JSON, version 3). (default: not checked)

check --ct-policy
value: name
text: Apply this policy to SCTs. (default: chrome)

check --ct
value: mode
text: Report too few SCTs, or refuse the server for them. (default: report with --ct-logs)

check --record
value: folder
page: whole
text: Write a record of each verdict to this folder, for verify --batch. (default: none)

check --revocation
value: mode
text: Check revocation. Every mode refuses revoked certificates. (default: off; best-effort if you supply evidence)

check --ocsp
value: file
page: whole
text: Use this OCSP response, in DER or another encoding. May be repeated.

check --crl
value: file
page: whole
text: Use the CRLs in this file. May be repeated.

check --filter
value: file
page: whole
text: Use a CRLite filter (*.delta follows the others), a folder of them with a manifest.json, or upki for its filters. May be repeated. (default: upki's, if any)

check --exempt-short-lived
value: anchors
page: whole
text: Require no revocation evidence for short-lived leaves below these anchors. (default: public)

check --revocation-max-age
value: time
page: whole
text: Ignore a leaf's good status in evidence older than this, such as 4d, with any anchor. (default: 10d with public anchors)

check --starttls
value: protocol
text: Speak this protocol before TLS, for servers without a scheme. (default: none)

check --proxy
value: url
text: Tunnel through this proxy: http://[user:password@]host:port, the same with https:// or socks5://, or environment for https_proxy, http_proxy (only in lower case), all_proxy and no_proxy (in either case). (default: none)

check --tls-minimum
value: version
text: The minimum TLS version. 1.0 and 1.1 reach old servers, but never trust them.

verify
usage: servertrust verify <file> ... --host <name> [<options>]
usage: servertrust verify --batch [<file> ...] [<options>]
line: The files are PEM or DER; "-" is standard input. Together they are one
line: presented chain, leaf first. The others may be out of order or unrelated.
line: --revocation, --ocsp and --crl check revocation, with only your files unless
line: you add --fetch. For the exit codes, see servertrust help exit-codes.
line:
line: $ servertrust verify chain.pem --host api.example.com --anchors root.pem
line: OK    api.example.com is trusted at 2026-11-21T09:30:00Z
line:       valid until 2027-02-16T11:06:40Z, 87 days left
line:       ...
line:
line: path
line:   api.example.com  leaf, sent as number 1, until 2027-02-16
line:   ...
line:
line: $ servertrust verify chain.pem --host api.example.com --pin sha256/AAAA...
line: --pin requires a key in the validated path, --ev requires extended validation,
line: and --apple adds the rules that only Apple's systems have.
line: --pins Info.plist enforces an app's pin file as its owner does.
line:
line: $ servertrust verify chain.pem --host api.example.com \
line:     --revocation required --crl root.crl --crl issuing-ca.crl
line: Requires a CRL or OCSP response for every certificate except the anchor.
line: best-effort accepts what can't be checked, and refuses what is revoked.
line:
line: $ servertrust verify chain.pem --host www.example.com --anchors root.pem
line: FAIL  www.example.com is not trusted at 2026-11-21T09:30:00Z
line: ...
line: error: certificate sent as number 1 (leaf) is valid for
line:        api.example.com, not www.example.com [hostMismatch]
line: hint:  The peer isn't the expected one, or ...
line:
line: $ servertrust verify chain.pem --host dev.example.com \
line:     --exceptions exceptions.json --add-exception --exception-days 30
line: Agrees to the failures of this certificate for this host, for 30 days. Later
line: runs need only --exceptions.
line:
line: $ servertrust verify chain.pem --host api.example.com --denied onecrl.json
line: Refuses every path with a listed certificate, whatever the other options are.
line:
line: $ servertrust verify chain.pem --host api.example.com --ct-logs logs.json
line: Compares the SCTs with a browser's policy. --ct require refuses the server if
line: they don't comply.
line:
line: $ servertrust verify leaf.pem --host api.example.com --fetch \
line:     --revocation required
line: Fetches missing intermediates, OCSP responses and CRLs, reports them, and keeps
line: them in a cache (servertrust cache).
line:
line: $ servertrust verify untidy.pem --host api.example.com --fix > chain.pem
line: Prints the chain in order, without duplicates or the root, with missing
line: intermediates. --expires-within 30d exits with 1 if a certificate ends by then.
line:
line: $ openssl s_client -connect api.example.com:443 -showcerts </dev/null |
line:     servertrust verify - --host api.example.com --format json
line:
line: $ servertrust verify chain.pem --host api.example.com --format html > r.html
line: Writes a page to read and share, with a drawing of the paths.
line:
line: $ servertrust verify --batch < requests.jsonl > answers.jsonl
line: Reads and writes one JSON object per line: servertrust help batch.
line:
line: $ servertrust verify --batch --input csv inventory.csv.gz --columns \
line:     --anchors roots.pem --summary audit.json > audit.csv
line: Evaluates millions of chains in CSV or JSON lines.

verify --pin
value: pin
text: Require one of these keys in the validated path: sha256/BASE64. May be repeated.

verify --backup-pin
value: pin
page: whole
text: Add the pin of a backup key. May be repeated.

verify --pins
value: file
text: Enforce a pin file of any format as its owner does. Requires --host. (default: none)

verify --apple
page: whole
text: Apply Apple's rules by date: leaves list serverAuth, and are valid for at most 825 or 398 days.

verify --exceptions
value: file
page: whole
text: Apply the exceptions agreed in this file; see --add-exception. (default: none)

verify --exception-days
value: n
page: whole
text: Limit the exception to this number of days. (default: no limit)

verify --host
value: name
text: Require a leaf for this host. (default: not checked)

verify --anchors
value: file
text: Trust only these anchors. May be repeated.

verify --intermediates
value: file
text: Use these additional intermediates. May be repeated.

verify --time
value: time
text: Evaluate at this RFC 3339 time or day. (default: now)

verify --maximum-intermediates
value: n
page: whole
text: Allow at most this many intermediates in the path. (default: the budget's depth)

verify --password-file
value: file
text: Read the password of PKCS #12 from the first line of this file. (default: asked for on a terminal)

audit
usage: servertrust audit <file> ... [--input <format>] [<options>]
line: audit reads rows from files, plain or compressed with gzip or Zstandard. It
line: recognizes CSV by name. For JSON lines and standard input, add --input: requests
line: or ndjson. servertrust help batch names a converter for zgrab2, zcertificate,
line: PEM and folders.
line:
line: $ servertrust audit inventory.csv.gz --anchors roots.pem --summary audit.json
line: Reads the host and chain columns, and writes an answer for each row. The summary
line: counts the answers by code, issuer, root, key, expiry and more.
line:
line: $ servertrust audit scan.jsonl.zst --input ndjson --output answers.jsonl \
line:     --checkpoint audit.state
line: After an interruption, the same command resumes where it stopped.
line:
line: $ servertrust audit --replay verdicts/ --pins new.json
line: OK    0 of 1,204,331 connections would be refused
line: Evaluates records of verdicts again (check --record, TrustRecorder), here with
line: other pins. Without a change, a record that differs is a finding. --anchors,
line: --roots-overlay, --denied, --filter, --ct-logs, --revocation, --strict,
line: --profile, --at, --shift, --without-anchor and --without-intermediate are other
line: changes. --explain FILE:LINE shows one record in full.
line:
line: $ servertrust audit --replay verdicts/ --renew "Example CA 1" --to new-ca.pem
line: Forecasts the same leaves from another CA. --ccadb names the next CAs of the same
line: organization instead. The signatures of those CAs on the leaves don't exist and
line: are assumed. Everything else is checked.
line:
line: $ servertrust audit --replay verdicts/ --pins new.json --until 2027-06-01
line: Also shows when which host breaks by that date, and why. Three kinds: it breaks
line: whatever else happens, needs an ordinary renewal or fresh evidence (which is
line: assumed), or isn't known.
line:
line: The answers have the form of servertrust verify --batch. Formats are jsonl (one
line: object per line), csv (with a header) and tsv (name, verdict, first code and
line: expiry). servertrust help batch lists all keys, columns and limits.
line:
line: Exit codes: 0 every row has an answer, whatever its verdict; 2 something can't
line: be read or written. --replay: 1 a connection would be refused, now or by the date
line: of --until, a record differs without a change, or --fail-on applies; 3 not known: records are missing, can't
line: be replayed or can't be read.

audit --pins
value: file
page: whole
text: With --replay, pin these keys instead: sha256/BASE64, or a pin file of any format. May be repeated.

audit --at
value: time
page: whole
text: With --replay, evaluate every record at this time or day. (default: the recorded time)

audit --shift
value: span
page: whole
text: With --replay, evaluate every record later by this span, or earlier: -400d. (default: none)

audit --without-anchor
value: name
page: whole
text: With --replay, remove this anchor, by its common name, subject or SHA-256. May be repeated.

audit --without-intermediate
value: name
page: whole
text: With --replay, remove this intermediate from what servers sent and you supplied. May be repeated.

audit --fail-on
value: outcome
page: whole
text: With --replay, exit with 1 if there are such records, too. May be repeated.

audit --explain
value: line
page: whole
text: With --replay, show the record in one line in full: a number, or FILE:NUMBER. (default: none)

audit --until
value: time
page: whole
text: For records, also show what breaks until this time or day, and why. (default: none)

audit --renew
value: ca
page: whole
text: For records, forecast leaves of this CA from the CA in --to, or from the next CAs of its organization in --ccadb. May be repeated.

audit --ccadb
value: file
page: whole
text: With --renew, the CAs that may issue instead: a ccadb.org report with PEM, or any file of certificates. They are not trusted. May be repeated.

audit --to
value: file
page: whole
text: With --renew, the CA that issues instead, whatever its organization: a file with its certificate first, and then those above it. They are not trusted. One for each --renew. (default: none)

audit --allow-unknown
value: host
page: whole
text: For records, accept that nothing is known about this host. May be repeated.

audit --input
value: format
text: Read rows in this format; see help batch. (default: requests; for audit, by file name)

audit --id-column
value: name
page: whole
text: Name rows after this ndjson or csv column. (default: id, or else file and line)

audit --host-column
value: name
page: whole
text: Read the host from this column. (default: host, hostname or domain)

audit --chain-column
value: name
page: whole
text: Read the chain from this column, in PEM or base64. (default: chain, pem, certificates or certificate)

audit --output
value: file
text: Write the answers to this file, which appears once complete. (default: standard output)

audit --summary
value: file
text: Write counts by code, issuer, root and key to this .json file. May be repeated.

audit --checkpoint
value: file
text: Keep the state here, to resume a killed run. Requires --output. (default: none)

audit --blobs
value: folder
page: whole
text: Read the large values of records from this folder. (default: blobs, beside the first file)

inspect
usage: servertrust inspect <source> ... [<options>]
line: A source is a file, a folder, - or a server. Files can be PEM, DER, base64,
line: PKCS #7 or PKCS #12, even if editors or terminals damaged them. For a server,
line: inspect shows the presented chain. For a verdict, use servertrust check or
line: verify. inspect never shows secrets.
line:
line: $ servertrust inspect api.example.com
line: api.example.com:443: 2 objects
line: 1  certificate CN=api.example.com
line:    names     api.example.com, www.example.com
line:    issuer    CN=Example CA,O=Example,C=US
line:    validity  expires in 41 days (2027-01-02T10:00:00Z)
line:    key       EC P-256, signed with RSA with SHA-256
line:    usage     not a CA; TLS server authentication
line:    sha256    4f7c...
line:    pin       sha256/AAAA...
line: ...
line:
line: $ servertrust inspect chain.pem --long
line: Shows every field and extension in words. --short prints one line per object.
line:
line: $ servertrust inspect chain.pem --fields notAfter
line: 2027-01-02T10:00:00Z
line:
line: $ servertrust inspect server.pem server.key
line: For exactly two sources, inspect also shows their relation. The exit code is 0
line: if they belong together: the same certificate or key, a key or request and
line: its certificate, a certificate and its CA. --no-compare only shows them.
line:
line: $ servertrust inspect damaged.der --format asn1
line: Shows offset, depth and length of each value, even inside strings, up to the
line: damaged part and after it.
line:
line: $ servertrust inspect chain.pem --format html > chain.html
line: Writes a page with every field.
line:
line: Fields: {fields}
line:
line: Exit codes: 0 shown; 1 two sources don't belong together, or a server signs
line: with a key other than its certificate's; 2 something can't be read or reached,
line: even if other parts are shown.

inspect --fields
value: names
text: Show only these fields, separated by commas. (default: all)

inspect --compare
page: whole
text: Compare the first two sources, and exit with 1 if they are unrelated. (default: for exactly two)

inspect --ct-logs
value: file
page: whole
text: Use this list of logs to show log names with SCTs. (default: none)

inspect --time
value: time
page: whole
text: Count days from this date. (default: now)

inspect --connect
value: addr
text: Connect to this address: addr or addr:port. (default: none)

inspect --timeout
value: time
text: Limit each server's DNS lookup, and then its connection, to this time. (default: 5s)

explain
usage: servertrust explain <code> ... [--all] [--format <format>]
usage: servertrust explain <message> | - [--all] [--format <format>]
usage: servertrust explain --list [--format <format>]
usage: servertrust explain --errors [--format <format>]
line: Codes are stable, so programs can rely on them. Messages may change.
line:
line: $ servertrust explain certificateExpired
line: certificateExpired (recoverable)
line:   A certificate in the path expired before the verify date.
line:   ...
line: Prints what fits on the first screen: the meaning, the usual causes, how to
line: recognize it and how to fix it. With --all, also how to see it, how to
line: customize trust narrowly if you can't fix the server, and what never to do.
line:
line: $ servertrust explain "unable to get local issuer certificate"
line: $ servertrust explain ERR_CERT_DATE_INVALID
line: $ servertrust explain x509: certificate signed by unknown authority
line: $ servertrust explain -9843
line: $ servertrust explain "curl: (60)"
line: $ servertrust explain - < build.log
line: Finds the codes behind messages, constants and numbers of OpenSSL, GnuTLS, Go,
line: Java, Python, Node, .NET, rustls, curl, browsers, Apple and others, even in the
line: middle of a log. If the message isn't known, names messages that are near it.
line:
line: $ servertrust explain hostHasPort
line: Explains the library's other errors, with their remedies.
line:
line: $ servertrust explain crlExpired
line: Explains findings about revocation: sources, exemptions, obstacles, notes.
line:
line: $ servertrust explain --list
line: pinNotMatched         fatal        the path matches none of the pinned...
line: signatureInvalid      fatal        certificate 0 (leaf) is not signed ...
line: ...

pins
line: $ servertrust pins make api.example.com --format android
line: $ servertrust pins lint Info.plist network_security_config.xml
line: $ servertrust pins why Info.plist api.example.com
line: $ servertrust pins rehearse new.json --against verdicts/

pins --always-pinned
value: hosts
text: Require pins for this host, as the app does (BuiltInPinList): example.com, *.example.com, or **.example.com with all below it. May be repeated.

pins make
usage: servertrust pins make <source> ... [<options>]
line: pins make builds every valid path, because a client may use any of them. A pin
line: marked "rotates" changes with the next renewal unless the server keeps its key.
line:
line: $ servertrust pins make api.example.com
line: leaf    rotates        sha256/AAAA...  CN=api.example.com
line:         until 2027-02-16T11:06:40Z, 86 days left, in every valid path
line: issuer  issuerDecides  sha256/BBBB...  CN=Example CA
line: ...
line: Connects to the server. An untrusted server yields no pins.
line:
line: $ servertrust pins make chain.pem --anchors root.pem
line: Does the same for certificates in files.
line:
line: $ servertrust pins make chain.pem --format trustkit --with-backup backup.key
line: Adds the pin of a backup key, in case the server's key is lost. Uses the key,
line: certificate request or public key in the file. If the file doesn't exist,
line: creates it with a new key. Never replaces a file.
line:
line: $ servertrust pins make chain.pem --format swift > Pinned.swift
line: Writes source code with the pins, or with --certificates the certificates.
line:
line: Without --use, curl pins leaves, ats pins issuers (or leaves with a backup: it
line: requires both if both are given), and all others pin every key.
line:
line: Exit codes: 0 printed; 1 the format can't express it, or a server isn't
line: trusted; 2 something can't be read, reached or written.

pins make --host
value: name
text: Pin for this host. May be repeated. (default: the servers, or the leaf's names)

pins make --with-backup
value: file
text: Add the pin of a backup key or request. If the file doesn't exist, create a new key. (default: none)

pins make --time
value: time
page: whole
text: Evaluate at this RFC 3339 time or day. (default: now)

pins lint
usage: servertrust pins lint <file or folder> ... [<options>]
line: pins lint checks the files of one app together, in any format of servertrust
line: pins convert. It also reports hosts that files disagree about. In a folder, it
line: finds the files with pins by their contents, and names the files that it skips.
line:
line: $ servertrust pins lint Info.plist res/xml/network_security_config.xml
line: Info.plist:24: warning: api.example.com: only one key is pinned for CAs,
line:     expected a backup too [pins/no-backup]
line:   why: When the key is lost, stolen or replaced, every installed app is
line:        locked out until it is updated.
line:   fix: add the pin of a key that you keep in reserve: servertrust pins make
line:        --with-backup
line:
line: $ servertrust pins lint pins.json --live --fail-within 45d
line: Connects to the pinned hosts, follows redirects, and reports the matched pins
line: and the next renewals that break them.
line:
line: $ servertrust pins lint pins.json --certs chain.pem
line: Does the same with certificates from files, without the network.
line:
line: $ servertrust pins lint Info.plist --format sarif > pins.sarif
line:
line: $ servertrust pins lint Info.plist --write-baseline lint-baseline.json
line: $ servertrust pins lint Info.plist --baseline lint-baseline.json
line: Accepts the warnings and errors of the first run. The second run reports only
line: new ones, and entries that no longer apply. A comment before an element or line
line: also accepts its findings:
line:   <!-- servertrust:ignore pins/no-backup reason -->      XML
line:   // servertrust:ignore pins/no-backup:api.example.com   source code; # too
line:   "comment": "servertrust:ignore pins/no-backup"         our JSON
line: and so does Android's tools:ignore="MissingBackupPin". Accepted findings are
line: counted. A file that can't be used (file/...) can't be accepted.
line:
line: $ servertrust pins lint --list
line: Prints every rule, with its consequences and its remedy.
line:
line: Exit code 0 for no findings or only notes, 1 for warnings and errors. Otherwise
line: 2 if something couldn't be read or reached.

pins lint --fail-within
value: time
text: Warn about certificates and pins that expire within this time. (default: 30d)

pins lint --deny
value: file
page: whole
text: Report pins of these keys, in addition to those known to be compromised: a list of sha256/BASE64, certificates or keys. May be repeated.

pins lint --certs
value: file
text: Compare the pins with these server and CA certificates. May be repeated.

pins lint --time
value: time
page: whole
text: Check for this time: RFC 3339, or a date. (default: now)

pins lint --ignore
value: id[:host]
text: Accept the findings of a rule. Add a host to accept only its findings: pins/no-backup:api.example.com. pins/* is a whole family. May be repeated. (default: none)

pins lint --baseline
value: file
text: Accept the findings that --write-baseline wrote in an earlier run. (default: none)

pins lint --write-baseline
value: file
page: whole
text: Write the warnings and errors of this run for --baseline. An existing file keeps its reasons, and its entries for files that aren't read and for rules that need servers or other files. (default: none)

pins convert
usage: servertrust pins convert <input> --to <format> [<options>]
line: Formats: ats (Info.plist), trustkit, android (network_security_config.xml),
line: okhttp, react-native, curl, git, tlsa, envoy, chromium, isp
line: (ISPCertificatePinning), json (this program's own, which can express everything
line: the others can). It also reads pins from source code in Kotlin, Java, Swift,
line: Objective-C and JavaScript. A value there that isn't a literal is a loss.
line:
line: chromium writes --ignore-certificate-errors-spki-list, which pins nothing: it
line: makes the browser ignore every error for a certificate with one of the keys.
line:
line: pins convert warns about each loss on standard error. It then writes nothing
line: and exits with 1, unless you add --allow-loss.
line:
line: $ servertrust pins convert Info.plist --to okhttp --output pins.kt
line: $ servertrust pins convert network_security_config.xml --to ats
line: servertrust: warning: *.*.example.com: pinned before, no longer pinned
line:     (weaker) [hostsNotPinned]
line: servertrust: error: 1 loss, nothing written
line: servertrust: hint: add --allow-loss to write it anyway
line:
line: $ servertrust pins convert pins.kt --to ats --certs chain.pem --into Info.plist
line: Replaces the pins in the Info.plist, and changes nothing else.
line:
line: Exit codes: 0 written; 1 something would be lost, or the format can't
line: express it; 2 a file can't be read or written.

pins convert --output
value: file
text: Write to this file. (default: standard output)

pins convert --host
value: name
text: Set the host of the pins, because curl's format names none. (default: none)

pins convert --language
value: language
page: whole
text: Source code in kotlin or java (okhttp), swift or objective-c (trustkit). (default: kotlin; a property list)

pins convert --certs
value: file
text: Use the servers' certificates to tell pins of leaves from pins of CAs. (default: none)

pins convert --into
value: file
text: With --to ats or trustkit: an Info.plist to replace only the pins in. (default: none)

pins why
usage: servertrust pins why <file> <host> ... [<options>]
line: The file has any format of servertrust pins convert, or is a signed list if you
line: add its key. pins why follows the rules of the format's owner: which rule
line: applies, what it inherits, and what happens after its expiry. It connects to no
line: server. servertrust check --pins does.
line:
line: $ servertrust pins why network_security_config.xml api.example.com
line: OK    api.example.com is pinned by network_security_config.xml at 2026-...
line:       format   android
line:       rule     line 3, **.example.com: the host is 1 label below example.com
line:       pins     one of these, anywhere in the validated path
line:                line 6  sha256/AAAA...
line:                line 7  sha256/47DE...  never matches: the SHA-256 of nothing
line:       expiry   2027-03-31T00:00:00Z, 128 days left; then not pinned
line:                (Android's behavior)
line:       anchors  system (default)
line:       reports  none
line:
line: $ servertrust pins why Info.plist a.b.example.com --at 2027-06-01
line: FAIL  a.b.example.com is not pinned by Info.plist at 2027-06-01T00:00:00Z
line:       format   ats
line:       why      no rule matches the host, so the default evaluation applies
line:       ...
line:       near     line 8, for names one label below example.com, but
line:                a.b.example.com is further below
line:
line: If an Info.plist has pins for the system and TrustKit, it prints both reports.
line:
line: Values that code computes and parts that can't be read make the outcome unknown
line: for every host. An "odd" line names each of them.
line:
line: Exit codes: 0 pins are in force for every host; 1 a host is not pinned at that
line: date, only reported, or refused; 2 an outcome is unknown, or the file can't be
line: read.

pins why --at
value: time
text: Answer for this time: RFC 3339, or a date. (default: now)

pins why --key
value: file
text: Accept signatures by this public key, if the file is a signed list. May be repeated. (default: none)

pins rehearse
usage: servertrust pins rehearse <file> --against <records> [<options>]
line: pins rehearse evaluates records of verdicts again with the pins of a file, as
line: audit --replay --pins does. It also reports the findings of pins lint, and a
line: forecast for the recorded certificates that are still valid.
line:
line: $ servertrust pins rehearse new.json --against verdicts/
line: NOT KNOWN  0 of 1,204,331 connections would be refused; 3 hosts have no record
line: ...
line:
line: The answer has three values. OK: no connection would be refused. FAIL: some
line: would be. NOT KNOWN: a record or a host's record is missing, can't be replayed,
line: or can't be read. --allow-unknown accepts that for one host.
line:
line: $ servertrust pins rehearse new.json --against verdicts/ \
line:     --renew "Old CA" --to new-ca.pem
line: Forecasts the same leaves from another CA.
line:
line: $ servertrust pins rehearse new.json --against verdicts/ --until 2027-06-01
line: Also shows when which host breaks, and why. It assumes ordinary renewals.
line:
line: Exit codes: 0 no connection would be refused; 1 connections would be refused, or
line: lint has a warning or an error; 2 a file can't be read, or there is no record; 3
line: not known.

pins rehearse --against
value: records
text: Use the records in this folder or file. May be repeated.

pins rehearse --anchors
value: file
page: whole
text: Use these anchors instead of the recorded ones. May be repeated.

pins list
line: An app with a floor of pins and its signers' keys accepts newer lists from any
line: source, if the signatures are valid (PinStore).
line:
line: $ servertrust pins list keygen --out office.key
line: $ servertrust pins list sign pins.json --key office.key \
line:       --audience com.example.app --sequence 1 --expires 2027-03-31 \
line:       --output list.json
line: $ servertrust pins list verify list.json --key office.key.pub \
line:       --audience com.example.app
line: $ servertrust pins list show list.json
line:
line: If a key is in a token or a service, pins list prepare writes the bytes to
line: sign, and pins list attach adds the signature.
line:
line: A list is one whole document: hosts and pins (in this program's JSON, see
line: servertrust pins convert --to json), denied keys, and the next list's signers.

pins list --previous
value: file
text: Follow this list, which is in force. (default: none)

pins list --own-rules
page: whole
text: Don't check whether rules can be made, because the app makes its own (PinStore's makeManager).

pins list --output
value: file
text: Write to this file. (default: standard output)

pins list keygen
usage: servertrust pins list keygen --out <file> [<options>]
line: $ servertrust pins list keygen --out office.key
line: OK    EdDSA kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k
line:       private  office.key
line:       public   office.key.pub
line:
line: Create two keys and keep them in different places. If one is lost, the other
line: still signs (--next-threshold 1), or require both to sign (2). Existing files
line: are never replaced. The private key is not encrypted (mode 600).

pins list sign
usage: servertrust pins list sign [<list>] [--key <file> ...] [<options>]
line: Signs the first list. Without --next-key, its signers may sign the next one:
line: $ servertrust pins list sign pins.json --key office.key --key safe.key \
line:       --audience com.example.app --sequence 1 --expires 2027-03-31 \
line:       --output list.json
line:
line: Signs the next list. --previous supplies audience, signers and the number. The
line: new list is checked against it, and also reaches clients that have missed a
line: change of keys:
line: $ servertrust pins list sign pins.json --key office.key --previous list.json \
line:       --expires 2027-06-30 --output list.json --force
line:
line: Changes the keys. Old and new keys sign:
line: $ servertrust pins list sign pins.json --key office.key --key new.key \
line:       --previous list.json --next-key new.key.pub --expires 2027-06-30 \
line:       --output list.json --force
line:
line: Adds a list of Certificate Transparency logs (PinStore's transparency).
line: --ct-report-only stops clients from refusing anything because of it:
line: $ servertrust pins list sign pins.json --key office.key --previous list.json \
line:       --expires 2027-06-30 --ct-logs logs.json --output list.json --force
line:
line: Adds root keys: only they may change the keys. Keep them apart from the others:
line: $ servertrust pins list sign pins.json --key office.key --key root.key \
line:       --root-key root.key.pub --audience com.example.app --sequence 1 \
line:       --expires 2027-03-31 --output list.json
line:
line: A list that clients refuse is not written. If keys are in different places, each
line: signs in turn: --partial writes an incomplete list, and --add-to adds a
line: signature to it:
line: $ servertrust pins list sign --add-to part.json --key safe.key \
line:       --output list.json
line:
line: Without --key, --partial writes a list that is signed elsewhere: see
line: servertrust pins list prepare.
line:
line: Exit codes: 0 written; 1 clients refuse it; 2 a file can't be read or
line: written.

pins list sign --key
value: file
text: Sign with this private key. May be repeated.

pins list sign --expires
value: time
text: Set the last moment at which clients accept it. (default: none; a new list needs one)

pins list sign --not-before
value: time
page: whole
text: Set the first moment at which clients accept it. (default: now)

pins list sign --next-key
value: file
text: Let this public key sign the next list. May be repeated. (default: as before, else those that sign)

pins list sign --root-key
value: file
page: whole
text: Let this public key, by itself or with others, change the keys of lists. May be repeated. (default: as before, else none)

pins list sign --deny
value: pin
page: whole
text: Deny paths with this key, as sha256/BASE64, in addition to those of the previous list. May be repeated.

pins list sign --denied
value: file
page: whole
text: Deny paths with the certificates in this list: OneCRL's JSON, or a CRLSet. May be repeated. (default: as before, else none)

pins list sign --add-to
value: file
text: Add signatures to this signed list. (default: a new list)

pins list sign --ct-logs
value: file
text: Add these Certificate Transparency logs for clients (JSON, version 3). (default: as before, else none)

pins list sign --filters
value: file
text: Add this manifest.json of filters for clients. Pass its folder to compare it with the filters. (default: as before, else none)

pins list prepare
usage: servertrust pins list prepare <list> --key <file> [<options>]
line: For keys in a token (PKCS #11) or a key management service. First write a
line: list without that signature. servertrust pins list show shows its contents:
line:
line: $ servertrust pins list sign pins.json --previous list.json --partial \
line:       --expires 2027-06-30 --output part.json
line: $ servertrust pins list prepare part.json --key safe.key.pub --output safe.input
line:
line: Ed25519 signs the bytes as they are; P-256 signs their SHA-256. With openssl:
line: $ openssl pkeyutl -sign -inkey safe.key -rawin -in safe.input \
line:       -out safe.signature
line:
line: With a token, whose P-256 keys sign a digest (--digest):
line: $ servertrust pins list prepare part.json --key safe.key.pub --digest \
line:       --output safe.digest
line: $ pkcs11-tool --sign --mechanism ECDSA --id 01 --input-file safe.digest \
line:       --output-file safe.signature
line:
line: servertrust pins list attach adds the signature. The bytes differ for each key.

pins list prepare --output
value: file
text: Write to this file. (default: standard output)

pins list attach
usage: servertrust pins list attach <list> --key <file> --signature <file>
usage:        [<options>]
line: $ servertrust pins list attach part.json --key safe.key.pub \
line:       --signature safe.signature --previous list.json --output next.json
line:
line: Sign the bytes from servertrust pins list prepare. An Ed25519 signature is 64
line: bytes long, a P-256 signature 64 bytes (r and s) or DER. attach refuses
line: signatures by another key or over other bytes, and lists that clients refuse.
line: --partial writes a list that needs more signatures.
line:
line: Exit codes: 0 written; 1 the signature is not the key's, or clients refuse the
line: list; 2 a file can't be read or written.

pins list verify
usage: servertrust pins list verify <file> [<options>]
line: Checks against keys, or against the list that the app is built with or has in
line: force, which also sets the audience and the lowest number:
line:
line: $ servertrust pins list verify list.json --key office.key.pub \
line:       --key safe.key.pub --threshold 2 --audience com.example.app
line: $ servertrust pins list verify list.json --floor built-in.json
line: servertrust: error: list.json: sequence 4, but 5 is in force [rollback]
line:
line: Exit codes: 0 accepted; 1 refused; 2 a file can't be read.

pins list verify --key
value: file
text: Accept signatures by this public key. May be repeated.

pins list verify --root-key
value: file
text: Let this public key change the keys of lists. May be repeated. (default: none, with --key)

pins list verify --floor
value: file
text: Compare with this list, which the app has. Its signatures are not checked. (default: none)

pins list verify --at
value: time
text: Check for this time. (default: now)

pins list show
line: $ servertrust pins list show list.json
line: unverified: com.example.app list 5
line:       issued   2026-11-21T09:30:00Z, valid from 2026-11-21T09:30:00Z
line:       expires  2027-03-31T00:00:00Z
line:       signed   kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k
line:       ...
line:
line: The keys' names are unverified. servertrust pins list verify checks them. show
line: also counts the lists that lead from older keys to this one.

ca
line: For development and private networks. The folder is ./ca unless --folder names
line: another. The private keys in it are not encrypted (mode 600).
line:
line: $ servertrust ca init --permit example.com
line: $ servertrust ca issue api.example.com '*.dev.example.com'
line: $ servertrust ca list
line: $ servertrust ca install-hints
line:
line: root.pem           the anchor for clients
line: root.key           its private key
line: index.json         issued and revoked certificates
line: crl.pem            the last CRL
line: root.crl           the same in DER, for the address of --crl-url
line: issued/NAME.pem    a chain for servers, leaf first, without the root
line: issued/NAME.key    its private key
line:
line: The root issues directly, because an intermediate's key would be in the same
line: folder.

ca init
usage: servertrust ca init [--permit <name> ...] [<options>]
line: $ servertrust ca init --permit example.com --permit 192.0.2.0/24
line: OK    servertrust CA 5f0c1d9e until 2036-11-18T08:30:00Z
line:       root     ca/root.pem
line:       key      ca/root.key
line:       issues   example.com, 192.0.2.0/24
line:       sha256   0f8d...
line:
line: With --permit, the root is useless for other names, even to someone who steals
line: its key. If you permit no domain, no IPv4 or no IPv6, that kind is excluded.
line:
line: With --crl-url and --ocsp-url, every certificate tells clients where to learn
line: whether it is revoked. Serve root.crl, which servertrust ca crl writes, at the
line: first address, and servertrust ca ocsp serve at the second. Both are http://,
line: because the responses are signed and clients couldn't check another
line: certificate for them.
line:
line: $ servertrust ca init --crl-url http://crl.example.com/root.crl \
line:     --ocsp-url http://ocsp.example.com/

ca init --permit
value: name
text: Restrict the CA to this domain or network. May be repeated. (default: anything)

ca init --crl-url
value: url
text: Put this CRL address in certificates. (default: none)

ca init --ocsp-url
value: url
text: Put this OCSP responder address in certificates. (default: none)

ca issue
usage: servertrust ca issue <names> ... [<options>]
line: $ servertrust ca issue api.example.com 192.0.2.1
line: OK    api.example.com, 192.0.2.1 until 2027-02-19T08:30:00Z
line:       chain    ca/issued/api.example.com.pem
line:       key      ca/issued/api.example.com.key
line:       serial   5f0c1d9e...
line:       usage    serverAuth
line:       pin      sha256/AAAA...
line:
line: The validity starts one hour in the past, for clients with slow clocks.
line:
line: Unless you set them here, the CRL and OCSP addresses come from servertrust ca
line: init, or with --force from the replaced certificate.

ca issue --crl-url
value: url
text: Put this CRL address in the certificate. (default: the CA's)

ca issue --ocsp-url
value: url
text: Put this OCSP responder address in the certificate. (default: the CA's)

ca sign
usage: servertrust ca sign <request> [<names> ...] [<options>]
line: Takes only the key from the request, and its DNS names and IP addresses if you
line: name none here. Ignores its other contents, such as a request for a CA
line: certificate.
line:
line: $ servertrust ca sign web.csr
line: OK    web.example.com until 2027-02-19T08:30:00Z
line:       chain    ca/issued/web.example.com.pem
line:       ...
line: servertrust: warning: names taken from the request: web.example.com
line:
line: $ servertrust ca sign web.csr web.example.com 192.0.2.7 --days 30

ca revoke
usage: servertrust ca revoke <serial|file> [<options>]
line: Clients learn of it from the next CRL: servertrust ca crl.
line:
line: $ servertrust ca revoke ca/issued/api.example.com.pem --reason keyCompromise
line: OK    api.example.com revoked 2026-11-21T09:30:00Z (keyCompromise)
line:       serial   5f0c1d9e...
line:
line: $ servertrust ca revoke 5f0c1d9e...

ca crl
line: $ servertrust ca crl --days 30
line: OK    CRL 3 with 1 certificate, next update 2026-12-21T08:30:00Z
line:       file     ca/crl.pem
line:       der      ca/root.crl
line:
line: Serve the DER file at the address of servertrust ca init --crl-url. Clients
line: accept no PEM there. Each run replaces the whole file, so you can link to it.
line:
line: $ openssl verify -crl_check -CAfile ca/root.pem -CRLfile ca/crl.pem \
line:     ca/issued/api.example.com.pem

ca ocsp serve
usage: servertrust ca ocsp serve [<options>]
line: Runs until Ctrl-C or SIGTERM. The root signs the responses. They are valid
line: for an hour and use the current index, so servertrust ca revoke takes effect
line: at once. To name the responder in certificates, set its address with
line: init --ocsp-url or ca issue --ocsp-url.
line:
line: $ servertrust ca ocsp serve
line: OK    answers for servertrust CA 5f0c1d9e
line:       url      http://127.0.0.1:8888/
line:
line: $ openssl ocsp -issuer ca/root.pem -CAfile ca/root.pem \
line:     -cert ca/issued/api.example.com.pem -url http://127.0.0.1:8888/
line: Response verify OK
line: ca/issued/api.example.com.pem: good

ca list
line: $ servertrust ca list
line: serial       status  until                 days  usage       names
line: 5f0c1d9e...  valid   2027-02-19T08:30:00Z  89    serverAuth  api.example.com

ca install-hints
usage: servertrust ca install-hints [<options>]
line: $ servertrust ca install-hints --platform debian
line: Debian, Ubuntu
line:   sudo cp /home/me/ca/root.pem /usr/local/share/ca-certificates/servert...
line:   sudo update-ca-certificates
line:   undo: sudo rm /usr/local/share/ca-certificates/servertrust-1d9e5f0c.crt
line:   ...

roots
line: A distribution's store has only certificates, without distrust dates and
line: constraints. It may keep roots that a root program has removed. You supply the
line: program's list: Mozilla's certdata.txt, Chrome's root_store.textproto, a
line: p11-kit file, OpenSSL's TRUSTED CERTIFICATE, or JSON.
line:
line: The store is the system's, or the one in SSL_CERT_FILE and SSL_CERT_DIR. The
line: administrator's own roots are those below /usr/local/share/ca-certificates and
line: /etc/pki/ca-trust/source.
line:
line: $ servertrust roots report --against certdata.txt
line: $ servertrust check api.example.com --roots-overlay certdata.txt
line: The first shows what the list changes. The second evaluates with the list.
line:
line: $ servertrust roots logs show logs.json
line: Shows the Certificate Transparency logs in a list for --ct-logs.

roots show
line: $ servertrust roots show
line: /etc/ssl/certs/ca-certificates.crt: 138 roots, 1 of them the administrator's own
line: until       sha256            root
line: 2028-01-28  ebd41040e4bb3ec7  CN=GlobalSign Root CA,OU=Root CA,O=...
line: ...
line:
line: $ servertrust roots show --against certdata.txt
line: Adds the list's conditions to each root.

roots show --against
value: file
text: Add the conditions of this root program's list. (default: none)

roots report
usage: servertrust roots report --against <file> [<host|url> ...] [<options>]
line: $ servertrust roots report --against certdata.txt
line: Mozilla, 2026-06-13 against /etc/ssl/certs/ca-certificates.crt
line: not in the list (27)
line:   ...
line: not trusted for TLS (16)
line:   6dc47172e01cbcb0  CN=Entrust.net Certification Authority (2048),...
line:                     distrusted first for leaves issued after ...
line: trusted under conditions (1)
line:   2530cc8e98321502  CN=Izenpe.com,...
line:                     only leaves issued until 2026-04-15T23:59:59Z
line: 43 of 137 roots are no longer trusted, 1 has conditions
line:
line: $ servertrust roots report --against certdata.txt --hosts hosts.txt
line: ...
line: OK      api.example.com      CN=ISRG Root X1,...
line: BREAKS  www.example.com      the root program distrusts ...
line: Connects to each server and evaluates its chain with the list and without it.
line: Sends only the TLS handshake.
line:
line: Exit code 0 if no root has lost trust or has conditions, 1 otherwise. With
line: servers: 0 if the list breaks none, 1 if it breaks one, 2 if it breaks none
line: and one couldn't be reached. 2 if the list or the store can't be read.

roots report --connect
value: addr
page: whole
text: Connect to this address: addr or addr:port. (default: the servers' own)

roots report --timeout
value: time
page: whole
text: Limit each server's DNS lookup, and then the rest, to this time. (default: 5s)

roots diff
usage: servertrust roots diff [<file>] --against <file> [<options>]
line: $ servertrust roots diff certdata-2023.txt --against certdata-2026.txt
line: from Mozilla, 2023-11-12 to Mozilla, 2026-06-13
line: added
line:   e35d28419ed02025  ISRG Root X3
line: removed
line:   d40e9c86cd8fe468  TrustCor RootCert CA-1
line:                     trusted -> not in the list
line: ...
line:
line: $ servertrust roots diff --against certdata.txt
line: Compares this machine's store with the list.
line:
line: Exit code 0 without a difference, 1 with one, 2 if a list can't be read.

roots logs
line: $ servertrust roots logs show logs.json
line: $ servertrust roots logs check logs.json --signature logs.sig --key logs.pub

roots logs show
line: $ servertrust roots logs show logs.json
line: logs.json: version 1.0 of 2026-11-18T11:06:40Z, 2 logs, 1 qualified, 1 usable
line:
line: One
line:   usable     One 2027h1
line:              ends 2027-01-01 to 2027-07-01, RFC 6962, since 2025-11-18
line:              9EGV1vAOLbVUNcrdV3iS5T4VrUFwWPh44U/2uRh0FYk=
line: ...

roots logs check
usage: servertrust roots logs check <list> [<options>]
line: $ servertrust roots logs check logs.json
line: FAIL  logs.json: version 1.0 of 2026-01-02T12:57:01Z, 75 logs
line:       too old for chrome, mozilla, apple: 325 days, at most 69, 69, 59
line:
line: $ servertrust roots logs check logs.json --signature logs.sig --key logs.pub
line: The signature covers the exact bytes of the list: RSA (PKCS #1 v1.5) or
line: P-256, with SHA-256, or Ed25519. You supply the key.
line:
line: Exit codes: 0 fit for every policy; 1 not; 2 the list can't be read.

roots logs check --signature
value: file
text: Verify this detached binary signature of the list. (default: not checked)

roots logs check --key
value: file
text: With --signature, use this public key of the list's publisher. (default: none)

roots logs check --time
value: time
text: Check the list for use at this date. (default: now)

cache
line: --fetch stores resources in an SQLite file, by default fetched.sqlite in
line: $XDG_CACHE_HOME/servertrust or ~/.cache/servertrust. Nothing in it is trusted:
line: each evaluation checks its entries again. The verbs never change a file that
line: isn't a database, and list writes nothing.
line:
line: $ servertrust cache list
line: $ servertrust cache clear
line:
line: Fetch the CRLs of chains or servers before you need them:
line: $ servertrust cache prefetch --issuers chains.pem
line:
line: Fetch filters of revoked certificates (verify --filter) into a folder:
line: $ servertrust cache update --filters DIR --from URL

cache --cache
value: file
text: Use this cache file. (default: in the user's caches)

cache list
line: $ servertrust cache list
line: kind    bytes     fetched               address
line: crl     73512     2026-11-21T09:30:00Z  http://crl.example.com/ca.crl

cache clear
line: $ servertrust cache clear
line: 12 entries removed

cache prefetch
usage: servertrust cache prefetch --issuers <file> | --hosts <file> [<options>]
line: $ servertrust cache prefetch --issuers chains.pem
line: $ servertrust cache prefetch --issuers AllCertificateRecordsCSVFormatv4
line: $ servertrust cache prefetch --hosts servers.txt
line: 3 of 3 CRLs are in the cache: 1 fetched (73512 bytes), 1 not modified, 1 still fresh
line:
line: Afterwards, the check and verify verbs with --fetch, and servers with the same
line: cache, read the CRLs from disk for as long as they are valid. CRLs are stored as
line: received: every evaluation checks their signatures. The deltas that a CRL names
line: are fetched, too.
line:
line: A CRL is requested again when the lifetime that its server set is over (an
line: hour if it set none, a day at most), or when a fifth of the CRL's own lifetime
line: is left. --refresh requests all. Requests are conditional. If one fails, the
line: previous CRL stays in the cache. A run that is killed loses nothing that it has
line: stored, and the next one continues.
line:
line: A CRL is at most 32 MiB long, and a request takes at most 30 seconds. Addresses
line: that aren't public are refused without --fetch-from.
line:
line: To run it every hour with systemd, as the servers' user (systemctl enable
line: --now crl-prefetch.timer):
line:
line: # /etc/systemd/system/crl-prefetch.service
line: [Unit]
line: Description=Fetch CRLs before they are needed
line: Wants=network-online.target
line: After=network-online.target
line: [Service]
line: Type=oneshot
line: User=api
line: CacheDirectory=api
line: ExecStart=/usr/bin/servertrust cache prefetch \
line:     --issuers /etc/api/chains.pem --cache /var/cache/api/trust.sqlite
line:
line: # /etc/systemd/system/crl-prefetch.timer
line: [Timer]
line: OnCalendar=hourly
line: RandomizedDelaySec=10min
line: Persistent=true
line: [Install]
line: WantedBy=timers.target
line:
line: Or with cron, into the user's cache, in /etc/cron.d/crl-prefetch:
line:
line: 17 * * * * api servertrust cache prefetch --issuers /etc/api/chains.pem
line:
line: Exit codes: 0 every CRL is in the cache and up to date; 1 some are not;
line: 2 the file or the cache can't be used.

cache prefetch --issuers
value: file
text: Read certificates in any encoding, or CCADB's AllCertificateRecordsCSVFormat; - is standard input. (default: none)

cache prefetch --hosts
value: file
text: Read servers, one per line with # for comments, and fetch the CRLs of their chains. - is standard input. (default: none)

cache prefetch --cache
value: file
text: Use this cache file. (default: in the user's caches)

cache prefetch --cache-size
value: mib
page: whole
text: Limit the cache to this many MiB. The file stores the limit for all its users.

cache prefetch --max-addresses
value: number
page: whole
text: Fetch from at most this many addresses, including deltas.

cache prefetch --timeout
value: time
page: whole
text: Limit the whole run to this time. (default: 30m)

cache prefetch --fetch-from
value: host
text: Fetch from this host or address even if it isn't public. May be repeated.

cache prefetch --connect
value: addr
page: whole
text: With --hosts, connect to this address: addr or addr:port. (default: the servers' own)

cache update
usage: servertrust cache update --filters <folder> --from <url> [<options>]
line: The server provides manifest.json in upki's format, and the filters next to it.
line: There is no default: for Mozilla's filters, use your own mirror or upki's.
line:
line: $ servertrust cache update --filters /var/lib/filters \
line:       --from https://filters.example.com/
line: 37 filters of 2026-03-22T12:19:21Z, 1 fetched, 1 removed
line: $ servertrust check example.com --filter /var/lib/filters
line:
line: A file gets its name only if its size and SHA-256 match the manifest and it
line: parses as a filter. The manifest comes last. If a run ends early, the previous
line: filters stay in force, and the next run continues. A manifest older than the one
line: in force is refused. Use the folder only for filters: files that the manifest
line: doesn't name are removed.
line:
line: The manifest is as trustworthy as the server, unless it comes from a signed list
line: (servertrust pins list sign --filters):
line: $ servertrust cache update --filters /var/lib/filters \
line:       --from https://filters.example.com/ --list list.json \
line:       --key office.key.pub --audience com.example.app
line:
line: Exit codes: 0 the folder is up to date; 2 it isn't.

cache update --filters
value: folder
text: Store the filters in this folder, and create it if needed.

cache update --from
value: url
text: Fetch manifest.json and the filters from this https or http URL.

cache update --list
value: file
text: Use the filter manifest in this signed list of pins, not the server's. (default: none)

cache update --key
value: file
text: Accept signatures by this public key. May be repeated.

cache update --root-key
value: file
text: Let this public key change the keys of lists. May be repeated. (default: none)

records
line: check, verify and lab demo write records with --record, and apps with the
line: TrustRecords library. A record contains a chain, its host, and everything that
line: its evaluation needs. verify --batch evaluates records again.
line:
line: $ servertrust check api.example.com --record verdicts
line: $ servertrust records list verdicts
line: $ servertrust verify --batch verdicts/*.ndjson
line: $ servertrust records delete verdicts --older-than 30d

records list
line: $ servertrust records list verdicts
line: bytes       written               file
line: 81210       2026-11-21T09:30:00Z  verdicts-20261121T090000Z-4711-0.ndjson

records delete
usage: servertrust records delete <folder> [<options>]
line: Prints the deleted files. Also deletes the large values that no other record
line: uses.
line:
line: $ servertrust records delete verdicts --older-than 30d

records delete --older-than
value: span
text: Delete only files last written before this time span. (default: all files)

lab
line: $ servertrust lab
line: $ servertrust lab --scenario good expired
line: Runs the servers on loopback until Ctrl-C.
line:
line: $ servertrust lab demo
line: Starts them, connects to each, and compares the verdict with the expected one.
line:
line: Without "demo", the options of servertrust lab run apply.

lab run
usage: servertrust lab [--scenario <name> ...] [<options>]
usage: servertrust lab --requests <n> [--scenario <name> ...] [<options>]
line: Runs until Ctrl-C or SIGTERM. The names aren't in DNS: clients connect to
line: 127.0.0.1 and send the name in the handshake. One file contains all roots.
line:
line: $ servertrust lab --scenario good expired
line: 2 servers on 127.0.0.1
line:
line: https://api.lab.test:8440   good      trusted
line:                             a valid chain with P-256 keys
line: https://api.lab.test:8446   expired   certificateExpired
line:                             expired yesterday
line:
line: roots        /tmp/servertrust-lab-Xb3QzW/roots.pem
line: ...
line:
line: $ curl --cacert /tmp/servertrust-lab-Xb3QzW/roots.pem \
line:     --connect-to ::127.0.0.1: https://api.lab.test:8446/
line: curl: (60) SSL certificate problem: certificate has expired
line:
line: A scenario has the same port in every run. --list --format json shows it. The
line: keys are public: don't install these roots anywhere.
line:
line: --requests writes the scenarios' chains instead of starting servers, each with
line: a different leaf and host. Four of five are good, the others take turns:
line:
line: $ servertrust lab --requests 1000000 > requests.jsonl
line: $ servertrust verify --batch < requests.jsonl > answers.jsonl
line:
line: The id is SCENARIO-NUMBER, and --list shows the expected answer. There are no
line: chains for handshakes, the redirect, timestamps from logs, root programs' lists,
line: rules other than pins, or budgets. CSV has no settings, so it also lacks
line: scenarios for strict rules, limits, pins and revocation. A seed always gives the same ids, hosts and serial numbers. Keys and
line: dates differ.

lab run --scenario
value: name
text: Choose servers; --list shows the names. (default: all)

lab run --folder
value: folder
text: Write the roots to this folder, and remove them at the end. (default: a new one in TMPDIR)

lab run --requests
value: n
text: Write this many chains instead of starting servers. (default: servers)

lab run --write-anchors
value: file
text: Write the roots of all chains to this file, in PEM. (default: nowhere)

lab demo
usage: servertrust lab demo [--scenario <name> ...] [<options>]
line: Starts the servers of servertrust lab on ports that the system chooses. A client
line: connects to each over TLS, with the lab's anchors and pins, and sends a request
line: only if the verdict allows it. The exit code is 0 only if every verdict is the
line: expected one and no refused server received any request data.
line:
line: $ servertrust lab demo
line:       server      expected             found
line:
line: trusted servers
line: OK    good        trusted              trusted
line:         path: CN=api.lab.test < CN=Lab CA,O=Test < CN=Lab Root,O=Test
line: ...
line:
line: dates
line: OK    expired     certificateExpired   certificateExpired
line:         certificate sent as number 1 (leaf) expired 2026-11-17T07:06:40Z, ...
line: ...
line:
line: $ servertrust lab demo --scenario name-excluded
line: Shows the whole verdict, as servertrust verify does; servertrust explain
line: names a scenario for each code.
line:
line: $ servertrust lab demo --html lab-site
line: Writes a site with a page for each server: a drawing of its chain, the checks,
line: the cause and the remedy.

lab demo --scenario
value: name
text: Choose servers; servertrust lab --list shows the names. (default: all)

lab demo --html
value: folder
text: Write a page on each server to a new or empty folder, or to one from an earlier run. (default: none)

ct
line: Public CAs publish the certificates that they issue in logs. A log's timestamp
line: (SCT) in the certificate proves this. Policies define how many SCTs from which
line: logs are required. You supply the list of logs: none is built in or fetched.
line:
line: check and verify do the same check with --ct-logs, and also evaluate the path
line: and its anchor.

ct verify
line: The files are one chain, leaf first. They must contain the leaf's issuer,
line: because embedded SCTs refer to its key. Checks neither the path nor its anchor:
line: servertrust verify --ct-logs does that.
line:
line: $ servertrust ct verify chain.pem --logs logs.json --policy chrome
line: www.example.com, 2026-07-04T00:00:00Z to 2026-08-02T23:59:59Z, 29 days
line: ...
line: timestamps
line:   1 embedded   One 2026h2, of One, usable
line:                2026-07-04T00:00:01.250Z, signature valid
line:   2 embedded   Two 2026h2, of Two, retired
line:                2026-07-04T00:00:02.000Z, signature valid
line:
line: FAIL  chrome   notEnoughSCTs: 1 timestamp counts, 2 are needed
line:                2 doesn't count: retired
line:
line: Without --any-age, a policy isn't checked if the list is older than it allows.
line:
line: Exit codes: 0 every policy is met; 1 one isn't; 2 one wasn't checked, or a
line: file can't be read.

ct verify --logs
value: file
text: Read the log list (JSON, version 3) from this file.

ct verify --time
value: time
text: Evaluate at this RFC 3339 time or date. (default: now)

ct verify --handshake
value: file
text: Add a binary list of SCTs from a TLS handshake. May be repeated. (default: none)

"""#
}
