// SPDX-License-Identifier: Apache-2.0

/// What is said beside the answer: on standard error, a line each, the program's name first.
enum Talk {
    static func warn(_ text: String) { say("warning", text) }
    static func error(_ text: String) { say("error", text) }
    static func hint(_ text: String) { say("hint", text) }

    private static func say(_ kind: String, _ text: String) {
        // If standard error can't be written to there is nobody left to tell.
        try? StandardStream.error.writeLine("servertrust: \(kind): \(printable(text))")
    }
}

/// No answer was reached: ends the process with exit code 2.
struct CommandFailure: Error {
    var errors: [String]
    /// What to do about it.
    var hint: String?

    init(_ error: String, hint: String? = nil) {
        self.init(errors: [error], hint: hint)
    }

    init(errors: [String], hint: String? = nil) {
        self.errors = errors
        self.hint = hint
    }

    func tell() {
        for error in errors { Talk.error(error) }
        if let hint { Talk.hint(hint) }
    }
}
