// SPDX-License-Identifier: Apache-2.0

/// Swift code that customizes trust as narrowly as possible.
///
/// Every snippet is a region of `Examples/Sources/explain-snippets`, which CI compiles. A test compares both. Lines
/// have at most 66 characters, so that a terminal with 80 columns can show them indented.
package struct GuideSnippet: Sendable, Hashable {
    /// The name of the marked region in the example, such as `expected-name`.
    package let name: String

    /// The lines, without the indentation of the outermost line.
    package let code: String

    init(_ name: String, _ code: String) {
        self.name = name
        self.code = code
    }

    /// All snippets, in the order of the example.
    static let all: [GuideSnippet] = [
        exception, privateAnchors, pinnedLeaf, pinnedLeafUnderAnyName, expectedName, missingIntermediate, verifyDate,
        plainProfile, purpose, certificatePolicies, longerPaths, notStrict, pinsWithBackup, renewedCertificate,
        twoAuthorities, attributes, hostRule, revocationData, anchorsFile,
        publishedButOne, reportedPublication,
    ]
}

extension GuideSnippet {
    static let exception = GuideSnippet(
        "exception",
        """
        // The user has read the failures and accepts exactly these,
        // for this certificate at this host, for a week.
        let agreed = try trust.evaluate().exceptions(
            expires: now.advanced(by: .days(7)))
        try store.add(agreed)
        trust.setExceptions(agreed)
        """)

    static let privateAnchors = GuideSnippet(
        "private-anchors",
        """
        // For this host, the path has to end in our root.
        // Other hosts keep the system's anchors.
        let manager = try ServerTrustManager(evaluators: [
            "build.corp.example": PinnedCertificatesTrustEvaluator(
                certificates: [ourRoot], acceptSelfSigned: true),
            "*.example.com": DefaultTrustEvaluator(),
        ])
        """)

    static let pinnedLeaf = GuideSnippet(
        "pinned-leaf",
        """
        // Accepts exactly this certificate at this host, under its
        // name, and ignores its other failures.
        let manager = try ServerTrustManager(evaluators: [
            "printer.corp.example": PinnedCertificatesTrustEvaluator(
                certificates: [printer], performDefaultValidation: false)
        ])
        """)

    static let pinnedLeafUnderAnyName = GuideSnippet(
        "pinned-leaf-under-any-name",
        """
        // Accepts exactly this certificate at this address, under any
        // name.
        let manager = try ServerTrustManager(evaluators: [
            "192.0.2.7": PinnedCertificatesTrustEvaluator(
                certificates: [device], performDefaultValidation: false,
                validateHost: false)
        ])
        """)

    static let expectedName = GuideSnippet(
        "expected-name",
        """
        // The connection goes to the address, but the certificate has
        // to be valid for the server's name.
        let manager = try ServerTrustManager(evaluators: [
            "192.0.2.7": DefaultTrustEvaluator(
                expecting: Hostname("api.example.com"))
        ])
        """)

    static let missingIntermediate = GuideSnippet(
        "missing-intermediate",
        """
        // Only a candidate for the path. The root still has to be
        // trusted.
        trust.intermediates = [issuingCA]
        """)

    static let verifyDate = GuideSnippet(
        "verify-date",
        """
        // For a device whose clock isn't set yet: the date comes from
        // an authenticated source.
        trust.verifyDate = .at(authenticatedTime)
        """)

    static let plainProfile = GuideSnippet(
        "plain-profile",
        """
        // RFC 5280 without the public web's rules, only for
        // servers of this private CA.
        trust.policy.profile = .rfc5280
        trust.anchors = .only([ourRoot])
        """)

    static let purpose = GuideSnippet(
        "purpose",
        """
        // A peer with a client certificate from our own CA.
        trust.policy.purpose = .clientAuth
        trust.anchors = .only([ourRoot])
        """)

    static let certificatePolicies = GuideSnippet(
        "certificate-policies",
        """
        // The new issuing CA's policy is also acceptable.
        trust.policy.certificatePolicies.acceptable = [
            oldPolicy, newPolicy,
        ]
        """)

    static let longerPaths = GuideSnippet(
        "longer-paths",
        """
        // One more intermediate than before.
        trust.policy.maximumIntermediates = 2
        """)

    static let notStrict = GuideSnippet(
        "not-strict",
        """
        // The strict rules are for CAs. Without them, the engine
        // validates the path as browsers do.
        trust.policy.isStrict = false
        """)

    static let pinsWithBackup = GuideSnippet(
        "pins-with-backup",
        """
        // The key in service, and a backup key that no server has.
        let manager = try ServerTrustManager(evaluators: [
            "api.example.com": SPKIPinsTrustEvaluator(
                SPKIPinSet(pins: [pinInService], backup: [pinInReserve]))
        ])
        """)

    static let renewedCertificate = GuideSnippet(
        "renewed-certificate",
        """
        // Pin both certificates until the server has the new one.
        let manager = try ServerTrustManager(evaluators: [
            "api.example.com": PinnedCertificatesTrustEvaluator(
                certificates: [current, renewed])
        ])
        """)

    static let twoAuthorities = GuideSnippet(
        "two-authorities",
        """
        // The current CA, and the CA that the server moves to.
        let manager = try ServerTrustManager(evaluators: [
            "api.example.com": CertificateAuthorityTrustEvaluator(
                authorities: [currentCA, nextCA])
        ])
        """)

    static let attributes = GuideSnippet(
        "attributes",
        """
        // Fewer requirements for one host. The CA and organization
        // still have to match.
        let manager = try ServerTrustManager(evaluators: [
            "partner.example.com": CompositeTrustEvaluator(evaluators: [
                CertificateAuthorityTrustEvaluator(
                    authorities: [partnerCA]),
                AttributeTrustEvaluator([.organization("Partner, Inc.")]),
            ])
        ])
        """)

    static let hostRule = GuideSnippet(
        "host-rule",
        """
        // A rule for one more host. Others are still refused.
        let manager = try ServerTrustManager(evaluators: [
            "api.example.com": DefaultTrustEvaluator(),
            "files.example.com": DefaultTrustEvaluator(),
        ])
        """)

    static let revocationData = GuideSnippet(
        "revocation-data",
        """
        // A current CRL of the CA, fetched in advance. The revocation
        // check is still required.
        trust.revocation = .required
        trust.revocationData = RevocationData(crls: [crl])
        """)

    static let anchorsFile = GuideSnippet(
        "anchors-file",
        """
        // For machines without roots, ship the anchors with the
        // program.
        let roots = try CertificateFile.certificates(
            in: bytes, name: "roots.pem")
        trust.anchors = .only(roots)
        """)

    static let publishedButOne = GuideSnippet(
        "published-but-one",
        """
        // Certificates of public CAs have to be published, except for
        // one host. Its other checks still apply.
        let published = TransparencyTrustEvaluator(
            logs: logs, policy: .mozilla, mode: .require,
            exemptHosts: [HostPattern(oldHost)])
        """)

    static let reportedPublication = GuideSnippet(
        "reported-publication",
        """
        // TrustVerdict.reported lists what require would refuse.
        trust.settings.transparency = TransparencySettings(
            logs: nil, policy: .mozilla, mode: .report)
        """)
}
