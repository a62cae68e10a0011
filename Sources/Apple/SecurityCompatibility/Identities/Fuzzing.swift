// SPDX-License-Identifier: Apache-2.0

#if !canImport(Security)
    import Inspection

    extension SecIdentity {
        /// Reads bytes as a file of PKCS #12, and as the contents of one without its MAC, which a fuzzer can't forge. At most 1,000 iterations
        /// are spent, so that an input is quick.
        /// - Returns: the numbers of private keys and certificates in the contents; nil if they can't be read.
        @_spi(Fuzzing)
        public static func readPKCS12(_ bytes: [UInt8], passphrase: String) -> (keys: Int, certificates: Int)? {
            var budget = PKCS12Derivation.Budget(remaining: 1_000)
            if let contents = try? PKCS12File.authenticated(bytes, passphrase, &budget), contents.count > bytes.count {
                return (keys: .max, certificates: .max)
            }
            guard let file = try? PKCS12File(authenticatedSafe: bytes, passphrase: passphrase, &budget) else {
                return nil
            }
            return (file.keys.count, file.certificates.count)
        }

        /// Reads bytes as a file of any kind, with every passphrase "p" and at most 1,000 iterations.
        /// - Returns: the number of objects, the bytes of DER of all objects, and the longest text of a problem.
        @_spi(Fuzzing)
        public static func readFile(_ bytes: [UInt8]) -> (objects: Int, size: Int, longestText: String) {
            var limits = ReadingLimits()
            limits.iterations = 1_000
            limits.keys = 4
            let file = InspectionReader.read(bytes, name: "f", limits: limits) { _ in "p" }
            var texts = file.objects.compactMap { $0.problem?.description }
            for entry in file.certificates(for: .anchor(.serverAuth)) {
                if case .failure(let error) = entry { texts.append(error.description) }
            }
            return (
                file.objects.count, file.objects.reduce(0) { $0 + $1.der.count },
                texts.max { $0.utf8.count < $1.utf8.count } ?? ""
            )
        }
    }
#endif
