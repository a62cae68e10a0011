import Foundation

/// The bytes of a file, or of standard input where the name is `-`.
enum InputFile {
    /// More than any set of certificates that is in use, and little enough to keep in memory.
    static let maximumSize = 256 << 20

    /// The name for errors.
    static func displayName(_ name: String) -> String { name == "-" ? "standard input" : name }

    /// - Throws: ``CommandFailure`` that names the file and what is wrong with it.
    static func read(_ name: String) throws(CommandFailure) -> [UInt8] {
        let descriptor = name == "-" ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(name, errno) }
        defer { if name != "-" { close(descriptor) } }
        var bytes: [UInt8] = []
        while true {
            let start = bytes.count
            let room = 64 << 10
            var count = 0
            bytes.reserveCapacity(start + room)
            bytes.append(contentsOf: repeatElement(0, count: room))
            repeat {
                count = bytes.withUnsafeMutableBytes {
                    Foundation.read(descriptor, $0.baseAddress?.advanced(by: start), room)
                }
                if count < 0, errno == EAGAIN { waitUntilReady(descriptor, POLLIN) }
            } while count < 0 && (errno == EINTR || errno == EAGAIN)
            guard count >= 0 else { throw failure(name, errno) }
            bytes.removeLast(room - count)
            if count == 0 { return bytes }
            guard bytes.count <= maximumSize else {
                throw CommandFailure("\(displayName(name)): over \(maximumSize >> 20) MiB, expected certificates")
            }
        }
    }

    private static func failure(_ name: String, _ code: Int32) -> CommandFailure {
        CommandFailure("\(displayName(name)): \(String(cString: strerror(code)))")
    }
}
