// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Messages in addition to the result: on standard error, one per line, starting with the program's name.
enum Diagnostics {
    static func warn(_ text: String) { say("warning", text) }
    static func error(_ text: String) { say("error", text) }
    static func note(_ text: String) { say("note", text) }
    static func hint(_ text: String) { say("hint", text) }

    private static func say(_ kind: String, _ text: String) {
        // If writing to standard error fails, no other channel is left.
        try? StandardStream.error.writeLine("servertrust: \(kind): \(printable(text))")
    }
}

/// An error that ends the process.
struct CommandFailure: Error {
    var errors: [String]
    /// The remedy, or nil if there isn't one.
    var hint: String?
    /// The exit code. By default, there is no result.
    private(set) var status = ExitCodes.couldNotEvaluate

    init(_ error: String, hint: String? = nil) {
        self.init(errors: [error], hint: hint)
    }

    init(errors: [String], hint: String? = nil) {
        self.errors = errors
        self.hint = hint
    }

    /// Returns the refusal of the arguments' contents, with exit code 1 unless you pass another.
    static func rejected(_ error: String, hint: String? = nil, status: ExitCode = ExitCodes.rejected) -> CommandFailure
    {
        var failure = CommandFailure(error, hint: hint)
        failure.status = status
        return failure
    }

    /// Runs `body`, and turns an error of a library into a failure of the command.
    /// - Parameters:
    ///   - place: the file or other place that the message begins with, or nil for the error's own message.
    ///   - hint: the remedy, or nil if there isn't one.
    ///   - status: the exit code.
    /// - Throws: ``CommandFailure``. One that `body` throws stays as it is.
    static func of<Value>(
        _ place: String? = nil, hint: String? = nil, status: ExitCode = ExitCodes.couldNotEvaluate,
        _ body: () throws -> Value
    ) throws(CommandFailure) -> Value {
        do { return try body() } catch { throw CommandFailure(error, place, hint, status) }
    }

    /// Does the same as ``of(_:hint:status:_:)`` with a `body` that waits.
    static func awaiting<Value>(
        _ place: String? = nil, hint: String? = nil, _ body: () async throws -> Value
    ) async throws(CommandFailure) -> Value {
        do { return try await body() } catch { throw CommandFailure(error, place, hint, ExitCodes.couldNotEvaluate) }
    }

    private init(_ error: any Error, _ place: String?, _ hint: String?, _ status: ExitCode) {
        self = error as? CommandFailure ?? CommandFailure((place.map { "\($0): " } ?? "") + "\(error)", hint: hint)
        if !(error is CommandFailure) { self.status = status }
    }

    /// Returns the values of all elements together.
    /// - Throws: ``CommandFailure`` with the errors of all elements that have any.
    static func all<Element, Value>(
        _ elements: some Sequence<Element>, hint: String? = nil, _ values: (Element) throws -> [Value]
    ) throws(CommandFailure) -> [Value] {
        var all: [Value] = []
        var errors: [String] = []
        for element in elements {
            do throws(CommandFailure) { all += try of { try values(element) } } catch { errors += error.errors }
        }
        guard errors.isEmpty else { throw CommandFailure(errors: errors, hint: hint) }
        return all
    }

    func report() {
        for error in errors { Diagnostics.error(error) }
        if let hint { Diagnostics.hint(hint) }
    }
}

/// The exit codes. They never change. `servertrust help exit-codes` documents them.
enum ExitCodes {
    /// A rejected server or chain, or a finding.
    static let rejected = ExitCode(1)
    /// An error of input or output, or unreadable input.
    static let couldNotEvaluate = ExitCode(2)
    /// A rehearsal whose records don't contain the answer.
    static let notKnown = ExitCode(3)
}
