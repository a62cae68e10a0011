// SPDX-License-Identifier: Apache-2.0

/// An error of this package, with a code for programs and a message for people.
///
/// ```swift
/// do {
///     let host = try Hostname(text)
/// } catch where error.code == .hostEmpty {
///     …
/// }
/// ```
/// Every public error of the package conforms. Codes are stable. Messages may change between versions. `servertrust explain CODE` has the
/// remedy for each code.
public protocol TrustError: Error, Sendable, CustomStringConvertible {
    /// The type of the code: ``ErrorCode``, or ``TrustFailure/Code-swift.struct`` for failures of a path.
    associatedtype Code: TrustErrorCode
    /// The kind of error, for programs.
    var code: Code { get }
    /// One line for people, with values and place. The wording may change between versions.
    var message: String { get }
}

extension TrustError {
    public var description: String { message }
}

/// A stable code for a kind of error.
public protocol TrustErrorCode: Hashable, Sendable, CustomStringConvertible {
    /// The name, such as `hostEmpty`. It is stable, and no other code of the package has it.
    var name: String { get }
}

/// The code of an error that isn't a failure of a path: of a host that can't be read, of a file, of a connection.
///
/// The constants stand beside the errors that have them. More may come with a new version, so a `switch` needs a `default`.
public struct ErrorCode: TrustErrorCode {
    public let name: String

    package init(_ name: String) { self.name = name }

    public var description: String { name }
}

/// A code is its ``name`` in stored form. Decoding takes every name, because later versions have more codes.
extension ErrorCode: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
