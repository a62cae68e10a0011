// SPDX-License-Identifier: Apache-2.0

import ServerTrustPins

/// The readers of the React Native libraries, which share one format. Each file belongs to one library.
enum ReactNativeFormats {
    /// Returns whether JSON can be a file of one of the libraries.
    static func recognizes(_ root: PinNode) -> Bool {
        ManagerReader.recognizes(root) || ExpoPluginReader.recognizes(root) || ReactNativeReader.recognizes(root)
    }

    /// Reads JSON as the format of its library.
    static func read(_ root: PinNode, file: String) throws(PinFileError) -> PinConfiguration {
        if ManagerReader.recognizes(root) { return try ManagerReader.read(root, file: file) }
        if ExpoPluginReader.recognizes(root) { return try ExpoPluginReader.read(root, file: file) }
        return try ReactNativeReader.read(root, file: file)
    }

    /// Returns whether text can be a source for one of the libraries.
    static func recognizes(_ bytes: [UInt8]) -> Bool {
        ReactNativeReader.recognizes(bytes) || FetchOptionsReader.recognizes(bytes)
    }

    /// Reads a source as the format of its library.
    static func read(source bytes: [UInt8], file: String) throws(PinFileError) -> PinConfiguration {
        guard ReactNativeReader.recognizes(bytes) else { return try FetchOptionsReader.read(bytes, file: file) }
        let configuration = try ReactNativeReader.read(source: bytes, file: file)
        guard FetchOptionsReader.recognizes(bytes) else { return configuration }
        // The two libraries pin different requests, so one configuration can't contain the rules of both. Unreadable
        // pins count, too.
        let other = try FetchOptionsReader.read(bytes, file: file)
        let unread = other.oddities.first { $0.code == .pinFileNotLiteral || $0.code == .pinFileNothingPinned }
        guard let place = other.rules.first.map({ $0.location ?? PinFileLocation(file: file) }) ?? unread?.location
        else {
            return configuration
        }
        throw PinFileError(
            PinFileProblem(
                .pinFileContradiction, at: place,
                "pins of react-native-ssl-pinning and of another library; expected one library per file"))
    }
}

extension PinValueReader {
    /// Returns the rule of a host whose pins go to TrustKit on iOS and to OkHttp on Android.
    mutating func sharedRule(
        _ hosts: PinnedHosts, mode: PinRule.Mode = .enforced, _ pins: [Pin], expiry: PinExpiry? = nil,
        reportURIs: [String] = [], _ place: PlacedNode
    ) -> PinRule? {
        if pins.count == 1 {
            add(
                .pinFileTooFewPins, as: .odd, place,
                "one pin: TrustKit refuses the configuration on iOS, but Android accepts it")
        }
        return rule(
            [hosts], mode: mode, pins, expiry: expiry, reportURIs: reportURIs, comment: place.node.comment,
            place.line, place.path)
    }
}
