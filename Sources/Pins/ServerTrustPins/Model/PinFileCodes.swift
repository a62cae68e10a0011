// SPDX-License-Identifier: Apache-2.0

import ServerTrust

extension ErrorCode {
    /// The file can't be parsed as XML, JSON or a property list.
    public static let pinFileUnreadable = ErrorCode("pinFileUnreadable")
    /// The file is larger than the maximum size, or nested too deeply.
    package static let pinFileTooLarge = ErrorCode("pinFileTooLarge")
    /// The file matches no format, or several formats.
    package static let pinFileFormatUnclear = ErrorCode("pinFileFormatUnclear")
    /// The XML has a document type, or declares or uses an internal or external entity.
    static let pinFileEntity = ErrorCode("pinFileEntity")
    /// A key, element or attribute that the format doesn't have.
    package static let pinFileUnknownKey = ErrorCode("pinFileUnknownKey")
    /// A required key is missing.
    package static let pinFileMissingKey = ErrorCode("pinFileMissingKey")
    /// A key occurs twice.
    package static let pinFileDuplicateKey = ErrorCode("pinFileDuplicateKey")
    /// A value doesn't have the type that the format defines for the key.
    package static let pinFileWrongType = ErrorCode("pinFileWrongType")
    /// A value has the right type, but the format doesn't define it.
    package static let pinFileBadValue = ErrorCode("pinFileBadValue")
    /// A pin that isn't base64.
    package static let pinFileBadBase64 = ErrorCode("pinFileBadBase64")
    /// A pin that isn't 32 bytes.
    static let pinFileWrongLength = ErrorCode("pinFileWrongLength")
    /// A pin with a digest other than SHA-256.
    package static let pinFileBadDigest = ErrorCode("pinFileBadDigest")
    /// A string that isn't a date.
    package static let pinFileBadDate = ErrorCode("pinFileBadDate")
    /// A string that isn't a domain, or a domain that the format's implementation can't match.
    package static let pinFileBadHost = ErrorCode("pinFileBadHost")
    /// A domain in a form that the format's implementation accepts but no host has. Its rule is never used.
    package static let pinFileUnmatchableHost = ErrorCode("pinFileUnmatchableHost")
    /// A key with pins in a place where the format's implementation doesn't look for it. Its pins are left out, and the
    /// rest of the file can't be enforced.
    package static let pinFileMisplacedKey = ErrorCode("pinFileMisplacedKey")
    /// An entry that the format's implementation accepts but that pins no host: a name that no host has, or an entry
    /// that the implementation skips. The entry is left out, and the rest of the file can't be enforced.
    package static let pinFileNothingPinned = ErrorCode("pinFileNothingPinned")
    /// A domain occurs twice, perhaps in a different case or with a trailing dot.
    package static let pinFileDuplicateHost = ErrorCode("pinFileDuplicateHost")
    /// A list without elements.
    public static let pinFileEmptyList = ErrorCode("pinFileEmptyList")
    /// A pin occurs twice.
    package static let pinFileDuplicatePin = ErrorCode("pinFileDuplicatePin")
    /// A pin that isn't 32 bytes in base64, in a format whose implementation skips it. No key matches it.
    package static let pinFileUnmatchablePin = ErrorCode("pinFileUnmatchablePin")
    /// The format's implementation requires more pins.
    package static let pinFileTooFewPins = ErrorCode("pinFileTooFewPins")
    /// Data that isn't a certificate.
    static let pinFileBadCertificate = ErrorCode("pinFileBadCertificate")
    /// A string that isn't a URL, or a URL that can't receive reports.
    package static let pinFileBadURI = ErrorCode("pinFileBadURI")
    /// A value in a source file that isn't a literal, so it is unknown. The rules in such a file aren't enforced,
    /// because some are missing.
    package static let pinFileNotLiteral = ErrorCode("pinFileNotLiteral")
    /// Keys that can't be used together, or a domain without the parent domain that it requires.
    package static let pinFileContradiction = ErrorCode("pinFileContradiction")

    /// The codes for problems in pin files.
    package static let pinFile: [ErrorCode] = [
        .pinFileUnreadable, .pinFileTooLarge, .pinFileFormatUnclear, .pinFileEntity, .pinFileUnknownKey,
        .pinFileMissingKey, .pinFileDuplicateKey, .pinFileWrongType, .pinFileBadValue, .pinFileBadBase64,
        .pinFileWrongLength, .pinFileBadDigest, .pinFileBadDate, .pinFileBadHost, .pinFileUnmatchableHost,
        .pinFileNothingPinned, .pinFileMisplacedKey, .pinFileDuplicateHost, .pinFileEmptyList, .pinFileDuplicatePin,
        .pinFileUnmatchablePin, .pinFileTooFewPins, .pinFileBadCertificate, .pinFileBadURI, .pinFileNotLiteral,
        .pinFileContradiction,
    ]

    /// The name without `pinFile`, as in reports and the identifiers of lint rules: `badBase64`.
    package var inPinFile: String { without("pinFile") }

    /// Returns the name without a prefix, or the name itself if it has another prefix.
    func without(_ prefix: String) -> String {
        guard name.hasPrefix(prefix) else { return name }
        let rest = name.dropFirst(prefix.count)
        return rest.prefix(1).lowercased() + rest.dropFirst()
    }
}
