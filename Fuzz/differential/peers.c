// SPDX-License-Identifier: Apache-2.0

/* OpenSSL and GnuTLS with a line protocol, so that a hundred thousand chains need only one process.
 *
 * Input: a line per chain, fields separated by spaces:
 *     id host time purpose flags policies revocation chain intermediates anchors crls certificate… crl…
 * host, policies: "-" for none; time in seconds since 1970; flags: letters e, m, a (explicit policy, inhibit mapping, inhibit any) or
 * "-"; policies: OIDs separated by commas; revocation: off, bestEffort, required, or "-" for a request without evidence;
 * chain, intermediates, anchors, crls: the number of each that follow, in base64.
 * Output: id, then for OpenSSL and for GnuTLS a verdict (accept, refuse, none) and a reason.
 *
 *     cc -O2 -o peers peers.c -lssl -lcrypto -lgnutls
 */
#include <arpa/inet.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <openssl/evp.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAXIMUM 256

struct bytes {
    unsigned char *data;
    int count;
};

struct request {
    char *id, *host, *purpose, *flags, *policies, *revocation;
    time_t time;
    int chain, intermediates, anchors, crls;
    /* The CRLs follow the certificates. */
    struct bytes certificates[MAXIMUM];
};

static time_t now;
static time_t fixed_time(time_t *out) {
    if (out) *out = now;
    return now;
}

static struct bytes decode(const char *text) {
    size_t count = strlen(text);
    struct bytes bytes = {malloc(count + 4), 0};
    bytes.count = EVP_DecodeBlock(bytes.data, (const unsigned char *)text, (int)count);
    while (count > 0 && bytes.count > 0 && text[count - 1] == '=') count--, bytes.count--;
    return bytes;
}

static int is_address(const char *host) {
    unsigned char buffer[16];
    return inet_pton(AF_INET, host, buffer) == 1 || inet_pton(AF_INET6, host, buffer) == 1;
}

/* OpenSSL */

static X509 *parse_openssl(struct bytes bytes) {
    const unsigned char *start = bytes.data;
    X509 *certificate = d2i_X509(NULL, &start, bytes.count);
    if (certificate && start != bytes.data + bytes.count) {
        X509_free(certificate);
        return NULL;
    }
    return certificate;
}

/* OpenSSL also requires a CRL about the anchor. */
static int except_anchor(int is_valid, X509_STORE_CTX *context) {
    if (X509_STORE_CTX_get_error_depth(context) != sk_X509_num(X509_STORE_CTX_get0_chain(context)) - 1) return is_valid;
    switch (X509_STORE_CTX_get_error(context)) {
    case X509_V_ERR_UNABLE_TO_GET_CRL:
    case X509_V_ERR_UNABLE_TO_GET_CRL_ISSUER:
    case X509_V_ERR_CRL_SIGNATURE_FAILURE:
    case X509_V_ERR_CRL_NOT_YET_VALID:
    case X509_V_ERR_CRL_HAS_EXPIRED:
    case X509_V_ERR_KEYUSAGE_NO_CRL_SIGN:
    case X509_V_ERR_CERT_REVOKED: return 1;
    default: return is_valid;
    }
}

