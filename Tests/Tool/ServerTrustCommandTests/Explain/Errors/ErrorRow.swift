// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

/// A public error as a caller receives it, with the values that it exposes to programs.
///
/// Each folder of Sources has files with its rows. A row usually has a call that throws the error, with the expected
/// code and the expected values by property name. If no call throws the error on every machine, the row has the error
/// itself:
///
/// ```swift
/// ErrorRow(HostnameError.self, .hostNotASCII, having: ["text": "bücher.example"], { ["text": $0.text] }) { try Hostname("bücher.example") }
/// ErrorRow(TrustFetchError(.fetchStatus, url: "http://a.example/", detail: "404")) { ["url": $0.url, "status": $0.status] }
/// ```
struct ErrorRow: Sendable, CustomTestStringConvertible {
    /// The values of an error by property name, without nil values.
    typealias Values = KeyValuePairs<String, Any?>

    /// The type's name without its module: `PEM.BlockError`.
    let type: String
    /// The name of the code, or an empty string if the call didn't throw such an error.
    let code: String
    let message: String
    /// The names of the properties with a value.
    let values: [String]

    var testDescription: String { "\(type) \(code)" }

    /// Creates an error's row.
    init<Failure: TrustError>(_ error: Failure, _ values: (Failure) -> Values) where Failure.Code == ErrorCode {
        type = Self.name(of: Failure.self)
        code = error.code.name
        message = error.message
        self.values = values(error).compactMap { $0.value == nil ? nil : $0.key }
    }

    /// Creates the row of the error that `body` throws.
    /// - Parameters:
    ///   - code: the expected code.
    ///   - expected: the expected values as text, by property name.
    ///   - values: the error's values.
    init<Failure: TrustError>(
        _ type: Failure.Type, _ code: ErrorCode, having expected: [String: String] = [:], _ values: (Failure) -> Values,
        by body: () throws -> Any
    ) where Failure.Code == ErrorCode {
        do {
            let value = try body()
            self.init(type, "expected \(code), but \(value) returned")
        } catch let error as Failure {
            let found = Dictionary(values(error).map { ($0.key, $0.value) }) { first, _ in first }
                .compactMapValues { $0.map { String(describing: $0) } }
            guard error.code == code, expected.allSatisfy({ found[$0.key] == $0.value }) else {
                self.init(type, "expected \(code) with \(expected), found \(error.code) with \(found): \(error)")
                return
            }
            self.init(error, values)
        } catch {
            self.init(type, "expected \(code), but another error was thrown: \(error)")
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
    static let all: [ErrorRow] =
        engine + files + lists + trust + evaluation + pinTexts + pinFiles + pinLists + clients + testing
}
