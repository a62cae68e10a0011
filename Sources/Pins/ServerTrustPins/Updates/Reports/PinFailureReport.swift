// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

/// A report about a server that didn't match its pins, in TrustKit's JSON format.
///
/// The keys are the same as TrustKit's, so its report receivers work unchanged. Two values differ, but this doesn't
/// affect receivers. `validated-certificate-chain` is the validated path, including the anchor, or the best candidate.
/// `port` is the real port if the caller knows it. TrustKit always writes 0.
public struct PinFailureReport: Sendable, Hashable {
    /// The result of an evaluation (`TSKTrustEvaluationResult`), with TrustKit's numbers.
    enum ValidationResult: Int, Sendable, Hashable, Codable {
        /// The path is valid but matches no pin.
        case noMatchingPin = 1
        /// There is no valid path.
        case invalidCertificateChain = 2
    }

    /// The reporting app.
    public struct Application: Sendable, Hashable {
        /// `app-bundle-id`: `com.example.app`.
        var bundleID: String
        /// `app-version`
        var version: String
        /// `app-platform`: `IOS`, `MACOS`, `LINUX`, ….
        var platform: String
        /// `app-platform-version`
        var platformVersion: String
        /// `app-vendor-id`: identifies an installation, and therefore a person. The default is `unidentified`.
        var vendorID: String

        /// Creates the description of an app.
        public init(
            bundleID: String, version: String, platform: String, platformVersion: String,
            vendorID: String = "unidentified"
        ) {
            self.bundleID = bundleID
            self.version = version
            self.platform = platform
            self.platformVersion = platformVersion
            self.vendorID = vendorID
        }
    }

    /// The reporting app.
    var application: Application
    /// `trustkit-version`: the software that wrote the report.
    var reporter = "swift-server-trust"
    /// `date-time`: the time of the evaluation.
    var time: Time
    /// `hostname`: the requested host.
    public var hostname: String
    /// `port`, or 0 if unknown.
    var port: Int
    /// `noted-hostname`: the domain of the pin rule.
    var notedHostname: String
    /// `include-subdomains`
    var includesSubdomains: Bool
    /// `enforce-pinning`: whether the rule is enforced. False for a report-only rule.
    var isEnforced: Bool
    /// `validated-certificate-chain`: PEM, leaf first.
    var certificates: [String]
    /// `known-pins`: `pin-sha256="BASE64"`.
    var knownPins: [String]
    /// `validation-result`
    var result: ValidationResult
    /// `known-pins-expiration-date`: a date in UTC.
    var pinsExpire: Time?

    /// Returns the body of the POST request, `application/json`.
    /// - Throws: errors from Foundation's encoder, which are not expected.
    public func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return JSONWriter.escaping(try encoder.encode(self))
    }
}

extension PinFailureReport: Encodable {
    private enum CodingKeys: String, CodingKey {
        case bundleID = "app-bundle-id"
        case version = "app-version"
        case platform = "app-platform"
        case platformVersion = "app-platform-version"
        case vendorID = "app-vendor-id"
        case reporter = "trustkit-version"
        case time = "date-time"
        case hostname
        case port
        case notedHostname = "noted-hostname"
        case includesSubdomains = "include-subdomains"
        case isEnforced = "enforce-pinning"
        case certificates = "validated-certificate-chain"
        case knownPins = "known-pins"
        case result = "validation-result"
        case pinsExpire = "known-pins-expiration-date"
    }

    /// Encodes TrustKit's keys.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(application.bundleID, forKey: .bundleID)
        try container.encode(application.version, forKey: .version)
        try container.encode(application.platform, forKey: .platform)
        try container.encode(application.platformVersion, forKey: .platformVersion)
        try container.encode(application.vendorID, forKey: .vendorID)
        try container.encode(reporter, forKey: .reporter)
        try container.encode(time.description, forKey: .time)
        try container.encode(hostname, forKey: .hostname)
        try container.encode(port, forKey: .port)
        try container.encode(notedHostname, forKey: .notedHostname)
        try container.encode(includesSubdomains, forKey: .includesSubdomains)
        try container.encode(isEnforced, forKey: .isEnforced)
        try container.encode(certificates, forKey: .certificates)
        try container.encode(knownPins, forKey: .knownPins)
        try container.encode(result.rawValue, forKey: .result)
        // TrustKit writes null for pins that don't expire.
        try container.encode(pinsExpire?.day, forKey: .pinsExpire)
    }
}

// MARK: - Of a verdict

extension PinFailureReport {
    /// Creates the report for a verdict. Returns nil if the server was trusted and matched its pins, or wasn't
    /// evaluated.
    /// - Parameter rule: the rule for the host, with pins.
    init?(_ verdict: TrustVerdict, port: Int, rule: PinRule, application: Application) {
        guard let host = verdict.host, rule.mode != .unpinned, !verdict.path.isEmpty else { return nil }
        let failures = verdict.isTrusted ? verdict.reported : verdict.failures
        guard !failures.isEmpty, !failures.contains(where: { $0.code == .hostNotListed || $0.code == .hostDenied })
        else { return nil }
        let pinFailures: Set<TrustFailure.Code> = [
            .pinNotMatched, .certificateNotPinned, .authorityNotMatched, .pinsExpired,
        ]
        self.application = application
        self.time = verdict.evaluationDate
        self.hostname = host.description
        self.port = port
        let domain = rule.hosts.filter { $0.matches(host) }.max {
            $0.name.description.count < $1.name.description.count
        }
        self.notedHostname = (domain?.name ?? host).description
        self.includesSubdomains = domain.map { $0.below != .nothing } ?? false
        self.isEnforced = rule.mode == .enforced
        self.certificates = verdict.path.map { PEM.encode($0.der, label: "CERTIFICATE") }
        self.knownPins = rule.pins.map { #"pin-sha256="\#(Base64.encode($0.key.sha256))""# }
        self.result =
            failures.allSatisfy { pinFailures.contains($0.code) || $0.deniedEntry?.kind == .key }
            ? .noMatchingPin : .invalidCertificateChain
        self.pinsExpire = rule.expiry?.time
    }
}
