// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The format of the input of `verify --batch`.
enum InputFormat: String, CaseIterable, ExpressibleByArgument, Codable, Sendable {
    /// Requests as lines of JSON, documented in `servertrust help batch`.
    case requests
    /// Lines of JSON objects with columns for the host and the chain. They may also contain any key of a request.
    case ndjson
    /// Comma-separated values (RFC 4180) with a header, and columns for the host and the chain.
    case csv

    /// Whether the input has columns. Options may name them. The reader names a row without a name after its line.
    var isTable: Bool { self != .requests }
}
