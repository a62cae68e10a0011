// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import AsyncHTTPClient
import Foundation
import FoundationNetworking
import ServerTrust
import NIOCore
import NIOHTTP1
import PKIX
import ServerTrustNIO
import SessionDelegates

/// The course of one task from its first request to its final response: redirects, challenges, cookies, cache and
/// time limits.
struct TaskExchange: Sendable {
    private let task: URLSessionTask
    let context: TaskContext
    let emit: @Sendable (TaskLoad.Event) -> Void
    private let window: DeliveryWindow
    let limits: TimeLimits
    private let original: URLRequest
    /// nil if no delegate receives the metrics.
    let metrics: TaskMetrics?
    /// The transport of the last request. This reference keeps it open, because the body of the response arrives
    /// later.
    let inUse = Locked<(any SessionTransport)?>(nil)

    /// The properties of the task, read once on the queue that they belong to.
    struct TaskContext: Sendable {
        let session: URLSession
        let configuration: any TrustedSessionConfiguration
        let policy: SessionPolicy
        let proxies: SessionProxies
        let ownDelegate: (any FoundationNetworking.URLSessionTaskDelegate)?
        let deliversToDelegate: Bool
        /// Whether the session's delegate decides what happens to a response.
        let asksForDisposition: Bool
        /// Whether the body goes into a file.
        let isDownload: Bool
        /// The app's own protocol classes, which are tried before the network.
        let appProtocols: [URLProtocol.Type]
        /// The body that the task was created with. Nil if the delegate provides it.
        let body: RequestBody?
    }

    /// - Throws: a `URLError` for a task that isn't supported.
    init(
        _ task: URLSessionTask, _ internals: URLSessionTaskInternals, window: DeliveryWindow, isStreamed: Bool,
        _ metrics: TaskMetrics?, emit: @escaping @Sendable (TaskLoad.Event) -> Void
    ) throws(URLError) {
        let url = task.originalRequest?.url
        guard let request = task.currentRequest ?? task.originalRequest, url != nil,
            let configuration = internals.session.configuration as? any TrustedSessionConfiguration,
            let policy = configuration.policy
        else { throw SessionError.unsupported(.foundation("configuration"), at: url) }
        try DelegateForms.requireVisible(internals.session.foundationDelegate, at: url)
        try DelegateForms.requireVisible(internals.foreignDelegate, at: url)
        try DelegateForms.requireVisible(internals.ownDelegate, at: url)
        let isDownload = task is URLSessionDownloadTask
        guard isDownload || task is URLSessionDataTask else { throw SessionError.unsupported(.webSocket, at: url) }
        guard !isDownload || URLProtocolInternals.isReadable else {
            throw SessionError.unsupported(.foundation(URLProtocolInternals.name), at: url)
        }
        let proxies = try SessionProxies(
            configuration.connectionProxyDictionary, environment: policy.proxies, at: url)
        self.task = task
        self.emit = emit
        self.window = window
        self.original = request
        self.metrics = metrics
        self.context = TaskContext(
            session: internals.session, configuration: configuration, policy: policy, proxies: proxies,
            ownDelegate: internals.ownDelegate,
            deliversToDelegate: internals.deliversToDelegate || isStreamed,
            asksForDisposition: internals.deliversToDelegate && !isStreamed && !isDownload
                && TaskMembers.response.isReadable,
            isDownload: isDownload,
            appProtocols: configuration.appProtocols, body: RequestBody(internals.body))
        // Foundation doesn't tell whether a request has its own timeout. A timeout other than the usual 60 seconds
        // counts as the request's own.
        let idle = request.timeoutInterval == 60 ? configuration.timeoutIntervalForRequest : request.timeoutInterval
        self.limits = TimeLimits(
            idle: .seconds(max(0.001, min(idle, 1e9))),
            whole: .seconds(max(0.001, min(configuration.timeoutIntervalForResource, 1e9))))
    }

    /// Runs the task to its end and emits the outcome, unless the task is canceled.
    func run() async {
        // Emits before the exchange has ended, so that an exchange that stops slowly doesn't delay a time limit.
        let stop = limits.whenReached {
            emit(.end(.failed(SessionError.make(.timedOut, at: original.url))))
        }
        defer { stop() }
        do { emit(.end(.finished(try await exchange()))) } catch {
            emit(.end(.failed(SessionError.make(error, at: original.url, context.policy.errorNumbers))))
        }
    }

