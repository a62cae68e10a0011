// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    /// The guides to errors of evaluators, managers and exceptions.
    static let evaluation: [ErrorGuide] = [
        ErrorGuide(
            "evaluatorKeysMissing",
            meaning:
                "The program creates an evaluator of pinned keys from an empty list. It would accept everything or nothing.",
            remedies: [
                "Check the files that the keys come from: the folder or bundle may have no certificates.",
                "Use DefaultTrustEvaluator for a host without pins.",
            ]),
        ErrorGuide(
            "evaluatorCertificatesMissing",
            meaning:
                "The program creates an evaluator of pinned certificates or of CAs from an empty list. It would accept everything or nothing.",
            remedies: [
                "Check the files that the certificates come from: the folder or bundle may have none.",
                "Use DefaultTrustEvaluator for a host without pins.",
            ]),
        ErrorGuide(
            "evaluatorMembersMissing",
            meaning: "The program creates a CompositeTrustEvaluator without evaluators. It would require nothing.",
            remedies: [
                "Pass at least one evaluator.", "Use DefaultTrustEvaluator for a host without further requirements.",
            ]),
        ErrorGuide(
            "hostPatternRepeated",
            meaning:
                "Two rules of a manager have the same host pattern. Case, a trailing dot and the notation of an address make no difference.",
            remedies: [
                "Remove one of the rules.", "Combine the evaluators of both in a CompositeTrustEvaluator.",
            ]),
        ErrorGuide(
            "hostRuleAcceptsAnyServer",
            meaning: "The evaluator of a rule, or a part of it, accepts any certificate.",
            remedies: [
                "Use an evaluator that checks: PinnedCertificatesTrustEvaluator accepts a self-signed certificate that you name.",
                "For tests on a machine without secrets, set the option allowsDisabledEvaluators of the manager.",
            ]),
        ErrorGuide(
            "exceptionNotNeeded",
            meaning: "The program asks for exceptions of a trusted verdict, which has no failures.",
            remedies: ["Ask for exceptions only if the verdict's result is recoverableFailure."]),
        ErrorGuide(
            "exceptionHostMissing",
            meaning: "The trust object has no host. Exceptions are for one host and one certificate.",
            remedies: ["Create the trust object with the host of the connection."]),
        ErrorGuide(
            "exceptionNotPermitted",
            meaning: "The verdict has failures that a user can't accept: they are fatal, or no decision was reached.",
            remedies: [
                "Explain each failure with `servertrust explain CODE`, and correct the server.",
                "Correct the rule for the host if the rule refuses the server by mistake.",
            ]),
        ErrorGuide(
            "exceptionFileNotReadable",
            meaning: "The operating system can't read the file of exceptions.",
            remedies: ["Check the path, and the permissions of the file and its folders."]),
        ErrorGuide(
            "exceptionFileNotWritable",
            meaning: "The operating system can't write the file of exceptions or its lock. The file is unchanged.",
            remedies: ["Create the folder, and permit the program's user to write in it.", "Free space on the disk."]),
        ErrorGuide(
            "exceptionFileMalformed",
            meaning: "The file isn't a file of exceptions, or a newer version has written it.",
            remedies: [
                "Name another file.",
                "Restore the file from a backup, or delete it: users are then asked again.",
            ]),
        ErrorGuide(
            "exceptionFileTooLarge",
            meaning: "The file of exceptions is larger than 16 MiB.",
            remedies: ["Remove expired exceptions with `ExceptionStore.removeExpired(at:)`.", "Name another file."]),
        ErrorGuide(
            "exceptionFileWritableByOthers",
            meaning: "The group or others may write the file, and could add exceptions in its owner's name.",
            remedies: ["Check the contents, then run `chmod go-w FILE`."]),
    ]
}
