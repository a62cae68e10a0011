// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

/// A pin file for the linter: its configuration, or the problems that prevent one.
public struct PinLintSource: Sendable {
    /// The file's name, as the caller passed it.
    public let file: String
    /// The format, or nil if unknown.
    public let format: PinFormat?
    /// The configuration, or the problems of the file.
    package let contents: Result<PinConfiguration, PinFileError>
    /// The file's bytes in UTF-8, for comments and regions. Empty if unknown.
    package private(set) var bytes: [UInt8] = []

    /// Creates a source from the result of reading a file.
    init(file: String, format: PinFormat? = nil, contents: Result<PinConfiguration, PinFileError>) {
        self.file = file
        self.format = format
        self.contents = contents
    }

    /// Creates a source from a configuration.
    public init(file: String, format: PinFormat? = nil, _ configuration: PinConfiguration) {
        self.init(file: file, format: format, contents: .success(configuration))
    }

    /// The configuration, or nil if the file has problems.
    public var configuration: PinConfiguration? { try? contents.get() }

    /// Whether the linter checks at least some of the file's rules.
    var isChecked: Bool { if case .failure(let error) = contents { !error.rest.isEmpty } else { true } }
}

extension PinLintSource {
    /// Parses a file. See `PinConfiguration(importing:as:file:)` in PinFiles.
    /// - Parameters:
    ///   - bytes: the file's contents.
    ///   - format: the format, or nil to detect it.
    ///   - file: the file's name, for locations.
    /// - Returns: one source, or two for an `Info.plist` with pins for both the system and TrustKit.
    public static func sources(reading bytes: [UInt8], as format: PinFormat? = nil, file: String) -> [PinLintSource] {
        if let format { return [PinLintSource(reading: bytes, as: format, file: file)] }
        do throws(PinFileError) {
            return [PinLintSource(reading: bytes, as: try PinFormat(of: bytes, file: file), file: file)]
        } catch {
            let both = [PinFormat.ats, .trustKit].map { PinLintSource(reading: bytes, as: $0, file: file) }
            let isUnclear = error.problems.contains { $0.code == .pinFileFormatUnclear }
            let isBoth =
                isUnclear
                && both.allSatisfy { source in
                    if case .failure(let error) = source.contents {
                        let others: [ErrorCode] = [.pinFileUnreadable, .pinFileFormatUnclear, .pinFileMissingKey]
                        return !error.problems.contains { others.contains($0.code) }
                    }
                    return true
                }
            return isBoth ? both : [PinLintSource(file: file, contents: .failure(error))]
        }
    }

    private init(reading bytes: [UInt8], as format: PinFormat, file: String) {
        do throws(PinFileError) {
            self.init(file: file, format: format, try PinConfiguration(importing: bytes, as: format, file: file))
        } catch {
            self.init(file: file, format: format, contents: .failure(error))
        }
        self.bytes = PinFormat.inUTF8(bytes)
    }
}
