// SPDX-License-Identifier: Apache-2.0

// Without a trait, the module has no dependencies, and its names say which trait is missing. They can be used as in the first
// examples, so that the compiler reports nothing else.

#if !(Testing || Everything)

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public struct TestAuthority {
    public static func root() throws -> TestAuthority { TestAuthority() }
    public func issue(_ template: CertificateTemplate) throws -> TestIdentity { TestIdentity() }
}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public struct CertificateTemplate {
    public static func leaf(_ names: String...) -> CertificateTemplate { CertificateTemplate() }
}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public struct TestIdentity {}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public struct TestClock {
    public init() {}
}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public struct CannedFetcher {
    public init() {}
}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public struct TestKey {}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public struct TestCRL {}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public struct TestOCSPResponder {}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public struct TestLog {}

#endif
