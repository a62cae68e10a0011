// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The format of the chains of `lab --requests`.
enum LabRequestFormat: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// Lines for `verify --batch`, with anchors, date and settings.
    case requests
    /// Lines in zgrab2's format, with host and chain.
    case zgrab2
    /// Lines for zcertificate, with only the leaf.
    case zcertificate
    /// Rows of ID, host and chain in PEM, quoted as RFC 4180 requires.
    case csv
    /// The certificates of all chains in PEM, one after the other.
    case pem

    /// The bytes before the first chain.
    var header: [UInt8] { self == .csv ? Array("id,host,pem\n".utf8) : [] }
}