    // MARK: - From request to answer

    /// - Returns: the file of a download.
    private func exchange() async throws -> DownloadFile? {
        var request = Self.prepared(original, context.configuration)
        var appProtocol = appProtocol(for: request)
        if appProtocol == nil { try requireNotDenied(request) }
        var body =
            if let body = context.body { body } else {
                try await newBody(
                    from: proxy(at: original.url), else: "the delegate returned no stream for the body")
            }
        let scope = context.configuration.state.scope(for: context.ownDelegate)
        var authenticator = HTTPAuthenticator(
            session: scope.credentials, storage: context.configuration.urlCredentialStorage)
        var proxyAuthenticator = HTTPAuthenticator(
            session: scope.proxyCredentials, storage: context.configuration.urlCredentialStorage, isForProxies: true)
        var redirects = RedirectChain(.session, from: original.url?.absoluteString ?? "")
        var isUnredirected = true
        while true {
            let url = try appProtocol == nil ? Self.checkedURL(of: request) : Self.url(of: request)
            // Checked again because the rules may have changed while the task waited for an answer.
            if appProtocol == nil { try requireNotDenied(request) }
            let (server, proxy) = (server(at: url), proxy(at: url))
            var head = try self.head(for: request, body, keepsCookies: isUnredirected)
            let isAuthorized = head.headers.contains(name: "authorization")
            // Cache and cookies are only for the network, not for an app's class that replaces it.
            let hasCache = appProtocol == nil && !context.isDownload
            let (fields, password) = (head.headers, isAuthorized ? nil : authenticator.credential(for: url))
            var cache = hasCache ? cache(for: fields, password, at: url, of: server, scope) : nil
            let cached = appProtocol == nil ? try cachedAnswer(cache, request) : nil
            metrics?.begin(request)
            if let cached, cached.isFresh {
                metrics?.respond(cached.response)
                if let response = cached.response.response as? HTTPURLResponse { emit(.response(response)) }
                deliver(cached.response.data)
                return nil
            }
            if let cached { head.headers.add(contentsOf: HTTPHeaders(ResponseCache.validators(cached.response))) }
            let digest = DigestRequest(
                method: head.method.rawValue, target: Self.target(of: url), body: { [body] in body.bytes })
            if !isAuthorized, let text = authenticator.authorization(for: url, digest) {
                head.headers.add(name: "authorization", value: text)
            }
            let response: HTTPClientResponse
            if let appProtocol {
                let answer = try await AppProtocolExchange(appProtocol)
                    .run(AppProtocolExchange.request(request, head, body))
                limits.recordActivity()
                if let other = answer.other {
                    metrics?.respond(other)
                    return try await receive(answer.head, other, request, nil, proxy)
                }
                response = answer.head
            } else {
                let tunnel = proxyAuthenticator.authorized(try context.proxies.proxy(for: server?.origin))
                metrics?.load(throughProxy: tunnel != nil)
                do {
                    response = try await SessionProxies.$current.withValue(tunnel) {
                        try await send(head, body, to: server, proxy)
                    }
                } catch let failure as ConnectionFailure {
                    // Nothing was sent to the server, so the body hasn't been read.
                    guard let tunnel, let challenges = failure.proxyChallenges,
                        try await proxyAuthenticator.answer(challenges, of: tunnel, proxy)
                    else { throw SessionError.make(failure, at: url, context.policy.errorNumbers) }
                    metrics?.dropLast()
                    continue
                }
                proxyAuthenticator.succeeded(info: nil)
                // The request may have used a new connection with another client certificate.
                if hasCache { cache = self.cache(for: fields, password, at: url, of: server, scope) }
            }
            let status = Int(response.status.code)
            guard let final = ResponseHead.final(status, response.headers, at: url) else {
                throw SessionError.make(.badServerResponse, at: url)
            }
            metrics?.respond(final)
            // This also applies if the server redirects, because the target may be the same address.
            if !Self.safeMethods.contains(head.method) { cache?.invalidate(request) }
            if request.httpShouldHandleCookies, appProtocol == nil {
                Cookies(context.configuration)?.store(
                    response.headers["set-cookie"], from: url, mainDocument: original.mainDocumentURL)
            }
            if status == 401, let failed = ResponseHead.response(status, response.headers, at: url) {
                let outcome = try await authenticator.answer(
                    response.headers["www-authenticate"], failed, to: digest, proxy)
                if case .retry = outcome {
                    try await drop(response)
                    body = try await again(body, proxy)
                    request.setValue(nil, forHTTPHeaderField: "Authorization")
                    continue
                }
            } else {
                authenticator.succeeded(info: response.headers.first(name: "authentication-info"))
            }
            if status == 304, let cached {
                guard cache?.mayUse(cached.response) == true else {
                    // The server confirmed the response for another client certificate. The next attempt finds
                    // nothing in the cache.
                    try await drop(response)
                    body = try await again(body, proxy)
                    continue
                }
                let updated = ResponseCache.updated(cached.response, by: response.headers)
                if let response = updated.response as? HTTPURLResponse { emit(.response(response)) }
                cache?.store(updated, for: request)
                try await drop(response)
                deliver(updated.data)
                return nil
            }
            let location = response.headers.first(name: "location")
            if let redirect = try Self.redirect(&redirects, status, location, request),
                let next = request.following(redirect)
            {
                if let agreed = await proxy.redirection(final, next) {
                    try await drop(response)
                    appProtocol = self.appProtocol(for: agreed)
                    if appProtocol == nil {
                        _ = try Self.checkedURL(of: agreed)
                        try requireNotDenied(agreed)
                    }
                    let keepsBody =
                        !redirect.dropsBody && (request.httpMethod ?? "GET") == (agreed.httpMethod ?? "GET")
                    body = keepsBody ? try await again(body, proxy) : .none
                    request = agreed
                    TaskMembers.currentRequest.update(task) { $0 = request }
                    isUnredirected = false
                    metrics?.countRedirect()
                    continue
                }
            }
            return try await receive(response, final, request, cache, proxy)
        }
    }

