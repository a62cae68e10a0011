// SPDX-License-Identifier: Apache-2.0

/// Messages beside the result: on standard error, a line each, the program's name first.
enum Diagnostics {
    static func warn(_ text: String) { say("warning", text) }
    static func error(_ text: String) { say("error", text) }
    static func note(_ text: String) { say("note", text) }
    static func hint(_ text: String) { say("hint", text) }

    private static func say(_ kind: String, _ text: String) {
        // If standard error can't be written to, there is no other channel.
        try? StandardStream.error.writeLine("servertrust: \(kind): \(printable(text))")
    }
}

/// An error without a result, which ends the process with exit code 2.
struct CommandFailure: Error {
    var errors: [String]
    /// The remedy; nil for none.
    var hint: String?

    init(_ error: String, hint: String? = nil) {
        self.init(errors: [error], hint: hint)
    }

    init(errors: [String], hint: String? = nil) {
        self.errors = errors
        self.hint = hint
    }

    func report() {
        for error in errors { Diagnostics.error(error) }
        if let hint { Diagnostics.hint(hint) }
    }
}
