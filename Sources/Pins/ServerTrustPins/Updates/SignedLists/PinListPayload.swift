// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The contents of a pin list to sign.
///
/// ```swift
/// var payload = PinListPayload(following: list, issued: .now(), expires: inAYear, pins: pins)
/// payload.deniedKeys.insert(stolen)
/// let next = try SignedPinList.signed(try payload.bytes(), by: [office])
/// ```
/// Only ``bytes()`` checks the contents.
public struct PinListPayload: Sendable, Hashable {
    /// The app that the list is for.
    public var audience: String
    /// The sequence number, which has to be higher than in all previous lists. The last million numbers are reserved.
    public var sequence: Int
    /// The time at which the list is issued.
    public var issued: Time
    /// The first second at which clients accept the list, or nil, the default, for ``issued``.
    public var notBefore: Time?
    /// The last second at which clients accept the list.
    public var expires: Time
    /// The hosts and pins in this package's JSON (`PinFormat.json`). The bytes are copied unchanged.
    public var pins: [UInt8]
    /// The signers of the next list.
    public var signers: PinSigners
    /// The root keys, which have to sign each list that changes the signers or the root keys. The default, nil, is
    /// none.
    public var root: PinSigners?
    /// The keys that no path may contain. Empty by default.
    public var deniedKeys: Set<SPKIPin> = []
    /// The bytes of lists of denied certificates (OneCRL's JSON, CRLSets), at most 4 MiB in total. Empty by default.
    public var deniedLists: [[UInt8]] = []
    /// The bytes of a list of Certificate Transparency logs (`CTLogList`), whose date isn't after ``issued``, or nil,
    /// the default, for none.
    public var logs: [UInt8]?
    /// Whether clients never refuse a server because of Certificate Transparency, regardless of the app's setting. The
    /// default is false.
    public var reportsTransparencyOnly = false
    /// The bytes of the `manifest.json` of revocation filters (`RevocationFilterFolder`), or nil, the default, for
    /// none.
    public var filters: [UInt8]?
    /// Whether ``sequence`` may be a reserved number, because the list in force has one. The default is false.
    public var usesSequenceReserve = false

    /// Creates the contents of a list that has only hosts, pins and signers.
    public init(
        audience: String, sequence: Int, issued: Time, expires: Time, pins: [UInt8], signers: PinSigners
    ) {
        self.audience = audience
        self.sequence = sequence
        self.issued = issued
        self.expires = expires
        self.pins = pins
        self.signers = signers
    }

    /// Creates the contents of the list that follows another one. It has the next number and the same audience,
    /// signers, root keys, denied keys and lists, logs and filters. The app's setting for Certificate Transparency
    /// applies again, even if the previous list suspends it.
    public init(following list: PinList, issued: Time, expires: Time, pins: [UInt8]) {
        self.init(
            audience: list.audience, sequence: list.sequence + 1, issued: issued, expires: expires, pins: pins,
            signers: list.signers)
        root = list.root
        deniedKeys = list.deniedKeys
        deniedLists = list.denied?.lists ?? []
        logs = list.logs?.json
        filters = list.filters?.manifest.json
        usesSequenceReserve = list.isInSequenceReserve
    }

    /// Returns the payload to sign with ``SignedPinList/signed(_:by:rotations:)``.
    /// - Throws: ``PinListError`` for a list that no client would accept, and for a reserved number.
    public func bytes() throws(PinListError) -> [UInt8] {
        guard usesSequenceReserve || sequence <= PinList.maximumSequence - PinList.sequenceReserve else {
            let last = PinList.maximumSequence - PinList.sequenceReserve
            throw PinListError(
                .pinListInvalid,
                "sequence \(sequence) leaves too few numbers for later lists, expected at most \(last)",
                expected: .number(last), found: .number(sequence))
        }
        let pins = try SignedJSON(pins, "pins").node.json
        let deniedLists = deniedLists.isEmpty ? "" : #""denied":\#(try PinListDenied(deniedLists).member),"#
        let denied = deniedKeys.map(\.description).sorted().map(JSONWriter.quoted).joined(separator: ",")
        let manifest = try filters.map { bytes throws(PinListError) in
            #""filters":\#(try PinListFilters(json: bytes).member),"#
        }
        let logs = try logs.map { bytes throws(PinListError) in
            let logs = try PinListLogs(json: bytes, isReportOnly: reportsTransparencyOnly, issued: issued)
            return #""logs":\#(logs.member),"#
        }
        let root = root.map { #""root":\#($0.json),"# } ?? ""
        let text = """
            {"version":\(PinList.version),"audience":\(JSONWriter.quoted(audience)),"sequence":\(sequence),\
            "issued":"\(issued)","notBefore":"\(notBefore ?? issued)","expires":"\(expires)",\
            "signers":\(signers.json),\(root)\(logs ?? "")\(deniedLists)\(manifest ?? "")"deniedKeys":[\(denied)],"pins":\(pins)}
            """
        let bytes = Array(text.utf8)
        _ = try PinList(payload: bytes)
        return bytes
    }
}

extension PinSigners {
    fileprivate var json: String {
        #"{"threshold":\#(threshold),"keys":[\#(keys.map(\.jwk).joined(separator: ","))]}"#
    }
}
