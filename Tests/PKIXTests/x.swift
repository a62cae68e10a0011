import Testing
@testable import PKIX
@Test func x() { #expect(sum([1,2])==3) }
