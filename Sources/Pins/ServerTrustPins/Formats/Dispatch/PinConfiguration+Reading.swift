// SPDX-License-Identifier: Apache-2.0

extension PinConfiguration {
    /// Parses a file in a format that apps use at run time, with the semantics of the format.
    ///
    /// The formats are ATS, TrustKit, Android, OkHttp lists, ISPCertificatePinning property lists, and this package's
    /// JSON. PinFiles also parses source code and the configuration files of tools.
    ///
    /// Parsing is strict: values that the format's own implementation skips silently are problems here.
    /// - Parameters:
    ///   - bytes: the file's contents, at most 32 MiB.
    ///   - format: the format, or nil to detect it.
    ///   - file: the file's name, for errors.
    /// - Throws: `PinFileError` with all problems.
    public init(reading bytes: [UInt8], as format: PinFormat? = nil, file: String) throws(PinFileError) {
        self = try PinFile(bytes, file: file, readers: PinFormatReader.atRunTime).configuration(format)
    }
}
