// SPDX-License-Identifier: Apache-2.0

struct ExitCodesTopic: Topic {
    static let name = "exit-codes"
    static let title = "The exit codes of every verb. They never change."
    static let text = """
        0   trusted, or nothing found
            verify --batch: every line got an answer, whatever the verdicts
            lab, ca ocsp serve: ended by a signal, with nothing left behind
        1   rejected, or something found
        2   could not evaluate: a file can't be read, input is unreadable,
            there are no system anchors, output can't be written, a port is in use
        64  wrong usage: an unknown option, a value that is none

        Messages on standard error are for people. Programs decide on the exit
        code, or on verdict and codes of --format json.
        """
}
