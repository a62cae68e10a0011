// SPDX-License-Identifier: Apache-2.0

/// Lines from zgrab2's public samples (github.com/zmap/zgrab2, zgrab2_schemas/zgrab2/testdata, licensed under the
/// Apache License 2.0), abridged. Each line keeps the address, the modules, the position of the handshake, the
/// certificate, its fingerprint from zgrab2, and one key of each enclosing object.
enum ZGrab2Samples {
    /// A line, and the SHA-256 digest of its certificate that zgrab2 computed.
    struct Sample: Sendable {
        let name: String
        let line: String
        let fingerprint: String
    }

    static let all = [
        Sample(
            name: "http-https.json",
            line: #"""
                {"ip":"172.17.0.3","domain":"target","data":{"http":{"status":"success","protocol":"http","result":{"response":{"status_line":"200 OK","status_code":200,"body":"\u003chtml\u003e","request":{"url":{"scheme":"https","host":"target","path":"/"},"method":"GET","host":"target","tls_log":{"handshake_log":{"client_hello":{"version":{"name":"TLSv1.2","value":771}},"server_certificates":{"certificate":{"raw":"MIIC9TCCAd2gAwIBAgIJANNZuLQWaJGfMA0GCSqGSIb3DQEBCwUAMBExDzANBgNVBAMMBnRhcmdldDAeFw0xODAyMDkyMDMxNDBaFw0xODAzMTEyMDMxNDBaMBExDzANBgNVBAMMBnRhcmdldDCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBALrBcOdu7j4VfH/abTRyx6TdpgivKdlC74fuH1xTlaaM3Su2+jxS/YdNRFJMBjVIW0Pcxl1SCKLYwZZru4fmylIVZLmbtTDlLe4D9Zi3UX3vAkcZjbqNifSnMN5eo8xoVjD0AKvdTOJ/fv2HGDA4Et6VwdrFyjRS/MVW/SRIFnfQuOVI1pdESgNlEIVEEwOrOF3ZFqNuyPyVWD6MEQ+q5vSzizuA8SeTXrKYWvlIzi0cgZLmhlbVtUq96C1HC4MNElz0m8cd5CC3UVn/T64NPx8NVO0ngUMc+xTaV+N8T+tjz9WN2fJOAs6PhUnqTr4Lk0iFjrDjM2NnFzOzg2TqFO0CAwEAAaNQME4wHQYDVR0OBBYEFNGeLgo9n4qYm6Sfq17x2BAiEOLEMB8GA1UdIwQYMBaAFNGeLgo9n4qYm6Sfq17x2BAiEOLEMAwGA1UdEwQFMAMBAf8wDQYJKoZIhvcNAQELBQADggEBADSFnhR5wJqNXrzKSIDx1RU7HZGYyvHoGPzbQUq79BTJfu8J/6oFO86lquUbzNK+tskPI8nfGFHo7WXJlDX+yMXoxklsLnJxJN04I1M0VbhBBAD8XfPLWD0xSYbe+bvxXDA/j7eJKqTZQzRtzEAr8JzLEe5rmOQY7vwSVBUFmToLPKqKgTKuDIR7Jm5pYRWZ+VW9tgV+PaZyoX1RFdBoRijAkD1u2AbW0l3+qniysa5n+L36pqgfIu2wJrIY0TVUAI2fRCZJqYzHCmFAgxA/1ZY8z7WTaCeyfBPCeqxe5K03xRneIUbuurJ7dqdcc3H4dv2cCXahH6oCYksMy9a61ic=","parsed":{"version":3,"fingerprint_sha256":"fe01d8aaa47e75e281f404ab5e60c3e73da4747b02e558c238cc77cf023586fd"}},"validation":{"browser_trusted":false}}}}}}},"timestamp":"2018-04-06T19:38:11Z"}}}
                """#, fingerprint: "fe01d8aaa47e75e281f404ab5e60c3e73da4747b02e558c238cc77cf023586fd"),
        Sample(
            name: "postgres-9.6-ssl.json",
            line: #"""
                {"ip":"172.17.0.9","domain":"target","data":{"postgres":{"status":"success","protocol":"postgres","result":{"tls":{"handshake_log":{"client_hello":{"version":{"name":"TLSv1.2","value":771}},"server_certificates":{"certificate":{"raw":"MIIC+zCCAeOgAwIBAgIJAN8H5BJFRTa7MA0GCSqGSIb3DQEBCwUAMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDAeFw0xODA0MDYxOTQwNDRaFw0xODA1MDYxOTQwNDRaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAOGoMlp4lm/+gfR7r2edJ6lusHAvY0sEB/zGmjUM3hXrGNW657eL74JadP6DO3GgGBdk+TQafomE1GNF8GGG9DsB7Ryq5HDDnIm2k97lsOYqzcVeNj3ooF3J6ddRZ/ZfGJbBOl21ecdQgU5B/CQXum6jZBThZ8S+hpMcZj7p4T3Xfp/k6c8N6mX7Y0ZezxkAHbUp/8E+x+1DA3eSjjrmheef0PIIGhbbD7uKkTXzMcsDPpsb9Fy3NRphay1iPMPOS3Smyzy0shRoC3bpbWimsUBdfARRkxC4Om84SqcbG9gArIotNu0PrqssnrudXf9aKEK25vF78XI5uTRUZ+GzrBMCAwEAAaNQME4wHQYDVR0OBBYEFPzsUMTFViEOtxtecIb0tDTtuXg/MB8GA1UdIwQYMBaAFPzsUMTFViEOtxtecIb0tDTtuXg/MAwGA1UdEwQFMAMBAf8wDQYJKoZIhvcNAQELBQADggEBAN8EY4DhWvP75f+sWxTDyDBxyhKfQEBp2aE0dnOxmNhkebHsK3Bs4wSlSTcxBjM7k/kwjCBBa3iiXs9oRWitHdJHbSjStcWzQ2ULRZDnL9GePXtJdTgrt37mp0sqMFStY2YH7EOU8zEVMv2cBJKcEK0dSxQ+1bIeZEgjTkHN0aKgUoLG3GWpGbXNzcK4DwXjdBWy0/zAwq1gh0GCP5XxI3qmUszkvD/X3KAGGe9Yvg5augf7Ut/SHphXo3P5MqCrK3lltHJs2psIYNtvSM+1swT3NZmRCU9jvvdlAcU+K7hNLtJz7G5P2zDsf+dEphVICcHfGCyXXRcRE61jsYl/g5I=","parsed":{"version":3,"fingerprint_sha256":"295c84f7b82e587573a6bcc7f82bebfdf7360f011b2583768f51aeb6ef2fece0"}},"validation":{"browser_trusted":false}}}},"is_ssl":true},"timestamp":"2018-04-06T19:41:20Z"}}}
                """#, fingerprint: "295c84f7b82e587573a6bcc7f82bebfdf7360f011b2583768f51aeb6ef2fece0"),
        Sample(
            name: "ftp-authtls.json",
            line: #"""
                {"ip":"172.17.0.3","domain":"target","data":{"ftp":{"status":"success","protocol":"ftp","result":{"banner":"220 (vsFTPd 3.0.3)\r\n","auth_tls":"234 Proceed with negotiation.\r\n","tls":{"handshake_log":{"client_hello":{"version":{"name":"TLSv1.2","value":771}},"server_certificates":{"certificate":{"raw":"MIICvjCCAaagAwIBAgIJAJIop+fx8oy3MA0GCSqGSIb3DQEBCwUAMBcxFTATBgNVBAMMDDdjZGM5ZWY4Y2YzYTAeFw0xODAxMDIyMDMxMjFaFw0yNzEyMzEyMDMxMjFaMBcxFTATBgNVBAMMDDdjZGM5ZWY4Y2YzYTCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAN5nPmxK78aZcFgix8DF90lTJejd0eibpFiPpvNZK0nl3dUeryGF4HI52c0JYQLnyHAFcxs8KKX6qwGbv2XUllpLy4K2LNNml0a60J3jGVth+UQ6vD79hFT8PEnoy0RZFd8SmhNYckYLOD8VaRewoJG37X++vhO96TLutJUyxXm6asQfPpYOrnDtSeCCJuz4wuUPveuE3QV00kXNjarysVXuJDHtRoXRGeorzSD3P6lu/t/pmrMzWf0K7MX3CWSB4xPp+d2wFaq6rlpv10p8sDaC/knt8rbnqgDjxo0UKXavLczyw+4+Y3bZHFiw+KI7QoYrqun9YT5NJFw8PKQKoKECAwEAAaMNMAswCQYDVR0TBAIwADANBgkqhkiG9w0BAQsFAAOCAQEAzC2fAHjY1P92rzsUJxyj0xMaM5l2cGNS+pyHv6+b2ufI4At/1YQjmqI0l2wk2TyXX3VlNwQgN4tIlDYU7g8TTvN+y+yUtbzxHUABm28g5q7vClHSM1NqOiKlHrvAz+bp05KGY3n4H+fETDj5dLY12KRLyrLO+oTrhaCVds8JKp6SBO1TUO2HTXXom4Z2RcSOebDDAAPLUFwDtv7t+x36pnPkJMste7CPb3+MQy9OrY87OvprEc04yANz9weaYeEHfIcRJhxVb7eM2m1rm/fSFdNFd8ODFtYpiwm/TWyRAr5xIK5VQFWTixNa7n14kRe7AnrQ+yBaL0OsQyyRTT4EHw==","parsed":{"version":3,"fingerprint_sha256":"28452377e32275f10be938dabcb55b011d32e4cd2f9f18dc0d44c6d2fd59145b"}},"validation":{"browser_trusted":false}}}}},"timestamp":"2018-04-06T19:37:50Z"}}}
                """#, fingerprint: "28452377e32275f10be938dabcb55b011d32e4cd2f9f18dc0d44c6d2fd59145b"),
    ]
}
