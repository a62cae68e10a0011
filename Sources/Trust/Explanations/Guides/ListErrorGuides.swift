// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    /// The guides to errors of the system's anchors, and of lists of roots, of denied certificates, of logs and of filters.
    static let lists: [ErrorGuide] = anchors + roots + denied + logs + filters

    private static let anchors: [ErrorGuide] = [
        ErrorGuide(
            "systemAnchorsMissing",
            meaning:
                "None of the usual files and folders of the system has a CA certificate, so no server can be trusted.",
            remedies: [
                "Install the CA certificates: `apt-get install ca-certificates` or `dnf install ca-certificates`.",
                "In a minimal image, copy a bundle into it and name it: `SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt`.",
                "For a private CA and no other, don't use the system's store: `settings.anchors = .only([root])`.",
            ]),
        ErrorGuide(
            "systemAnchorsUnreadable",
            meaning:
                "`SSL_CERT_FILE` or `SSL_CERT_DIR` names a place that is missing, can't be read, or has no CA certificate. The usual places aren't tried then.",
            remedies: [
                "Correct the variable: `SystemAnchorsError.paths` and the message name each place with the finding.",
                "Give the program's user permission to read the file.",
                "Unset both variables to use the distribution's store.",
            ]),
        ErrorGuide(
            "systemAnchorsListInvalid",
            meaning:
                "`SERVERTRUST_ROOTS_OVERLAY` names a list of a root program that can't be used. `SystemAnchorsError.listError` is its error.",
            remedies: [
                "Correct the path or the list; `servertrust roots show --against FILE` reads it and names the line.",
                "Unset the variable to use the store without the list.",
            ]),
    ]

    private static let roots: [ErrorGuide] = [
        ErrorGuide(
            "rootListUnreadable",
            meaning: "The file of a root program's list can't be opened, or is too large for one.",
            remedies: [
                "Correct the path, and give the program's user permission to read the file.",
                "If the file is too large, it is something else: get the list again from its publisher.",
            ]),
        ErrorGuide(
            "rootListFormUnknown",
            meaning: "The file is in none of the forms of root programs' lists.",
            remedies: [
                "Use Mozilla's `certdata.txt`, Chrome's `root_store.textproto`, a file of p11-kit, PEM with `TRUSTED CERTIFICATE`, or this package's JSON.",
                "A bundle of plain certificates isn't a list: use its certificates as anchors.",
            ]),
        ErrorGuide(
            "rootListInvalid",
            meaning:
                "A part of a root program's list can't be read, so nothing of the list is used. `RootListError.line` is the place.",
            remedies: [
                "Get the list again: it may be cut off or changed on its way.",
                "Correct the line of a list that you write yourself.",
            ]),
        ErrorGuide(
            "rootListEmpty",
            meaning: "A root program's list names no certificate, or is a whole list that trusts no root for TLS.",
            remedies: [
                "Get the whole list again: a list that is cut off would distrust every root.",
                "For a list that only distrusts certificates, use another form, such as this package's JSON.",
            ]),
    ]

    private static let denied: [ErrorGuide] = [
        ErrorGuide(
            "deniedListUnreadable",
            meaning: "The file of a list of denied certificates can't be opened, or is too large for one.",
            remedies: [
                "Correct the path, and give the program's user permission to read the file.",
                "If the file is too large, it is something else: get the list again from its publisher.",
            ]),
        ErrorGuide(
            "deniedListFormUnknown",
            meaning: "The file is neither the JSON of Mozilla's OneCRL nor a CRLSet of Chrome.",
            remedies: [
                "Get the records of Mozilla's collection `security-state/onecrl` as JSON, or the file `crl-set` of Chrome's component.",
                "Make a list of your own keys or certificates in the program: `DeniedList(keys:)`, `DeniedList(certificates:)`.",
            ]),
        ErrorGuide(
            "deniedListInvalid",
            meaning:
                "A part of a list of denied certificates can't be read, so nothing of the list is used. `DeniedListError.part`, `line` or `offset` is the place.",
            remedies: [
                "Get the list again as a whole: differences to an older list can't be used.",
                "Keep the list before in use until a newer one can be read.",
            ]),
        ErrorGuide(
            "deniedListEmpty",
            meaning: "A list of denied certificates has no entry, which is a mistake as a rule.",
            remedies: [
                "Get the list again: the download may have failed.",
                "If the list may be empty, say so: `DeniedList(contentsOfFile: path, allowsEmpty: true)`.",
            ]),
    ]

    private static let logs: [ErrorGuide] = [
        ErrorGuide(
            "logListInvalid",
            meaning:
                "A list of Certificate Transparency logs isn't JSON of version 3, or has a part that can't be read.",
            remedies: [
                "Get the list again in its third version: `log_list.json` of Chrome, or Apple's `current_log_list.json`.",
                "Check its signature with the publisher's key: `CTLogList(json:signature:key:now:)`.",
            ]),
        ErrorGuide(
            "logListSignatureInvalid",
            meaning: "The signature of a list of logs isn't that of the key, so the list may have been changed.",
            remedies: [
                "Get the list and its signature together: they are made anew every day.",
                "Compare the key with the one that the publisher names now.",
                "Pass the exact bytes that were downloaded, not JSON that was written again.",
            ]),
        ErrorGuide(
            "logListFromFuture",
            meaning: "The date of a list of logs is later than the machine's clock.",
            remedies: [
                "Set the machine's clock.",
                "If the clock is right, get the list again from its publisher.",
            ]),
    ]

    private static let filters: [ErrorGuide] = [
        ErrorGuide(
            "filterFileUnreadable",
            meaning: "A file or a folder of revocation filters isn't there, or can't be opened, read or written.",
            remedies: [
                "Get the filters first: `servertrust cache update --filters FOLDER --from URL`.",
                "Correct the path, and give the program's user permission to read the folder.",
                "A filter has to be a regular file: replace a symbolic link by the file itself.",
            ]),
        ErrorGuide(
            "filterFileInvalid",
            meaning:
                "A file isn't a revocation filter or a manifest, or its size or digest differs from the manifest. The filters before stay in use.",
            remedies: [
                "Get the filters again: a download was cut off or another program has changed a file.",
                "Put manifest and filters of one day into the folder.",
            ]),
        ErrorGuide(
            "filterFolderUnsuitable",
            meaning:
                "A folder can't hold revocation filters: it has other files, belongs to upki, or every user may write it.",
            remedies: [
                "Name an empty folder, or one that was made for filters.",
                "Take away the permission of other users to write: `chmod o-w FOLDER`.",
            ]),
        ErrorGuide(
            "filterFolderBusy",
            meaning: "Another run updates the folder of revocation filters, or its lock can't be made.",
            remedies: [
                "Wait for the other run to end, and let only one job update a folder.",
                "Give the program's user permission to write into the folder.",
            ]),
    ]
}
