// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    /// The guides to errors of the system's anchors and of lists: roots, denied certificates, logs and filters.
    static let lists: [ErrorGuide] = anchors + roots + denied + logs + filters

    private static let anchors: [ErrorGuide] = [
        ErrorGuide(
            "systemAnchorsMissing",
            meaning:
                "The usual files and folders of the system contain no CA certificate, so the client can't trust any server.",
            remedies: [
                "Install the CA certificates: `apt-get install ca-certificates` or `dnf install ca-certificates`.",
                "In a minimal image, copy in a bundle and set `SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt`.",
                "If you only use a private CA, don't use the system's store: `settings.anchors = .only([root])`.",
            ]),
        ErrorGuide(
            "systemAnchorsUnreadable",
            meaning:
                "`SSL_CERT_FILE` or `SSL_CERT_DIR` names a place that is missing, can't be read, or contains no CA certificate. In this case, the library doesn't try the usual places.",
            remedies: [
                "Correct the variable. `SystemAnchorsError.paths` and the message list each place and what is wrong with it.",
                "Give the program's user permission to read the file.",
                "Unset both variables to use the distribution's store.",
            ]),
        ErrorGuide(
            "systemAnchorsListInvalid",
            meaning:
                "`SERVERTRUST_ROOTS_OVERLAY` names a root program's list that can't be used. `SystemAnchorsError.listError` has the reason.",
            remedies: [
                "Correct the path or the list. `servertrust roots show --against FILE` reads the list and names the line.",
                "Unset the variable to use the store without the list.",
            ]),
    ]

    private static let roots: [ErrorGuide] = [
        ErrorGuide(
            "rootListUnreadable",
            meaning: "The file with a root program's list can't be opened, or is too large for such a list.",
            remedies: [
                "Correct the path, and give the program's user permission to read the file.",
                "If the file is too large, it isn't a root program's list. Get the list again from its publisher.",
            ]),
        ErrorGuide(
            "rootListFormUnknown",
            meaning: "The file isn't a root program's list in a known format.",
            remedies: [
                "Use Mozilla's `certdata.txt`, Chrome's `root_store.textproto`, a p11-kit file, PEM with `TRUSTED CERTIFICATE`, or this package's JSON.",
                "A bundle of plain certificates isn't a list. Use its certificates as anchors.",
            ]),
        ErrorGuide(
            "rootListInvalid",
            meaning:
                "A part of a root program's list can't be read, so the library uses no part of the list. `RootListError.line` has the line.",
            remedies: [
                "Get the list again. It may have been cut off or changed during the download.",
                "If you write the list yourself, correct the line.",
            ]),
        ErrorGuide(
            "rootListEmpty",
            meaning:
                "A root program's list contains no certificate, or it is a complete list that trusts no root for TLS.",
            remedies: [
                "Get the complete list again. A list that is cut off would distrust every root.",
                "For a list that only distrusts certificates, use another form, such as this package's JSON.",
            ]),
    ]

    private static let denied: [ErrorGuide] = [
        ErrorGuide(
            "deniedListUnreadable",
            meaning: "The file with a list of denied certificates can't be opened, or is too large for such a list.",
            remedies: [
                "Correct the path, and give the program's user permission to read the file.",
                "If the file is too large, it isn't a list of denied certificates. Get the list again from its publisher.",
            ]),
        ErrorGuide(
            "deniedListFormUnknown",
            meaning: "The file is neither Mozilla's OneCRL in JSON nor a Chrome CRLSet.",
            remedies: [
                "Get the records in Mozilla's `security-state/onecrl` collection as JSON, or the `crl-set` file from Chrome's component.",
                "To deny your own keys or certificates, create a list in the program: `DeniedList(keys:)`, `DeniedList(certificates:)`.",
            ]),
        ErrorGuide(
            "deniedListInvalid",
            meaning:
                "A part of a list of denied certificates can't be read, so the library uses no part of the list. `DeniedListError.part`, `line` or `offset` has the position.",
            remedies: [
                "Get the complete list again. The library can't use a list of changes to an older list.",
                "Keep using the previous list until you have a newer one that can be read.",
            ]),
        ErrorGuide(
            "deniedListEmpty",
            meaning: "A list of denied certificates has no entry. This is usually a mistake.",
            remedies: [
                "Get the list again. The download may have failed.",
                "If an empty list is intended, allow it: `DeniedList(contentsOfFile: path, allowsEmpty: true)`.",
            ]),
    ]

    private static let logs: [ErrorGuide] = [
        ErrorGuide(
            "logListInvalid",
            meaning:
                "A list of Certificate Transparency logs isn't version 3 JSON, or has a part that can't be read.",
            remedies: [
                "Get the list again in version 3: Chrome's `log_list.json` or Apple's `current_log_list.json`.",
                "Check its signature with the publisher's key: `CTLogList(json:signature:key:now:)`.",
            ]),
        ErrorGuide(
            "logListSignatureInvalid",
            meaning:
                "The signature of a list of logs wasn't made with the given key, so the list may have been changed.",
            remedies: [
                "Get the list and its signature at the same time. The publisher renews both every day.",
                "Compare the key with the one that the publisher names today.",
                "Pass the exact bytes that you downloaded, rather than reserialized JSON.",
            ]),
        ErrorGuide(
            "logListFromFuture",
            meaning: "The date of a list of logs is later than this machine's clock.",
            remedies: [
                "Set this machine's clock.",
                "If the clock is right, get the list again from its publisher.",
            ]),
    ]

    private static let filters: [ErrorGuide] = [
        ErrorGuide(
            "filterFileUnreadable",
            meaning: "A file or folder of revocation filters doesn't exist, or can't be opened, read or written.",
            remedies: [
                "First get the filters: `servertrust cache update --filters FOLDER --from URL`.",
                "Correct the path, and give the program's user permission to read the folder.",
                "A filter has to be a regular file. Replace a symbolic link with the file itself.",
            ]),
        ErrorGuide(
            "filterFileInvalid",
            meaning:
                "A file isn't a revocation filter or a manifest, or its size or digest differs from the manifest. The previous filters stay in use.",
            remedies: [
                "Get the filters again. A download was cut off, or another program changed a file.",
                "Put a manifest and filters from the same day into the folder.",
            ]),
        ErrorGuide(
            "filterFolderUnsuitable",
            meaning:
                "A folder can't be used for revocation filters: it contains other files, belongs to upki, or is writable by every user.",
            remedies: [
                "Pass an empty folder, or one that was made for filters.",
                "Remove write permission for other users: `chmod o-w FOLDER`.",
            ]),
        ErrorGuide(
            "filterFolderBusy",
            meaning: "Another process is updating the folder of revocation filters, or the lock can't be created.",
            remedies: [
                "Wait for the other process to finish, and use only one job to update a folder.",
                "Give the program's user permission to write to the folder.",
            ]),
    ]
}
