// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PrivateCA
import ServerTrust

/// The options about the new certificate's revocation, for the verbs that issue.
struct RevocationPointerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Put this CRL address in the certificate. (default: the CA's)", valueName: "url"),
        transform: reading { (url: String) throws(RevocationAddressError) in try RevocationAddress(url, kind: .crl) })
    var crlUrl: RevocationAddress?

    @Flag(help: "Omit the CRL address.")
    var noCrlUrl = false

    @Option(
        help: ArgumentHelp("Put this OCSP responder address in the certificate. (default: the CA's)", valueName: "url"),
        transform: reading { (url: String) throws(RevocationAddressError) in try RevocationAddress(url, kind: .ocsp) })
    var ocspUrl: RevocationAddress?

    @Flag(help: "Omit the OCSP responder address.")
    var noOcspUrl = false

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Require servers to staple an OCSP response (RFC 7633).",
            discussion: "Clients then refuse a server without one. --force keeps the replaced certificate's setting."))
    var mustStaple: Bool?

    func validate() throws {
        guard crlUrl == nil || !noCrlUrl else { throw ValidationError("--crl-url and --no-crl-url can't be combined") }
        guard ocspUrl == nil || !noOcspUrl else {
            throw ValidationError("--ocsp-url and --no-ocsp-url can't be combined")
        }
    }

    var choice: RevocationPointerChoice {
        RevocationPointerChoice(
            crl: Self.address(crlUrl, isOmitted: noCrlUrl), ocsp: Self.address(ocspUrl, isOmitted: noOcspUrl),
            mustStaple: mustStaple)
    }

    private static func address(
        _ address: RevocationAddress?, isOmitted: Bool
    ) -> RevocationPointerChoice.Address {
        if let address { return .named(address) }
        return isOmitted ? .omitted : .inherited
    }
}

extension RevocationPointers {
    /// The lines of a report. Empty without any address.
    var lines: String {
        (crl.map { "      crl      \($0)\n" } ?? "") + (ocsp.map { "      ocsp     \($0)\n" } ?? "")
            + (mustStaple ? "      staple   required\n" : "")
    }
}

extension JSONWriter {
    /// Writes the addresses in a CA's settings or a certificate. Missing addresses are null.
    mutating func addresses(of pointers: RevocationPointers) {
        key("crlURL")
        string(pointers.crl?.url)
        key("ocspURL")
        string(pointers.ocsp?.url)
    }
}
