// SPDX-License-Identifier: Apache-2.0

/// An error in a file of certificates, keys or requests, or in a folder of such files. Also an error in the text of an
/// embedded certificate.
///
/// It never contains bytes of an object.
public struct CertificateFileError: TrustError, Hashable {
    /// The objects that a reader accepts. This set is complete.
    enum Expectation: Sendable, Hashable {
        /// Certificates in PEM or DER.
        case certificates
        /// Certificates, public keys and certificate requests.
        case pinSources
        /// The text of one certificate.
        case text
    }

    /// The kind of error, for programs.
    public let code: ErrorCode
    /// The file's or folder's name as passed by the caller, or nil for the text of an embedded certificate.
    public let file: String?
    /// The position of the object in the file, counted from 1, or nil for an error of the whole file.
    public package(set) var object: Int?
    /// The line where decoding of the text stopped, counted from 1, or nil for other errors.
    public package(set) var line: Int?
    /// The byte offset where decoding of the text stopped, counted from 0, or nil for other errors.
    public package(set) var offset: Int?
    /// The PEM label of the object. For an error of the whole file, the labels of all its objects without repetitions.
    /// Empty if the file isn't PEM.
    var labels: [String] = []
    /// The error of the PEM object, or nil for other errors.
    var pem: PEM.BlockError?
    /// The error in the fields of the object, or nil for other errors.
    var field: DERError?
    /// The unsupported signature algorithm of a certificate request, or the algorithm of its unsupported key. Nil for
    /// other errors.
    var signatureAlgorithm: OID?
    /// The size in bytes of a file that is too large, or nil for other errors.
    var size: Int?
    /// The number of links in a folder without certificates that lead to no file. Nil for other errors.
    var brokenLinks: Int?
    /// The other errors of the same folder or file, in the order of its files. Empty if there is only one error.
    public package(set) var others: [CertificateFileError] = []

    /// The kind that the label or the structure of a malformed object indicates. Nil for other errors.
    var kind: ObjectKind?
    /// The actual kind of an object whose label names another kind. Nil for other errors.
    var found: ObjectKind?
    var expectation: Expectation

    init(
        _ code: ErrorCode, file: String?, object: Int? = nil, expecting expectation: Expectation = .certificates
    ) {
        self.code = code
        self.file = file
        self.object = object
        self.expectation = expectation
    }

    /// Creates the error of a folder from all errors of its files, or returns nil without errors.
    init?(_ errors: [CertificateFileError]) {
        guard let first = errors.first else { return nil }
        self = first
        others = Array(errors.dropFirst())
    }

    /// Returns a copy of the error with changed values.
    func with(_ change: (inout Self) -> Void) -> Self {
        var error = self
        change(&error)
        return error
    }
}

// MARK: - Codes

extension ErrorCode {
    /// A file is empty, or a text contains only white space.
    static let certificateFileEmpty = ErrorCode("certificateFileEmpty")
    /// A file contains no object of a kind that the reader accepts.
    static let certificateFileWithoutCertificate = ErrorCode("certificateFileWithoutCertificate")
    /// A PEM object or a base64 text can't be decoded.
    static let certificateFileUndecodable = ErrorCode("certificateFileUndecodable")
    /// The bytes of an object don't match its label or its structure.
    static let certificateFileMalformed = ErrorCode("certificateFileMalformed")
    /// An object's kind differs from its label.
    static let certificateFileMislabelled = ErrorCode("certificateFileMislabelled")
    /// An object is OpenSSL's `TRUSTED CERTIFICATE`, whose trust settings this package doesn't read.
    static let certificateFileTrustedCertificate = ErrorCode("certificateFileTrustedCertificate")
    /// An object is a private key, encrypted or not.
    static let certificateFilePrivateKey = ErrorCode("certificateFilePrivateKey")
    /// An RSA public key in DER (PKCS #1) has no label, so it looks like any other pair of numbers.
    static let certificateFileUnlabelledKey = ErrorCode("certificateFileUnlabelledKey")
    /// The signature of a certificate request is wrong. The request was altered or damaged.
    static let certificateFileRequestInvalid = ErrorCode("certificateFileRequestInvalid")
    /// A certificate request uses an unsupported signature algorithm.
    static let certificateFileRequestNotVerifiable = ErrorCode("certificateFileRequestNotVerifiable")
    /// A text was encoded twice: it is base64 of a PEM text.
    static let certificateFileEncodedTwice = ErrorCode("certificateFileEncodedTwice")
    /// A text doesn't contain exactly one certificate and nothing more.
    static let certificateFileOtherObjects = ErrorCode("certificateFileOtherObjects")
    /// A path doesn't exist, or it is a broken symbolic link.
    public static let certificateFileMissing = ErrorCode("certificateFileMissing")
    /// The system denies reading a file.
    static let certificateFileUnreadable = ErrorCode("certificateFileUnreadable")
    /// A path names a pipe, a socket or a device instead of a file. It was not opened.
    static let certificateFileNotRegular = ErrorCode("certificateFileNotRegular")
    /// A file is larger than 8 MiB.
    static let certificateFileTooLarge = ErrorCode("certificateFileTooLarge")
    /// The path of a folder names a file.
    static let certificateFolderIsFile = ErrorCode("certificateFolderIsFile")
    /// The system denies listing a folder.
    static let certificateFolderUnreadable = ErrorCode("certificateFolderUnreadable")
    /// A folder contains no file with a certificate extension.
    static let certificateFolderWithoutFiles = ErrorCode("certificateFolderWithoutFiles")
}

