// SPDX-License-Identifier: Apache-2.0

/// RSA keys for tests, because generating keys takes long. They are public and protect nothing.
enum FixedKeys {
    static let rsa2048 = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCa9fTKrM0Nl44/
        Aawu3+96ZwGTEydzFB8cvSk3L41uPK9ThscuWjwZttYPYRjPZSEDkx3pk5Ub7ePX
        Jo3+c0ZL+ixUAmV4rPYSO5PkELrRtxpa7JnqeaThqV1IuIhzsQziAcDM/xFPpbGd
        06gOy+bmvL/AEU/a4dNHilDNyNsSZsN+90UTitP/pnKgsLCHccIAssp0PyNbSHNw
        +14hPlm4nzNmAfJvp9AAgegFC4u/cQ0wYBl276UExaWZDx4YYwAQaKZ+NXYAwn2o
        2TGU1aeG3A3Aq4h2OTiUcQx3QgieTMN+l1FVuiKPX5DQV/kMR5DCgyqYsNuTIgvf
        nXh7K2YHAgMBAAECggEALb7cNBTNN+z8xiblQLVFChpsgZGO/M783EwPZcY490kc
        7QiFtm5W/bRW/xVH8LnHBDojA3hY9XTF5RbxpiM7pmRFP8uxTu2oevtxjktOC2kF
        c8ATNAATJ7cK3dP0HEsxJWslEp9d6ehdRd1c6HlTQdyIstepflFaQO1ZK1bXLVgJ
        CDZofO5kFUdctYdZX0G14FWiqyQ8YRXn7VqYRZxnl5g0NE33GqaHuK1sUqP1yRK2
        NPpVV3Fn29IKB77AEodDAKs9MXSOZ9KiW8RndanoEipEQqKDOIBQRqIkXj/RJq5l
        IEJNTBC5eCjYRUzrZTec1pX+R/pJDkoGfEPQbUI1OQKBgQDWLsL23EL3sjt95BDC
        pS5bLBuEeqCjWttGWMc8NvfJmjV1xpQk0MqZGFcGyhO5QChRNoiR6AkfvlqXoRMu
        IqFEKDRDkZSYF+7KCPBYgmYetJPGDQx+vC5Q+e9jzZjQ1dEy3nBflmyMl/4EygR6
        yZQ/cPS9q+pRHpoUdcblFxTuWwKBgQC5Ny0+XAcTjOz1+AXDo6KQjOgAe8Hjh1mD
        YIyo4QtBHEJJFOMqdidtkM7I730ke35BDfXut9E2iqFwrrVEe4PQeHT8q9kDHOhe
        IJFUDLApxlsXJDPLWcyLjI3sxqnEspb1MY2eE4mxG1QLa7UYvh2OjcOo4S1Ct39Q
        0YHUJcUOxQKBgQCrYiWd1Sg8/cB+/vSuW/CZAdVPD7Tkofod80IRm8Zw6lVm1ayL
        PQswr/pLM33O2Vipi6KCZhKO9QmWlUw8uXcji6wueRpXDaeEwNxZZpaCcWphquVZ
        sAi7wRLeYJCsYruQIc/3nO1lHuYjPOeSvSREE4WzFBJeMMeIIaoyfGLCSwKBgHnu
        IRLUcrQkKjsjNGg+6V5P5MusrU+kYwFiJjdnL4mFmP2TipkBf6NZmUgeoTvLMKqT
        DjxBNrG5Qd50pVCYH4a2Rg2w9ARgm3ib6BB06eQWeREa/B361/VmamhdwJWFHGv+
        W0SdiB/X5dQ+69GGFt8p5Izg8HLjaiVCRz3qP3ghAoGAagPwthXOtKBPSyP5juYn
        9IfNEgNm0jHB3z5/xYad850epW+CRyPpumoQijwymKIf4ePt5KG9W1uSt2ztS1yB
        HIQf2LmjkeB8Jn+FrF8IRbVlQYDbQ2MWxzK1pvjLHOTp48GjbtPdE1z3WtROO2S2
        51UZIvDRX/w1vhUdH4h1BAg=
        -----END PRIVATE KEY-----
        """

    static let otherRSA2048 = """
        -----BEGIN PRIVATE KEY-----
        MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQCpd2GPHm/I4l0E
        o1c6Lqe18mZSUBu4XSFryxpt9L0nnEVxdSsZXu5XE5O5bD2m+6cYQkmFKpXQLeDk
        Qi2gKwT9tDQ3VIGAh8z9vuUuffBH3sRIBmJdooMvrtBqi1qi5xPVY2stCTWTSpj7
        H4Q34qKrCSPXHOz74pMRumEvH3S0RTIzGXoz896E4i0e7PM7zZEd+yYrwA9r728m
        OafJNVEkIKrrmmNNSQ5HjDJbUG+YnIS/mWsxjtmDQpSPps2tbolZovXidc8yMiR+
        gWjyeCcoHWux9NqcQZrybbyyXFulAwrUOVI74ayOK4QnjAZGuvjrnGeJQp7kzuX8
        RXdQipzZAgMBAAECggEAUDeQWJzBsUdlXIKtEX9wJ7IcOS5uULDU1x+G3TGSMCPK
        w1ABHLtQ+qrrrEPOUzKf/92wy3ZDAA4XfDTPQBfc/vLEHMTFoD+oCxzHg2Bd0sdi
        Be3vtf7tNi77vNNGDgJv4vxyiRjo4VXYYFak0YdYFLn42yR4EStJDoU454NuTL4G
        Z8clR194Yso7JWQIWnzxOiLpuVoPPEw7vgq9NeeBpUDhxtIzQ4xetD+1WLfgEYwm
        uRwqAKI/g38DjwoALLe1yTbZ8xP9NBa6wuAzkiaHovW65DlNZ3y6Y7ZrjX6T2ckh
        ImeqE+ime0dU5QvVeTEHrIbmd4CF5TxgiYNM2t0q+QKBgQDkOh0GDFIpdquIo/BH
        6dFSiOCFHQ8IIhytmc3KhLGNLHoH4PsqUKYzaT++RKlWwkd2q7On/MbFiraTQ5Gp
        2Ji8BQLZ96HmVqP2h+9VCxL4czsIDBFIUvM1II5OPSi/WiIE94mHkHZHLr0u764C
        QSueIH7D3msN7sa40jD77WAfMwKBgQC+FrbcxaOGVFGxmsPH1ekzYi/OMd09LB6k
        nS+UceEie15KHj7znvGP+5L2s29BjvLmp58IK+qnTtPfgyDhj2sleRhNFaQHKLsI
        EoEwptRCSPeZQTXdkq8Mcdwi+9ws7yfm2qZpxpRsOQKfpmhmpMYgLGNYhPkGktJX
        RJ7V4TXDwwKBgDV52GseX/IPOEof/6EaDE4GfHU0Rd1mAMo8i5e0V9X4Ye+Oq8tS
        cl8Bfkoa1ILbqtsHiGUIOZr30afX4T2m3sLPeceQ2oKaMnkFiPKoUZ2dgmt0SGhl
        506/fhifA/kyKV54keUN2Gj9bp6c0mz80DeQ7aL/bp4pIK8VsRyWljs5AoGBAIx+
        UU0/Lit8apzwHD+41JFLwrWNmU07LLLSEnaO7K0FrZzuWezJzxRyBh8cY+B6fQEJ
        ZrstalOaKXKLgmP0Emcx50oh8ofwDLxcoOuKglszfvzge6V2Yra5+NBKgmMbp8wy
        UsjfIpgSUuQYpBUpN95TsGGedkfrgFdLunGt8ITtAoGBALX/CcYt3eNzHIcji+CF
        9HwylcLULNjwCTFxSmQUfiICr/vRczhGfBN5rfMHeiwBcIfOA3XADeoHcTPouZcB
        wihposu8lntyUgTMH0tjPKrjb5QndtBIorYo58xI0i6PNdTeb99kV7KeaZi1sYtc
        U4t8JmqxupAPBrg6h/9S+7HY
        -----END PRIVATE KEY-----
        """

    static let rsa1024 = """
        -----BEGIN PRIVATE KEY-----
        MIICeAIBADANBgkqhkiG9w0BAQEFAASCAmIwggJeAgEAAoGBAMDUTJcU09lOAomh
        /I9BuEioh/FgVHW8I0dDpqqDR4Ic4N1DK8htFk8C/7aWoY6EdwbpO51Moq8FjkgF
        K4VJ/u2XoAekFt7R/G69FkffTlznhu5cB6OuQ/p0qH7BJBhsWra3xXm+NjT7BIhx
        UCErbcRnzS8rZW79kKG2YeFKWBo9AgMBAAECgYEAs+Ub8xMeNSwfF/IEok2otDhu
        YxUAlrpHm1OU6J0DGHMCocnpzdlfp6TflaNf44rXVJ5A3JZDa89eFvijynznE3cM
        0Spgmr21SnSG7lWPvMAXYTWBymbgxthWAaIRzKetDWy/D0pbjEYHUPoe8HiR4oVi
        MiM9MYm21DpuWAUbwmECQQD03VWEW0gH/dCRqp2H4jrqsk3f9vzJB14KjUCqjI36
        4H6j/xT8DdZgYjyuLjPvwutH+aDTHotXZgrEWxZjE/plAkEAyZkuLDPnOIhLpvHx
        x1zZR8P6WxVuAv04ZvzZUpLflsfwQw2TzWNVQZK2NSVkHisNA2KO4QMEqhAekAn5
        DRN2+QJARGSB20snrlu9YsJV57tPm3gb+j9hUcEGCkpz0m8ZxQXpOWMo+FHhG+C0
        dC4hgYle8CaQPgedAddVkIykjx3oZQJBAK3sNWV1MdoX3AyfVxPECsBbVzYVet+h
        TnOrWGJgy/ztaV6v6/+Z3we/Zura41ETmxp8gP+m9vMxDOz/bZnWXSECQQCswuLV
        GXOTzJbWiJ6h9sOzbKpKasxU1L4bLhjR5Dg+o0Rv/DvkTpVpLZ9sxwdbH7VvdNwM
        7n76lRCb/Hb5VC7s
        -----END PRIVATE KEY-----
        """
}
