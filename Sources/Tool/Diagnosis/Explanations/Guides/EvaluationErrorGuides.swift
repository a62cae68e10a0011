// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    /// The guides to errors of evaluators, managers and exceptions.
    static let evaluation: [ErrorGuide] = [
        ErrorGuide(
            "evaluatorKeysMissing",
            meaning:
                "The program creates an evaluator with an empty list of pinned keys. Such an evaluator would accept everything or nothing.",
            remedies: [
                "Check the files that the keys come from. The folder or bundle may contain no certificates.",
                "Use DefaultTrustEvaluator for a host without pins.",
            ]),
        ErrorGuide(
            "evaluatorCertificatesMissing",
            meaning:
                "The program creates an evaluator with an empty list of pinned certificates or CAs. Such an evaluator would accept everything or nothing.",
            remedies: [
                "Check the files that the certificates come from. The folder or bundle may contain none.",
                "Use DefaultTrustEvaluator for a host without pins.",
            ]),
        ErrorGuide(
            "evaluatorMembersMissing",
            meaning:
                "The program creates a CompositeTrustEvaluator without evaluators. Such an evaluator would require nothing.",
            remedies: [
                "Pass at least one evaluator.", "Use DefaultTrustEvaluator for a host without further requirements.",
            ]),
        ErrorGuide(
            "hostPatternRepeated",
            meaning:
                "Two rules of a manager have the same host pattern. Patterns that only differ in case, a trailing dot or the notation of an address are the same.",
            remedies: [
                "Remove one of the rules.", "Combine the evaluators of both in a CompositeTrustEvaluator.",
            ]),
        ErrorGuide(
            "hostRuleAcceptsAnyServer",
            meaning: "The evaluator of a rule, or a part of it, accepts any certificate.",
            remedies: [
                "Use an evaluator that checks the certificate. PinnedCertificatesTrustEvaluator accepts a self-signed certificate that you name.",
                "For tests on a machine without secrets, set the manager's allowsDisabledEvaluators option.",
            ]),
        ErrorGuide(
            "exceptionNotNeeded",
            meaning: "The program asks for exceptions to a trusted verdict, but such a verdict has no failures.",
            remedies: ["Ask for exceptions only if the verdict's result is recoverableFailure."]),
        ErrorGuide(
            "exceptionHostMissing",
            meaning: "The trust object has no host. An exception is for one host and one certificate.",
            remedies: ["Create the trust object with the host of the connection."]),
        ErrorGuide(
            "exceptionNotPermitted",
            meaning:
                "The verdict has failures that a user can't accept: they are fatal, or the evaluation reached no decision.",
            remedies: [
                "Look up each failure with `servertrust explain CODE`, and fix the server.",
                "If the rule for the host refuses the server by mistake, correct the rule.",
            ]),
        ErrorGuide(
            "exceptionFileNotReadable",
            meaning: "The operating system can't read the exceptions file.",
            remedies: ["Check the path and the permissions of the file and its folders."]),
        ErrorGuide(
            "exceptionFileNotWritable",
            meaning: "The operating system can't write the exceptions file or its lock. The file is unchanged.",
            remedies: [
                "Create the folder, and give the program's user permission to write to it.", "Free space on the disk.",
            ]),
        ErrorGuide(
            "exceptionFileMalformed",
            meaning: "The file doesn't contain exceptions, or a newer version wrote it.",
            remedies: [
                "Name another file.",
                "Restore the file from a backup or delete it. After that, the app asks users again.",
            ]),
        ErrorGuide(
            "exceptionFileTooLarge",
            meaning: "The exceptions file is larger than 16 MiB.",
            remedies: ["Remove expired exceptions with `ExceptionStore.removeExpired(at:)`.", "Name another file."]),
        ErrorGuide(
            "exceptionFileWritableByOthers",
            meaning: "The group or other users can write to the file. They could add exceptions in its owner's name.",
            remedies: ["Check the contents, then run `chmod go-w FILE`."]),
    ]
}
