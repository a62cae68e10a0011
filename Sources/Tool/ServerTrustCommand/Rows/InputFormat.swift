// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The format of the input of `verify --batch`.
enum InputFormat: String, CaseIterable, ExpressibleByArgument, Codable, Sendable {
    /// Requests, the lines of `servertrust help batch`.
    case requests
    /// Lines of JSON objects with columns for host and chain, and any key of a request.
    case ndjson
    /// Comma-separated values with a header (RFC 4180), with columns for host and chain.
    case csv
    /// Lines of zgrab2.
    case zgrab2
    /// Lines of zcertificate, each with one certificate.
    case zcertificate
    /// Chains in PEM, one after the other.
    case pem
    /// Folders of files, each with a chain in DER, PEM or PKCS #7.
    case derDir = "der-dir"

    /// Whether the input is a folder instead of a stream.
    var isFolder: Bool { self == .derDir }
    /// Whether columns may be named.
    var hasColumns: Bool { self == .ndjson || self == .csv }
    /// Whether rows without a name are named after their line.
    var namesRows: Bool { self != .requests }
}
