// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PinLint
import ServerTrust

extension PinFormat: ExpressibleByArgument {
    public init?(argument: String) {
        guard let format = PinFormat.named(argument) else { return nil }
        self = format
    }

    public static var allValueStrings: [String] { all.map(\.name) }
}

/// A reader for a pin file that the command line names.
enum PinInput {
    /// Reads a pin file.
    /// - Throws: ``CommandFailure`` with all problems of the file.
    static func configuration(_ name: String, _ format: PinFormat?) throws(CommandFailure) -> PinConfiguration {
        try configuration(try InputFile.read(name), name, format)
    }

    /// Parses the contents of a pin file.
    /// - Throws: ``CommandFailure`` with all problems of the file.
    static func configuration(
        _ bytes: [UInt8], _ name: String, _ format: PinFormat?
    ) throws(CommandFailure) -> PinConfiguration {
        do throws(PinFileError) {
            return try PinConfiguration(importing: bytes, as: format, file: InputFile.displayName(name))
        } catch {
            let isUnclear = error.problems.contains { $0.code == .pinFileFormatUnclear }
            throw CommandFailure(
                errors: error.problems.map(\.description),
                hint: isUnclear ? "name the format with --from" : nil)
        }
    }
}
