// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file that appears whole or not at all, and takes the place of another only if told to.
enum OutputFile {
    /// Who may read it.
    enum Mode: mode_t {
        /// A secret: its owner alone, whatever the umask is.
        case secret = 0o600
        /// As the umask says.
        case open = 0o644
    }

    /// - Parameter replacing: whether a file of that name may be replaced.
    /// - Throws: ``CommandFailure``; nothing has changed then.
    static func write(
        _ bytes: [UInt8], to path: String, mode: Mode = .open, replacing: Bool
    ) throws(CommandFailure) {
        let partial = "\(path).\(getpid()).partial"
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode.rawValue)
        guard descriptor >= 0 else { throw failure(path) }
        defer { unlink(partial) }
        var isWritten = mode == .open || fchmod(descriptor, mode.rawValue) == 0
        isWritten = isWritten && writeAll(bytes, to: descriptor) && fsync(descriptor) == 0
        let problem = isWritten ? nil : failure(path)
        guard close(descriptor) == 0 || problem != nil else { throw failure(path) }
        if let problem { throw problem }
        if replacing {
            guard rename(partial, path) == 0 else { throw failure(path) }
        } else if link(partial, path) != 0 {
            // Unlike a look beforehand, a link can't be overtaken by somebody else's file.
            guard errno == EEXIST else { throw failure(path) }
            throw CommandFailure("\(path) is there already", hint: "--force replaces it")
        }
    }

    private static func failure(_ path: String) -> CommandFailure {
        CommandFailure("\(path): \(String(cString: strerror(errno)))")
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}
