// SPDX-License-Identifier: Apache-2.0

/// A location in a pin file.
public struct PinFileLocation: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The file's name, as the caller passed it.
    public var file: String
    /// The line, from 1, or nil in a format without lines (binary property lists).
    public var line: Int?
    /// The keys and indices from the file's root: `NSPinnedDomains.example.com.NSPinnedLeafIdentities[0]`. Empty for
    /// the whole file.
    public var keyPath: String

    /// Creates a location.
    package init(file: String, line: Int? = nil, keyPath: String = "") {
        self.file = file
        self.line = line
        self.keyPath = keyPath
    }

    /// `Info.plist:12: key path`, a human-readable form.
    public var description: String {
        file + (line.map { ":\($0)" } ?? "") + (keyPath.isEmpty ? "" : ": \(keyPath)")
    }
}
