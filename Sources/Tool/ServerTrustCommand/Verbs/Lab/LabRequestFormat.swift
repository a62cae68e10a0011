// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The format of the chains of `lab --requests`.
enum LabRequestFormat: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// Lines of `verify --batch`, with anchors, date and settings.
    case requests
    /// Lines of zgrab2, with host and chain.
    case zgrab2
    /// Lines for zcertificate, with the leaf alone.
    case zcertificate
    /// Rows of id, host and chain in PEM, quoted as RFC 4180 has it.
    case csv
    /// The certificates of all chains in PEM, one after the other.
    case pem

    /// The bytes before the first chain.
    var header: [UInt8] { self == .csv ? Array("id,host,pem\n".utf8) : [] }
}
