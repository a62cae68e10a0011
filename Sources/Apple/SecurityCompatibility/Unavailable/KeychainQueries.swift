// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
// Queries of the keychain. If a program uses one, the compiler prints the message.

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecMatchPolicy: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecMatchItemList: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecMatchIssuers: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecMatchEmailAddressIfPresent: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecMatchSubjectContains: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecMatchCaseInsensitive: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecMatchTrustedOnly: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecMatchValidOnDate: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecUseItemList: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecUseOperationPrompt: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrCreationDate: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrModificationDate: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrDescription: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrComment: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrGeneric: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrSynchronizableAny: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrProtocol: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrProtocolHTTPS: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrAuthenticationType: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrPort: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrPath: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrSubject: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrIssuer: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrSerialNumber: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrSubjectKeyID: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrPublicKeyHash: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrIsExtractable: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrIsSensitive: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    public let rawValue: CFOptionFlags
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

    public static let userPresence = Self(rawValue: 1)
    public static let biometryAny = Self(rawValue: 1 << 1)
    public static let touchIDAny = Self(rawValue: 1 << 1)
    public static let biometryCurrentSet = Self(rawValue: 1 << 3)
    public static let touchIDCurrentSet = Self(rawValue: 1 << 3)
    public static let devicePasscode = Self(rawValue: 1 << 4)
    public static let or = Self(rawValue: 1 << 14)
    public static let and = Self(rawValue: 1 << 15)
    public static let privateKeyUsage = Self(rawValue: 1 << 30)
    public static let applicationPassword = Self(rawValue: 1 << 31)
}
#endif
