// SPDX-License-Identifier: Apache-2.0

// Without a trait, the module has no dependencies, and its names say which trait is missing.

#if !(Testing || Everything)

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public enum LabServer {}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public enum LabScenario {}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public enum LabClient {}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public enum LabCertificates {}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public enum LabOutcome {}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public enum LabRepository {}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public enum AdapterConformance {}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public enum ClientConformance {}

#endif