static void ask_openssl(const struct request *request) {
    X509 *leaf = parse_openssl(request->certificates[0]);
    if (!leaf) {
        printf(" refuse parse");
        return;
    }
    int untrusted_count = request->chain + request->intermediates;
    STACK_OF(X509) *untrusted = sk_X509_new_null();
    X509_STORE *store = X509_STORE_new();
    for (int i = 1; i < untrusted_count + request->anchors; i++) {
        X509 *certificate = parse_openssl(request->certificates[i]);
        if (!certificate) continue;
        if (i < untrusted_count) {
            sk_X509_push(untrusted, certificate);
        } else {
            X509_STORE_add_cert(store, certificate);
            X509_free(certificate);
        }
    }
    STACK_OF(X509_CRL) *crls = sk_X509_CRL_new_null();
    for (int i = 0; i < request->crls; i++) {
        struct bytes bytes = request->certificates[untrusted_count + request->anchors + i];
        const unsigned char *start = bytes.data;
        X509_CRL *crl = d2i_X509_CRL(NULL, &start, bytes.count);
        if (crl) sk_X509_CRL_push(crls, crl);
    }
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    X509_STORE_CTX_init(context, store, leaf, untrusted);
    X509_VERIFY_PARAM *parameters = X509_STORE_CTX_get0_param(context);
    unsigned long flags = X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_TRUSTED_FIRST | X509_V_FLAG_POLICY_CHECK;
    if (strchr(request->flags, 'e')) flags |= X509_V_FLAG_EXPLICIT_POLICY;
    if (strchr(request->flags, 'm')) flags |= X509_V_FLAG_INHIBIT_MAP;
    if (strchr(request->flags, 'a')) flags |= X509_V_FLAG_INHIBIT_ANY;
    /* OpenSSL requires CRLs for every certificate or for none. */
    if (strcmp(request->revocation, "required") == 0) {
        flags |= X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL;
        X509_STORE_CTX_set_verify_cb(context, except_anchor);
        X509_STORE_CTX_set0_crls(context, crls);
    }
    X509_VERIFY_PARAM_set_flags(parameters, flags);
    /* RFC 5280 § 6.1.1 (c): a caller that accepts any policy passes any-policy. */
    char *policies = strdup(strcmp(request->policies, "-") == 0 ? "2.5.29.32.0" : request->policies);
    char *rest = policies, *oid;
    while ((oid = strtok_r(rest, ",", &rest))) X509_VERIFY_PARAM_add0_policy(parameters, OBJ_txt2obj(oid, 1));
    free(policies);
    X509_VERIFY_PARAM_set_time(parameters, request->time);
    /* RSA of 2048 bits, SHA-2. */
    X509_VERIFY_PARAM_set_auth_level(parameters, 2);
    if (strcmp(request->purpose, "serverAuth") == 0) X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_SSL_SERVER);
    if (strcmp(request->purpose, "clientAuth") == 0) X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_SSL_CLIENT);
    if (strcmp(request->host, "-") != 0) {
        X509_VERIFY_PARAM_set_hostflags(
            parameters, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
        if (is_address(request->host)) {
            X509_VERIFY_PARAM_set1_ip_asc(parameters, request->host);
        } else {
            X509_VERIFY_PARAM_set1_host(parameters, request->host, 0);
        }
    }
    int is_valid = X509_verify_cert(context);
    if (is_valid == 1) {
        printf(" accept -");
    } else {
        printf(" refuse %d", X509_STORE_CTX_get_error(context));
    }
    X509_STORE_CTX_free(context);
    X509_STORE_free(store);
    sk_X509_pop_free(untrusted, X509_free);
    sk_X509_CRL_pop_free(crls, X509_CRL_free);
    X509_free(leaf);
}

/* GnuTLS */

static const struct {
    unsigned bit;
    const char *name;
} statuses[] = {
    {GNUTLS_CERT_REVOKED, "revoked"},
    {GNUTLS_CERT_SIGNER_NOT_FOUND, "signer-not-found"},
    {GNUTLS_CERT_SIGNER_NOT_CA, "signer-not-ca"},
    {GNUTLS_CERT_INSECURE_ALGORITHM, "insecure-algorithm"},
    {GNUTLS_CERT_NOT_ACTIVATED, "not-activated"},
    {GNUTLS_CERT_EXPIRED, "expired"},
    {GNUTLS_CERT_SIGNATURE_FAILURE, "signature-failure"},
    {GNUTLS_CERT_UNEXPECTED_OWNER, "unexpected-owner"},
    {GNUTLS_CERT_SIGNER_CONSTRAINTS_FAILURE, "signer-constraints"},
    {GNUTLS_CERT_MISMATCH, "mismatch"},
    {GNUTLS_CERT_PURPOSE_MISMATCH, "purpose-mismatch"},
    {GNUTLS_CERT_UNKNOWN_CRIT_EXTENSIONS, "unknown-critical"},
};

/* GnuTLS doesn't check a caller's CRLs, so this only adds CRLs that it verifies with a certificate of the request. */
static void add_crls(const struct request *request, gnutls_x509_trust_list_t list, int certificates) {
    for (int i = 0; i < request->crls; i++) {
        struct bytes bytes = request->certificates[certificates + i];
        gnutls_datum_t data = {bytes.data, (unsigned)bytes.count};
        gnutls_x509_crl_t crl;
        gnutls_x509_crl_init(&crl);
        int is_verified = 0;
        if (gnutls_x509_crl_import(crl, &data, GNUTLS_X509_FMT_DER) == 0) {
            for (int j = 0; j < certificates && !is_verified; j++) {
                gnutls_datum_t issuer_data = {request->certificates[j].data, (unsigned)request->certificates[j].count};
                gnutls_x509_crt_t issuer;
                gnutls_x509_crt_init(&issuer);
                unsigned status = GNUTLS_CERT_INVALID;
                if (gnutls_x509_crt_import(issuer, &issuer_data, GNUTLS_X509_FMT_DER) == 0 &&
                    gnutls_x509_crl_verify(crl, &issuer, 1, GNUTLS_PROFILE_TO_VFLAGS(GNUTLS_PROFILE_MEDIUM), &status) >= 0)
                    is_verified = status == 0;
                gnutls_x509_crt_deinit(issuer);
            }
        }
        if (!is_verified || gnutls_x509_trust_list_add_crls(list, &crl, 1, 0, 0) != 1) gnutls_x509_crl_deinit(crl);
    }
}

