// SPDX-License-Identifier: Apache-2.0

/// A reader for one format, for files with one syntax.
package struct PinFormatReader: Sendable {
    /// Returns whether a file can have the format.
    package typealias Recognizes<Contents> = @Sendable (Contents) -> Bool
    /// Reads a file. The string is its name, for errors.
    package typealias Read<Contents> = @Sendable (Contents, String) throws(PinFileError) -> PinConfiguration

    /// The syntax of the files, with functions that accept its contents.
    package enum Syntax: Sendable {
        /// XML with Android's root element.
        case android(Read<XMLTree>)
        case json(Recognizes<PinNode>, Read<PinNode>)
        case propertyList(Recognizes<PinNode>, Read<PinNode>)
        /// Lines, or a source.
        case text(Recognizes<[UInt8]>, Read<[UInt8]>)
        /// A public key or certificate, in PEM or DER.
        case key(Read<[UInt8]>)
    }

    let format: PinFormat
    let syntax: Syntax

    package init(_ format: PinFormat, _ syntax: Syntax) {
        self.format = format
        self.syntax = syntax
    }
}

extension PinFormatReader {
    /// The readers of JSON, property lists and XML that apps need at run time.
    package static let structured = [
        PinFormatReader(.android, .android(AndroidReader.read)),
        PinFormatReader(.json, .json(JSONPinReader.recognizes, JSONPinReader.read)),
        PinFormatReader(.trustKit, .json(TrustKitReader.recognizes, TrustKitReader.read)),
        PinFormatReader(.ats, .json(ATSReader.recognizes, ATSReader.read)),
        PinFormatReader(
            .ats,
            .propertyList(
                { root in
                    ATSReader.recognizes(root)
                        || !TrustKitReader.recognizes(root) && ATSReader.hasMisplacedPins(root)
                }, ATSReader.read)),
        PinFormatReader(.trustKit, .propertyList(TrustKitReader.recognizes, TrustKitReader.read)),
        PinFormatReader(.isp, .propertyList(ISPReader.recognizes, ISPReader.read)),
    ]

    /// The readers that apps need at run time.
    static let atRunTime =
        structured + [PinFormatReader(.okHttp, .text(OkHttpReader.recognizes, OkHttpReader.read))]
}
