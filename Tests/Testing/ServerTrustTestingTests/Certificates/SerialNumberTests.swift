// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

@Suite("Serial numbers")
struct SerialNumberTests {
    /// Returns every serial number of a small tree, in the order of issuance.
    static func tree() throws -> [SerialNumber] {
        let root = try TestAuthority.root()
        let first = try root.intermediate()
        // The same name again, as after a key change.
        let second = try root.intermediate()
        let other = try TestAuthority.root(.authority("Other Root"))
        let crossSigned = try first.crossSigned(by: other)
        let deep = try second.intermediate()
        var certificates = [root, first, second, other, crossSigned, deep].map(\.certificate)
        for authority in [root, first, crossSigned, first, second, other, deep] {
            certificates.append(try authority.issue(.leaf("www.example.com")).certificate)
        }
        return certificates.map(\.serialNumber)
    }

    @Test("Two runs of a program issue equal serial numbers, even in parallel")
    func deterministic() async throws {
        let expected = try Self.tree()
        try await withThrowingTaskGroup(of: [SerialNumber].self) { group in
            for _ in 0..<8 { group.addTask { try Self.tree() } }
            for try await found in group { #expect(found == expected) }
        }
    }

    @Test("Serial numbers don't change between releases")
    func pinned() throws {
        let root = try TestAuthority.root()
        #expect(root.certificate.serialNumber.bytes.suffix(4) == [0, 0, 0, 1])
        let leaf = try root.issue(.leaf("www.example.com")).certificate
        #expect(leaf.serialNumber.bytes.prefix(4) == root.certificate.serialNumber.bytes.prefix(4))
        #expect(leaf.serialNumber.bytes.suffix(4) == [0, 0, 0, 2])
    }

    @Test("A tree's serial numbers are distinct, positive and eight bytes long")
    func form() throws {
        let numbers = try Self.tree()
        #expect(Set(numbers).count == numbers.count)
        for number in numbers {
            #expect(!number.isNegative)
            #expect(number.bytes.count == 8)
            #expect((0x40...0x7f).contains(number.bytes[0]))
        }
    }

    @Test("An authority keeps a template's own serial number and doesn't count it")
    func given() throws {
        let root = try TestAuthority.root()
        let given = try root.issue(.leaf("a.example.com").with { $0.serialNumber = [0x9a, 0xbc] }).certificate
        #expect(given.serialNumber.bytes == [0x00, 0x9a, 0xbc])
        #expect(try root.issue(.leaf("a.example.com")).certificate.serialNumber.bytes.last == 2)
    }

    @Test("A CA used by many tasks issues no serial number twice")
    func concurrent() async throws {
        let root = try TestAuthority.root()
        let numbers = try await withThrowingTaskGroup(of: SerialNumber.self) { group in
            for _ in 0..<64 { group.addTask { try root.issue(.leaf("a.example.com")).certificate.serialNumber } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(numbers.count == 64)
    }
}
