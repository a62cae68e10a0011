// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import ServerTrustTesting

/// The process's RSA keys. Scenarios share them, because creating a key takes a tenth of a second.
enum SharedKeys {
    static let rsa2048 = Result { try TestKey.rsa() }
    static let rsa1024 = Result { try TestKey.rsa(bits: 1024) }
    static let rsaRoot = Result { try TestKey.rsa() }
    /// A 2,050-bit key. It is fixed, because the available library can only create keys whose size is a whole number of
    /// bytes.
    static let rsa2050 = Result {
        try TestKey(
            pemRepresentation: "-----BEGIN PRIVATE KEY-----\n\(rsa2050PKCS8)\n-----END PRIVATE KEY-----\n")
    }

    private static let rsa2050PKCS8 = """
        MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQMae8Uht9+mFPNX
        +62goysuVccosOaneWeJ3hyVrfCSo+hXqKB1631Ez/fnnmTmKPm1fEsvSAOEgon2
        jZf+z33uXkutc0sEovH12CuZWV7i1ReY2HPY9BSD0cV5TKeDhgfSHgIdXzdrIEKm
        9cgnh0v3wCQPfTwqMoD+gvPlfLLAPn1GF7tCyZqIqtmvNOxFNaEfNlw8ZMsfePED
        2X9nNPrtB1aDQn52+bTq4Me0zpdPWqIeTUQixqYHOGUsu9s4OJP6x1lKyw1lXSNN
        GatQkIPk6S4Zl1gQBPufziOv/g7vURxl9kjtRtIWg+8M7reqnbqPRyeV2akaotFL
        6cNUF/QlAgMBAAECggEAOlo73OGh8hNY2i34jzNc0Q7ozVLM5iETGzuuksnPQR37
        yzBt9KtCrKKvvRnTpFn/GTbTWNors/hYhLzanJMF11OisE8nA+Sp69ogPaekQfnP
        vWCshZNLzHDEVcftB8p42ZRtqFWdfudELfogZNLZoA1DOMYEfL7v3YGlw0W45UiP
        T460HbDp8TDIAjOW2F0vXh63m4PBnXRmDXI1Qx+DFzvK0wbjKWTrIOj7RvD1o7zm
        vf8xXvLdpL+MWKkAd5KtNpFJtUSFNZ3shPWlfdbzTYZTiyPzoEq+MaWcYJbXnvT4
        bzeJkymTfVON7qtNX0wkCCGqyDFVzRuebqbdj6H/AQKBgQHf8h/pmc5eUTZ+xOb8
        nyu6e7wtsHyC0mMGzilyulS9JtFJ+UYw1/hw/ZbotKDbLyST7H6wFkJO+mJ6DxdZ
        dlvW/I0XXC5IsPF8ix69tlKk7Dyflr1UUf4sP5yLrnQRTd1FzM667hPaoxqJrQbZ
        /Zj1lfNKGccPTZAvO9DWBmXygQKBgQGnxboyRiNGh1nph0VlzH0qFgEEYtSEjA3v
        2v7bVGqxnzvQ+5n016sABTcj9SFkVeXhyqJIhTtCulZg9bx8aIhSBw5W9pq41mXY
        3O9/CMK3Z2we9cFgWU20at4RQRvIZ4fQhn0PApF3T0wvMfFG+XFoBVYoG+I0Mk/z
        qLE74fEnpQKBgQCbXua12PTV07SwlU2xulWNqUDiCaBFOZaVPWhtm6STF13pdKkk
        ZsYmzfFspAzu5/QPbyAUISCWMLhwizIj5A0XK+sBBPZ20dFbYC4zfDKE8XUutL3V
        7jU6Xd1v2qn4cByR3BuQqEIFJYgRydHOACrkVgbMlku6yIFEyThyEOAwAQKBgQGU
        3Yavw2yuVGAlibRWttCaJd2g6B8r53blQnAc8gDhZEVMuyRy1J2t7k2pD+hwKNTx
        LJxw9sEQVmByUDRdE62x2MXtdbuKfmNdlm9GCgOmH6wfxCGVQJzJkxRIndDCXY9X
        PTY74fNCbsNVj7x5V5XukLKorUMnJS5Xl0KE+K9idQKBgEzz+eXQaFS25+P34wpv
        BHSPklwurjq1LTuVb2fJcJ+l2nwexjiuSWQv/+JkJ1ek7Oqbqs1AKNrFClfyU1Zo
        hyTNX0PonwbiCLptKkRH+8m2KtJbI2SMjpovRG+k/ltxtWypFmHSYBDtthws0iup
        EWKcXQ7Hy1MDd3nAnjdtcg8j
        """
}

#endif
