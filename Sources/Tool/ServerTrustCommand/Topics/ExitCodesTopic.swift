// SPDX-License-Identifier: Apache-2.0

struct ExitCodesTopic: Topic {
    static let name = "exit-codes"
    static let title = "The exit codes of every verb. They never change."
    static let text = """
        0   trusted, or nothing found
            verify --batch, audit: every row got an answer, whatever the verdicts
            lab, ca ocsp serve: ended by a signal, with nothing left behind
            check --watch: the last whole round, when a signal comes
        1   rejected, or something found
            --expires-within: trusted, and a certificate ends within the time
        2   could not evaluate: a file can't be read, input is unreadable,
            there are no system anchors, output can't be written, a port is in use
            check: stopped by a signal with servers left, and none rejected
        64  wrong usage: an unknown option, a value that is none

        check --format nagios has a plugin's codes instead: 0 OK, 1 WARNING
        (--expires-within), 2 CRITICAL (rejected), 3 UNKNOWN (could not evaluate).

        Messages on standard error are for people. Programs decide on the exit
        code, or on verdict and codes of --format json.
        """
}
