// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import NIOCore
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustNIO
import Testing

@testable import ServerTrustURLSession

@Suite("Error codes of failed connections")
struct TransportFailureTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var v4: [Int32?] = []
        var v6: [Int32?] = []
        var lookups: [Int32?] = []
        /// The codes on a machine with a network, and on one with only a loopback interface.
        let codes: (URLError.Code, URLError.Code)
    }

    static let rows: [Row] = [
        // Causes that mean there is no network.
        Row(
            testDescription: "no route to an IPv4 address", v4: [ENETUNREACH],
            codes: (.notConnectedToInternet, .notConnectedToInternet)),
        Row(
            testDescription: "no route to any address", v4: [ENETUNREACH, ENETUNREACH], v6: [ENETUNREACH],
            codes: (.notConnectedToInternet, .notConnectedToInternet)),
        Row(
            testDescription: "the network is down", v4: [ENETDOWN], v6: [EADDRNOTAVAIL],
            codes: (.notConnectedToInternet, .notConnectedToInternet)),
        Row(
            testDescription: "no name server answers", lookups: [EAI_AGAIN, EAI_AGAIN],
            codes: (.notConnectedToInternet, .notConnectedToInternet)),
        // Causes that depend on the machine.
        Row(
            testDescription: "a host is unreachable", v4: [EHOSTUNREACH],
            codes: (.cannotConnectToHost, .notConnectedToInternet)),
        Row(
            testDescription: "no route to an IPv6 address only", v6: [ENETUNREACH],
            codes: (.cannotConnectToHost, .notConnectedToInternet)),
        Row(
            testDescription: "the name doesn't exist", lookups: [EAI_NONAME, EAI_NONAME],
            codes: (.cannotFindHost, .notConnectedToInternet)),
        Row(
            testDescription: "a lookup that fails in another way", lookups: [nil],
            codes: (.cannotFindHost, .notConnectedToInternet)),
        // Causes that mean there is a network.
        Row(
            testDescription: "a host that refuses", v4: [ECONNREFUSED],
            codes: (.cannotConnectToHost, .cannotConnectToHost)),
        Row(
            testDescription: "a host that refuses over IPv4, and no IPv6", v4: [ECONNREFUSED], v6: [ENETUNREACH],
            codes: (.cannotConnectToHost, .cannotConnectToHost)),
        Row(
            testDescription: "one silent address and one without a route", v4: [nil, ENETUNREACH],
            codes: (.cannotConnectToHost, .cannotConnectToHost)),
        Row(testDescription: "no cause at all", codes: (.cannotConnectToHost, .cannotConnectToHost)),
    ]

    @Test(
        "A connection that fails for every address has Foundation's code, and means offline only without a route",
        arguments: rows)
    func connections(row: Row) {
        let failure = ConnectionAttempts(
            attempts: row.v6.map { .init(isIPv4: false, errorNumber: $0) }
                + row.v4.map { .init(isIPv4: true, errorNumber: $0) }, lookups: row.lookups)
        #expect(failure.code(isOffline: { false }) == row.codes.0)
        #expect(failure.code(isOffline: { true }) == row.codes.1)
    }

    @Test(
        "A connection failure has the code that matches its meaning",
        arguments: [
            (ErrorCode.connectionProxyAuthorizationRequired, URLError.Code.userAuthenticationRequired),
            (.connectionProxyTimedOut, .timedOut), (.connectionProxyFailed, .cannotConnectToHost),
            (.connectionNameServerFailed, .notConnectedToInternet), (.connectionNameNotResolved, .cannotFindHost),
            (.connectionEvaluationTimedOut, .timedOut), (.connectionPlainHTTP, .secureConnectionFailed),
            (.connectionClosed, .secureConnectionFailed), (.connectionSentTooEarly, .secureConnectionFailed),
        ])
    func connections(failure: ErrorCode, code: URLError.Code) throws {
        let error = ConnectionFailure(failure, host: try Hostname("api.lab.test"))
        #expect((SessionError.make(error, at: nil) as? URLError)?.code == code)
    }

    @Test("A request that can't be sent has the code of a malformed request")
    func malformed() {
        let error = SessionError.make(TrustedHTTPError(.requestMalformed, detail: "the method"), at: nil)
        #expect((error as? URLError)?.code == .badURL)
    }

    @Test(
        "A system error has Foundation's code",
        arguments: [
            (ENETUNREACH, URLError.Code.notConnectedToInternet, URLError.Code.notConnectedToInternet),
            (ENETDOWN, .notConnectedToInternet, .notConnectedToInternet),
            (EHOSTUNREACH, .cannotConnectToHost, .notConnectedToInternet),
            (ECONNREFUSED, .cannotConnectToHost, .cannotConnectToHost),
            (EADDRNOTAVAIL, .cannotConnectToHost, .cannotConnectToHost), (ETIMEDOUT, .timedOut, .timedOut),
            (ECONNRESET, .networkConnectionLost, .networkConnectionLost),
        ])
    func systemErrors(number: Int32, connected: URLError.Code, offline: URLError.Code) {
        for (isOffline, code) in [(false, connected), (true, offline)] {
            let error = SessionError.make(
                IOError(errnoCode: number, reason: "connect"), at: nil, isOffline: { isOffline })
            #expect((error as? URLError)?.code == code)
        }
    }
}
