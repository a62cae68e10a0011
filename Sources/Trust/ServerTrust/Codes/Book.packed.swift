// SPDX-License-Identifier: Apache-2.0
//
// Written by Scripts/pack-book. Don't edit this file. Edit the texts in Book and run the script.
//
// swift-format-ignore-file

/// The texts of the book that this module shows, in the form that `Book` reads.
enum PackedBook {
    /// The explanations of failure codes.
    static let explanations = #"""
certificateExpired
explanation: Its validity period is over. If the date looks wrong, check this machine's clock.

certificateNotYetValid
explanation: The validity period starts later. If the date looks wrong, check this machine's clock.

hostMismatch
explanation: The peer isn't the expected one, or it presents a certificate for another name.

subjectAlternativeNameMissing
explanation: Host names belong in the subject alternative name. Clients have ignored the common name since 2017.

unknownIssuer
explanation: Usually the peer sent its leaf without an intermediate certificate.

issuerUnreadable
explanation: The issuer's certificate was sent or supplied, but isn't an X.509 certificate in strict DER. Have its CA reissue it. Adding the unreadable certificate as a root doesn't help.

untrustedRoot
explanation: The chain ends in a CA that this program doesn't trust. If it is a private CA, add its root to the anchors.

selfSignedLeaf
explanation: No CA issued it. Use a certificate from a CA that this program trusts, or make this certificate an anchor.

maximumIntermediatesExceeded
explanation: The path is longer than the caller allows.

signatureInvalid
explanation: The signature doesn't verify with the issuer's key: the certificate was altered, or another CA with the same name signed it.

signatureAlgorithmMismatch
explanation: The algorithm next to the signature isn't signed itself, so it must be the same as the algorithm inside the signed part. The certificate was altered, or its CA is faulty.

signatureUsesMD5
explanation: Attackers can forge such signatures. Have the certificate reissued with another algorithm.

signatureUsesSHA1
explanation: Attackers can forge such signatures. Have the certificate reissued with another algorithm.

signatureUsesDSA
explanation: TLS certificates don't use DSA, and this package doesn't verify it.

signatureAlgorithmUnsupported
explanation: The supported algorithms are RSA (PKCS #1 v1.5, PSS) and ECDSA on P-256, P-384, P-521 with SHA-2, Ed25519, ML-DSA-65 and ML-DSA-87.

signatureParametersUnsupported
explanation: RSASSA-PSS needs SHA-2, MGF1 with the same hash, and a salt as long as the hash. The other algorithms have no parameters. Old versions of Java write NULL for ECDSA: have the certificate reissued, or use the rfc5280 profile under a private root.

keyUsesExplicitCurve
explanation: An attacker can choose explicit parameters that allow forged signatures (CVE-2020-0601).

keyUsesUnsupportedCurve
explanation: TLS certificates must not use other curves.

keyUsesDSA
explanation: TLS certificates don't use DSA, and this package doesn't verify it.

rsaKeyTooSmall
explanation: Attackers can factor short RSA keys. The certificate's owner needs a new key and a new certificate.

rsaKeyTooLarge
explanation: Verifying signatures with such a key takes too much time.

keyMalformed
explanation: The parameters or numbers of the key don't conform to the standard of its algorithm.

keyAlgorithmUnsupported
explanation: The supported keys are RSA, P-256, P-384, P-521, Ed25519, ML-DSA-65 and ML-DSA-87.

criticalExtensionUnhandled
explanation: The CA marked this extension as critical, so software that doesn't process it must reject the certificate.

certificateVersionNotAllowed
explanation: Certificates of older versions can't state whether they are a CA.

issuerNameEmpty
explanation: The issuer field must not be empty.

notCertificateAuthority
explanation: A certificate that may not issue others has issued one. Either a file contains the wrong root or intermediate, or this is an attack.

basicConstraintsMissing
explanation: A v3 certificate without basic constraints isn't a certificate authority.

keyUsageLacksCertSign
explanation: The CA's certificate doesn't allow its key to sign certificates.

pathLengthExceeded
explanation: A CA further up limits the number of CAs below it.

extendedKeyUsageNotAllowed
explanation: The certificate, or a CA above it, wasn't issued for this purpose.

keyUsageNotForTLS
explanation: The certificate's key may not be used for this TLS handshake. TLS 1.3 and all suites with forward secrecy need digitalSignature. Have the certificate reissued with it.

nameExcluded
explanation: A CA in the path isn't allowed to issue certificates for this name.

nameNotPermitted
explanation: A CA in the path is allowed to issue certificates only for other names.

nameConstraintUndecidable
explanation: The name or the constraint is malformed, or its form isn't supported. A constraint that can't be compared counts as violated.

policyMappingOfAnyPolicy
explanation: CAs must not map anyPolicy.

policyNotAcceptable
explanation: The caller or a CA in the path requires a policy, but no acceptable policy is valid for the whole path.

tlsFeatureMissing
explanation: The CA may issue only certificates that require the same TLS features, such as an OCSP staple. Have the certificate reissued with them.

certificateRevoked
explanation: Its CA revoked it: the key was lost or stolen, or the certificate shouldn't exist. Its owner needs a new one.

stapleMissing
explanation: The certificate was issued with "must staple", so that an attacker who stole its key can't hide its revocation. Turn on OCSP stapling.

revocationUnavailable
explanation: If the policy requires revocation checks, a certificate that can't be checked isn't trusted. With any policy, the same is true if the check takes more work than the budget allows (budgetExceeded). Provide a stapled OCSP response, or current CRLs or OCSP responses from every CA in the path.

anchorDistrustedAfter
explanation: The root program no longer trusts certificates that this CA issued after a certain date. Use a certificate from another CA.

anchorNameNotPermitted
explanation: The root program trusts this CA only for certain domains. Use a certificate from another CA.

anchorPurposeNotPermitted
explanation: The root program trusts this CA only for other purposes, such as email. Use a certificate from another CA.

anchorNotInProgram
explanation: This machine has the root, but the root program doesn't trust it. Use a certificate from another CA. If the root is your own, install it as an administrator's root.

transparencyNotMet
explanation: Browsers require that public CAs publish their certificates in logs, and this certificate doesn't prove that it was published. Possible causes are a CA's mistake, a private certificate under a public root, or a certificate that was meant to stay unseen. Have the CA issue another certificate.

transparencyLogListMissing
explanation: To require transparency, a client needs a list of logs. Supply one, or only report transparency.

pinNotMatched
explanation: The certificates are valid, but have none of the keys that this program pins. Either an attacker intercepts the connection with a CA that this machine trusts, or the peer changed its keys or CA and the program still has the old pins.

pinsExpired
explanation: The pins of this host have expired, and the configuration refuses the host with expired pins. The program needs newer pins.

certificateNotPinned
explanation: The certificates are valid, but this program pins none of them. Either an attacker intercepts the connection with a CA that this machine trusts, or the peer renewed its certificate and the program still has the old pins.

authorityNotMatched
explanation: The certificates are valid, but come from a CA that this program doesn't expect. Either an attacker intercepts the connection, or the peer changed its CA.

hostNotListed
explanation: The program has rules for the hosts that it may connect to, but none for this host. Add a rule for it, or allow hosts without one.

hostDenied
explanation: The program has a rule that refuses this host, regardless of its certificates.

certificateDenied
explanation: This program has a list of certificates that it must not trust. Such lists are its own list of stolen keys, Mozilla's OneCRL, a Chrome CRLSet, or a root program's distrusted certificates. Use a certificate, a key, and a CA that are not on the list.

extendedValidationMissing
explanation: The CA issued the certificate without the organization checks that extended validation requires, or a CA in the path may not assert extended validation.

attributeNotMatched
explanation: The certificates are valid, but lack an attribute that this program requires.

validityTooLong
explanation: Apple's systems refuse server certificates that are valid for more than 825 days. Below the roots of root programs, the limit is 398 days. Have the certificate issued for a shorter time.

evaluatorRefused
explanation: The certificates are valid, but the program's own check didn't accept them.

presentedChainEmpty
explanation: The peer authenticates without certificates, or the connection doesn't use TLS. Check the peer's configuration.

certificateMalformed
explanation: The bytes aren't an X.509 certificate in strict DER, or they are truncated.

handshakeSignatureInvalid
explanation: The server presents a certificate whose key it doesn't have, or the connection was altered in transit. Install the private key that belongs to the certificate.

handshakeUnproven
explanation: The cipher suite has no signature, or one that isn't checked here (MD5, SHA-1), and the handshake didn't finish. Have the server offer TLS 1.3, or TLS 1.2 with ECDHE and SHA-256.

tlsVersionOutdated
explanation: TLS 1.0 and 1.1 were deprecated in 2021, because their signatures use MD5 and SHA-1. Have the server offer TLS 1.2 and 1.3.

systemAnchorsUnavailable
explanation: The settings name no anchors, and this machine has none. Install its package of CA certificates, or name the anchors.

systemRefused
explanation: The system's own evaluator doesn't trust the certificates. Either they violate one of its rules (the length of a certificate's validity, Certificate Transparency, a blocked CA), or a trust setting on this machine refuses them.

systemEvaluationUnavailable
explanation: The system's evaluator couldn't be called, or the evaluation needs a setting that it doesn't support. Request the package's own engine, which supports every setting.

depthBudgetExceeded
explanation: The engine found no path that is short enough.

signatureBudgetExceeded
explanation: The offered certificates require more signature checks than any honest chain.

comparisonBudgetExceeded
explanation: The offered certificates have more names and constraints than any honest chain.

stepBudgetExceeded
explanation: The offered certificates can be combined in more ways than those of any honest chain.

workBudgetExceeded
explanation: The offered certificates take longer to read and compare than those of any honest chain.

byteBudgetExceeded
explanation: The offered certificates are larger than those of any honest chain.

strictSerialNumber
explanation: Strict rule: serial numbers are positive and at most 20 bytes long.

strictAuthorityKeyIdentifier
explanation: Strict rule: every certificate except a root identifies its issuer's key, in the form that RFC 5280 and the CA/Browser baseline prescribe.

strictSubjectKeyIdentifier
explanation: Strict rule: every CA identifies its own key.

strictExtensionCriticality
explanation: Strict rule: an extension is critical if and only if its section says so.

strictExtensionNotAllowed
explanation: Strict rule: some extensions are not allowed in a leaf.

strictKeyUsage
explanation: Strict rule: key usage and basic constraints agree, and CAs state both.

strictExtendedKeyUsage
explanation: Strict rule: servers and intermediates list serverAuth but not anyExtendedKeyUsage. Servers don't list OCSPSigning, and roots list nothing.

strictSubjectName
explanation: Strict rule: a CA has a name. A common name repeats one of the alternative names exactly.

strictAlternativeName
explanation: Strict rule: alternative names are in preferred form, and critical if and only if the subject is empty.

strictNameConstraints
explanation: Strict rule: name constraints have the form that RFC 5280 prescribes.

strictLeafIsAuthority
explanation: Strict rule: a server doesn't use a CA certificate.

strictKeySize
explanation: Strict rule: the size of an RSA key is a whole number of bytes.

strictTimeEncoding
explanation: Strict rule: dates through 2049 are UTCTime, later dates are GeneralizedTime.

strictEncoding
explanation: Strict rule: the encoding omits default values, a bit list ends with its last set bit, and every extension is well-formed. The webPKI profile requires a well-formed authority information access even without strict rules.

strictValidityPeriod
explanation: Strict rule: certificates of public CAs are valid for at most 398 days. The limit is 200 days from March 2026, 100 days from March 2027, and 47 days from March 2029.

certificateExpiresSoon
explanation: It is valid today, but expires within the --expires-within time. Renew it on the server, and automate the renewal.

requestNotJSON
explanation: Each line of verify --batch is one JSON object in UTF-8, without line breaks in it.

requestTooLong
explanation: No request needs that much. The limit keeps memory use constant.

requestKeyMissing
explanation: The request doesn't say what to evaluate.

requestKeyWrongType
explanation: A key has a value of the wrong JSON type. Omit keys without a value: null isn't allowed.

requestValueInvalid
explanation: The value has the right JSON type, but isn't valid for this key.

base64Malformed
explanation: A request contains certificates, CRLs and OCSP responses as base64 of their DER.

"""#

    /// The remedies for failures, by the role and source of a certificate.
    static let advice = #"""
ingress-nginx
codes: hostMismatch subjectAlternativeNameMissing selfSignedLeaf unknownIssuer untrustedRoot certificateExpired
purposes: serverAuth
any: The server sent the default certificate of ingress-nginx, because it has no other one for this name. Don't trust it. Check that the Ingress lists the host under `tls`, that the secret exists in the same namespace and fits the host, and that clients send the host name (SNI).
presenter: any
is: Kubernetes Ingress Controller Fake Certificate

Traefik
codes: hostMismatch subjectAlternativeNameMissing selfSignedLeaf unknownIssuer untrustedRoot certificateExpired
purposes: serverAuth
any: The server sent the default certificate of Traefik, because it has no other one for this name. Don't trust it. Check that a router with `tls` has a rule for the host and a certificate or a resolver, that ACME succeeded (see Traefik's log), and that clients send the host name (SNI).
presenter: any
is: TRAEFIK DEFAULT CERT

cert-manager
codes: hostMismatch subjectAlternativeNameMissing selfSignedLeaf unknownIssuer untrustedRoot certificateExpired
purposes: serverAuth
any: The server sent the default certificate of cert-manager, because it has no other one for this name. Don't trust it. It is a placeholder until the CA issues the certificate. Find out why that takes long: `kubectl describe certificate,order,challenge`.
presenter: any
is: cert-manager.local

SQL Server
codes: hostMismatch subjectAlternativeNameMissing selfSignedLeaf unknownIssuer untrustedRoot certificateExpired
purposes: serverAuth
any: The server sent the default certificate of SQL Server, because it has no other one for this name. Don't trust it. Choose a certificate for the host in SQL Server Configuration Manager, and restart the instance.
presenter: any
is: SSL_Self_Signed_Fallback

Plesk
codes: hostMismatch subjectAlternativeNameMissing selfSignedLeaf unknownIssuer untrustedRoot certificateExpired
purposes: serverAuth
any: The server sent the default certificate of Plesk, because it has no other one for this name. Don't trust it. Choose a certificate for the domain, the mail server or Plesk itself under SSL/TLS Certificates.
presenter: any
is: Plesk

Synology DSM
codes: hostMismatch subjectAlternativeNameMissing selfSignedLeaf unknownIssuer untrustedRoot certificateExpired
purposes: serverAuth
any: The server sent the default certificate of Synology DSM, because it has no other one for this name. Don't trust it. Add a certificate for the host under Control Panel, Security, Certificate, and assign it to the service.
presenter: any
is: Synology Inc. CA

pfSense
codes: hostMismatch subjectAlternativeNameMissing selfSignedLeaf unknownIssuer untrustedRoot certificateExpired
purposes: serverAuth
any: The server sent the default certificate of pfSense, because it has no other one for this name. Don't trust it. Import or create a certificate for the host under System, Certificates, and choose it under System, Advanced, Admin Access.
presenter: any
contains: pfSense webConfigurator Self-Signed Certificate
contains: pfSense GUI default Self-Signed Certificate

OPNsense
codes: hostMismatch subjectAlternativeNameMissing selfSignedLeaf unknownIssuer untrustedRoot certificateExpired
purposes: serverAuth
any: The server sent the default certificate of OPNsense, because it has no other one for this name. Don't trust it. Import or create a certificate for the host under System, Trust, and choose it under System, Settings, Administration.
presenter: any
is: OPNsense self-signed web certificate

OpenWrt
codes: hostMismatch subjectAlternativeNameMissing selfSignedLeaf unknownIssuer untrustedRoot certificateExpired
purposes: serverAuth
any: The server sent the default certificate of OpenWrt, because it has no other one for this name. Don't trust it. Install a certificate for the host as `/etc/uhttpd.crt` and `/etc/uhttpd.key`, and restart uhttpd.
presenter: any
is: OpenWrt

Webmin
codes: hostMismatch subjectAlternativeNameMissing selfSignedLeaf unknownIssuer untrustedRoot certificateExpired
purposes: serverAuth
any: The server sent the default certificate of Webmin, because it has no other one for this name. Don't trust it. Request or upload a certificate for the host under Webmin Configuration, SSL Encryption.
presenter: any
contains: Webmin Webserver on

Cisco IOS
codes: hostMismatch subjectAlternativeNameMissing selfSignedLeaf unknownIssuer untrustedRoot certificateExpired
purposes: serverAuth
any: The server sent the default certificate of Cisco IOS, because it has no other one for this name. Don't trust it. Enroll the device with a CA and name that trustpoint: `ip http secure-trustpoint`.
presenter: any
contains: IOS-Self-Signed-Certificate-

HPE iLO
codes: hostMismatch subjectAlternativeNameMissing selfSignedLeaf unknownIssuer untrustedRoot certificateExpired
purposes: serverAuth
any: The server sent the default certificate of HPE iLO, because it has no other one for this name. Don't trust it. Create a request on the device under Security, SSL Certificate, and import the certificate that your CA issues for it.
presenter: any
contains: Default Issuer (Do not trust)

VMware ESXi
codes: hostMismatch subjectAlternativeNameMissing selfSignedLeaf unknownIssuer untrustedRoot certificateExpired
purposes: serverAuth
any: The server sent the default certificate of VMware ESXi, because it has no other one for this name. Don't trust it. Replace `rui.crt` and `rui.key` in `/etc/vmware/ssl`, or let vCenter issue a certificate.
presenter: any
is: VMware Installer

a development server
codes: hostMismatch subjectAlternativeNameMissing
purposes: serverAuth
is: localhost
any: The server sent a certificate for localhost, as ASP.NET Core, IIS Express and other development servers create. Give it a certificate for the requested name, or connect to localhost on its own machine.
presenter: any

Cloudflare's origin CA
codes: unknownIssuer untrustedRoot
purposes: serverAuth
contains: CloudFlare Origin SSL
any: {issuer} is Cloudflare's origin CA. Its certificates are only for the connection between Cloudflare and the server. Connect through Cloudflare (proxied DNS record), or give the server a certificate from a public CA.
presenter: any

Caddy
codes: unknownIssuer untrustedRoot
any: {issuer} is the CA of Caddy, which is trusted only where its root is installed. If the site is public, Caddy couldn't get a certificate or has `tls internal`: read its log. Otherwise get the root from Caddy's data folder, `pki/authorities/local/root.crt`. Add that root to the anchors, and never take it from this connection.
user: any
option: anchors
contains: Caddy Local Authority

mkcert
codes: unknownIssuer untrustedRoot
any: {issuer} is the CA of mkcert, which is trusted only where its root is installed. It is for development on one machine. Get `rootCA.pem` from the folder that `mkcert -CAROOT` prints there. Add that root to the anchors, and never take it from this connection.
user: any
option: anchors
is: mkcert development CA

minikube
codes: unknownIssuer untrustedRoot
any: {issuer} is the CA of minikube, which is trusted only where its root is installed. Get the root from the kubeconfig file, or from `~/.minikube/ca.crt`. Add that root to the anchors, and never take it from this connection.
user: any
option: anchors
is: minikubeCA

k3s or RKE2
codes: unknownIssuer untrustedRoot
any: {issuer} is the CA of k3s or RKE2, which is trusted only where its root is installed. Get the root from the kubeconfig file, or from `server/tls/server-ca.crt` in the data folder. Add that root to the anchors, and never take it from this connection.
user: any
option: anchors
contains: k3s-server-ca@
contains: rke2-server-ca@

Kubernetes
codes: unknownIssuer untrustedRoot
any: {issuer} is the CA of Kubernetes, which is trusted only where its root is installed. Get the root from the kubeconfig file (`certificate-authority-data`), or from `/etc/kubernetes/pki/ca.crt`. Add that root to the anchors, and never take it from this connection.
user: any
option: anchors
is: kubernetes

Rancher
codes: unknownIssuer untrustedRoot
any: {issuer} is the CA of Rancher, which is trusted only where its root is installed. If the host should have another certificate, configure it in Rancher. Otherwise get the root from Rancher's setting `cacerts`. Add that root to the anchors, and never take it from this connection.
user: any
option: anchors
contains: dynamiclistener-ca

OpenShift's router
codes: unknownIssuer untrustedRoot
any: {issuer} is the CA of OpenShift's router, which is trusted only where its root is installed. Get the root from the config map `default-ingress-cert` in `openshift-config-managed`, or give the router a certificate from another CA. Add that root to the anchors, and never take it from this connection.
user: any
option: anchors
contains: ingress-operator@

OpenShift's services
codes: unknownIssuer untrustedRoot
any: {issuer} is the CA of OpenShift's services, which is trusted only where its root is installed. Get the root from a config map with the annotation `service.beta.openshift.io/inject-cabundle`. Add that root to the anchors, and never take it from this connection.
user: any
option: anchors
contains: openshift-service-serving-signer@

Linkerd
codes: unknownIssuer untrustedRoot
any: {issuer} is the CA of Linkerd, which is trusted only where its root is installed. Its certificates are for workloads of the mesh. Connect through the mesh, or get the trust anchor from its administrator. Add that root to the anchors, and never take it from this connection.
user: any
option: anchors
contains: linkerd.cluster.local

Istio
codes: unknownIssuer untrustedRoot
any: {issuer} is the CA of Istio, which is trusted only where its root is installed. Its certificates are for workloads of the mesh. Connect through the sidecar or a gateway, or get the root from the config map `istio-ca-root-cert`. Add that root to the anchors, and never take it from this connection.
user: any
option: anchors
is: cluster.local

Proxmox VE
codes: unknownIssuer untrustedRoot
any: {issuer} is the CA of Proxmox VE, which is trusted only where its root is installed. Get the root from `/etc/pve/pve-root-ca.pem` on a node, or give the node a certificate from another CA. Add that root to the anchors, and never take it from this connection.
user: any
option: anchors
is: PVE Cluster Manager CA

Elasticsearch
codes: unknownIssuer untrustedRoot
any: {issuer} is the CA of Elasticsearch, which is trusted only where its root is installed. Get the root from the node, by default `config/certs/http_ca.crt`. Add that root to the anchors, and never take it from this connection.
user: any
option: anchors
is: Elasticsearch security auto-configuration HTTP CA
is: Elastic Certificate Tool Autogenerated CA

MySQL
codes: unknownIssuer untrustedRoot
any: {issuer} is the CA of MySQL, which is trusted only where its root is installed. Get `ca.pem` from the server's data folder. The server's generated certificate names no host, so give it another one if clients check the name. Add that root to the anchors, and never take it from this connection.
user: any
option: anchors
contains: _Auto_Generated_CA_Certificate

Google Cloud SQL
codes: unknownIssuer untrustedRoot
any: {issuer} is the CA of Google Cloud SQL, which is trusted only where its root is installed. Get the instance's CA: `gcloud sql ssl server-ca-certs list`. Add that root to the anchors, and never take it from this connection.
user: any
option: anchors
is: Google Cloud SQL Server CA

Amazon RDS
codes: unknownIssuer untrustedRoot
any: {issuer} is the CA of Amazon RDS, which is trusted only where its root is installed. Get the roots of RDS: https://truststore.pki.rds.amazonaws.com/global/global-bundle.pem. Add that root to the anchors, and never take it from this connection.
user: any
option: anchors
contains: Amazon RDS

Entrust
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: Have a certificate issued by another CA. {issuer} belongs to Entrust, and root programs stopped trusting it: certificates issued after November 2024 don't count, and stores remove the root. Don't add it to the anchors.
presenter: any
is: Entrust Root Certification Authority
is: Entrust Root Certification Authority - G2
is: Entrust Root Certification Authority - G4
is: Entrust Root Certification Authority - EC1
is: Entrust.net Certification Authority (2048)

AffirmTrust
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: Have a certificate issued by another CA. {issuer} belongs to AffirmTrust, and root programs stopped trusting it: like Entrust, its owner, for certificates issued after November 2024. Don't add it to the anchors.
presenter: any
is: AffirmTrust Commercial
is: AffirmTrust Networking
is: AffirmTrust Premium
is: AffirmTrust Premium ECC

Symantec (VeriSign, GeoTrust, thawte)
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: Have a certificate issued by another CA. {issuer} belongs to Symantec (VeriSign, GeoTrust, thawte), and root programs stopped trusting it: no certificate counts since 2018. Don't add it to the anchors.
presenter: any
is: Symantec Corporation
is: VeriSign, Inc.
is: GeoTrust Inc.
is: thawte, Inc.

WoSign and StartCom
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: Have a certificate issued by another CA. {issuer} belongs to WoSign and StartCom, and root programs stopped trusting it: no certificate counts since 2017. Don't add it to the anchors.
presenter: any
is: WoSign CA Limited
is: StartCom Ltd.

Camerfirma
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: Have a certificate issued by another CA. {issuer} belongs to Camerfirma, and root programs stopped trusting it: no certificate counts since 2021. Don't add it to the anchors.
presenter: any
is: AC Camerfirma S.A.

E-Tuğra
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: Have a certificate issued by another CA. {issuer} belongs to E-Tuğra, and root programs stopped trusting it: no certificate counts since 2023. Don't add it to the anchors.
presenter: any
contains: E-Tuğra
contains: E-Tugra

TrustCor
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: Have a certificate issued by another CA. {issuer} belongs to TrustCor, and root programs stopped trusting it: certificates issued after November 2022 don't count. Don't add it to the anchors.
presenter: any
is: TrustCor Systems S. de R.L.

DigiNotar
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: Have a certificate issued by another CA. {issuer} belongs to DigiNotar, and root programs stopped trusting it: attackers issued certificates in 2011. Don't add it to the anchors.
presenter: any
is: DigiNotar

Zscaler
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names Zscaler, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: zscaler

Netskope
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names Netskope, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: netskope
contains: goskope.com

Fortinet
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names Fortinet, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: fortinet

FortiGate
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names FortiGate, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: fortigate

Palo Alto Networks
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names Palo Alto Networks, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: palo alto networks

Blue Coat
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names Blue Coat, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: blue coat

Cisco Umbrella
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names Cisco Umbrella, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: cisco umbrella

Forcepoint
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names Forcepoint, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: forcepoint

Sophos
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names Sophos, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: sophos ssl

Skyhigh
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names Skyhigh, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: skyhigh security

Barracuda
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names Barracuda, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: barracuda networks

Cloudflare Gateway
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names Cloudflare Gateway, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: cloudflare for teams
contains: gateway ca - cloudflare

Kaspersky
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names Kaspersky, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: kaspersky anti-virus

Avast
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names Avast, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: avast web/mail shield

AVG
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names AVG, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: avg web/mail shield

ESET
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names ESET, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: eset ssl filter

Bitdefender
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names Bitdefender, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: bitdefender

mitmproxy
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names mitmproxy, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: mitmproxy

Charles
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names Charles, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: charles proxy

Fiddler
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names Fiddler, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: do_not_trust_fiddlerroot

Burp Suite
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names Burp Suite, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: portswigger

Proxyman
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names Proxyman, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: proxyman

AnyProxy
codes: unknownIssuer untrustedRoot
purposes: serverAuth
any: {issuer} names AnyProxy, which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.
user: any
option: anchors
contains: anyproxy

a path that becomes valid within a day
when: startsSoon
codes: certificateNotYetValid
any: Compare this machine's clock with the clock of the machine that issued the certificate, and correct the wrong one: the path becomes valid in {span}, at {start}. If both are right, use it from then on.

a clock that was never set
when: clockBehind
codes: certificateNotYetValid
any: Set this machine's clock, or evaluate at another date. Every certificate in the path becomes valid after {date}, and none needs a change.
user: any

a self-signed certificate that was created again
when: recreated
codes: signatureInvalid notCertificateAuthority basicConstraintsMissing keyUsageLacksCertSign
root: The {peer}'s certificate is self-signed, and {place} has one with the same name but another key. If the owner created it again, confirm its SHA-256 with the owner and replace the old one. Otherwise don't trust it.

a self-signed certificate for another name
when: nameless
codes: selfSignedLeaf
leaf: Give the {peer} a certificate from a CA that is trusted here. Adding this one to the anchors doesn't help, because it isn't valid for the name.

a CA certificate that was replaced
when: superseded
codes: certificateRevoked
sent: Replace only the {certificate}: the CA has another certificate for the same key. Send that one instead. The {peer}'s certificate and the rest of the chain can stay.

a certificate that its CA encoded wrongly
when: misencoded
codes: certificateMalformed
any: Have the certificate reissued without this fault: {fault}. The {peer}'s copy is complete, so installing it again doesn't help.
presenter: any

logs that aren't on the list
when: unlistedLogs
codes: transparencyNotMet
any: Update the list of logs, which is dated {date}: it lacks the logs of {count} of the certificate's {total}. The certificate only needs a change if a current list lacks them, too.
user: any

the hash of another part of a certificate
when: hashedWrongly
codes: pinNotMatched certificateNotPinned
any: The pin {pin} is the SHA-256 of {hashed} ({which}). Pin the key instead: {key}.
presenter: any

a pin that the rule compares with other keys
when: comparedElsewhere
codes: pinNotMatched
any: The pin {pin} is the key of {which}, but this rule compares only {compared}. Pin {key} there if your own copy of the {owner}'s certificate has that key: the presented one may be an attacker's.
presenter: any

a pinned root that isn't trusted here
when: crossSigned
codes: pinNotMatched certificateNotPinned authorityNotMatched
any: The {certificate} leads to {issuer}, which isn't trusted here. If you pinned that root, get it from the CA and add it to the anchors or to this machine's root store. If you pinned something else, don't trust the connection before you know why the pin doesn't match.
user: any

the address of another scheme
when: otherScheme
codes: revocationUnavailable
any: Provide a CRL from the certificate's issuer. The certificate's only address of revocation data is {address}, and {scheme} addresses aren't fetched. Otherwise have the CA issue certificates that also name an http address.
user: any
option: evidence

no address
when: noAddress
codes: revocationUnavailable
any: Provide a CRL from the certificate's issuer, or ask the CA for a certificate that names one. This certificate has no CRL or OCSP address to fetch from.
user: any
option: evidence

a failed fetch
when: notObtained
codes: revocationUnavailable
any: Fetching failed: {reasons}. Provide a CRL or an OCSP response, try again later, or ask the CA that publishes it.
user: any
option: evidence

no fetch
when: noSource
codes: revocationUnavailable
any: Fetch the revocation data from the address in the certificate, or provide a CRL or an OCSP response.
user: any
option: fetching
option: evidence

evidence that doesn't count
when: uselessEvidence
codes: revocationUnavailable
any: {remedy}
user: any
option: evidence

a similar name
when: nearName
codes: hostMismatch
leaf: {remedy}

an invalid signature
codes: signatureInvalid
leaf: Reinstall the certificate exactly as its CA delivered it. The one in use was altered.
sent: Send the chain that the CA delivered with the certificate. The {peer} sends an intermediate that has the issuer's name but another key, or the certificate below it was altered.
intermediate: The intermediate in {place} has the issuer's name but another key, or the certificate below it was altered. If the CA was created again, replace the intermediate with its current certificate. Otherwise don't trust the certificate.
root: The root in {place} has the issuer's name but another key, or the certificate below it was altered. If the CA was created again, replace the root with its current certificate. Otherwise don't trust the certificate.
published: Ask the CA to publish the intermediate that issued the certificate. The published one has the issuer's name but another key.
whole: Reinstall the certificates exactly as their CA delivered them.

different signature algorithms
intermediate: Replace the intermediate in {place} with the certificate that its CA issued. Ask its CA for it.
root: Replace the root in {place} with the certificate that its CA issued. Ask its CA for it.
stored: Replace the root in {place} with the certificate that its CA issued. Update this system's CA certificates, or ask the CA.
published: Ask the CA that publishes this intermediate to publish the certificate that its CA issued.
codes: signatureAlgorithmMismatch
leaf: Reinstall the certificate exactly as its CA delivered it. If that doesn't help, have the CA issue another.
sent: Send the CA's certificates exactly as it delivered them. If that doesn't help, move to another chain.

weak signatures
intermediate: Replace the intermediate in {place} with one that has an RSA or ECDSA signature over SHA-256. Ask its CA for it.
root: Replace the root in {place} with one that has an RSA or ECDSA signature over SHA-256. Ask its CA for it.
stored: Replace the root in {place} with one that has an RSA or ECDSA signature over SHA-256. Update this system's CA certificates, or ask the CA.
published: Ask the CA that publishes this intermediate to publish one that has an RSA or ECDSA signature over SHA-256.
codes: signatureUsesMD5 signatureUsesSHA1 signatureUsesDSA
leaf: Have the certificate reissued with an RSA or ECDSA signature over SHA-256.
sent: Move to a chain whose CA certificates are signed with SHA-256 or better.

unsupported signatures
intermediate: Replace the intermediate in {place} with one with one of the expected signatures. Ask its CA for it.
root: Replace the root in {place} with one with one of the expected signatures. Ask its CA for it.
stored: Replace the root in {place} with one with one of the expected signatures. Update this system's CA certificates, or ask the CA.
published: Ask the CA that publishes this intermediate to publish one with one of the expected signatures.
codes: signatureAlgorithmUnsupported
leaf: Have the chain issued with one of the expected signatures. Browsers accept only RSA and ECDSA.
sent: Have the chain issued with one of the expected signatures. Browsers accept only RSA and ECDSA.

unsupported signature parameters
intermediate: Replace the intermediate in {place} with one whose signature parameters follow the standard. Ask its CA for it.
root: Replace the root in {place} with one whose signature parameters follow the standard. Ask its CA for it.
stored: Replace the root in {place} with one whose signature parameters follow the standard. Update this system's CA certificates, or ask the CA.
published: Ask the CA that publishes this intermediate to publish one whose signature parameters follow the standard.
codes: signatureParametersUnsupported
leaf: Have the certificate reissued by software that encodes the signature parameters as the standard requires. Old versions of Java write NULL for ECDSA.
sent: Move to a chain whose CA certificates encode the signature parameters as the standard requires.

weak keys
intermediate: Replace the intermediate in {place} with one that has a P-256, P-384, or RSA key with 2048 to 8192 bits. Ask its CA for it.
root: Replace the root in {place} with one that has a P-256, P-384, or RSA key with 2048 to 8192 bits. Ask its CA for it.
stored: Replace the root in {place} with one that has a P-256, P-384, or RSA key with 2048 to 8192 bits. Update this system's CA certificates, or ask the CA.
published: Ask the CA that publishes this intermediate to publish one that has a P-256, P-384, or RSA key with 2048 to 8192 bits.
codes: rsaKeyTooSmall rsaKeyTooLarge keyUsesDSA keyUsesExplicitCurve keyMalformed
leaf: Generate a new key (P-256, or RSA with 2048 to 8192 bits) and have a certificate issued for it.
sent: Move to a chain whose CAs use P-256, P-384, or RSA keys with 2048 to 8192 bits.

unsupported keys
intermediate: Replace the intermediate in {place} with one that has a P-256, P-384, or RSA key with 2048 to 8192 bits. Ask its CA for it.
root: Replace the root in {place} with one that has a P-256, P-384, or RSA key with 2048 to 8192 bits. Ask its CA for it.
stored: Replace the root in {place} with one that has a P-256, P-384, or RSA key with 2048 to 8192 bits. Update this system's CA certificates, or ask the CA.
published: Ask the CA that publishes this intermediate to publish one that has a P-256, P-384, or RSA key with 2048 to 8192 bits.
codes: keyUsesUnsupportedCurve keyAlgorithmUnsupported
leaf: Generate a new key (P-256, or RSA with 2048 to 8192 bits) and have a certificate issued for it. With this key, the TLS handshake fails in browsers and with this package, whatever the profile.
sent: Move to a chain whose CAs use P-256, P-384, or RSA keys with 2048 to 8192 bits.

an unhandled critical extension
intermediate: Replace the intermediate in {place} with one without the critical extension. Ask its CA for it.
root: Replace the root in {place} with one without the critical extension. Ask its CA for it.
stored: Replace the root in {place} with one without the critical extension. Update this system's CA certificates, or ask the CA.
published: Ask the CA that publishes this intermediate to publish one without the critical extension.
codes: criticalExtensionUnhandled
leaf: Have the certificate reissued without the extension, or with the extension marked non-critical.
sent: Move to a chain whose CA certificates don't have the extension.

the version
intermediate: Replace the intermediate in {place} with the CA's v3 certificate. Ask its CA for it.
root: Replace the root in {place} with the CA's v3 certificate. Ask its CA for it.
stored: Replace the root in {place} with the CA's v3 certificate. Update this system's CA certificates, or ask the CA.
published: Ask the CA that publishes this intermediate to publish the CA's v3 certificate.
codes: certificateVersionNotAllowed
leaf: Have the certificate reissued as X.509 v3.
sent: Send the CA's v3 certificate. The one in use is older, or isn't a CA certificate.

an empty issuer name
intermediate: Replace the intermediate in {place} with one that names its issuer. Ask its CA for it.
root: Replace the root in {place} with one that names its issuer. Ask its CA for it.
stored: Replace the root in {place} with one that names its issuer. Update this system's CA certificates, or ask the CA.
published: Ask the CA that publishes this intermediate to publish one that names its issuer.
codes: issuerNameEmpty
leaf: Have the certificate reissued by a CA that has a name.
sent: Move to a chain whose CAs have names.

not a CA
intermediate: Replace the intermediate in {place} with a certificate that may issue others (CA:TRUE, and keyCertSign if it has a key usage). Ask its CA for it.
root: Replace the root in {place} with a certificate that may issue others (CA:TRUE, and keyCertSign if it has a key usage). Ask its CA for it.
stored: Replace the root in {place} with a certificate that may issue others (CA:TRUE, and keyCertSign if it has a key usage). Update this system's CA certificates, or ask the CA.
published: Ask the CA that publishes this intermediate to publish a certificate that may issue others (CA:TRUE, and keyCertSign if it has a key usage).
codes: notCertificateAuthority basicConstraintsMissing keyUsageLacksCertSign
sent: After the {peer}'s certificate, send only certificates of CAs. One of those in use can't issue certificates.

the path length
codes: pathLengthExceeded
sent: Have the certificate issued through fewer CAs. A CA in this chain limits their number.
intermediate: Ask the CA to issue through fewer CAs. The intermediate in {place} limits their number.
root: Ask the CA to issue through fewer CAs. The root in {place} limits their number.
published: Ask the CA to issue through fewer CAs. An intermediate that it publishes limits their number.
authority: intermediate root stored

the extended key usage
intermediate: Replace the intermediate in {place} with one whose extended key usage is absent or names {usage}. Ask its CA for it.
root: Replace the root in {place} with one whose extended key usage is absent or names {usage}. Ask its CA for it.
stored: Replace the root in {place} with one whose extended key usage is absent or names {usage}. Update this system's CA certificates, or ask the CA.
published: Ask the CA that publishes this intermediate to publish one whose extended key usage is absent or names {usage}.
codes: extendedKeyUsageNotAllowed
leaf: Have a certificate issued for TLS {peer}s (extended key usage {usage}).{publicCAs}
sent: Have a certificate issued by a CA that may issue for {usage}. This intermediate's extended key usage lacks it, and that applies to every certificate below it.
purposes: serverAuth clientAuth

the key usage
codes: keyUsageNotForTLS
leaf: Have the certificate reissued with key usage digitalSignature. TLS 1.3 and every cipher suite with forward secrecy need it.
purposes: serverAuth clientAuth

a mapping of anyPolicy
intermediate: Replace the intermediate in {place} with one that doesn't map anyPolicy. Ask its CA for it.
root: Replace the root in {place} with one that doesn't map anyPolicy. Ask its CA for it.
stored: Replace the root in {place} with one that doesn't map anyPolicy. Update this system's CA certificates, or ask the CA.
published: Ask the CA that publishes this intermediate to publish one that doesn't map anyPolicy.
codes: policyMappingOfAnyPolicy
leaf: Have the certificate reissued without the policy mapping.
sent: Move to a chain whose CA certificates don't map anyPolicy.

TLS features
intermediate: Replace the intermediate in {place} with one that requires the TLS features of the CA above it. Ask its CA for it.
root: Replace the root in {place} with one that requires the TLS features of the CA above it. Ask its CA for it.
stored: Replace the root in {place} with one that requires the TLS features of the CA above it. Update this system's CA certificates, or ask the CA.
published: Ask the CA that publishes this intermediate to publish one that requires the TLS features of the CA above it.
codes: tlsFeatureMissing
leaf: Have the certificate reissued with the TLS features that its CA requires.
sent: Move to a chain whose CA certificates require the same TLS features.

an expired certificate
intermediate: Replace the intermediate in {place} with the CA's current one. Ask its CA for it.
root: Replace the root in {place} with the CA's current one. Ask its CA for it.
stored: Replace the root in {place} with the CA's current one. Update this system's CA certificates, or ask the CA.
published: Ask the CA that publishes this intermediate to publish the CA's current one.
codes: certificateExpired
leaf: Renew the {peer}'s certificate. Automate the renewal and the {peer}'s reload.
sent: Send the CA's current chain. The CA certificate in use has expired. If the CA kept its key, the {peer}'s certificate can stay.

a certificate that isn't valid yet
intermediate: Replace the intermediate in {place} with the CA's current one, which is valid now. Ask its CA for it.
root: Replace the root in {place} with the CA's current one, which is valid now. Ask its CA for it.
stored: Replace the root in {place} with the CA's current one, which is valid now. Update this system's CA certificates, or ask the CA.
published: Ask the CA that publishes this intermediate to publish the CA's current one, which is valid now.
codes: certificateNotYetValid
leaf: Install the certificate later, or correct the clock of the machine that issued it.
sent: Send the CA's current chain until the new one is valid.

a revoked certificate
codes: certificateRevoked
leaf: Generate a new key and have a certificate issued for it. Find out why the CA revoked this one.
sent: Move to a chain without the revoked CA.
intermediate: Remove the revoked intermediate from {place}. Ask its CA for the current one.
published: Ask for a certificate from another issuing CA. The intermediate that the CA publishes was revoked.

no revocation status
codes: revocationUnavailable
leaf: Staple an OCSP response, or provide a current CRL or OCSP response for the certificate.
sent: Provide a current CRL or OCSP response from the CA above the intermediate.
intermediate: Provide a current CRL or OCSP response from the CA above the intermediate.
published: Provide a current CRL or OCSP response from the CA above the intermediate.
option: evidence
user: sent published

a denied certificate
codes: certificateDenied
leaf: Use a certificate, a key, and a CA that are not on the list. If the entry is wrong, correct it.
sent: Move to a chain without the denied CA. If the entry on the list is wrong, correct it.
intermediate: Remove the intermediate from {place}. If the entry on the list is wrong, correct it.
root: Remove the root from {place}. If the entry on the list is wrong, correct it.
published: Use a certificate from another CA. If the entry on the list is wrong, correct it.
user: published

another name
codes: hostMismatch
leaf: Add the name to the certificate's subject alternative names, or {serve} the right certificate for the requested name.

no alternative name
codes: subjectAlternativeNameMissing
leaf: Have the certificate reissued with the name in the subject alternative name.

name constraints
intermediate: Replace the intermediate in {place} with one whose name the CA above it may certify. Ask its CA for it.
root: Replace the root in {place} with one whose name the CA above it may certify. Ask its CA for it.
stored: Replace the root in {place} with one whose name the CA above it may certify. Update this system's CA certificates, or ask the CA.
published: Ask the CA that publishes this intermediate to publish one whose name the CA above it may certify.
codes: nameExcluded nameNotPermitted
leaf: Have another CA certify the name. A CA in this chain may certify only other names.
sent: Move to another chain. A CA above this intermediate may certify only other names.

a name that can't be compared
intermediate: Replace the intermediate in {place} with one whose name can be compared with the constraint. Ask its CA for it.
root: Replace the root in {place} with one whose name can be compared with the constraint. Ask its CA for it.
stored: Replace the root in {place} with one whose name can be compared with the constraint. Update this system's CA certificates, or ask the CA.
published: Ask the CA that publishes this intermediate to publish one whose name can be compared with the constraint.
codes: nameConstraintUndecidable
leaf: Have the certificate reissued without the name, or by a CA without the constraint. The two can't be compared.
sent: Move to another chain. The intermediate's name can't be compared with a constraint above it.

strict rules
intermediate: Replace the intermediate in {place} with one that meets the rule. Ask its CA for it.
root: Replace the root in {place} with one that meets the rule. Ask its CA for it.
stored: Replace the root in {place} with one that meets the rule. Update this system's CA certificates, or ask the CA.
published: Ask the CA that publishes this intermediate to publish one that meets the rule.
codes: strictSerialNumber strictAuthorityKeyIdentifier strictSubjectKeyIdentifier strictExtensionCriticality strictExtensionNotAllowed strictExtendedKeyUsage strictSubjectName strictAlternativeName strictNameConstraints strictLeafIsAuthority strictKeySize strictEncoding strictValidityPeriod strictTimeEncoding
leaf: Have the certificate reissued to meet the rule.
sent: Move to a chain whose CA certificates meet the rule.

the key usage of CAs
intermediate: Replace the intermediate in {place} with one for the same name and key that has `keyUsage=critical,keyCertSign,cRLSign`. Ask its CA for it.
root: Replace the root in {place} with one for the same name and key that has `keyUsage=critical,keyCertSign,cRLSign`. Ask its CA for it.
stored: Replace the root in {place} with one for the same name and key that has `keyUsage=critical,keyCertSign,cRLSign`. Update this system's CA certificates, or ask the CA.
published: Ask the CA that publishes this intermediate to publish one for the same name and key that has `keyUsage=critical,keyCertSign,cRLSign`.
codes: strictKeyUsage
leaf: Have the certificate reissued, for a {peer} without keyCertSign and CA:TRUE, and for a CA with both.
sent: Have the CA's certificate reissued for the same name and key with `keyUsage=critical,keyCertSign,cRLSign`, and send it. The {peer}'s certificate can stay.

a self-signed leaf
codes: selfSignedLeaf
leaf: Give the {peer} a certificate from a CA that is trusted here. If this certificate has the same SHA-256 digest as your own copy, you can add your copy to the anchors instead.
option: anchors

an untrusted root
codes: untrustedRoot
sent: The chain is complete, but its root isn't trusted here. If it is your CA's root, get it from the CA, never from this connection, and add it to the anchors or to this machine's root store.
intermediate: The chain is complete, but its root isn't trusted here. If it is your CA's root, get it from the CA, never from this connection, and add it to the anchors or to this machine's root store.
published: The chain is complete, but its root isn't trusted here. If it is your CA's root, get it from the CA, never from this connection, and add it to the anchors or to this machine's root store.
option: anchors
user: sent published

an unknown issuer
codes: unknownIssuer
leaf: Send the whole chain: the {peer}'s certificate followed by every intermediate that its CA delivered.{otherCA}
sent: {issuer} isn't trusted here. If it is your root, get it from the CA, never from this connection, and add it to the anchors or to this machine's root store. If it is an intermediate, have the {peer} send it too.{otherCA}
intermediate: {issuer} isn't trusted here. If it is your root, get it from the CA, never from this connection, and add it to the anchors or to this machine's root store. If it is an intermediate, add it to {place}.
published: {issuer} isn't trusted here. If it is your root, get it from the CA, never from this connection, and add it to the anchors or to this machine's root store. If it is an intermediate, provide it.
user: sent published

conditions of a root program
codes: anchorDistrustedAfter anchorNameNotPermitted anchorPurposeNotPermitted
root: Use a certificate from another CA. The root program doesn't trust this root for the certificate.
presenter: root stored

a root outside the program
codes: anchorNotInProgram
root: Use a certificate from another CA. If the root is yours, install it as an administrator's root.
presenter: root stored

too many intermediates
codes: maximumIntermediatesExceeded
whole: Allow more intermediates, or have the certificate issued through fewer CAs.
program: whole

policies
intermediate: Replace the intermediate in {place} with one that permits a policy that is required here. Ask its CA for it.
root: Replace the root in {place} with one that permits a policy that is required here. Ask its CA for it.
stored: Replace the root in {place} with one that permits a policy that is required here. Update this system's CA certificates, or ask the CA.
published: Ask the CA that publishes this intermediate to publish one that permits a policy that is required here.
codes: policyNotAcceptable
leaf: Have the certificate reissued under a policy that is required here, or require another policy.
sent: Move to a chain whose CAs may issue under a policy that is required here.

exceeded budgets
codes: depthBudgetExceeded signatureBudgetExceeded comparisonBudgetExceeded stepBudgetExceeded workBudgetExceeded byteBudgetExceeded
whole: Present only the leaf and the intermediates that lead to its root.

no certificate
codes: presentedChainEmpty
whole: Configure the {peer} with a certificate and its key.

an unreadable issuer
codes: issuerUnreadable
leaf: Have the CA reissue the unreadable certificate, and replace it with the new one. Trusting it as a root doesn't help.
sent: Have the CA reissue the unreadable certificate, and replace it with the new one. Trusting it as a root doesn't help.
intermediate: Have the CA reissue the unreadable certificate, and replace it with the new one. Trusting it as a root doesn't help.
published: Have the CA reissue the unreadable certificate, and replace it with the new one. Trusting it as a root doesn't help.

an unreadable certificate
codes: certificateMalformed
leaf: Reinstall the certificate exactly as the CA delivered it. The one in use can't be read.
sent: Send the intermediate exactly as the CA delivered it. The one in use can't be read.
whole: Reinstall the certificate exactly as the CA delivered it. The one in use can't be read.

no anchors
codes: systemAnchorsUnavailable
whole: Install the package of CA certificates on this machine, or name the anchors.
option: anchors
machine: whole

a host without a rule
codes: hostNotListed
whole: If the program should connect to the host, add a rule for it.
program: whole

a denied host
codes: hostDenied
whole: If the program should connect to the host, remove the rule that denies it.
program: whole

expired pins
codes: pinsExpired
whole: Update the program with newer pins, and update it again before those expire.
program: whole

pins
codes: pinNotMatched certificateNotPinned authorityNotMatched
leaf: If the {peer}'s key or CA changed on purpose, use the pinned key again until the program has the new pin. Otherwise an attacker may be intercepting the connection.
whole: If the {peer}'s key or CA changed on purpose, use the pinned key again until the program has the new pin. Otherwise an attacker may be intercepting the connection.

extended validation
codes: extendedValidationMissing
leaf: Have a certificate issued with extended validation.
whole: Have a certificate issued with extended validation.

attributes
codes: attributeNotMatched
leaf: Have a certificate issued with the attribute that the program requires.
whole: Have a certificate issued with the attribute that the program requires.

the validity
codes: validityTooLong
leaf: Have the certificate reissued with a shorter validity.

a refusal by an evaluator
codes: evaluatorRefused
leaf: Read the reason in the message. The program's own check refused the certificate.
sent: Read the reason in the message. The program's own check refused the certificate.
intermediate: Read the reason in the message. The program's own check refused the certificate.
root: Read the reason in the message. The program's own check refused the certificate.
published: Read the reason in the message. The program's own check refused the certificate.
whole: Read the reason in the message. The program's own check refused the certificate.
program: leaf sent intermediate published root stored whole

no staple
codes: stapleMissing
leaf: Turn on OCSP stapling in the {peer}'s configuration, or get a certificate that doesn't require a staple.

transparency
codes: transparencyNotMet
leaf: Have the CA issue another certificate with timestamps from as many logs as the policy requires.

no list of logs
codes: transparencyLogListMissing
leaf: Provide a list of logs, or set the check to report only.
program: leaf

an invalid handshake signature
codes: handshakeSignatureInvalid
leaf: Install the private key that belongs to the certificate.

an unproven handshake
codes: handshakeUnproven
leaf: Turn on TLS 1.3, or TLS 1.2 with ECDHE and SHA-256.

an outdated TLS version
codes: tlsVersionOutdated
leaf: Turn on TLS 1.2 and 1.3 in the {peer}'s configuration.
whole: Turn on TLS 1.2 and 1.3 in the {peer}'s configuration.

a refusal by the system
codes: systemRefused
leaf: Read the system's reason in the message. Follow its rule, or correct the trust settings on this machine.
whole: Read the system's reason in the message. Follow its rule, or correct the trust settings on this machine.
machine: whole

no evaluation by the system
codes: systemEvaluationUnavailable
leaf: Request the package's own engine, which supports every setting.
whole: Request the package's own engine, which supports every setting.
program: leaf whole

"""#

    /// Sources of a revocation status.
    static let sources = #"""
staple
words: an OCSP response that the server sent in the handshake

ocsp
words: an OCSP response that was fetched or supplied

crl
words: a CRL, or several together

filter
words: a filter of revoked certificates (CRLite) that covers a timestamp of the certificate

deniedList
words: a list of denied certificates that names it

"""#

    /// Exemptions from revocation checks.
    static let exemptions = #"""
noRevAvail
words: the issuer publishes no revocation information about it, according to its noRevAvail extension

shortLived
words: the certificate is short-lived, so it needs no revocation information

"""#

    /// Obstacles to a revocation status.
    static let obstacles = #"""
noEvidence
words: no CRL from its issuer and no OCSP response was available

noRevAvailIgnored
words: its noRevAvail extension doesn't count, because it is a CA's or names an address of revocation information

evidenceMalformed
words: the evidence isn't a CRL or OCSP response, or part of it is malformed

budgetExceeded
words: the evidence takes more work to check than honest evidence does

ocspMalformedRequest
words: the OCSP responder could not read the request

ocspInternalError
words: the OCSP responder has an internal error

ocspTryLater
words: the OCSP responder can't answer now

ocspSignatureRequired
words: the OCSP responder answers only signed requests

ocspUnauthorized
words: the OCSP responder doesn't answer this client, or doesn't answer for this certificate

ocspUnknown
words: the OCSP responder doesn't know the certificate

ocspResponderNotAuthorized
words: the OCSP response isn't signed by the issuer or by a responder that the issuer authorized

ocspSignatureInvalid
words: the signature of the OCSP response doesn't verify

ocspNotYetValid
words: the date of the OCSP response is in the future

ocspExpired
words: the OCSP response has expired

ocspTooOld
words: the OCSP response is older than the policy allows

ocspCriticalExtension
words: the OCSP response has a critical extension that this package doesn't process

crlScopeMismatch
words: the CRL covers other certificates or another distribution point

crlNotYetValid
words: the date of the CRL is in the future

crlExpired
words: the CRL's next update has passed, or it has no next update

crlTooOld
words: the CRL is older than the policy allows

crlSignerNotFound
words: the CRL isn't signed by a CA in the path or by a signer that one of them certified for this

crlSignatureInvalid
words: the signature of the CRL doesn't verify

crlCriticalExtension
words: the CRL has a critical extension that this package doesn't process

crlNumberMalformed
words: the CRL's number is marked critical, which isn't allowed

filterNotCovered
words: no available filter covers a timestamp of the certificate, or there is no complete filter

filterNotEnrolled
words: the issuer has no entry in the filters that cover the certificate

filterTooOld
words: the available filters are older than the policy allows

crlReasonsNotCovered
words: the available CRLs don't cover every reason for a revocation

signerRevoked
words: the certificate that signed the evidence is itself revoked

signatureWeak
words: the signature is valid, but its algorithm or key is too weak to rely on: SHA-1, RSA below 2048 bits

signatureUnsupported
words: the signature's algorithm or key isn't supported: MD5, DSA, RSA below 1024 bits

signerNotCurrent
words: the certificate that signed the evidence was valid at the date of the evidence, but isn't at the verify date

signerUnchecked
words: the certificate that signed the evidence can't be checked, although the policy requires it

"""#

    /// Obstacles of evidence that wasn't obtained.
    static let fetches = #"""
backingOff
words: fetching failed recently, and the client hasn't retried yet

malformed
words: the fetched bytes aren't a CRL or OCSP response

outOfDate
words: the fetched evidence has expired or isn't valid yet

olderThanKnown
words: the fetched evidence is older than evidence that was fetched before

notCached
words: fetching over the network isn't allowed, and no cache has the evidence

refused
words: an earlier evaluation refused the same fetched evidence

unsupportedAddress
words: its address isn't an http or https address, or can't be parsed

forbiddenAddress
words: its address isn't allowed: loopback, link-local or private

unreachable
words: no connection to its address could be established

status
words: the evidence's server returned a status other than 200

tooLarge
words: the fetched evidence is larger than the limit

tooManyRedirects
words: the evidence's server sent too many redirects

timedOut
words: fetching took too long

cancelled
words: fetching was canceled

protocolViolation
words: the evidence's server violated HTTP or ended its response early

"""#

    /// Caveats about a revocation status.
    static let notes = #"""
crlSignedWithOtherKey
words: the CRL is signed with an authorized key, but not with the key that signed the certificate

crlSelfSigned
words: the CRL is signed only with the certificate's own key

crlSignerUnchecked
words: the revocation status of the CRL's signer couldn't be checked

ocspSignerUnchecked
words: the revocation status of the OCSP responder's certificate couldn't be checked

signatureWeak
words: the signature is valid, but its algorithm or key is too weak to rely on: SHA-1, RSA below 2048 bits

crlNotYetValid
words: the date of the CRL is in the future, but the date of the revocation isn't

crlCriticalExtension
words: the CRL has a critical extension that this package doesn't process

crlScopeMismatch
words: the CRL covers other certificates or another distribution point, but lists this certificate

ocspNotYetValid
words: the date of the OCSP response is in the future, but the date of the revocation isn't

ocspCriticalExtension
words: the OCSP response has a critical extension that this package doesn't process

evidenceMalformed
words: part of the evidence is malformed, but not the part that revokes

signerNotCurrent
words: the certificate that signed the evidence was valid at the date of the evidence, but isn't at the verify date

signerRevoked
words: evidence that can only revoke says that the signer's certificate is itself revoked

holdExpired
words: the certificate was on hold; that evidence has expired, but no later evidence ends the hold

"""#

    /// Remedies for evidence that doesn't count.
    static let evidence = #"""
crlExpired
remedy: Replace the CRL with the CA's current one, or have the CA create a new one: its next update has passed{date}. The certificate needs no change.

ocspExpired
remedy: Fetch a newer OCSP response: this one has expired{date}. The certificate needs no change.

crlTooOld
remedy: This CRL is too old: fetch a newer one, or raise the limit.

ocspTooOld
remedy: This OCSP response is too old: fetch a newer one, or raise the limit.

crlNotYetValid
remedy: Compare the CA's clock with this machine's, and correct the wrong one. The CRL only becomes valid after the date of this evaluation{date}.

ocspNotYetValid
remedy: Compare the responder's clock with this machine's, and correct the wrong one. The OCSP response only becomes valid after the date of this evaluation{date}.

crlScopeMismatch
remedy: Provide the CRL that the certificate names{address}. The supplied CRL covers other certificates.

crlSignerNotFound
remedy: Provide a CRL that the certificate's issuer signed.

crlSignatureInvalid
remedy: Fetch the CRL again: its signature doesn't verify. If the CA was created again with the same name, provide the CRL of the CA that issued the certificate.

ocspResponderNotAuthorized
remedy: Fetch a newer OCSP response. If it has the same signer, ask the CA to renew the responder's certificate. The new one must be valid now, have the OCSPSigning usage, and come from the certificate's issuer.

ocspSignatureInvalid
remedy: Fetch the OCSP response again: its signature doesn't verify.

signerNotCurrent
remedy: Fetch newer evidence: the signer's certificate has expired since then. If the newer evidence has the same signer, ask the CA to renew the signer's certificate.

ocspUnknown
remedy: Ask the CA why its responder doesn't know the certificate, or provide a CRL.

"""#
}
