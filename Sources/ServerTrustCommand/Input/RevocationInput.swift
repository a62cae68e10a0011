import ArgumentParser
import ServerTrust

/// `--revocation`, in the spelling of a command line.
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

/// CRLs and OCSP responses out of files that were named on the command line. Here nothing is left out: who names evidence means
/// all of it.
enum RevocationInput {
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

    /// The CRLs of a file: one in DER, or any number in PEM.
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
