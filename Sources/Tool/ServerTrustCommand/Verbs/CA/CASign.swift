// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PrivateCA
import ServerTrust

/// `servertrust ca sign`: issues a certificate for a request's key.
struct CASign: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "ca sign", abstract: "Issue a certificate for the key of a request (CSR).")

    @Argument(help: "The request, in PEM or DER; - is standard input.", completion: .file())
    var request: String

    @Argument(
        help: "The names of the certificate. (default: the request's names)", transform: reading(CertifiedName.init))
    var names: [CertifiedName] = []

    @Flag(help: "Also use the request's names.")
    var namesFromRequest = false

    @Flag(help: "Issue for a client (clientAuth) instead of a server (serverAuth).")
    var client = false

    @Option(help: ArgumentHelp("Make it valid for this many days, up to Apple's limit of 825.", valueName: "n"))
    var days = 90

    @Flag(help: "Replace an existing chain of this name.")
    var force = false

    @OptionGroup(visibility: .wholePage) var revocation: RevocationPointerOptions

    @OptionGroup var options: CAOptions

    func validate() throws { try OptionRule.check(.range("--days", days, AuthorityFolder.leafDays)) }

    func run() throws {
        let folder = try options.open()
        let file = InputFile.displayName(request)
        let request = try read(file)
        var names = names
        // Written only after the request is accepted.
        var warnings: [String] = []
        if names.isEmpty || namesFromRequest {
            let requested = try AuthorityFolder.requestedNames(request, file: file)
            let list = requested.names.map(\.description).joined(separator: ", ")
            warnings.append("names taken from the request: \(list)")
            warnings += requested.others.map { "left out, neither DNS name nor IP address: \($0)" }
            names += requested.names
        }
        let issued = try folder.sign(
            request, file: file, as: names, for: client ? .clientAuth : .serverAuth, days: days,
            revocation: revocation.choice, at: .now(), replacing: force)
        warnings.forEach(Diagnostics.warn)
        warnOfWildcards(names)
        try options.write(issued)
        try options.warnOfLeftovers(in: folder)
    }

    private func read(_ file: String) throws(CommandFailure) -> CertificateRequest {
        var der = try InputFile.read(request)
        if PEM.isPEM(der) {
            let found = try CommandFailure.of(file) {
                try PEM.decode(der, labels: ["CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST"])
            }
            guard let first = found.first, found.count == 1 else {
                throw CommandFailure("\(file): \(found.count) certificate requests, expected one")
            }
            der = first
        }
        return try CommandFailure.of(
            "\(file): isn't a certificate request", hint: "expected PKCS #10 (RFC 2986) in PEM or DER"
        ) { try CertificateRequest(der: der) }
    }
}
