// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The format of the chains of `lab --requests`.
enum LabRequestFormat: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// Lines for `verify --batch`, with anchors, date and settings.
    case requests
    /// Rows of ID, host and chain in PEM, quoted as RFC 4180 requires.
    case csv

    /// The bytes before the first chain.
    var header: [UInt8] { self == .csv ? Array("id,host,pem\n".utf8) : [] }
}
