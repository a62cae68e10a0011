// SPDX-License-Identifier: Apache-2.0

extension PinFileProblem.Code {
    /// All codes.
    package static let all: [PinFileProblem.Code] = [
        .unreadable, .tooLarge, .formatUnclear, .entity, .unknownKey, .missingKey, .duplicateKey, .wrongType, .badValue,
        .badBase64, .wrongLength, .badDigest, .badDate, .badHost, .unmatchableHost, .nothingPinned, .misplacedKey,
        .duplicateHost, .emptyList, .duplicatePin,
        .unmatchablePin, .tooFewPins,
        .badCertificate, .badURI, .notLiteral, .contradiction,
    ]
}
