// SPDX-License-Identifier: Apache-2.0
//
// swift-format-ignore-file

/// Messages from public reports and all names of Apple's errors, each after the name of the code that explains it best.
enum LeadingCodes {
    static let rows = #"""
stapleUnsupported	nginx: [warn] "ssl_stapling" ignored, no OCSP responder URL in the certificate "/etc/letsencrypt/live/example.com/fullchain.pem"
acmeRequestRefused	urn:ietf:params:acme:error:badCSR :: Error finalizing order :: CSR contains IP address in Common Name
acmeClientAuthEnded	"type":"urn:ietf:params:acme:error:badCSR","detail":"ClientAuth certificates are being deprecated by Q2 2026
extendedKeyUsageNotAllowed	error 26 at 0 depth lookup: unsuitable certificate purpose
transparencyNotMet	javax.net.ssl.SSLPeerUnverifiedException: Certificate transparency failed
transparencyNotMet	Failure: Too few trusted SCTs, required 2, found 0 in [DleUvPOuqT4zGyyZB7P3kN+bwj1xMiXdIaklrGHFTiE=:No trusted log server found for SCT]
transparencyLogListMissing	Failure: Unable to load log servers with log-list.json failed to load with java.io.IOException: Invalid response 404
rsaKeyTooLarge	tls: server sent certificate containing RSA key larger than 8192 bits
handshakeTooLarge	write EPROTO 00D21D0702000000:error:0A000098:SSL routines:read_state_machine:excessive message size:../deps/openssl/openssl/ssl/statem/statem.c:621:
handshakeTooLarge	error:100000e9:SSL routines:OPENSSL_internal:EXCESSIVE_MESSAGE_SIZE
handshakeTooLarge	Handshake failed with fatal error SSL_ERROR_SSL: error:14228044:SSL routines:construct_ca_names:internal error
connectionHandshakeAlert	System.ComponentModel.Win32Exception (0x80090326): The message received was unexpected or badly formatted.
keystorePassword	Error Domain=NSOSStatusErrorDomain Code=-25293 "The user name or passphrase you entered is not correct."
keystorePassword	errSecPkcs12VerifyFailure
keystoreUnreadable	Warning: MAC is absent!
keystoreUnreadable	Error outputting keys and certificates: error:0308010C:digital envelope routines:inner_evp_generic_fetch:unsupported:Global default library context, Algorithm (RC2-40-CBC : 0)
strictKeyUsage	[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: CA cert does not include key usage extension (_ssl.c:1028)
strictSubjectKeyIdentifier	[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: Missing Subject Key Identifier (_ssl.c:1032)
nameConstraintUndecidable	x509: failed to parse rfc822Name constraint "@example.com"
connectionClientCertificateRequired	error:0A00045C:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required:../ssl/record/rec_layer_s3.c:1586:SSL alert number 116
unknownIssuer	remote error: tls: unknown certificate authority
revocationUnavailable	schannel: next InitializeSecurityContext failed: CRYPT_E_REVOCATION_OFFLINE (0x80092013)
revocationUnavailable	CRYPT_E_NO_REVOCATION_CHECK (0x80092012)
revocationUnavailable	error 3 at 0 depth lookup: unable to get certificate CRL
noSharedCipher	error:0A0000C1:SSL routines:tls_post_process_client_hello:no shared cipher:ssl/statem/statem_srvr.c:2220:
privateKeyUnusable	bad certificates/private key: General("invalid private key")
presentedChainEmpty	NIOSSL.BoringSSLError.unknownError([])
unknownIssuer	NSURLErrorDomain Code=-1 "(null)" NSLocalizedDescription=SSL certificate problem: unable to get local issuer certificate
certificateNotYetValid	x509: certificate has expired or is not yet valid: current time 2026-11-28T05:59:58Z is before 2026-11-28T06:04:00Z
validityTooLong	“example.com” certificate is not trusted: exceeds maximum temporal validity period
strictValidityPeriod	NET::ERR_CERT_VALIDITY_TOO_LONG
transparencyNotMet	NET::ERR_CERTIFICATE_TRANSPARENCY_REQUIRED
pinNotMatched	javax.net.ssl.SSLPeerUnverifiedException: Certificate pinning failure! Peer certificate chain: sha256/QKjrwUVYC8PvWJohpWvXnaxAdnUI9U7typ3im/ofwVk=: CN=app.example.com sha256/jQJTbIh0grw0/1TkHSumWb+Fs0Ggogr621gT3PvPKG0=: CN=R3,O=Let's Encrypt,C=US sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=: CN=ISRG Root X1 Pinned certificates for app.example.com: sha256/VzL+FtAKvzb4N5igmFJyv83GD7CBK7Yyw+R6XdRRfmg=
connectionClosed	The server accepted the TCP connection but closed the connection before completing the HTTP/2 connection preface.
connectionHandshakeAlert	mbedtls_ssl_handshake returned -0x7780
untrustedRoot	HTTP load failed, 0/0 bytes (error code: -1202 [3:-9807])
unknownIssuer	java.security.cert.CertPathValidatorException: Trust anchor for certification path not found.
originCertificateInvalid	HTTP error 526 invalid SSL certificate
privateKeyMismatch	nginx: [emerg] SSL_CTX_use_PrivateKey("/etc/ssl/key.pem") failed (SSL: error:05800074:x509 certificate routines::key values mismatch)
privateKeyMismatch	tls: private key does not match public key
untrustedRoot	NET::ERR_CERT_AUTHORITY_INVALID
keyUsageNotForTLS	ERR_SSL_KEY_USAGE_INCOMPATIBLE
transparencyNotMet	MOZILLA_PKIX_ERROR_INSUFFICIENT_CERTIFICATE_TRANSPARENCY
unknownIssuer	The certificate for this server is invalid. You might be connecting to a server that is pretending to be “example.com” which could put your confidential information at risk.
hostMismatch	curl: (60) SSL: no alternative certificate subject name matches target ipv4 address '127.0.0.1'
unknownIssuer	curl: (60) SSL certificate OpenSSL verify result: unable to get local issuer certificate (20)
pinNotMatched	curl: (90) SSL: public key does not match pinned public key
systemAnchorsUnavailable	curl: (77) error adding trust anchors from file: /etc/pki/ca.pem
unknownIssuer	ERROR: cannot verify example.com's certificate, issued by ‘CN=R11,O=Let's Encrypt,C=US’:   Unable to locally verify the issuer's authority.
unknownIssuer	fatal: unable to access 'https://git.example.com/x.git/': server certificate verification failed. CAfile: none CRLfile: none
unknownIssuer	Error response from daemon: Get "https://registry.local/v2/": tls: failed to verify certificate: x509: certificate signed by unknown authority
connectionPlainHTTP	http: server gave HTTP response to HTTPS client
hostMismatch	Unable to connect to the server: tls: failed to verify certificate: x509: certificate is valid for 10.96.0.1, 192.168.1.10, not 203.0.113.5
subjectAlternativeNameMissing	x509: certificate relies on legacy Common Name field, use SANs instead
hostMismatch	x509: cannot validate certificate for 10.0.0.1 because it doesn't contain any IP SANs
strictSerialNumber	tls: failed to parse certificate from server: x509: negative serial number
validityTooLong	x509: “example.com” certificate is not standards compliant
unknownIssuer	remote error: tls: bad certificate
unknownIssuer	sun.security.validator.ValidatorException: PKIX path building failed: sun.security.provider.certpath.SunCertPathBuilderException: unable to find valid certification path to requested target
hostMismatch	java.security.cert.CertificateException: No subject alternative DNS name matching db.example.com found.
pinNotMatched	javax.net.ssl.SSLPeerUnverifiedException: Certificate pinning failure!
signatureUsesSHA1	java.security.cert.CertPathValidatorException: Algorithm constraints check failed on signature algorithm: SHA1withRSA
anchorDistrustedAfter	java.security.cert.CertificateException: TLS Server certificate issued after 2024-11-11 and anchored by a distrusted legacy Entrust root CA: CN=Entrust Root Certification Authority - G2
strictExtensionCriticality	[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: Basic Constraints of CA cert not marked critical (_ssl.c:1028)
strictKeyUsage	certificate verify failed: CA cert does not include key usage extension
rsaKeyTooSmall	[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: EE certificate key too weak (_ssl.c:1006)
untrustedRoot	Error: self-signed certificate in certificate chain
hostMismatch	Error [ERR_TLS_CERT_ALTNAME_INVALID]: Hostname/IP does not match certificate's altnames: Host: a.example. is not in the cert's altnames: DNS:b.example
unknownIssuer	System.Security.Authentication.AuthenticationException: The remote certificate is invalid because of errors in the certificate chain: PartialChain
hostMismatch	The remote certificate is invalid according to the validation procedure: RemoteCertificateNameMismatch
revocationUnavailable	The remote certificate is invalid because of errors in the certificate chain: RevocationStatusUnknown, OfflineRevocation
revocationUnavailable	SSL_connect returned=1 errno=0 peeraddr=151.101.1.227:443 state=error: certificate verify failed (unable to get certificate CRL)
untrustedRoot	Error Domain=NSURLErrorDomain Code=-1200 "An SSL error has occurred and a secure connection to the server cannot be made." UserInfo={_kCFStreamErrorCodeKey=-9807}
requestCancelled	Error Domain=NSURLErrorDomain Code=-999 "cancelled"
hostMismatch	NSURLErrorDomain Code=-1202 "The certificate for this server is invalid." _kCFStreamErrorCodeKey=-9843
clearTextNotPermitted	java.net.UnknownServiceException: CLEARTEXT communication to 10.0.2.2 not permitted by network security policy
pinNotMatched	javax.net.ssl.SSLHandshakeException: Pin verification failed
unknownIssuer	upstream SSL certificate verify error: (20:unable to get local issuer certificate) while SSL handshaking to upstream
privateKeyMismatch	SSL_CTX_use_PrivateKey("/etc/nginx/key.pem") failed (SSL: error:05800074:x509 certificate routines::key values mismatch)
stapleUnsupported	"ssl_stapling" ignored, no OCSP responder URL in the certificate "/etc/letsencrypt/live/x/fullchain.pem"
hostMismatch	upstream SSL certificate does not match "backend.local" while SSL handshaking to upstream
unknownIssuer	SSL_do_handshake() failed (SSL: error:0A000412:SSL routines::sslv3 alert bad certificate:SSL alert number 42)
privateKeyUnusable	'bind *:443' in section 'frontend' : No Private Key found in '/etc/haproxy/cert.pem.key'.
systemAnchorsUnavailable	root certificate file "/root/.postgresql/root.crt" does not exist Either provide the file, use the system's trusted roots with sslrootcert=system, or change sslmode to disable server certificate verification.
hostMismatch	server certificate for "db1.example.com" (and 1 other name) does not match host name "db2.example.com"
untrustedRoot	ERROR 2026 (HY000): TLS/SSL error: self-signed certificate in certificate chain
unknownIssuer	error:0A000086:SSL routines:tls_post_process_server_certificate:certificate verify failed
hostMismatch	*** Verification failed: The certificate is NOT trusted. The name in the certificate does not match the expected. 
certificateExpired	Certificate verification failed: The certificate is NOT trusted. The certificate chain uses expired certificate.  Could not handshake: Error in the certificate verification.
unknownIssuer	invalid peer certificate: UnknownIssuer
hostMismatch	invalid peer certificate: certificate not valid for name "foo.example"; certificate is only valid for DnsName("example.com")
certificateExpired	invalid peer certificate: certificate expired: verification time 1750000000 (UNIX), but certificate is not valid after 1740000000 (10000000 seconds ago)
unknownIssuer	X509 - Certificate verification failed, e.g. CRL, CA or signature check failed
unknownIssuer	mbedtls_ssl_handshake returned -0x2700
connectionHandshakeAlert	E (5123) esp-tls-mbedtls: mbedtls_ssl_handshake returned -0x7780
unknownIssuer	npm ERR! code UNABLE_TO_GET_ISSUER_CERT_LOCALLY
untrustedRoot	Could not fetch URL https://pypi.org/simple/pip/: There was a problem confirming the ssl certificate: HTTPSConnectionPool(host='pypi.org', port=443): Max retries exceeded (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate in certificate chain (_ssl.c:1000)')))
hostMismatch	{bad_cert,hostname_check_failed}
hostMismatch	Peer certificate CN=`mail.example.com' did not match expected CN=`smtp.example.com'
hostMismatch	Can't connect to example.com:443 (hostname verification failed)
unknownIssuer	org.apache.kafka.common.errors.SslAuthenticationException: SSL handshake failed
pinNotMatched	TLS_error:|268435581:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED:verify cert failed: cert hash and spki
untrustedRoot	schannel: SEC_E_UNTRUSTED_ROOT (0x80090325) - The certificate chain was issued by an authority that is not trusted.
revocationUnavailable	schannel: next InitializeSecurityContext failed: CRYPT_E_NO_REVOCATION_CHECK (0x80092012) - The revocation function was unable to check revocation for the certificate.
hostMismatch	HandshakeException: Handshake error in client (OS Error: CERTIFICATE_VERIFY_FAILED: Hostname mismatch(ssl_client_socket.cc:...))
evaluatorRefused	CERTIFICATE_VERIFY_FAILED: application verification failure(handshake.cc:393)
untrustedRoot	certificate verification failed for mx.example.com[192.0.2.1]:25: untrusted issuer /C=US/O=Internet Security Research Group/CN=ISRG Root X1
unknownIssuer	http: TLS handshake error from 10.0.0.1:53422: remote error: tls: unknown certificate authority
notCertificateAuthority	x509: certificate signed by unknown authority (possibly because of "x509: invalid signature: parent certificate cannot sign this kind of certificate" while trying to verify candidate authority certificate "serial:1")
unknownIssuer	NIOSSLError.handshakeFailed(BoringSSLError.sslError([Error: 268435581 error:1000007d:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED]))
hostMismatch	ldap_start_tls: Connect error (-11) additional info: error:0A000086:SSL routines::certificate verify failed (Hostname mismatch)
subjectAlternativeNameMissing	java.security.cert.CertificateException: No name matching localhost found
keystorePassword	java.io.IOException: Keystore was tampered with, or password was incorrect
systemAnchorsUnavailable	java.security.InvalidAlgorithmParameterException: the trustAnchors parameter must be non-empty
unknownIssuer	rejected connection from "10.0.0.2:41004" (error "remote error: tls: bad certificate", ServerName "")
subjectAlternativeNameMissing	x509: certificate is not valid for any names, but wanted to match vault.service
certificateExpired	x509: certificate has expired or is not yet valid: current time 2026-11-28T03:00:00Z is after 2026-11-27T23:59:59Z
unknownIssuer	This server's certificate chain is incomplete. Grade capped to B.
hostMismatch	NET::ERR_CERT_COMMON_NAME_INVALID
certificateExpired	NET::ERR_CERT_DATE_INVALID
tlsVersionOutdated	ERR_SSL_VERSION_OR_CIPHER_MISMATCH
certificateDenied	NET::ERR_CERT_KNOWN_INTERCEPTION_BLOCKED
certificateFileUnusable	unable to load certificate chain from file '/etc/haproxy/certs/site.pem'.
privateKeyUnusable	parsing [haproxy.cfg:34] : 'bind :5443' : unable to load SSL private key from PEM file '/usr/local/haproxy/var/crt/default.pem'.
certificateFileUnusable	cannot load certificate "data:": PEM_read_bio_X509_AUX() failed (SSL: error:0480006C:PEM routines::no start line:Expecting: TRUSTED CERTIFICATE)
acmeRateLimited	acme: error 429 urn:acme:error:rateLimited: Error creating new authz :: Too many failed authorizations recently
acmeRateLimited	"type": "urn:ietf:params:acme:error:rateLimited", "detail": "Error creating new order :: too many failed authorizations recently"
acmeAuthorizationRecord	{"type":"urn:ietf:params:acme:error:caa","detail":"CAA record for *.test.example prevents issuance","status": 403}
acmeChallengeFailed	ValueError: Challenge did not pass for az-ca01.foo.internal: {'status': 'invalid', 'error': {'status': 400, 'type': 'urn:ietf:params:acme:error:connection'}}
acmeAccount	acme: Error 403 - urn:acme:error:unauthorized - Account creation on ACMEv1 is disabled
unknownIssuer	OpenSSL Error: error:14000086:SSL routines::certificate verify failed Error : A TLS error occurred.
unknownIssuer	OpenSSL Error[0]: error:14094418:SSL routines:ssl3_read_bytes:tlsv1 alert unknown ca
connectionHandshakeFailed	Client connection from 125.64.94.221 failed: error:1417D09F:SSL routines:tls_process_client_hello:length mismatch.
keystoreEntryMissing	keytool error: java.lang.Exception: Failed to establish chain from reply
certificateFileUnusable	keytool error: java.lang.Exception: Input not an X.509 certificate
privateKeyMismatch	the public key of CA reply does not match the public key of the key entry
tlsVersionOutdated	[SSL: TLSV1_ALERT_PROTOCOL_VERSION] tlsv1 alert protocol version (_ssl.c:590)
unknownIssuer	Failed to validate the SSL certificate for pkg.jenkins.io:443. Make sure your managed systems have a valid CA certificate installed.
hostMismatch	The exception msg was: hostname 'jaist.dl.sourceforge.net' doesn't match 'ftp.jaist.ac.jp'.
tlsVersionOutdated	("bad handshake: Error([('SSL routines', 'ssl3_read_bytes', 'tlsv1 alert protocol version')],)",)
hostMismatch	status=deferred (Server certificate not verified)
unknownIssuer	SSL_accept() failed: error:0A000416:SSL routines::sslv3 alert certificate unknown
certificateFileUnusable	Warning MY-011302 Server Plugin mysqlx reported: 'Failed at SSL configuration: 'SSL context is not usable without certificate and private key'
originHandshakeFailed	Error 525: SSL handshake failed
originCertificateInvalid	Error 526: Invalid SSL certificate
revocationUnavailable	java.security.cert.CertPathValidatorException: Response is unreliable: its validity interval is out-of-date
certificateExpired	[TypeError: Network request failed] javax.net.ssl.SSLHandshakeException: Chain validation failed
hostMismatch	Curl error 60: Cert verify failed: UNITYTLS_X509VERIFY_FLAG_CN_MISMATCH
certificateExpired	Curl error 60: Cert verify failed: UNITYTLS_X509VERIFY_FLAG_EXPIRED
unknownIssuer	Curl error 35: Cert handshake failed. UNITYTLS_X509VERIFY_FLAG_NOT_TRUSTED
revocationUnavailable	VERIFY ERROR: depth=0, error=CRL has expired: CN=client1
signatureUsesSHA1	OpenSSL: error:0A00018E:SSL routines::ca md too weak Cannot load inline certificate file
keyUsageNotForTLS	VERIFY KU ERROR
extendedKeyUsageNotAllowed	VERIFY EKU ERROR
unknownIssuer	no trusted RSA public key found for 'vpn.example.com'
unknownIssuer	no issuer certificate found for "CN=client"
untrustedRoot	CTRL-EVENT-EAP-TLS-CERT-ERROR reason=1 depth=1 subject='/CN=Example CA' err='self signed certificate in certificate chain'
untrustedRoot	The identity of the remote computer cannot be verified. The certificate is not from a trusted certifying authority
hostMismatch	The name on the security certificate is invalid or does not match the name of the site
untrustedRoot	The security certificate was issued by a company you have not chosen to trust
hostMismatch	TLS: hostname does not match CN in peer certificate
unknownIssuer	ldap_sasl_bind(SIMPLE): Can't contact LDAP server (-1) additional info: TLS error -8179:Peer's Certificate issuer is not recognized.
connectionNotTLS	cannot connect to [[192.0.2.1]:10051]: unencrypted connections are not allowed
hostMismatch	Get "https://10.0.0.1:10250/metrics": tls: failed to verify certificate: x509: cannot validate certificate for 10.0.0.1 because it doesn't contain any IP SANs
unknownIssuer	Error: Failed to query available provider packages: tls: failed to verify certificate: x509: certificate signed by unknown authority
unknownIssuer	PKIX path building failed (certificate_unknown) Received fatal alert: certificate_unknown
unknownIssuer	CondaSSLError: Encountered an SSL error. Most likely a certificate verification issue.
legacyRenegotiation	error:0A000152:SSL routines::unsafe legacy renegotiation disabled
unknownIssuer	Could not establish a secure connection. The reason is "error:14090086:SSL routines:ssl3_get_server_certificate:certificate verify failed". Check your certificate file (cacert.pem) for expired, invalid or missing certificates.
weakKeyExchange	SSL_connect returned=1 errno=0 state=error: dh key too small
unknownIssuer	curl error 60 while downloading https://repo.packagist.org/packages.json: SSL certificate problem: unable to get local issuer certificate
connectionClosed	file_get_contents(): SSL operation failed with code 1. OpenSSL Error messages: error:0A000126:SSL routines::unexpected eof while reading
hostMismatch	stream_socket_enable_crypto(): Peer certificate CN=`*.example.net' did not match expected CN=`mail.example.org'
keystoreEntryMissing	java.io.IOException: Alias name [tomcat] does not identify a key entry
keystorePassword	java.security.UnrecoverableKeyException: Cannot recover key
schannelCredentials	A fatal error occurred while creating a TLS client credential. The internal error state is 10013.
untrustedRoot	A connection was successfully established with the server, but then an error occurred during the login process. (provider: SSL Provider, error: 0 - The certificate chain was issued by an authority that is not trusted.)
hostMismatch	The target principal name is incorrect
certificateExpired	x509: certificate has expired or is not yet valid: current time 2026-01-02T10:00:00Z is after 2026-01-01T00:00:00Z
hostMismatch	failed calling webhook "webhook.cert-manager.io": x509: certificate is valid for kubernetes.default.svc, not cert-manager-webhook.cert-manager.svc
unknownIssuer	Warning: Potential Security Risk Ahead
unknownIssuer	Your connection is not private
unknownIssuer	This Connection Is Not Private
hostMismatch	The certificate is only valid for the following names
untrustedRoot	kCFURLErrorSecureConnectionFailed
certificateExpired	kCFURLErrorServerCertificateHasBadDate
requestCancelled	kCFURLErrorCancelled
connectionClientCertificateRequired	kCFURLErrorClientCertificateRequired
connectionProxyFailed	kCFErrorDomainCFNetwork Code=310
unknownIssuer	kCFErrorDomainCFNetwork error -1202
clearTextNotPermitted	NSURLErrorAppTransportSecurityRequiresSecureConnection
clearTextNotPermitted	-1022
untrustedRoot	kSecTrustResultRecoverableTrustFailure
untrustedRoot	SecTrustResultType.recoverableTrustFailure
untrustedRoot	SecTrustResultType(rawValue: 5)
notAFailure	kSecTrustResultUnspecified
notAFailure	SecTrustResultType.proceed
systemRefused	kSecTrustResultDeny
certificateMalformed	SecTrustResultType.fatalTrustFailure
systemEvaluationUnavailable	kSecTrustResultOtherError
programmingMistake	kSecTrustResultInvalid
notAFailure	errSSLServerAuthCompleted
notAFailure	errSSLClientAuthCompleted
notAFailure	errSSLPeerAuthCompleted
connectionClientCertificateRequired	errSSLClientCertRequested
noSharedCipher	-9824
weakKeyExchange	errSSLWeakPeerEphemeralDHKey
keychainAccess	errSecItemNotFound
keychainAccess	-34018
revocationUnavailable	errSecCRLExpired
strictSerialNumber	SEC_ERROR_REUSED_ISSUER_AND_SERIAL
connectionClientCertificateRequired	tlsv13 alert certificate required
connectionClientCertificateRequired	SSL alert number 116
noSharedCipher	ERR_SSL_NO_SHARED_CIPHER
handshakeTooLarge	SSL_R_EXCESSIVE_MESSAGE_SIZE
keyUsageLacksCertSign	-8102
"""#.split(separator: "\n").map { row in
        let parts = row.split(separator: "\t", maxSplits: 1)
        return (code: String(parts[0]), text: String(parts[1]))
    }
}
