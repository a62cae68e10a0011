// SPDX-License-Identifier: Apache-2.0

extension PinConfiguration {
    /// Parses this package's own format. Its schema is `Documentation/pins.schema.json`.
    /// - Parameters:
    ///   - bytes: the file's contents, at most 32 MiB.
    ///   - file: the file's name, for errors.
    /// - Throws: ``PinFileError`` with all problems.
    public init(json bytes: [UInt8], file: String) throws(PinFileError) {
        self = try JSONPinReader.read(try PinNode(json: bytes, file: file), file: file)
    }
}