// MARK: - Message

extension CertificateFileError {
    /// One readable line per error. The wording may change.
    public var message: String { ([self] + others).map(\.sentence).joined(separator: "\n") }

    private var sentence: String {
        let name = file ?? "the text"
        let place = object.map { file == nil ? name : "\(name): object \($0)" } ?? name
        let words = kind?.words ?? "a certificate"
        switch code {
        case .certificateFileEmpty: return "\(name): empty, \(expected)"
        case .certificateFileWithoutCertificate:
            guard expectation == .pinSources else { return "\(name): contains no certificate, \(expected)" }
            return labels.isEmpty
                ? "\(name): nothing to pin, \(expected) in PEM or DER"
                : "\(name): only \(listedLabels), \(expected)"
        case .certificateFileUndecodable:
            guard let pem else { return "\(name): not base64 at byte \(offset ?? 0), \(expected)" }
            return "\(name): \(pem)"
        case .certificateFileMalformed:
            guard let field else { return "\(place) is not \(words), but another structure in DER" }
            return "\(place) is not \(words): \(field)"
        case .certificateFileMislabelled:
            let other = found?.words ?? "another object"
            return "\(place) is labeled \(listedLabels) but is \(other), expected \(words)"
        case .certificateFileTrustedCertificate:
            return "\(place) is a TRUSTED CERTIFICATE of OpenSSL; convert it with \"openssl x509\""
        case .certificateFilePrivateKey:
            return
                "\(place) is a private key, \(expected); keep it where it is, and write its public key to another file with \"openssl pkey -pubout\""
        case .certificateFileUnlabelledKey:
            return
                "\(place) has the form of a PKCS #1 RSA public key, which is ambiguous without a label; convert it with \"openssl rsa -RSAPublicKey_in -inform DER -pubout\""
        case .certificateFileRequestInvalid:
            return "\(place) is a certificate request whose signature is wrong: it was altered or damaged"
        case .certificateFileRequestNotVerifiable:
            let algorithm = signatureAlgorithm.map { " (algorithm \($0))" } ?? ""
            return
                "\(place) is a certificate request whose signature can't be verified here\(algorithm); take its public key with \"openssl req -noout -pubkey\""
        case .certificateFileEncodedTwice: return "\(name): base64 of a PEM text, \(expected): decode it once"
        case .certificateFileOtherObjects: return "\(name): contains \(listedLabels), \(expected)"
        case .certificateFileMissing: return "\(name): no such file or folder"
        case .certificateFileUnreadable: return "\(name): the file can't be read"
        case .certificateFileNotRegular: return "\(name): a pipe, socket or device, expected a file"
        case .certificateFileTooLarge:
            return "\(name): \(size ?? 0) bytes, expected at most \(CertificateFolder.maximumFileSize)"
        case .certificateFolderIsFile: return "\(name): a file, expected a folder with certificates"
        case .certificateFolderUnreadable: return "\(name): the folder can't be read"
        case .certificateFolderWithoutFiles where brokenLinks != nil:
            return "\(name): \(brokenLinkWords ?? "no certificate in this folder")"
        case .certificateFolderWithoutFiles:
            let extensions = CertificateFolder.fileExtensions.sorted().map { "." + $0 }.joined(separator: ", ")
            return "\(name): no certificate in this folder, expected files ending in \(extensions)"
        default: return "\(place): \(code)"
        }
    }

    /// The remedy for a folder whose links lead to no file. Nil for other errors.
    var brokenLinkWords: String? {
        guard let brokenLinks, brokenLinks > 0 else { return nil }
        return
            "\(brokenLinks) \(brokenLinks == 1 ? "link that leads" : "links, none of which leads") to a file; copy the folder with \"cp -rL\", or mount the folder that the links name"
    }

    private var expected: String {
        switch expectation {
        case .certificates: "expected a certificate in PEM (-----BEGIN CERTIFICATE-----) or DER"
        case .pinSources: "expected a certificate, a public key or a certificate request"
        case .text: "expected one certificate, as base64 of its DER or as PEM"
        }
    }

    /// The labels in one text. Names at most four of them, because a bundle may contain hundreds.
    private var listedLabels: String {
        let shown = labels.prefix(4).joined(separator: ", ")
        return labels.count > 4 ? "\(labels.count) PEM objects: \(shown), …" : shown
    }
}

extension CertificateFileError {
    /// Creates the error of a file or text without objects.
    init(_ failure: ObjectReader.Failure, file: String?, expecting expectation: Expectation) {
        switch failure {
        case .empty: self.init(.certificateFileEmpty, file: file, expecting: expectation)
        case .encodedPEM: self.init(.certificateFileEncodedTwice, file: file, expecting: expectation)
        case .notBase64(let offset, let line):
            self.init(.certificateFileUndecodable, file: file, expecting: expectation)
            self.offset = offset
            self.line = line
        }
    }

    /// Creates the error of one object.
    init(_ code: ErrorCode, file: String?, _ object: FoundObject, expecting expectation: Expectation) {
        self.init(code, file: file, object: object.number, expecting: expectation)
        labels = object.label.map { [$0] } ?? []
        line = object.line
        if case .undecodable(let error) = object.contents {
            offset = error.offset
            pem = error
        }
    }
}
