// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Hummingbird
import ServerTrustHTTP

/// Returns routes that forward every path below a name to the upstream of that name.
/// - Parameter upstreams: names with the scheme, host and port of their upstreams.
func routes(to upstreams: [String: String], with client: TrustedHTTPClient) -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: UpstreamErrors())
    for (name, base) in upstreams {
        router.get("\(name)/**") { request, _ in
            try await forward(request, to: base, with: client)
        }
    }
    return router
}

/// Calls an upstream. The client evaluates its server by the host's rule before it sends a byte.
func forward(_ request: Request, to base: String, with client: TrustedHTTPClient) async throws -> Response {
    let query = request.uri.query.map { "?\($0)" } ?? ""
    let answer = try await client.execute(
        HTTPClientRequest(url: base + request.uri.path + query), timeout: .seconds(10))
    var headers = HTTPFields()
    // Copy the fields that your service should forward. Others describe the upstream's own connection.
    headers[.contentType] = answer.headers.first(name: "content-type")
    return Response(
        status: .init(code: Int(answer.status.code)), headers: headers,
        body: ResponseBody(asyncSequence: answer.body))
}

/// Converts errors of upstreams to statuses. Clients get a code, and the log gets hosts and reasons.
struct UpstreamErrors: RouterMiddleware {
    typealias Context = BasicRequestContext

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let refusal as TrustRefusal {
            // The upstream isn't trusted, or no rule allows its host. It received no part of the request.
            context.logger.error(
                "upstream refused", metadata: ["code": "\(refusal.code)", "reason": "\(refusal.message)"])
            throw HTTPError(.badGateway, message: refusal.code.name)
        } catch let failure as ConnectionFailure {
            // There is no verdict: the server has no address, doesn't answer or doesn't use TLS.
            context.logger.error(
                "upstream not reached", metadata: ["code": "\(failure.code)", "reason": "\(failure.message)"])
            let isLate = [.connectionTimedOut, .connectionEvaluationTimedOut].contains(failure.code)
            throw HTTPError(isLate ? .gatewayTimeout : .badGateway, message: failure.code.name)
        } catch let error as TrustedHTTPError {
            // The client refuses a redirect, or an address that the service uses can't be parsed.
            context.logger.error("upstream not asked", metadata: ["code": "\(error.code)", "reason": "\(error)"])
            throw HTTPError(.badGateway, message: error.code.name)
        } catch let error as HTTPClientError {
            // A trusted upstream answers too late or incorrectly.
            context.logger.error("upstream failed", metadata: ["reason": "\(error)"])
            let isLate = [.deadlineExceeded, .readTimeout].contains(error)
            throw HTTPError(isLate ? .gatewayTimeout : .badGateway)
        }
    }
}
