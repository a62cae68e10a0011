// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PrivateCA
import TrustSupport

/// The options of the verbs that issue about the revocation of the new certificate.
struct RevocationPointerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The CRL's address in the certificate. (default: the CA's)", valueName: "url"),
        transform: reading { (url: String) throws(RevocationAddressError) in try RevocationAddress(url, kind: .crl) })
    var crlUrl: RevocationAddress?

    @Flag(help: "Name no CRL.")
    var noCrlUrl = false

    @Option(
        help: ArgumentHelp("The OCSP responder's address in the certificate. (default: the CA's)", valueName: "url"),
        transform: reading { (url: String) throws(RevocationAddressError) in try RevocationAddress(url, kind: .ocsp) })
    var ocspUrl: RevocationAddress?

    @Flag(help: "Name no OCSP responder.")
    var noOcspUrl = false

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Demand that servers staple an OCSP response (RFC 7633).",
            discussion: "Clients then refuse a server without one. With --force as in the replaced certificate."))
    var mustStaple: Bool?

    func validate() throws {
        guard crlUrl == nil || !noCrlUrl else { throw ValidationError("--crl-url and --no-crl-url exclude each other") }
        guard ocspUrl == nil || !noOcspUrl else {
            throw ValidationError("--ocsp-url and --no-ocsp-url exclude each other")
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
    /// The lines of a report; empty without any pointer.
    var lines: String {
        (crl.map { "      crl      \($0)\n" } ?? "") + (ocsp.map { "      ocsp     \($0)\n" } ?? "")
            + (mustStaple ? "      staple   required\n" : "")
    }
}

extension JSONWriter {
    /// Writes the addresses of a CA or a certificate; null for none.
    mutating func addresses(of pointers: RevocationPointers) {
        key("crlURL")
        string(pointers.crl?.url)
        key("ocspURL")
        string(pointers.ocsp?.url)
    }
}
