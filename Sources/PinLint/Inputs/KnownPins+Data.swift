// SPDX-License-Identifier: Apache-2.0

extension KnownPins {
    /// Inputs without a key, each with a description: the results of a command line whose first command failed.
    static let inputs: [(bytes: [UInt8], description: String)] = [
        ([], "nothing"), ([0x0a], "an empty line"), ([0x0d, 0x0a], "an empty line"),
        ([0x30, 0x00], "an empty sequence in DER"),
        (Array("\0".utf8), "a zero byte"),
    ]

    /// Pins in documentation, each with the document.
    static let samples: [(key: String, name: String)] = [
        ("7HIpactkIAq2Y49orFOOQKurWxmmSFZhBCoQYcRhJ3Y=", "Android's guide to network security configuration"),
        ("fwza0LRMXouZHRC8Ei+4PyuldPDcf3UKgO/04cDM1oE=", "Android's guide to network security configuration"),
        ("afwiKY3RxoMmLkuRW1l7QsPZTJPwDS2pdDROQjXw8ig=", "OkHttp's documentation of CertificatePinner"),
        ("klO23nT2ehFDXCfx3eHTDRESMz3asj1muO+4aIdjiuY=", "OkHttp's documentation of CertificatePinner"),
        ("grX4Ta9HpZx6tSHkmCrvpApTQGo67CYDnvprLg5yRME=", "OkHttp's documentation of CertificatePinner"),
        ("lCppFqbkrlJ3EcVFAkeip0+44VaoJUymbnOaEUk7tEU=", "OkHttp's documentation of CertificatePinner"),
        ("HXXQgxueCIU5TTLHob/bPbwcKOKw6DkfsTWYHbxbqTY=", "TrustKit's documentation"),
        ("0SDf3cRToyZJaMsoS17oF72VMavLxj/N7WBNasNuiR8=", "TrustKit's documentation"),
        ("TQEtdMbmwFgYUifM4LDF+xgEtd0z69mPGmkp014d6ZY=", "TrustKit's documentation"),
        ("rFjc3wG7lTZe43zeYTvPq8k4xdDEutCmIhI5dn4oCeE=", "TrustKit's documentation"),
    ]

    /// Keys of CAs that issue no more, each with the CA and the end.
    static let retired: [(key: String, name: String)] = [
        ("YLh1dUR9y6Kja30RrAn7JKnbQG/uEtLMkBgFF2Fuihg=", "Let's Encrypt X3, which ended in 2021"),
        ("sRHdihwgkaib1P1gxX8HFszlD+7/gTfNvuAybgLPNis=", "Let's Encrypt X4, which never issued"),
        ("Vjs8r4z+80wjNcr1YKepWQboSIRi63WsWXhIMN+eWys=", "DST Root CA X3, which expired in 2021"),
        ("jQJTbIh0grw0/1TkHSumWb+Fs0Ggogr621gT3PvPKG0=", "Let's Encrypt R3, which stopped in 2024"),
        ("5VReIRNHJBiRxVSgOTTN6bdJZkpZ0m1hX+WPd5kPLQM=", "Let's Encrypt R4, which stopped in 2024"),
        ("J2/oqMTsdhFWW/n85tys6b4yDBtb6idZayIEBx7QTxA=", "Let's Encrypt E1, which stopped in 2024"),
        ("vZNucrIS7293MQLGt304+UKXMi78JTlrwyeUIuDIknA=", "Let's Encrypt E2, which stopped in 2024"),
    ]

    /// Keys of intermediates that their CA replaces without notice, each with its name.
    static let rotating: [(key: String, name: String)] = [
        ("K7rZOrXHknnsEhUH8nLL4MZkejquUuIvOIr6tCa0rbo=", "Let's Encrypt R10"),
        ("bdrBhpj38ffhxpubzkINl0rG+UyossdhcBYj+Zx2fcc=", "Let's Encrypt R11"),
        ("kZwN96eHtZftBWrOZUsd6cA4es80n3NzSk/XtYz2EqQ=", "Let's Encrypt R12"),
        ("AlSQhgtJirc8ahLyekmtX+Iw+v46yPYRLJt9Cq1GlB0=", "Let's Encrypt R13"),
        ("8WR6XuPvrFTIkukwWE/keXm3rNHHbBJxvKHFB22GmIg=", "Let's Encrypt R14"),
        ("NYbU7PBwV4y9J67c4guWTki8FJ+uudrXL0a4V4aRcrg=", "Let's Encrypt E5"),
        ("0Bbh/jEZSKymTy3kTOhsmlHKBB32EDu1KojrP3YfV9c=", "Let's Encrypt E6"),
        ("y7xVm0TVJNahMr2sZydE2jQH8SquXV9yLF9seROHHHU=", "Let's Encrypt E7"),
        ("iFvwVyJSxnQdyaUvUERIf+8qk7gRze3612JMwoO3zdU=", "Let's Encrypt E8"),
        ("8UQKm3bh5B5TpMtGEym/Yze0GXJr5RPkLhnxxpHF1LI=", "Let's Encrypt E9"),
        ("nWN7PSep5XDQdge5zK24CnCRXHr3KvzhKEGxsdqCX9E=", "Let's Encrypt YR2"),
    ]
}
