// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluation's request for a resource, and its result.
public struct TrustFetchRecord: Sendable, Hashable {
    /// The kind of the resource.
    public let resource: TrustResource.Kind
    /// The address in the certificate, without user and password.
    public let url: String
    /// The source of the resource, or nil if the request failed.
    public let source: TrustResource.Source?
    /// The reason why the request failed. If ``source`` isn't nil, the reason why an older copy was used.
    public let failure: TrustFetchError?

    /// Creates a record. The initializer cuts the address after 256 characters, so a long text in a certificate can't
    /// make the record grow.
    init(
        _ resource: TrustResource.Kind, url: String, source: TrustResource.Source?, failure: TrustFetchError?
    ) {
        self.resource = resource
        let url = withoutUserInformation(url)
        self.url = url.count <= 256 ? url : String(url.prefix(255)) + "…"
        self.source = source
        self.failure = failure
    }
}

extension TrustFetchRecord: CustomStringConvertible {
    /// The record on one line: `issuer http://ca.example.com/ca.cer: network`.
    public var description: String {
        let outcome = [source?.rawValue, failure.map { "\($0.reportedName) \($0.detail)" }].compactMap { $0 }
        return "\(resource.rawValue) \(url): \(outcome.joined(separator: ", "))".escapingUnprintable
    }
}

extension TrustFetchRecord {
    /// The record's size in a report, in bytes, with room for indentation.
    var writtenSize: Int { url.writtenSize + (failure.map { $0.url.writtenSize + $0.detail.writtenSize } ?? 8) + 240 }
}

extension TrustFetchRecord: Codable {
    private enum Key: String, CodingKey { case resource, url, source, failure, failedURL, detail }

    /// Encodes kind, address, source and failure.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(resource, forKey: .resource)
        try container.encode(url, forKey: .url)
        try container.encode(source, forKey: .source)
        try container.encode(failure?.reportedName, forKey: .failure)
        try container.encode(failure?.url, forKey: .failedURL)
        try container.encode(failure?.detail, forKey: .detail)
    }

    /// Decodes a record.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.resource = try container.decode(TrustResource.Kind.self, forKey: .resource)
        self.url = try container.decode(String.self, forKey: .url)
        self.source = try container.decodeIfPresent(TrustResource.Source.self, forKey: .source)
        guard let name = try container.decodeIfPresent(String.self, forKey: .failure) else {
            self.failure = nil
            return
        }
        self.failure = TrustFetchError(
            reportedName: name, url: try container.decodeIfPresent(String.self, forKey: .failedURL) ?? url,
            detail: try container.decodeIfPresent(String.self, forKey: .detail) ?? "")
    }
}
