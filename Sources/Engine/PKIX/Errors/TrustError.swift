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
/// Every public error of the package conforms to this protocol. Codes are stable. Messages may change between versions.
/// To see the remedy for a code, run `servertrust explain CODE`.
public protocol TrustError: Error, Sendable, CustomStringConvertible {
    /// The type of the code: ``ErrorCode``, or ``TrustFailure/Code-swift.struct`` for failures of a path.
    associatedtype Code: TrustErrorCode
    /// The kind of error, for programs.
    var code: Code { get }
    /// One line for people, with values and their location. The wording may change between versions.
    var message: String { get }
}

extension TrustError {
    public var description: String { message }
}

/// A stable code for a kind of error.
public protocol TrustErrorCode: Hashable, Sendable, CustomStringConvertible {
    /// The name, such as `hostEmpty`. It is stable and unique within the package.
    var name: String { get }
}

/// The code of an error that isn't a failure of a path, for example an error in a host name, a file or a connection.
///
/// Each constant is declared next to the error that uses it. Future versions may add more, so a `switch` needs a
/// `default`.
public struct ErrorCode: TrustErrorCode {
    public let name: String

    package init(_ name: String) { self.name = name }

    public var description: String { name }
}

/// A code is stored as its ``name``. Decoding accepts every name, because later versions have more codes.
extension ErrorCode: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try String(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        try name.encode(to: encoder)
    }
}