static void ask_gnutls(const struct request *request) {
    if (strcmp(request->flags, "-") != 0 || strcmp(request->policies, "-") != 0) {
        printf(" none policies");
        return;
    }
    gnutls_x509_crt_t chain[MAXIMUM];
    unsigned count = 0;
    now = request->time;
    gnutls_x509_trust_list_t list;
    gnutls_x509_trust_list_init(&list, 0);
    int untrusted_count = request->chain + request->intermediates;
    int is_readable = 1;
    for (int i = 0; i < untrusted_count + request->anchors; i++) {
        gnutls_datum_t data = {request->certificates[i].data, (unsigned)request->certificates[i].count};
        gnutls_x509_crt_t certificate;
        gnutls_x509_crt_init(&certificate);
        if (gnutls_x509_crt_import(certificate, &data, GNUTLS_X509_FMT_DER) != 0) {
            gnutls_x509_crt_deinit(certificate);
            if (i == 0) is_readable = 0;
            continue;
        }
        if (i < untrusted_count) {
            chain[count++] = certificate;
        } else if (gnutls_x509_trust_list_add_cas(list, &certificate, 1, 0) != 1) {
            gnutls_x509_crt_deinit(certificate);
        }
    }
    add_crls(request, list, untrusted_count + request->anchors);
    if (!is_readable) {
        printf(" refuse parse");
    } else {
        gnutls_typed_vdata_st data[2];
        unsigned data_count = 0, status = 0;
        if (strcmp(request->host, "-") != 0) {
            unsigned char address[16];
            data[data_count].type = is_address(request->host) ? GNUTLS_DT_IP_ADDRESS : GNUTLS_DT_DNS_HOSTNAME;
            data[data_count].data = (unsigned char *)request->host;
            data[data_count].size = (unsigned)strlen(request->host);
            if (inet_pton(AF_INET, request->host, address) == 1) {
                data[data_count].data = address;
                data[data_count].size = 4;
            } else if (inet_pton(AF_INET6, request->host, address) == 1) {
                data[data_count].data = address;
                data[data_count].size = 16;
            }
            data_count++;
        }
        if (strcmp(request->purpose, "any") != 0) {
            data[data_count].type = GNUTLS_DT_KEY_PURPOSE_OID;
            data[data_count].data = (unsigned char *)(strcmp(request->purpose, "serverAuth") == 0
                                                          ? GNUTLS_KP_TLS_WWW_SERVER
                                                          : GNUTLS_KP_TLS_WWW_CLIENT);
            data[data_count].size = 0;
            data_count++;
        }
        int result = gnutls_x509_trust_list_verify_crt2(
            list, chain, count, data, data_count, GNUTLS_PROFILE_TO_VFLAGS(GNUTLS_PROFILE_MEDIUM), &status, NULL);
        if (result != 0) {
            printf(" refuse error%d", result);
        } else if (status == 0) {
            printf(" accept -");
        } else {
            printf(" refuse ");
            const char *separator = "";
            for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
                if (!(status & statuses[i].bit)) continue;
                printf("%s%s", separator, statuses[i].name);
                separator = "+";
            }
            if (!*separator) printf("invalid");
        }
    }
    for (unsigned i = 0; i < count; i++) gnutls_x509_crt_deinit(chain[i]);
    gnutls_x509_trust_list_deinit(list, 1);
}

int main(void) {
    char *line = NULL;
    size_t capacity = 0;
    gnutls_global_init();
    gnutls_global_set_time_function(fixed_time);
    while (getline(&line, &capacity, stdin) > 0) {
        struct request request;
        char *rest = line;
        char *field[11];
        for (int i = 0; i < 11; i++) field[i] = strtok_r(rest, " \n", &rest);
        if (!field[10]) return 2;
        request.id = field[0], request.host = field[1], request.time = (time_t)atoll(field[2]), request.purpose = field[3];
        request.flags = field[4], request.policies = field[5], request.revocation = field[6];
        request.chain = atoi(field[7]), request.intermediates = atoi(field[8]), request.anchors = atoi(field[9]);
        request.crls = atoi(field[10]);
        int count = request.chain + request.intermediates + request.anchors + request.crls;
        if (count > MAXIMUM || request.chain < 1) return 2;
        for (int i = 0; i < count; i++) {
            char *text = strtok_r(rest, " \n", &rest);
            if (!text) return 2;
            request.certificates[i] = decode(text);
        }
        printf("%s", request.id);
        ask_openssl(&request);
        ask_gnutls(&request);
        putchar('\n');
        for (int i = 0; i < count; i++) free(request.certificates[i].data);
    }
    return 0;
}