    /// The methods that change nothing (RFC 9110 § 9.2.1).
    private static let safeMethods: [HTTPMethod] = [.GET, .HEAD, .OPTIONS, .TRACE]

    /// Returns the app's first class that claims a request, or nil if the request goes to its server.
    private func appProtocol(for request: URLRequest) -> URLProtocol.Type? {
        context.appProtocols.first { $0.canInit(with: request) }
    }

    /// Returns the redirect of a response, or nil if the response is final.
    private static func redirect(
        _ chain: inout RedirectChain, _ status: Int, _ location: String?, _ request: URLRequest
    ) throws -> Redirect? {
        do throws(RedirectError) {
            return try chain.next(
                status: status, location: location, from: request.url?.absoluteString ?? "",
                method: request.httpMethod ?? "GET")
        } catch {
            switch error {
            case .malformedLocation: return nil
            case .unusableTarget(_, let reason):
                throw SessionError.make(.badURL, at: request.url, reason.description)
            default: throw SessionError.make(.httpTooManyRedirects, at: request.url)
            }
        }
    }

    /// Delivers the body, in pieces or as a whole, and stores it if that is allowed.
    /// - Returns: the file that contains the body of a download.
    private func receive(
        _ response: HTTPClientResponse, _ final: URLResponse, _ request: URLRequest, _ cache: ResponseCache?,
        _ proxy: DelegateProxy
    ) async throws -> DownloadFile? {
        let isPacked = response.headers.contains(name: "content-encoding")
        let expected = isPacked ? NSURLSessionTransferSizeUnknown : final.expectedContentLength
        emit(.expected(expected))
        guard !context.isDownload else {
            emit(.response(final))
            return try await receiveFile(response, expected, proxy)
        }
        if context.asksForDisposition {
            try await askForDisposition(final, proxy)
        } else {
            emit(.response(final))
        }
        let http = final as? HTTPURLResponse
        var mayBeKept = http.flatMap { cache?.proposal($0, Data(), for: request) } != nil
        var data = Data()
        for try await chunk in response.body {
            limits.recordActivity()
            emit(.received(chunk.readableBytes))
            metrics?.receive(chunk.readableBytes)
            if context.deliversToDelegate { try await handOver(Data(chunk.readableBytesView)) }
            if !context.deliversToDelegate || mayBeKept { data.append(contentsOf: chunk.readableBytesView) }
            if let cache, mayBeKept, data.count > cache.largestBody {
                mayBeKept = false
                if context.deliversToDelegate { data = Data() }
            }
        }
        metrics?.complete()
        // Foundation's completion handlers only get the last piece, so they get the whole body as one piece.
        if !context.deliversToDelegate { deliver(data) }
        if let http, let cache, mayBeKept, let proposal = cache.proposal(http, data, for: request),
            let kept = await proxy.willCache(proposal)
        {
            cache.store(kept, for: request)
        }
        return nil
    }

