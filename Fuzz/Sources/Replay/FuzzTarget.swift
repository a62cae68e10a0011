// SPDX-License-Identifier: Apache-2.0

/// A fuzz target of this program.
struct FuzzTarget: Sendable {
    typealias Function = @Sendable (_ start: UnsafeRawPointer?, _ count: Int) -> CInt

    /// Limits for one input.
    struct Limits: Sendable {
        /// The processor time in milliseconds.
        var milliseconds = 5_000
        /// The growth of the process's peak memory, in megabytes, after it has read the inputs.
        var megabytes = 512
        /// The elapsed time in seconds. This limit finds inputs that wait or never end.
        var seconds = 60
    }

    /// The name of its module, of `Seeds/NAME` and of `Corpus/NAME`.
    let name: String
    /// The number of mutated inputs in a run.
    let mutations: Int
    let limits: Limits
    /// The inputs for the self-test, instead of those in the folders.
    let inputs: [[UInt8]]?
    let function: Function

    init(
        _ name: String, mutations: Int, limits: Limits = Limits(), inputs: [[UInt8]]? = nil,
        _ function: @escaping Function
    ) {
        self.name = name
        self.mutations = mutations
        self.limits = limits
        self.inputs = inputs
        self.function = function
    }

    static func named(_ name: String) -> FuzzTarget? {
        (all + SelfTest.targets).first { $0.name == name }
    }
}
