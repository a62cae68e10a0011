// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let system: [FailureGuide] = [systemAnchorsUnavailable, systemRefused, systemEvaluationUnavailable]

    private static let systemAnchorsUnavailable = FailureGuide(
        .systemAnchorsUnavailable,
        meaning: "The evaluation needs the machine's list of roots, and the machine has none that can be read.",
        sign: "`ls -l /etc/ssl/certs/ca-certificates.crt` fails, or `SSL_CERT_FILE` names a file that isn't there.",
        causes: [
            "A minimal container image (`scratch`, `debian:slim`, `alpine`) has no package of roots.",
            "`SSL_CERT_FILE` or `SSL_CERT_DIR` points to a file of another machine.",
            "A chroot or sandbox hides `/etc/ssl`.",
        ],
        serverRemedies: [
            "Nothing is wrong on the server. On the client: `apt-get install ca-certificates`, `apk add ca-certificates`, `dnf install ca-certificates`.",
            "In a `scratch` image: `COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/`.",
            "Clear or correct the variables: `env | grep SSL_CERT`.",
        ],
        customization: .change("Bring the anchors along, and renew them with the program.", .anchorsFile),
        never: ["Going on without anchors: then either nothing or everything is trusted."])

    private static let systemRefused = FailureGuide(
        .systemRefused,
        meaning:
            "The operating system's own evaluator refused the certificates for a reason that this package has no code for.",
        sign:
            "The message ends with the system's text; `security verify-cert -c leaf.pem -n HOST` on a Mac repeats it.",
        causes: [
            "Apple's rules for public certificates aren't met: a validity longer than 398 days, no certificate transparency.",
            "A user or an administrator has a trust setting \"Never Trust\" for a certificate of the path.",
            "Apple blocks the CA, or some of its certificates.",
        ],
        serverRemedies: [
            "Have the certificate issued by a public CA of today: its validity and its transparency conform.",
            "On the machine, see Keychain Access for trust settings of the root.",
        ],
        customization: .none(because: "The refusal is the system's, and this package doesn't know its reason."),
        never: ["Replacing the system's evaluator by an own one to get around a block of a CA."])

    private static let systemEvaluationUnavailable = FailureGuide(
        .systemEvaluationUnavailable,
        meaning: "The operating system was to evaluate, and couldn't: no decision was reached.",
        sign: "The message has the system's status or the setting that it doesn't support.",
        causes: [
            "The settings ask for something that the system's evaluator can't do, such as a budget or a certificate policy.",
            "The system's trust daemon isn't running or out of memory.",
        ],
        serverRemedies: [
            "Nothing is wrong on the server: ask for the package's own engine, which supports every setting, with named anchors.",
            "If the daemon failed, try again later.",
        ],
        customization: .change(
            "Name the anchors: paths that don't end in the system's anchors are evaluated by the package's engine.",
            .anchorsFile),
        never: ["Counting an evaluation that didn't happen as trust."])
}
