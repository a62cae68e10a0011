// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PKIX
import ServerTrust

/// The certificates in the files that the command line names.
struct CertificateInput {
    /// The certificates in the order of the files and of the objects in each file.
    private(set) var certificates: [Certificate] = []
    /// The objects that can't be parsed, each with file, object, line and code.
    private(set) var leftOut: [InspectionError] = []
    /// The certificates that can't be parsed.
    private(set) var unreadable: [UnreadableCertificate] = []
    /// Remarks about files that this program reads, but other programs read differently. Each has a stable code.
    private(set) var remarks: [String] = []
    /// The passphrases for containers.
    private let passphrases: PassphraseOptions

    private init(_ passphrases: PassphraseOptions) { self.passphrases = passphrases }

    /// Returns the presented chain of all files together. The first object of the first file is the leaf.
    ///
    /// As in a handshake, an unreadable certificate other than the leaf is left out, because the path may not need it.
    /// PKCS #7 and PKCS #12 files have no order: if such a file contains exactly one certificate that isn't a CA
    /// certificate, it comes first.
    /// - Returns: at least one certificate.
    /// - Throws: ``CommandFailure`` if a file can't be read, contains no certificate, or the leaf can't be parsed.
    static func presentedChain(
        _ files: [String], passphrases: PassphraseOptions = .none
    ) throws(CommandFailure) -> CertificateInput {
        var input = CertificateInput(passphrases)
        for (index, file) in files.enumerated() {
            let isUnordered = try input.read(file, for: .candidate)
            if input.certificates.isEmpty || !input.startsWithLeaf, let error = input.leftOut.first {
                throw CommandFailure(
                    "the leaf can't be read: \(error)",
                    hint: error.problem.remedy ?? "the leaf is the first object of the first file")
            }
            if index == 0, isUnordered { input.putLeafFirst() }
        }
        return input
    }

    /// Returns additional intermediates for path building. Unreadable ones are left out.
    /// - Throws: ``CommandFailure`` if a file can't be read or contains no certificate.
    static func intermediates(
        _ files: [String], passphrases: PassphraseOptions = .none
    ) throws(CommandFailure) -> CertificateInput {
        var input = CertificateInput(passphrases)
        for file in files { _ = try input.read(file, for: .candidate) }
        return input
    }

    /// Returns a store of all certificates in the files. None is left out.
    /// - Parameter purpose: the purpose to use the anchors for. If a certificate has OpenSSL trust settings, they must
    ///   not exclude it.
    /// - Throws: ``CommandFailure`` if a file can't be read, with every object in it that can't be parsed.
    static func anchors(
        _ files: [String], for purpose: ValidationPolicy.Purpose = .serverAuth, passphrases: PassphraseOptions = .none
    ) throws(CommandFailure) -> AnchorStore {
        let inspected = try files.map { file throws(CommandFailure) in try InputFile.inspect(file, passphrases) }
        return try anchors(inspected, for: purpose)
    }

    /// Returns a store for each purpose, or the reason why a file has no anchors for it. Each file is read once.
    /// - Throws: ``CommandFailure`` if a file can't be read at all.
    static func anchorsByPurpose(
        _ files: [String]
    ) throws(CommandFailure) -> [ValidationPolicy.Purpose: Result<AnchorStore, CommandFailure>] {
        let inspected = try files.map { file throws(CommandFailure) in try InputFile.inspect(file) }
        var stores: [ValidationPolicy.Purpose: Result<AnchorStore, CommandFailure>] = [:]
        for purpose in ValidationPolicy.Purpose.allCases {
            stores[purpose] = Result { () throws(CommandFailure) in try anchors(inspected, for: purpose) }
        }
        return stores
    }

    private static func anchors(
        _ files: [InspectedFile], for purpose: ValidationPolicy.Purpose
    ) throws(CommandFailure) -> AnchorStore {
        var input = CertificateInput(.none)
        for file in files { _ = try input.add(file, for: .anchor(purpose)) }
        guard input.leftOut.isEmpty else {
            throw CommandFailure(
                errors: input.leftOut.map { "anchor can't be read: \($0)" },
                hint: input.leftOut.first?.problem.remedy
                    ?? "remove these objects from the file, or repair them; no anchor is left out silently")
        }
        return .only(input.certificates)
    }

    /// Whether the first object of the first file is readable.
    private var startsWithLeaf = true

    /// - Returns: whether all certificates of the file come from containers without an order.
    /// - Throws: ``CommandFailure`` if the file can't be read or contains no certificate at all.
    private mutating func read(_ file: String, for use: CertificateUse) throws(CommandFailure) -> Bool {
        let bytes = try InputFile.read(file)
        let inspected = InspectionReader.read(
            bytes, name: InputFile.displayName(file), passphrases: try passphrases.source(for: file))
        // OpenSSL only recognizes END if a line break follows it (PEM_read_bio: "bad end line").
        if bytes.contains(text: "----------BEGIN ") {
            remarks.append(
                "\(inspected.name): END and BEGIN of two certificates are on one line, where OpenSSL and programs that use it stop reading, expected a line break between them [pemLinesJoined]"
            )
        }
        return try add(inspected, for: use)
    }

    private mutating func add(_ inspected: InspectedFile, for use: CertificateUse) throws(CommandFailure) -> Bool {
        let entries = inspected.certificates(for: use)
        let errors = entries.compactMap { entry -> InspectionError? in
            guard case .failure(let error) = entry else { return nil }
            return error
        }
        let isDamaged = errors.contains { $0.problem.kind == .certificate || $0.problem.code == .trustRejected }
        guard errors.count < entries.count || isDamaged else { throw CommandFailure(errors) }
        var last: Certificate?
        var place = certificates.count + unreadable.count
        for object in inspected.objects {
            if let problem = object.problem, problem.kind == .certificate, let error = problem.error {
                unreadable.append(
                    UnreadableCertificate(
                        "object \(object.place.number) of \(inspected.name)", at: place, der: object.der, error,
                        after: last))
                place += 1
            } else if object.certificate != nil {
                place += 1
            }
            last = object.certificate
        }
        for entry in entries {
            switch entry {
            case .success(let certificate): certificates.append(certificate)
            case .failure(let error):
                if certificates.isEmpty { startsWithLeaf = false }
                leftOut.append(error)
            }
        }
        return inspected.isUnordered
    }

    private mutating func putLeafFirst() {
        guard let leaf = Self.onlyLeaf(of: certificates) else { return }
        certificates.insert(certificates.remove(at: leaf), at: 0)
    }

    /// Returns the index of the only certificate that isn't a CA certificate, or nil if there are several or none.
    static func onlyLeaf(of certificates: [Certificate]) -> Int? {
        let leaves = certificates.indices.filter {
            certificates[$0].basicConstraints?.isCertificateAuthority != true
        }
        return leaves.count == 1 ? leaves.first : nil
    }
}

extension InspectedFile {
    /// Whether all objects come from containers without an order.
    var isUnordered: Bool {
        let unordered: Set<InspectedObject.Layer> = [.pkcs7, .pkcs12]
        return objects.allSatisfy { !unordered.isDisjoint(with: $0.place.layers) }
    }
}
