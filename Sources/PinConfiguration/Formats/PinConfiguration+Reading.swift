extension PinConfiguration {
    /// More than any file of pins, and little enough to keep in memory: 10,000 domains with ten pins each are 8 MiB.
    public static let maximumFileSize = 32 << 20

    /// Reads a file with the meaning that its format's owner gives it. Strict: what the owner skips silently is an error here.
    /// - Parameters:
    ///   - bytes: the file's contents, at most ``maximumFileSize``.
    ///   - format: what it is; nil to find out.
    ///   - file: the file's name, for errors.
    /// - Throws: ``PinFileError`` with everything that is wrong.
    public init(reading bytes: [UInt8], as format: PinFormat? = nil, file: String) throws(PinFileError) {
        throw PinFileError(PinFileProblem(.formatUnclear, at: PinPlace(file: file), "not read yet"))
    }
}
