// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

/// `servertrust records`: the verbs for folders with records of verdicts.
struct Records: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "records", abstract: "Show and delete records of verdicts.",
        subcommands: [RecordsList.self, RecordsDelete.self])
}

/// The arguments of both verbs.
struct RecordsArguments: ParsableArguments {
    @Argument(help: "The folder with the records.", completion: .directory)
    var folder: String

    @Option(help: "Set the report format.")
    var format: OutputFormat = .text

    /// Runs `body` with the folder.
    /// - Throws: ``CommandFailure`` if the folder can't be read.
    func run<Value>(_ body: (RecordFolder) throws(SystemError) -> Value) throws(CommandFailure) -> Value {
        try CommandFailure.of(folder) { try body(RecordFolder(folder)) }
    }

    /// Writes a table or JSON about files.
    func write(_ files: [RecordFolder.File], empty: String) throws {
        try format.write { palette in
            guard !files.isEmpty else { return empty + "\n" }
            let header = "bytes".padded(to: 12) + "written".padded(to: 22) + "file"
            let rows = files.map { file in
                "\(file.size)".padded(to: 12) + Time(secondsSinceEpoch: file.modified).description.padded(to: 22)
                    + printable(file.name) + (file.isInUse ? " (in use)" : "")
            }
            return ([palette.bold(header)] + rows).joined(separator: "\n") + "\n"
        } json: {
            JSONWriter.answer(of: files) { json, file in
                json.member("file", file.name)
                json.member("bytes", file.size)
                json.member("written", Time(secondsSinceEpoch: file.modified).description)
                json.member("inUse", file.isInUse)
            }
        }
    }
}

/// `servertrust records list`: shows the files of a folder.
struct RecordsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "records list", abstract: "Show the files with records, oldest first.")

    @OptionGroup var arguments: RecordsArguments

    func run() throws {
        let files = try arguments.run { folder throws(SystemError) in try folder.files() }
        try arguments.write(files, empty: "the folder has no records")
    }
}

/// `servertrust records delete`: deletes files of a folder.
struct RecordsDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "records delete", abstract: "Delete files with records that no program is writing.")

    @OptionGroup var arguments: RecordsArguments

    @Option(help: .book("records delete --older-than"), transform: reading(TimeSpan.withUnit))
    var olderThan: TimeSpan?

    func run() throws {
        let now = Time.now().secondsSinceEpoch
        let deleted = try arguments.run { folder throws(SystemError) in
            // Every file is older than the end of time.
            let oldest = olderThan.map { now - Int64($0.milliseconds / 1000) } ?? .max
            return try folder.prune(maximumSize: .max, oldest: oldest)
        }
        try arguments.write(deleted, empty: "nothing to delete")
    }
}
