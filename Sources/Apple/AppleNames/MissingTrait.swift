// SPDX-License-Identifier: Apache-2.0

// Without a trait, the module has no dependencies, and its names say which trait is missing.

#if !(HTTP || Everything)

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public enum SecTrust {}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public enum URLSession {}

#endif
