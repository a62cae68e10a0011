// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
    // Queries of the keychain. If a program uses one, the compiler prints the message.

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecMatchPolicy: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecMatchItemList: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecMatchIssuers: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecMatchEmailAddressIfPresent: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecMatchSubjectContains: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecMatchCaseInsensitive: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecMatchTrustedOnly: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecMatchValidOnDate: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecUseItemList: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecUseOperationPrompt: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrCreationDate: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrModificationDate: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrDescription: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrComment: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrGeneric: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrSynchronizableAny: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrProtocol: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrProtocolHTTPS: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrAuthenticationType: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrPort: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrPath: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrSubject: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrIssuer: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrSerialNumber: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrSubjectKeyID: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrPublicKeyHash: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrIsExtractable: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrIsSensitive: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
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
