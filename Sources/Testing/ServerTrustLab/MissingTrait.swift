// SPDX-License-Identifier: Apache-2.0

// Without a trait, the module has no dependencies, and its names say which trait is missing. They can be used as in the first
// examples, so that the compiler reports nothing else.

#if !(Testing || Everything)

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public struct LabServer {
    public static func start(_ scenario: LabScenario) async throws -> LabServer { LabServer() }
    public func stop() async {}
}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public struct LabScenario {
    public static var expired: LabScenario { LabScenario() }
}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public struct LabClient {
    public init() {}
}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public struct AdapterConformance {
    public init() {}
}

@available(*, unavailable, message: "add the trait Testing to the traits of swift-server-trust in Package.swift")
public struct ClientConformance {
    public init() {}
}

#endif
