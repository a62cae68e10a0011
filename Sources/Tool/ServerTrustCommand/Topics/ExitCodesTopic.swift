// SPDX-License-Identifier: Apache-2.0

struct ExitCodesTopic: Topic {
    static let name = "exit-codes"
    static let title = "The exit codes of every verb. They never change."
    static let text = """
        0   trusted, or nothing found
            verify --batch, audit: every row got an answer, whatever its verdict
            lab, ca ocsp serve: ended by a signal, with nothing left behind
            check --watch: ended by a signal; the code comes from the last whole round
        1   rejected, or something found
            audit --replay: a connection would be refused with the changes, a record
            differs without one, or --fail-on applies
            pins rehearse: connections would be refused, or lint finds something
            --expires-within: trusted, but a certificate expires within the time
        2   could not evaluate: a file can't be read, input is unreadable,
            there are no system anchors, output can't be written, a port is in use
            check: stopped by a signal with servers left, and none rejected
        3   not known
            audit --replay, pins rehearse: no connection would be refused as far as the
            records say, but a record or a host's record is missing, can't be replayed
            or can't be read; --allow-unknown accepts that for a host
        64  wrong usage: an unknown option or an invalid value

        check --format nagios uses a plugin's codes instead: 0 OK, 1 WARNING
        (--expires-within), 2 CRITICAL (rejected), 3 UNKNOWN (could not evaluate).

        Messages on standard error are human-readable. Programs use the exit code, or
        the verdict and codes in --format json.
        """
}
