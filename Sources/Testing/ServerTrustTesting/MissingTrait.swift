// SPDX-License-Identifier: Apache-2.0

// Without a trait, the module has no dependencies, and its names say which trait is missing.

#if !(Testing || Everything)

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public enum TestAuthority {}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public enum TestIdentity {}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public enum TestKey {}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public enum TestClock {}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public enum CertificateTemplate {}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public enum TestCRL {}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public enum TestOCSPResponder {}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public enum TestLog {}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public enum CannedFetcher {}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public enum EvaluatorConformance {}

#endif
