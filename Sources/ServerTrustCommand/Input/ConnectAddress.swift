import ArgumentParser

/// `--connect`: `192.0.2.7`, `192.0.2.7:8443`, `[::1]:8443`, `::1` or a name.
struct ConnectAddress: Hashable, Sendable {
    /// nil for the host itself.
    var host: String?
    /// nil for the host's own.
    var port: Int?

    /// - Throws: `ValidationError` with what is wrong with `text`.
    init(_ text: String?) throws {
        guard let text else { return }
        do throws(EndpointError) {
            let endpoint = try Endpoint(text)
            host = endpoint.host.description
            let namesPort = text.hasSuffix(":\(endpoint.port)") && text != endpoint.host.description
            port = namesPort ? endpoint.port : nil
        } catch {
            throw ValidationError(error.description)
        }
    }
}
