// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A prompt on the terminal that doesn't show the user's answer.
enum TerminalPrompt {
    /// The maximum length of an answer in bytes.
    private static let maximumSize = 1_024

    /// Asks for a secret on the controlling terminal, without echo.
    /// - Returns: the secret, or nil if there is no terminal or the user pressed Ctrl-C or Ctrl-D.
    static func secret(_ question: String) -> String? {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var settings = termios()
        guard tcgetattr(terminal, &settings) == 0 else { return nil }
        var silent = settings
        // Ctrl-C must arrive as a byte: a signal would leave the terminal without echo.
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        guard tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else { return nil }
        defer { _ = tcsetattr(terminal, TCSAFLUSH, &settings) }
        write(question, to: terminal)
        defer { write("\n", to: terminal) }
        return answer(from: terminal)
    }

    private static func answer(from terminal: Int32) -> String? {
        var answer: [UInt8] = []
        while true {
            var byte: UInt8 = 0
            let count = read(terminal, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return nil }
            switch byte {
            case 0x0a, 0x0d: return String(validating: answer, as: UTF8.self)
            // Ctrl-C and Ctrl-D.
            case 0x03, 0x04: return nil
            case 0x08, 0x7f:
                // Deletes a whole UTF-8 character.
                while let last = answer.popLast(), last & 0xc0 == 0x80 {}
            // Ctrl-U.
            case 0x15: answer = []
            default:
                guard answer.count < maximumSize else { return nil }
                answer.append(byte)
            }
        }
    }

    private static func write(_ text: String, to terminal: Int32) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Foundation.write(terminal, $0.baseAddress, $0.count) }
    }
}
