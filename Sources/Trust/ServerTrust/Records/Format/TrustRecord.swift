// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A record of a verdict: everything that a later evaluation needs to reach the same verdict, and the verdict itself.
///
/// A record is one line of JSON, and also a request of `servertrust verify --batch`. ``init(line:blobs:)`` reads a line,
/// and ``line(blobs:)`` writes one. ``RecordReplay`` evaluates a record again.
package struct TrustRecord: Sendable, Hashable {
    /// The version of the format.
    static let version = 1

    /// The maximum size of a line in bytes.
    package static let maximumLineSize = 16 << 20

    /// The name that the leaf was compared with.
    package enum Host: Sendable, Hashable {
        /// The leaf's names weren't checked.
        case none
        case name(Hostname)
        /// A keyed hash, and the result of the comparison, which can't be repeated.
        case hashed(String, isMatched: Bool)
    }

    /// The result of the recorded evaluation.
    package struct Outcome: Sendable, Hashable {
        package var isTrusted: Bool
        package var result: TrustResultType
        /// The codes of the failures, in order.
        package var codes: [String]
        /// The SHA-256 of the path's certificates in hexadecimal, leaf first.
        package var path: [String]
        /// The codes of the warnings.
        package var warnings: [String]
        /// The pin that the path matches, as `sha256/BASE64`, or nil.
        package var pin: String?

        init(
            isTrusted: Bool, result: TrustResultType, codes: [String], path: [String], warnings: [String] = [],
            pin: String? = nil
        ) {
            self.isTrusted = isTrusted
            self.result = result
            self.codes = codes
            self.path = path
            self.warnings = warnings
            self.pin = pin
        }
    }

    /// A check of transparency.
    package struct Transparency: Sendable, Hashable {
        package var policy: String
        var mode: TransparencySettings.Mode
    }

    /// The name and version of a program.
    package struct Program: Sendable, Hashable {
        package var name: String
        package var version: String
    }

    /// The store that the anchors of the record are a part of.
    package struct Store: Sendable, Hashable {
        package var name: String
        package var count: Int
        /// The SHA-256 over the sorted SHA-256 digests of the certificates, in hexadecimal.
        var sha256: String

        /// The name of a system's store without added anchors. Complete lists refuse its roots that they don't list.
        package static let system = "system"
    }

    package var id: String?
    package var host = Host.none
    /// The presented certificates in DER, leaf first. Some may be unreadable.
    package var chain: [[UInt8]] = []
    package var intermediates: [[UInt8]] = []
    /// The anchors in DER, or nil for the system's.
    package var anchors: [[UInt8]]?
    /// The verify date.
    package var time: Time
    package var policy = ValidationPolicy()
    package var revocation = RevocationPolicy.Mode.off
    /// Whether short-lived leaves need no evidence, or nil for the default.
    var exemptsShortLived: Bool?
    var crls: [[UInt8]] = []
    var ocspResponses: [[UInt8]] = []
    /// The requirements on the path's keys. The path must meet all of them.
    package var pinRules: [KeyRequirement] = []
    /// The anchors in DER that the rule has instead of ``anchors``, or nil for none. Requires ``pinRules``.
    package var ruleAnchors: [[UInt8]]?
    package var transparency: Transparency?

    /// The result of the recorded evaluation.
    package var recorded: Outcome
    /// The number of connections that the record represents.
    package var count = 1
    /// The client that evaluated, such as `http`.
    package var client: String?
    package var program: Program?
    /// The pattern of the rule that applied, or nil without a rule.
    package var rule: String?
    package var anchorStore: Store?
    /// The OCSP response of the handshake.
    var staple = StapleState.unknown
    /// The lists of timestamps of the handshake, in the encoding of TLS.
    var timestamps: [[UInt8]] = []
    /// The lists of denied certificates, each as the contents of a file.
    package var denied: [[UInt8]] = []
    /// The lists of roots with conditions, each as the contents of a file.
    var conditions: [[UInt8]] = []
    /// The filters of revoked certificates: a complete one and its changes.
    var filters: [[UInt8]] = []
    /// The list of logs as the contents of a file, or nil for none.
    var logs: [UInt8]?
    /// The names of the requirements and decisions that the record doesn't contain. Empty if it can be evaluated again.
    package var unrecorded: [String] = []

    init(time: Time, recorded: Outcome) {
        self.time = time
        self.recorded = recorded
    }

    /// The keys, if the record requires one of them anywhere in the path, and nothing else of its keys.
    var plainPins: [SPKIPin]? {
        guard let rule = pinRules.first, pinRules.count == 1, ruleAnchors == nil, rule.scope == .anywhere,
            rule.expiry == nil
        else { return nil }
        return rule.pins
    }

    /// Whether an evaluation can be expected to reach the recorded verdict.
    package var isReproducible: Bool { unrecorded.isEmpty }
}

extension TrustRecord.Outcome {
    /// Creates the outcome of a verdict.
    package init(_ verdict: TrustVerdict) {
        self.init(
            isTrusted: verdict.isTrusted, result: verdict.result, codes: verdict.failures.map(\.code.name),
            path: verdict.path.map { Hex.encode($0.sha256) }, warnings: verdict.warningCodes,
            pin: verdict.matchedPin?.pin)
    }

    /// Whether another outcome has the same verdict, result, codes, path and warnings. A rule in report-only mode sets
    /// a pin that a later evaluation doesn't find, so pins don't count.
    package func agrees(with other: TrustRecord.Outcome) -> Bool {
        var other = other
        other.pin = pin
        return self == other
    }
}

extension TrustVerdict {
    /// The codes of the warnings that an evaluation without network repeats.
    fileprivate var warningCodes: [String] {
        let codes = revocationGaps.map { gap in
            switch gap {
            case .noIssuer, .noAddress: gap.rawValue
            // Whether a source of evidence existed doesn't change the verdict.
            default: "revocationNotChecked"
            }
        }
        return Set(codes).sorted()
    }
}

/// An error in a record. A line with an error is unreadable, and never trusted.
package struct TrustRecordError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One line for people.
    package let description: String

    package init(_ description: String) { self.description = description.abridged(toBytes: 400) }
}
