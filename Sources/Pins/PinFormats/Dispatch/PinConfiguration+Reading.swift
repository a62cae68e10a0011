// SPDX-License-Identifier: Apache-2.0

import PinModel

extension PinConfiguration {
    /// Reads a file of a format that apps use at run time, with the semantics of the format.
    ///
    /// The formats are ATS, TrustKit and Android, the lists of OkHttp, the property lists of ISPCertificatePinning, and our own JSON.
    /// PinFiles reads sources and the files of tools as well.
    ///
    /// Reading is strict: values that the format's own implementation skips silently are problems here.
    /// - Parameters:
    ///   - bytes: the file's contents, at most 32 MiB.
    ///   - format: the format; nil to detect it.
    ///   - file: the file's name, for errors.
    /// - Throws: `PinFileError` with all problems.
    public init(reading bytes: [UInt8], as format: PinFormat? = nil, file: String) throws(PinFileError) {
        self = try PinFile(bytes, file: file, readers: PinFormatReader.atRunTime).configuration(format)
    }
}
