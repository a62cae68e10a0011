// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

/// The options for lists of denied certificates.
struct DeniedOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Refuse the certificates on this list: OneCRL's JSON, or a CRLSet. May be repeated.", valueName: "file"),
        completion: .file())
    var denied: [String] = []

    /// Reads the lists. Returns nil if the options name no file.
    /// - Throws: ``CommandFailure`` with file and place if a list can't be parsed.
    func list() throws(CommandFailure) -> DeniedList? {
        var all: DeniedList?
        for file in denied { all = .union(all, try DeniedListInput.read(file).list) }
        return all
    }
}

/// A reader for files of denied certificates that the command line names.
enum DeniedListInput {
    /// Reads a list, and warns about parts that it doesn't know.
    /// - Parameter file: the name; `-` is standard input.
    /// - Returns: the list, and the bytes that it was parsed from.
    /// - Throws: ``CommandFailure`` with file and place if it can't be parsed.
    static func read(_ file: String) throws(CommandFailure) -> (list: DeniedList, bytes: [UInt8]) {
        let bytes = try InputFile.read(file)
        let name = InputFile.displayName(file)
        let hint = "expected OneCRL's JSON (the records in security-state/onecrl), or Chrome's CRLSet"
        let list = try CommandFailure.of(name, hint: hint) { try DeniedList(bytes) }
        for warning in list.warnings { Diagnostics.warn("\(name): \(warning)") }
        return (list, bytes)
    }
}
