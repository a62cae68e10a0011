// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrustNIO

/// The options for a client certificate.
struct ClientCertificateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Send this client certificate and its intermediates to servers that request one. (default: none)",
            valueName: "file"),
        completion: .file())
    var clientCert: String?

    @Option(
        help: ArgumentHelp(
            "Use this unencrypted private key, in PEM or DER. (default: in the certificate file)", valueName: "file"
        ),
        completion: .file())
    var clientKey: String?

    func validate() throws {
        try OptionRule.check(.requires(["--client-cert": clientCert], for: ["--client-key": clientKey]))
    }

    /// Returns the client's certificate and key, or nil without these options.
    /// - Throws: ``CommandFailure`` if one of them can't be read, or the key doesn't match the certificate.
    func identity() throws(CommandFailure) -> ClientIdentity? {
        guard let clientCert else { return nil }
        let chain = try CertificateInput.presentedChain([clientCert])
        let keyFile = clientKey ?? clientCert
        let key = try InputFile.read(keyFile)
        return try CommandFailure.of(InputFile.displayName(keyFile)) {
            try ClientIdentity(certificates: chain.certificates, key: key)
        }
    }
}
