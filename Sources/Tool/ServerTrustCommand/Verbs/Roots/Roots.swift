// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `servertrust roots`: the verbs for the roots of this machine and the lists of root programs.
struct Roots: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "roots",
        abstract: "Compare this machine's roots with a root program's.",
        discussion: HelpDetail.discussion(
            """
            A distribution's store has only certificates, without distrust dates and
            constraints. It may keep roots that a root program has removed. You supply the
            program's list: Mozilla's certdata.txt, Chrome's root_store.textproto, a
            p11-kit file, OpenSSL's TRUSTED CERTIFICATE, or JSON.

            The store is the system's, or the one in SSL_CERT_FILE and SSL_CERT_DIR. The
            administrator's own roots are those below /usr/local/share/ca-certificates and
            /etc/pki/ca-trust/source.

            $ servertrust roots report --against certdata.txt
            $ servertrust check api.example.com --roots-overlay certdata.txt
            The first shows what the list changes. The second evaluates with the list.

            $ servertrust roots logs show logs.json
            Shows the Certificate Transparency logs in a list for --ct-logs.
            """),
        subcommands: [RootsShow.self, RootsAudit.self, RootsDiff.self, CTLogs.self])
}
