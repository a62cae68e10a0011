// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

/// The value of `--revocation`.
enum RevocationMode: String, CaseIterable, ExpressibleByArgument {
    case off
    case bestEffort = "best-effort"
    case required

    var check: RevocationCheck {
        switch self {
        case .off: .off
        case .bestEffort: .bestEffort
        case .required: .required
        }
    }
}

/// The options for revocation.
struct RevocationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The check of revocation: off, best-effort, required. (default: off, with --ocsp or --crl best-effort)",
            valueName: "mode"))
    var revocation: RevocationMode?

    @Option(
        help: ArgumentHelp("An OCSP response in DER. May be repeated.", valueName: "file"), completion: .file())
    var ocsp: [String] = []

    @Option(
        help: ArgumentHelp("A CRL, or several in PEM. May be repeated.", valueName: "file"), completion: .file())
    var crl: [String] = []

    /// The files with revocation data, standard input among them.
    var files: [String] { ocsp + crl }

    var isAnyGiven: Bool { revocation != nil || !files.isEmpty }

    /// The check of revocation: best effort by default if files are named, else none.
    var check: RevocationCheck { (revocation ?? (files.isEmpty ? .off : .bestEffort)).check }

    func validate() throws {
        guard revocation != .off || files.isEmpty else {
            throw ValidationError("--revocation off looks at no --ocsp and no --crl")
        }
    }

    /// Returns the revocation data of the files.
    /// - Throws: ``CommandFailure`` if a file can't be read or holds something else.
    func data() throws(CommandFailure) -> RevocationData { try RevocationInput.data(ocsp: ocsp, crls: crl) }
}

/// The CRLs and OCSP responses of files that were named on the command line. None is left out.
enum RevocationInput {
    /// Returns the OCSP responses and CRLs of files.
    /// - Throws: ``CommandFailure`` if a file can't be read or holds something else, with file and byte.
    static func data(ocsp: [String], crls: [String]) throws(CommandFailure) -> RevocationData {
        var data = RevocationData()
        for file in ocsp {
            let der = try InputFile.read(file)
            do throws(DERError) { _ = try OCSPResponse(der: der) } catch {
                throw CommandFailure(
                    "\(InputFile.displayName(file)): no OCSP response in DER: \(error)",
                    hint: "openssl ocsp -respout FILE writes one")
            }
            data.ocspResponses.append(der)
        }
        for file in crls {
            for der in try encodings(in: InputFile.read(file), file) {
                do throws(DERError) { data.lists.append(try CertificateRevocationList(der: der)) } catch {
                    throw CommandFailure("\(InputFile.displayName(file)): no CRL: \(error)")
                }
            }
        }
        return data
    }

    /// Returns the CRLs of a file: one in DER, or any number in PEM.
    private static func encodings(in bytes: [UInt8], _ file: String) throws(CommandFailure) -> [[UInt8]] {
        guard bytes.first != 0x30 else { return [bytes] }
        do throws(PEM.BlockError) {
            let found = try PEM.decode(bytes, labels: ["X509 CRL"])
            if !found.isEmpty { return found }
        } catch {
            throw CommandFailure("\(InputFile.displayName(file)): \(error)")
        }
        throw CommandFailure("\(InputFile.displayName(file)): no CRL in DER or PEM (X509 CRL) in it")
    }
}
