// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PrivateCA
import ServerTrust

/// The options about the new certificate's revocation, for the verbs that issue.
struct RevocationPointerOptions: ParsableArguments {
    @Option(help: .book("ca issue --crl-url"), transform: RevocationAddress.argument(.crl))
    var crlUrl: RevocationAddress?

    @Flag(help: "Omit the CRL address.")
    var noCrlUrl = false

    @Option(help: .book("ca issue --ocsp-url"), transform: RevocationAddress.argument(.ocsp))
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
        try OptionRule.check(
            .excludes(["--crl-url": crlUrl, "--no-crl-url": noCrlUrl]),
            .excludes(["--ocsp-url": ocspUrl, "--no-ocsp-url": noOcspUrl]))
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

extension RevocationAddress {
    /// Returns the transform of an option for the address of a CRL or an OCSP responder.
    static func argument(_ kind: Kind) -> @Sendable (String) throws -> RevocationAddress {
        reading { (url: String) throws(RevocationAddressError) in
            try RevocationAddress(url, kind: kind)
        }
    }
}

extension RevocationPointers {
    /// The lines of a report, each with its label.
    var facts: [(label: String, value: String?)] {
        [("crl", crl?.url), ("ocsp", ocsp?.url), ("staple", mustStaple ? "required" : nil)]
    }
}

extension JSONWriter {
    /// Writes the addresses in a CA's settings or a certificate. Missing addresses are null.
    mutating func addresses(of pointers: RevocationPointers) {
        member("crlURL", pointers.crl?.url)
        member("ocspURL", pointers.ocsp?.url)
    }
}
