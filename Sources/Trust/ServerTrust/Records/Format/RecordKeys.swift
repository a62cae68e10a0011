// SPDX-License-Identifier: Apache-2.0

// The only definition of the keys of `verify --batch` and of records. A record has the keys of a request and its own.

/// The keys of a request of `verify --batch`.
package enum RequestKey: String, CodingKey, CaseIterable {
    case id, host, chain, intermediates, anchors, time, purpose, profile, strict, maximumIntermediates, revocation
    case crls, ocspResponses, exemptShortLived, policies, pins, ct
    /// The version of the record. A line without this key is a plain request.
    case record

    /// The keys of `policies`.
    enum Policies: String, CodingKey, CaseIterable {
        case acceptable, requireExplicit, inhibitMapping, inhibitAny
    }

    /// The keys of `ct`.
    package enum Transparency: String, CodingKey, CaseIterable {
        case policy, mode
    }
}

/// The keys that only a record has.
package enum RecordKey: String, CaseIterable {
    case recorded, count, client, program, hostHash, identity, rule, pinRules, anchorStore, staple, timestamps, denied
    case conditions, filters, ctLogs, unrecorded

    /// The keys of `recorded`.
    enum Recorded: String, CaseIterable {
        case verdict, result, codes, path, warnings, pin
    }

    /// The keys of `program`.
    package enum Program: String, CaseIterable {
        case name, version
    }

    /// The keys of an element of `pinRules`.
    package enum PinRule: String, CaseIterable {
        case scope, pins, expires, afterwards, anchors
    }

    /// The values of `afterwards`.
    enum Afterwards: String, CaseIterable {
        case accept, refuse
    }

    /// The keys of `anchorStore`.
    package enum Store: String, CaseIterable {
        case name, count, sha256
    }

    /// The keys of a value that is in a file.
    enum Blob: String, CaseIterable {
        case sha256, bytes
    }
}
