// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The bytes of a file, or of standard input where the name is `-`.
enum InputFile {
    /// More than any set of certificates that is in use, and little enough to keep in memory.
    static let maximumSize = 256 << 20

    /// The name for errors.
    static func displayName(_ name: String) -> String { name == "-" ? "standard input" : name }

    /// Reads all of it, in time proportional to its size.
    /// - Throws: ``CommandFailure`` that names the file and what is wrong with it, its size among that.
    static func read(_ name: String) throws(CommandFailure) -> [UInt8] {
        let descriptor = name == "-" ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(name, errno) }
        defer { if name != "-" { close(descriptor) } }
        var bytes: [UInt8] = []
        // What a pipe or a device will bring isn't known; what a file brings may change while it is read.
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
            try check(Int(status.st_size), name)
            bytes.reserveCapacity(Int(status.st_size))
        }
        var chunk = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = chunk.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                waitUntilReady(descriptor, POLLIN)
                continue
            }
            guard count >= 0 else { throw failure(name, errno) }
            if count == 0 { return bytes }
            // Appending lets the array grow by a factor; a reservation for each read would copy all that was read before.
            bytes.append(contentsOf: chunk[..<count])
            try check(bytes.count, name)
        }
    }

    private static func check(_ size: Int, _ name: String) throws(CommandFailure) {
        guard size <= maximumSize else {
            throw CommandFailure("\(displayName(name)): over \(maximumSize >> 20) MiB, expected certificates")
        }
    }

    private static func failure(_ name: String, _ code: Int32) -> CommandFailure {
        CommandFailure("\(displayName(name)): \(String(cString: strerror(code)))")
    }
}
