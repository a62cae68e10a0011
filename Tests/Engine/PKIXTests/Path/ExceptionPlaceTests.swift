// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// A caller's exceptions excuse recoverable failures only. The caller decides about each failure with its certificate.
@Suite("Exceptions at every place of a path")
struct ExceptionPlaceTests {
    private func validate(
        _ path: [Certificate], policy: ValidationPolicy = ValidationPolicy(),
        excepting: @escaping PathValidator.FailureException
    ) -> PathValidation {
        PathValidator(anchors: AnchorStore([path[path.count - 1]]), policy: policy, memory: nil).validate(
            path[0], presented: Array(path.dropFirst().dropLast()), intermediates: [], host: nil,
            at: TestAuthority.now, insecurelyExcepting: excepting, additionalChecks: nil)
    }

    /// A leaf, two intermediates and a root, with a change at one place.
    private func path(_ place: Int, _ change: (inout CertificateTemplate) -> Void) throws -> [Certificate] {
        func template(_ index: Int, _ template: CertificateTemplate) -> CertificateTemplate {
            index == place ? template.with(change) : template
        }
        let root = try TestAuthority.root(template(3, .authority("Root")))
        let upper = try root.intermediate(template(2, .authority("Upper")))
        let lower = try upper.intermediate(template(1, .authority("Lower")))
        let leaf = try lower.issue(template(0, .leaf("www.example.com"))).certificate
        return [leaf, lower.certificate, upper.certificate, root.certificate]
    }

    private static let unknown = Extension(
        identifier: OID("1.3.6.1.4.1.99999.1") ?? .anyPolicy, isCritical: true, value: [0x05, 0x00])

    @Test("No exception excuses a fatal failure of the leaf, a CA or the anchor", arguments: 0..<4)
    func fatal(place: Int) throws {
        let path = try path(place) { $0.extensions = [Self.unknown] }
        let validation = validate(path) { _, _ in true }
        #expect(validation.codes == [.criticalExtensionUnhandled])
        #expect(validation.failures.map(\.certificate) == [place])
    }

    @Test("An exception excuses an expired certificate at its own place only", arguments: 0..<4)
    func recoverable(place: Int) throws {
        let path = try path(place) { $0.notAfter = TestAuthority.now.advanced(by: -1) }
        for excepted in 0..<4 {
            let validation = validate(path) { failure, certificate in
                failure.code == .certificateExpired && certificate == path[excepted]
            }
            #expect(validation.isValid == (excepted == place), "\(excepted)")
            #expect(validation.path?.excused.map(\.certificate) ?? [place] == [place])
        }
    }

    @Test("An exception for a failure of the whole path is asked without a certificate")
    func wholePath() throws {
        let path = try path(0) { _ in }
        var policy = ValidationPolicy()
        policy.maximumIntermediates = 1
        for isAgreed in [false, true] {
            let validation = validate(path, policy: policy) { failure, certificate in
                #expect(failure.code == .maximumIntermediatesExceeded && certificate == nil)
                return isAgreed && certificate == nil
            }
            #expect(validation.isValid == isAgreed)
        }
    }

    @Test("A wrong signature at any place is never excused", arguments: 0..<3)
    func signature(place: Int) throws {
        var path = try path(0) { _ in }
        var der = path[place].der
        der[der.count - 1] ^= 1
        path[place] = try Certificate(der: der)
        let validation = validate(path) { _, _ in true }
        #expect(validation.codes == [.signatureInvalid])
        #expect(validation.failures.map(\.certificate) == [place])
    }
}
