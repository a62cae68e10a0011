// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

/// A public error as a caller gets it, with the values that it has for programs.
///
/// Each folder of Sources has a file with its rows. A row is made of the error itself, or of a call that throws it:
///
/// ```swift
/// ErrorRow(TrustFetchError(.fetchStatus, url: "http://a.example/", detail: "404")) { ["url": $0.url, "status": $0.status] }
/// ErrorRow(HostnameError.self, { ["text": $0.text] }) { try Hostname("") }
/// ```
struct ErrorRow: Sendable, CustomTestStringConvertible {
    /// The values that an error has, by the names of its properties. Those that are nil are left out.
    typealias Values = KeyValuePairs<String, Any?>

    /// The type's name without its module: `PEM.BlockError`.
    let type: String
    /// The code's name; empty if the call threw no such error.
    let code: String
    let message: String
    /// The names of the properties with a value.
    let values: [String]

    var testDescription: String { "\(type) \(code)" }

    /// Creates the row of an error.
    init<Failure: TrustError>(_ error: Failure, _ values: (Failure) -> Values) where Failure.Code == ErrorCode {
        type = Self.name(of: Failure.self)
        code = error.code.name
        message = error.message
        self.values = values(error).compactMap { $0.value == nil ? nil : $0.key }
    }

    /// Creates the row of the error that `body` throws.
    init<Failure: TrustError>(_ type: Failure.Type, _ values: (Failure) -> Values, by body: () throws -> Any)
    where Failure.Code == ErrorCode {
        do {
            let value = try body()
            self.init(type, "no error was thrown, but \(value) returned")
        } catch let error as Failure {
            self.init(error, values)
        } catch {
            self.init(type, "another error was thrown: \(error)")
        }
    }

    private init<Failure>(_ type: Failure.Type, _ message: String) {
        self.type = Self.name(of: type)
        self.code = ""
        self.message = message
        self.values = []
    }

    private static func name<Type>(of type: Type.Type) -> String {
        String(reflecting: type).split(separator: ".").dropFirst().joined(separator: ".")
    }
}

extension ErrorRow {
    /// The rows of all folders.
    static let all = engine + files + trust + pins + clients + testing
}
