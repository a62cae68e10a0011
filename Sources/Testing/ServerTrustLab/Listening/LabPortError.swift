// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX

/// The error for a lab server or repository that can't listen on its port. Its codes begin with `labPort`.
public struct LabPortError: TrustError, Hashable {
    /// The kind of error.
    public let code: ErrorCode
    /// The address of the port.
    public let address: LoopbackAddress
    /// The requested port, or 0 if the system should choose.
    public let port: Int
    /// The system's message, for `ErrorCode.labPortFailed`. Its wording may change.
    let detail: String

    init(_ code: ErrorCode, address: LoopbackAddress, port: Int, detail: String = "") {
        self.code = code
        self.address = address
        self.port = port
        self.detail = detail
    }

    public var message: String {
        let problem =
            switch code {
            case .labPortInUse: "is in use"
            case .labPortNotPermitted: "requires a permission that this process doesn't have"
            default: "can't be opened: \(detail)"
            }
        return "port \(port) of \(address.rawValue) \(problem)"
    }
}

extension ErrorCode {
    /// Another socket is listening on the lab's port.
    public static let labPortInUse = ErrorCode("labPortInUse")
    /// The process has no permission to use the lab's port, usually because the port is below 1024.
    package static let labPortNotPermitted = ErrorCode("labPortNotPermitted")
    /// The lab can't listen on its port for another reason.
    static let labPortFailed = ErrorCode("labPortFailed")
}

#endif
