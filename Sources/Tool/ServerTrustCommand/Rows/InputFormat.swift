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
    /// The output lines of zgrab2.
    case zgrab2
    /// The output lines of zcertificate, each with one certificate.
    case zcertificate
    /// PEM chains, one after the other.
    case pem
    /// Folders of files, each with a chain in DER, PEM or PKCS #7.
    case derDir = "der-dir"

    /// Whether the input is a folder instead of a stream.
    var isFolder: Bool { self == .derDir }
    /// Whether options may name columns.
    var hasColumns: Bool { self == .ndjson || self == .csv }
    /// Whether the reader names rows without a name after their line.
    var namesRows: Bool { self != .requests }
}