    /// Asks the delegate what to do with a response. Foundation's own call ignores the answer, so this one replaces
    /// it.
    /// - Throws: `CancellationError` if the delegate cancels the task, or `URLError` if it wants a task of another
    ///   kind.
    private func askForDisposition(_ response: URLResponse, _ proxy: DelegateProxy) async throws {
        TaskMembers.response.update(task) { $0 = response }
        switch await proxy.disposition(of: response) {
        case .allow: break
        case .cancel:
            task.cancel()
            throw CancellationError()
        case .becomeDownload, .becomeStream: throw SessionError.unsupported(.disposition, at: response.url)
        }
    }

    /// Writes the body of a download. Reports progress to the delegate, and waits for the delegate as with the
    /// bytes of a data task.
    private func receiveFile(
        _ response: HTTPClientResponse, _ expected: Int64, _ proxy: DelegateProxy
    ) async throws -> DownloadFile {
        let file = try DownloadFile(at: proxy.url)
        let progress = WrittenBytes()
        for try await chunk in response.body {
            limits.recordActivity()
            let count = chunk.readableBytes
            guard count > 0 else { continue }
            try await writing(proxy.url) { try await file.write(chunk.readableBytesView) }
            emit(.received(count))
            metrics?.receive(count)
            guard context.deliversToDelegate else { continue }
            window.add(count)
            proxy.reportWritten(count, progress, expected: expected) { [window] in window.acknowledge($0) }
            try await waitForDelegate()
        }
        metrics?.complete()
        try await writing(proxy.url) { try await file.close() }
        return file
    }

    private func writing(_ url: URL, _ body: () async throws -> Void) async throws {
        do { try await body() } catch {
            throw SessionError.make(
                .cannotWriteToFile, at: url, "the download's file can't be written: \(error)")
        }
    }

    /// Emits the data and returns when the delegate has taken most of the bytes. The idle time is paused meanwhile
    /// because it only applies to the server.
    private func handOver(_ data: Data) async throws {
        emit(.data(data))
        try await waitForDelegate()
    }

    private func waitForDelegate() async throws {
        guard !window.hasCapacity else { return }
        limits.pause()
        defer { limits.resume() }
        try await window.waitForCapacity()
    }

    private func deliver(_ data: Data) { if !data.isEmpty { emit(.data(data)) } }

    /// Reads a body that isn't needed, so that the connection can be reused. Stops if the body is long.
    private func drop(_ response: HTTPClientResponse) async throws {
        var rest = 64 << 10
        for try await chunk in response.body {
            limits.recordActivity()
            rest -= chunk.readableBytes
            metrics?.receive(chunk.readableBytes)
            guard rest > 0 else { return }
        }
        metrics?.complete()
    }

    /// Returns the body for another request.
    private func again(_ body: RequestBody, _ proxy: DelegateProxy) async throws -> RequestBody {
        guard case .stream = body else { return body }
        return try await newBody(
            from: proxy,
            else: "the body is a stream that was already read; expected a new stream from the delegate")
    }

    /// Returns a body from the delegate.
    private func newBody(from proxy: DelegateProxy, else problem: String) async throws -> RequestBody {
        guard let stream = await proxy.newBodyStream() else {
            throw SessionError.make(.requestBodyStreamExhausted, at: proxy.url, problem)
        }
        return .stream(BodyStream(stream))
    }

    private func proxy(at url: URL?) -> DelegateProxy {
        DelegateProxy(
            session: context.session, task: task, ownDelegate: context.ownDelegate, limits: limits,
            url: url ?? URL(fileURLWithPath: "/"))
    }
}
#endif
