// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import PrivateCA

/// The entry point of the process, and the only place that ends it.
@main
enum Program {
    static func main() async {
        // If the output is closed, the write fails, without a signal (see `StandardStream`).
        signal(SIGPIPE, SIG_IGN)
        var arguments: [String] = []
        do {
            arguments = OptionAliases.replaced(in: HelpPages.request(in: try Self.arguments()))
            try VerbNames.check(arguments)
            var command = try ServerTrustCommand.parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: (error as? AuthorityFolderError)?.reported ?? error, arguments)
        }
    }

    /// Ends the process with a failure. For another error, uses the argument parser's message and exit code. Help goes
    /// to standard output, errors to standard error.
    ///
    /// The parser repeats arguments verbatim. They may come from an untrusted source, so characters that control a
    /// terminal are removed.
    private static func end(with error: any Error, _ arguments: [String]) -> Never {
        if let failure = error as? CommandFailure {
            failure.report()
            Foundation.exit(failure.status.rawValue)
        }
        // `servertrust … | head -1`: the reader closed the pipe on purpose, so there is no message.
        if error is OutputClosed { Foundation.exit(ExitCodes.couldNotEvaluate.rawValue) }
        let code = ServerTrustCommand.exitCode(for: error)
        let message = ServerTrustCommand.fullMessage(for: error)
        guard !message.isEmpty else { Foundation.exit(code.rawValue) }
        do {
            if code.isSuccess {
                try StandardStream.output.writeLine(HelpPages.page(message, arguments))
            } else {
                try StandardStream.error.writeLine(
                    UsageMessage.sanitized(UnknownOption.named(in: message, arguments), CommandLine.arguments))
            }
        } catch {
            Foundation.exit(ExitCodes.couldNotEvaluate.rawValue)
        }
        Foundation.exit(code.rawValue)
    }

    /// Returns the arguments after the program's name.
    /// - Throws: ``CommandFailure`` if /proc doesn't show this process. An empty argument list means the same, because
    ///   the first argument is the program's name.
    private static func arguments() throws(CommandFailure) -> [String] {
        guard isInProc, !CommandLine.arguments.isEmpty else {
            throw CommandFailure(
                "/proc doesn't show this process, but servertrust needs it to read its arguments and to run threads",
                hint: "mount it where servertrust runs, including in a chroot or container: mount -t proc proc /proc")
        }
        return Array(CommandLine.arguments.dropFirst())
    }

    /// Whether /proc is mounted and shows this process.
    ///
    /// On Linux the standard library reads arguments from /proc/self/cmdline and returns none without that file.
    /// libdispatch reads /proc/THREAD/stat and ends the process if it can't open it. The main thread's number is that
    /// of the process.
    private static var isInProc: Bool {
        #if os(Linux)
        access("/proc/\(getpid())/stat", R_OK) == 0
        #else
        true
        #endif
    }
}

/// `servertrust`, the parent of all verbs.
struct ServerTrustCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "servertrust",
        abstract: "Check whether a server's certificates are trusted, and why not.",
        discussion: HelpDetail.isWhole ? HelpDetail.lines("servertrust").joined(separator: "\n") : "",
        subcommands: [
            Check.self, Verify.self, Audit.self, Inspect.self, Explain.self, PinVerbs.self, CA.self, Roots.self,
            Cache.self, Records.self,
            LabVerbs.self, CT.self,
        ],
        groupedSubcommands: [CommandGroup(name: "Help Topic", subcommands: TopicCommands.all)]
    )

    static var _errorPrefix: String { "servertrust: error: " }

    // With the configuration's own version, the page of every topic would offer this option.
    @Flag(name: .customLong("version"), help: "Show the version.")
    var showsVersion = false

    func run() throws {
        guard showsVersion else { throw CleanExit.helpRequest(self) }
        try StandardStream.output.writeLine("servertrust \(ToolVersion.current)")
    }
}
