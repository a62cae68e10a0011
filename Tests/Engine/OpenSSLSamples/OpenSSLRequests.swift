// SPDX-License-Identifier: Apache-2.0

/// PEM certificate requests, created by OpenSSL 3.0.
package enum OpenSSLRequests {
    package static let p256 = """
        -----BEGIN CERTIFICATE REQUEST-----
        MIIBFzCBvQIBADAtMRAwDgYDVQQKDAdFeGFtcGxlMRkwFwYDVQQDDBBwMjU2LmV4
        YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEFPaD3NbFPpbk8n/q
        AWN0JneCMgdx/71m7HuSbc8gNLzJhfhvnhnsEBDN0y/cDXi05EueOyg7PJiNdzrI
        tUC3i6AuMCwGCSqGSIb3DQEJDjEfMB0wGwYDVR0RBBQwEoIQcDI1Ni5leGFtcGxl
        LmNvbTAKBggqhkjOPQQDAgNJADBGAiEA0fqDcjMvF2memsNmmh9GF1ayNkzzS4SC
        JzUZH8D8QnwCIQCmCEonjO3oJNSrdng881M8yqkD8ygrDsVTQdTN5aCe7g==
        -----END CERTIFICATE REQUEST-----
        """

    package static let p384 = """
        -----BEGIN CERTIFICATE REQUEST-----
        MIIBUzCB2gIBADAtMRAwDgYDVQQKDAdFeGFtcGxlMRkwFwYDVQQDDBBwMzg0LmV4
        YW1wbGUuY29tMHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEs7voZwd2/NKBeGP9ULkW
        WUgRUK19q82UZCma8Rzo+sPscktiD+QclvL5lNP3rfMzT6c026pp891ePhTUq05A
        JGKoNzmVH75GCdHC7DREAthOc9gfr0/571K4auV5NQBJoC4wLAYJKoZIhvcNAQkO
        MR8wHTAbBgNVHREEFDASghBwMzg0LmV4YW1wbGUuY29tMAoGCCqGSM49BAMCA2gA
        MGUCMFlFQFWtvvSYZGF7ed01U7+KnQTu2DurMMNYhXGAC5SMG9xTz9DlSRKbZhHp
        f2FsfwIxAOzQb1F78QFUlOEr2b1DHJCkwIrKEhpmoUcQSdaDkYmrhzjkupZBXtvh
        2XoCmsvcQg==
        -----END CERTIFICATE REQUEST-----
        """

    package static let rsa = """
        -----BEGIN CERTIFICATE REQUEST-----
        MIICnjCCAYYCAQAwLDEQMA4GA1UECgwHRXhhbXBsZTEYMBYGA1UEAwwPcnNhLmV4
        YW1wbGUuY29tMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAxmhfRn9/
        7FFzSrwHIlAi5jm4l/IqX+2oWiGe6rjEwK+s1XMvcTbSYRMcDmnMzNh+46uxDqpi
        90DUgI6IRDS0EcT/d+qq9fJ15hmZpVbhVe9H+2o50ZGhCtpV5rjR8gdsAchLdRaN
        WyuMI1O+DD8GhRrmNCX/ujEaOHyqO8+BOsiCdRvby31lJyMiWND35jLmoe2Vi+Mj
        yYg0d57UftYabgD1ejjL5mv9hfRfuP3H7QOL0E4l/QiZo2QpHEly1OFqaZi2VN1O
        EjkeGTjCuvC5L499Z2QBgQnQ3Kyo0wjF2zrekR8gHm9FMNiFvywTIZWE/L5oGKdt
        mvITqlZvHfIvvQIDAQABoC0wKwYJKoZIhvcNAQkOMR4wHDAaBgNVHREEEzARgg9y
        c2EuZXhhbXBsZS5jb20wDQYJKoZIhvcNAQELBQADggEBAHD0GvgK97ND5lyPbLeO
        OXj8ArEooyUAgwPg54P1D4OqXuj9BcFX4ICfBATbrCOacUoMCJOe/4thtDcgS+S+
        IdMeNgAuGLN7AxSenqz/boLiQW6Ft9t9PlV6KbsSUxYNRfn+9j/wnU6Bq2z9h2a7
        zB4h3EjKXU8wXf8/mInhlGnc5QtOnWMSSKZr3QwL76m4qBW1opxSQOw90s40wkTh
        eNBaF/GM7C0k3Ik/gU6FHLsXf2qrJy6cpVbuOKJ2OmTojlGX92WZgNxDZ9853a/q
        SJfsEg7dUxYuM1nrWx3/byE/aP5KauW3baPRwpVMUuFt3FK1/RRNh9Hwp0o1Fug+
        Ac8=
        -----END CERTIFICATE REQUEST-----
        """

    package static let ed25519 = """
        -----BEGIN CERTIFICATE REQUEST-----
        MIHXMIGKAgEAMCsxEDAOBgNVBAoMB0V4YW1wbGUxFzAVBgNVBAMMDmVkLmV4YW1w
        bGUuY29tMCowBQYDK2VwAyEAS1XthMcUW96UNYoys/mswWD7yJu9zqW9Jw6x1BwA
        w0ygLDAqBgkqhkiG9w0BCQ4xHTAbMBkGA1UdEQQSMBCCDmVkLmV4YW1wbGUuY29t
        MAUGAytlcANBAApSOCh9SghKGCrdTp7WE7syXq+a2A9YYzSdGWbepT87Kjfc0Uk+
        lOc1HvRm+LIdSOD08UtEyKXk5ovYMccLGg8=
        -----END CERTIFICATE REQUEST-----
        """

    package static let pss = """
        -----BEGIN CERTIFICATE REQUEST-----
        MIICkzCCAUcCAQAwGjEYMBYGA1UEAwwPcHNzLmV4YW1wbGUuY29tMIIBIjANBgkq
        hkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAxmhfRn9/7FFzSrwHIlAi5jm4l/IqX+2o
        WiGe6rjEwK+s1XMvcTbSYRMcDmnMzNh+46uxDqpi90DUgI6IRDS0EcT/d+qq9fJ1
        5hmZpVbhVe9H+2o50ZGhCtpV5rjR8gdsAchLdRaNWyuMI1O+DD8GhRrmNCX/ujEa
        OHyqO8+BOsiCdRvby31lJyMiWND35jLmoe2Vi+MjyYg0d57UftYabgD1ejjL5mv9
        hfRfuP3H7QOL0E4l/QiZo2QpHEly1OFqaZi2VN1OEjkeGTjCuvC5L499Z2QBgQnQ
        3Kyo0wjF2zrekR8gHm9FMNiFvywTIZWE/L5oGKdtmvITqlZvHfIvvQIDAQABoAAw
        QQYJKoZIhvcNAQEKMDSgDzANBglghkgBZQMEAgEFAKEcMBoGCSqGSIb3DQEBCDAN
        BglghkgBZQMEAgEFAKIDAgEgA4IBAQA4gnAUenLM0qWIEELDxO14ps2xx1u1pnoS
        SoEyaPNcQH2SPj4UiWUiUveiv7U78ASlvjeAhLo3jr05rhxHJvjk/QXVV7Aa9Ngm
        +w4bxUQjb+ggrXMW13OWVrRADwN8xJumHYZOSlFXeayCUs+78PTM6nXYVpp05hrS
        nLWlSBviHrdkCTOz3ug4aq7GUZyJY0Kyo6VO2OwdOEDLcirKJUfoJcXCRIp+OPLh
        vms+kv4wt1iC/kd841MnrtP5VojjZqu1wODy71LHzZ2onEKcJCRx7JD7hcF1TQD/
        geJaLsB5dUsChi3zDHf/GtBjxORb3u0mdpr8nDG98nLjQMWGj+CQ
        -----END CERTIFICATE REQUEST-----
        """

    package static let noSubject = """
        -----BEGIN CERTIFICATE REQUEST-----
        MIG5MGICAQAwADBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABBT2g9zWxT6W5PJ/
        6gFjdCZ3gjIHcf+9Zux7km3PIDS8yYX4b54Z7BAQzdMv3A14tORLnjsoOzyYjXc6
        yLVAt4ugADAKBggqhkjOPQQDAgNHADBEAiAVBXmf6MzpJxp287DPZIDyFvE5p9Ea
        t+R6r/YRCOUijAIgcOwoUuH1v6cWmJN2KXokyhpDWldpp0Jxfrq/+PYGhyI=
        -----END CERTIFICATE REQUEST-----
        """

    package static let flipped = """
        -----BEGIN CERTIFICATE REQUEST-----
        MIIBFzCBvQIBADAtMRAwDgYDVQQKDAdFeGFtcGxlMRkwFwYDVQQDDBBxMjU2LmV4
        YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEFPaD3NbFPpbk8n/q
        AWN0JneCMgdx/71m7HuSbc8gNLzJhfhvnhnsEBDN0y/cDXi05EueOyg7PJiNdzrI
        tUC3i6AuMCwGCSqGSIb3DQEJDjEfMB0wGwYDVR0RBBQwEoIQcDI1Ni5leGFtcGxl
        LmNvbTAKBggqhkjOPQQDAgNJADBGAiEA0fqDcjMvF2memsNmmh9GF1ayNkzzS4SC
        JzUZH8D8QnwCIQCmCEonjO3oJNSrdng881M8yqkD8ygrDsVTQdTN5aCe7g==
        -----END CERTIFICATE REQUEST-----
        """

    package static let sha1 = """
        -----BEGIN CERTIFICATE REQUEST-----
        MIICYDCCAUgCAQAwGzEZMBcGA1UEAwwQc2hhMS5leGFtcGxlLmNvbTCCASIwDQYJ
        KoZIhvcNAQEBBQADggEPADCCAQoCggEBAMZoX0Z/f+xRc0q8ByJQIuY5uJfyKl/t
        qFohnuq4xMCvrNVzL3E20mETHA5pzMzYfuOrsQ6qYvdA1ICOiEQ0tBHE/3fqqvXy
        deYZmaVW4VXvR/tqOdGRoQraVea40fIHbAHIS3UWjVsrjCNTvgw/BoUa5jQl/7ox
        Gjh8qjvPgTrIgnUb28t9ZScjIljQ9+Yy5qHtlYvjI8mINHee1H7WGm4A9Xo4y+Zr
        /YX0X7j9x+0Di9BOJf0ImaNkKRxJctThammYtlTdThI5Hhk4wrrwuS+PfWdkAYEJ
        0NysqNMIxds63pEfIB5vRTDYhb8sEyGVhPy+aBinbZryE6pWbx3yL70CAwEAAaAA
        MA0GCSqGSIb3DQEBBQUAA4IBAQA/4X2P5WpbH++xZphmRwN6FnAqlVDtSro9e/FH
        NO1HeyF2njt0xGsg37Pc1+XhFza4BLRD293g2A5qe+xo6LB/yQSYyUCNy/iYOQl8
        vohI2OFAcu1wF6xr8JEuZg+iIttrnnKRQLPTu+DsFUnYCkChgn8pPBmzjzOY710J
        XWznRU9WIdl4qVu7x3EBKXFVZhPZ/5uVY6I1LS9bokoQ8ryTBsuHzy762bkbTrOY
        wTZmjiBDeO4/Qyv5IQCbjlj3W6uvszynreHv4RA8SzIhWh2ZjCbbwplnj5Lk0Ab7
        TUEzctnvaTvlJAlGZhYcCV4K9Ys65COE8+mEqX7S0ppRW2is
        -----END CERTIFICATE REQUEST-----
        """

    package static let ed448 = """
        -----BEGIN CERTIFICATE REQUEST-----
        MIHmMGgCAQAwHDEaMBgGA1UEAwwRZWQ0NDguZXhhbXBsZS5jb20wQzAFBgMrZXED
        OgB+XsxXMwBViZGWtpGdgTpsgO+SiKX5JtvjDuKqmO31ghvwdbGb65PdO3QZFfai
        8FFEObLQyLXsWQCgADAFBgMrZXEDcwDQQw1vfEhkI6zWimNVxzWT/rTYoq0XRpON
        aSuOmj6ODCb0+uQj1B5cpKCTnICN1fDN7FZK0pQZBAC9WfPKgm+60XaHpjCgt7t7
        89pYnFnAPQtNJgye5OPBr/M3ur5Uqg8YkNERgnG9cHQqV3ruOJkINgA=
        -----END CERTIFICATE REQUEST-----
        """

    package static let secp256k1 = """
        -----BEGIN CERTIFICATE REQUEST-----
        MIHPMHgCAQAwGTEXMBUGA1UEAwwOazEuZXhhbXBsZS5jb20wVjAQBgcqhkjOPQIB
        BgUrgQQACgNCAARuA1X8OC3mZza+lLB7IHyzPqEiSX0Skn/91wz/Wo0V2xKZ9dGF
        1F2CA/z0TlYzeWaLxJEwV6cDS+UZNaKLjE/AoAAwCgYIKoZIzj0EAwIDRwAwRAIg
        dM64IaVGw2LcVy6ctscKNlRHj//kU5TSUoQGI5IMEFoCIEIdeZPpnNN1RMoxA3p2
        8/5gN0YdwDwSyrn5L/LjKRLK
        -----END CERTIFICATE REQUEST-----
        """
}
