// SPDX-License-Identifier: Apache-2.0

import ServerTrustPins

extension PinConfiguration {
    /// Reads a file in any readable format with that format's semantics: app configurations, source code, and the
    /// configuration files of tools.
    ///
    /// Reading is strict: values that the format's own implementation silently skips are problems here.
    /// - Parameters:
    ///   - bytes: the file's contents, at most 32 MiB.
    ///   - format: the format, or nil to detect it.
    ///   - file: the file's name, for errors. Its extension determines the language of a source.
    /// - Throws: `PinFileError` with all problems.
    public init(importing bytes: [UInt8], as format: PinFormat? = nil, file: String) throws(PinFileError) {
        do throws(PinFileError) {
            self = try PinFile(bytes, file: file, readers: PinFormatReader.all).configuration(format)
        } catch {
            throw ForeignPins.error(error, bytes, file)
        }
    }
}

extension PinFormat {
    /// Detects the format of a file.
    /// - Throws: `PinFileError` if the file can't be parsed, has no known format, or has pins in several formats, such
    ///   as an `Info.plist` with pins for the system and for TrustKit.
    public init(of bytes: [UInt8], file: String) throws(PinFileError) {
        do throws(PinFileError) {
            self = try PinFile(bytes, file: file, readers: PinFormatReader.all).format()
        } catch {
            throw ForeignPins.error(error, bytes, file)
        }
    }
}

extension PinFormatReader {
    /// The readers of all readable formats.
    static let all =
        structured + [
            PinFormatReader(.reactNative, .json(ReactNativeFormats.recognizes, ReactNativeFormats.read(_:file:))),
            PinFormatReader(.envoy, .json(EnvoyFormat.recognizes, EnvoyFormat.read)),
            PinFormatReader(.curl, .text(CurlFormat.recognizes, CurlFormat.read(_:file:))),
            PinFormatReader(.okHttp, .text(OkHttpSourceReader.recognizes, OkHttpSourceReader.read)),
            PinFormatReader(.trustKit, .text(TrustKitSourceReader.recognizes, TrustKitSourceReader.read)),
            PinFormatReader(.reactNative, .text(ReactNativeFormats.recognizes, ReactNativeFormats.read(source:file:))),
            PinFormatReader(.ats, .text(ATSSourceReader.recognizes, ATSSourceReader.read)),
            PinFormatReader(.git, .text(GitFormat.recognizes, GitFormat.read)),
            PinFormatReader(.tlsa, .text(TLSAReader.recognizes, TLSAReader.read)),
            PinFormatReader(.curl, .key(CurlFormat.read(keyFile:file:))),
        ]
}
