// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The certificates of files that were named on the command line.
struct CertificateInput {
    /// The certificates in the order of the files and of the objects in each file.
    private(set) var certificates: [Certificate] = []
    /// The objects that can't be read, each with file, object and byte.
    private(set) var leftOut: [CertificateFileError] = []

    /// Returns the presented chain of all files together: the first object of the first file is the leaf.
    ///
    /// As in a handshake, a certificate above the leaf that can't be read is left out: the path may do without it.
    /// - Returns: at least one certificate.
    /// - Throws: ``CommandFailure`` if a file can't be read, holds no certificate, or the leaf can't be read.
    static func presentedChain(_ files: [String]) throws(CommandFailure) -> CertificateInput {
        var input = CertificateInput()
        for file in files {
            try input.read(file)
            if input.certificates.isEmpty || !input.startsWithLeaf, let error = input.leftOut.first {
                throw CommandFailure(
                    "the leaf can not be read: \(error)", hint: "the leaf is the first object of the first file")
            }
        }
        return input
    }

    /// Returns further candidates for path building, without those that can't be read.
    /// - Throws: ``CommandFailure`` if a file can't be read or holds no certificate.
    static func intermediates(_ files: [String]) throws(CommandFailure) -> CertificateInput {
        var input = CertificateInput()
        for file in files { try input.read(file) }
        return input
    }

    /// Returns a store of all certificates of the files. None is left out.
    /// - Throws: ``CommandFailure`` if a file can't be read, with every object of it that can't be.
    static func anchors(_ files: [String]) throws(CommandFailure) -> AnchorStore {
        var input = CertificateInput()
        for file in files { try input.read(file) }
        guard input.leftOut.isEmpty else {
            throw CommandFailure(
                errors: input.leftOut.map { "anchor can not be read: \($0)" },
                hint: "take the objects out of the file, or repair them; no anchor is left out silently")
        }
        return .only(input.certificates)
    }

    /// Whether the first object of the first file was read.
    private var startsWithLeaf = true

    /// - Throws: ``CommandFailure`` if the file can't be read or there is no certificate in it at all.
    private mutating func read(_ file: String) throws(CommandFailure) {
        for entry in CertificateFile.entries(in: try InputFile.read(file), name: InputFile.displayName(file)) {
            switch entry {
            case .success(let certificate): certificates.append(certificate)
            case .failure(let error):
                switch error.reason {
                case .empty, .noCertificate: throw CommandFailure(error.description)
                case .pem, .malformed, .opensslTrusted: break
                }
                if certificates.isEmpty { startsWithLeaf = false }
                leftOut.append(error)
            }
        }
    }
}
