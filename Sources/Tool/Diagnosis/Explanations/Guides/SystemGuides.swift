// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let system: [FailureGuide] = [systemAnchorsUnavailable, systemRefused, systemEvaluationUnavailable]

    private static let systemAnchorsUnavailable = FailureGuide(
        .systemAnchorsUnavailable,
        meaning: "The evaluation needs the machine's list of roots, but the machine has no readable list.",
        sign: "`ls -l /etc/ssl/certs/ca-certificates.crt` fails, or `SSL_CERT_FILE` names a file that doesn't exist.",
        causes: [
            "A minimal container image (`scratch`, `debian:slim`, `alpine`) has no package of roots.",
            "`SSL_CERT_FILE` or `SSL_CERT_DIR` names a file that only exists on another machine.",
            "A chroot or sandbox hides `/etc/ssl`.",
        ],
        serverRemedies: [
            "Nothing is wrong on the server. On the client, install the roots: `apt-get install ca-certificates`, `apk add ca-certificates`, `dnf install ca-certificates`.",
            "In a `scratch` image: `COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/`.",
            "Clear or correct the variables: `env | grep SSL_CERT`.",
        ],
        customization: .change("Ship the anchors with the program, and renew them with it.", .anchorsFile),
        never: ["Continuing without anchors: then either nothing or everything is trusted."])

    private static let systemRefused = FailureGuide(
        .systemRefused,
        meaning:
            "The operating system's evaluator refused the certificates for a reason that has no code in this package.",
        sign:
            "The message ends with the system's text. On a Mac, `security verify-cert -c leaf.pem -n HOST` repeats it.",
        causes: [
            "The certificate doesn't meet Apple's rules for public certificates: its validity is longer than 398 days, or it lacks Certificate Transparency timestamps.",
            "A user or an administrator set \"Never Trust\" for a certificate in the path.",
            "Apple blocks the CA, or some of its certificates.",
        ],
        serverRemedies: [
            "Have the certificate issued by a current public CA. Its validity and transparency meet the rules.",
            "On the machine, check the root's trust settings in Keychain Access.",
        ],
        customization: .none(because: "The system refused the certificate, and this package doesn't know the reason."),
        never: ["Replacing the system's evaluator with your own to get around a blocked CA."])

    private static let systemEvaluationUnavailable = FailureGuide(
        .systemEvaluationUnavailable,
        meaning: "The operating system should have evaluated the certificates, but couldn't, so there is no decision.",
        sign: "The message states the system's status or the setting that the system doesn't support.",
        causes: [
            "The settings ask for something that the system's evaluator can't do, such as a budget or a certificate policy.",
            "The system's trust daemon isn't running or is out of memory.",
        ],
        serverRemedies: [
            "Nothing is wrong on the server. Use the package's own engine with named anchors: it supports every setting.",
            "If the daemon failed, try again later.",
        ],
        customization: .change(
            "Name the anchors. The package's engine evaluates paths that don't end in the system's anchors.",
            .anchorsFile),
        never: ["Treating an evaluation that didn't happen as trust."])
}
