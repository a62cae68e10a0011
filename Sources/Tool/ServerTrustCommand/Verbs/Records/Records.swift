// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

/// `servertrust records`: the verbs for folders with records of verdicts.
struct Records: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "records",
        abstract: "Show and delete records of verdicts.",
        discussion: HelpDetail.discussion(
            """
            check, verify and lab demo write records with --record, and apps with the
            TrustRecords library. A record contains a chain, its host, and everything that
            its evaluation needs. verify --batch evaluates records again.

            $ servertrust check api.example.com --record verdicts
            $ servertrust records list verdicts
            $ servertrust verify --batch verdicts/*.ndjson
            $ servertrust records delete verdicts --older-than 30d
            """),
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
        commandName: "list",
        abstract: "Show the files with records, oldest first.",
        discussion: """
            $ servertrust records list verdicts
            bytes       written               file
            81210       2026-11-21T09:30:00Z  verdicts-20261121T090000Z-4711-0.ndjson
            """)

    @OptionGroup var arguments: RecordsArguments

    func run() throws {
        let files = try arguments.run { folder throws(SystemError) in try folder.files() }
        try arguments.write(files, empty: "the folder has no records")
    }
}

/// `servertrust records delete`: deletes files of a folder.
struct RecordsDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete files with records that no program is writing.",
        usage: "servertrust records delete <folder> [<options>]",
        discussion: """
            Prints the deleted files. Also deletes the large values that no other record
            uses.

            $ servertrust records delete verdicts --older-than 30d
            """)

    @OptionGroup var arguments: RecordsArguments

    @Option(
        help: ArgumentHelp(
            "Delete only files last written before this time span. (default: all files)", valueName: "span"),
        transform: reading(TimeSpan.withUnit))
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
