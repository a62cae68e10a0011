// SPDX-License-Identifier: Apache-2.0

// Go's crypto/x509 with the line protocol of peers.c, which describes the fields of a line.
//
// Output: the id, a verdict (accept, refuse, none) and a reason, which may contain spaces.
//
//	GO111MODULE=off go build -o peers-go peers.go
package main

import (
	"bufio"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// Positions of a line's fields; the certificates begin at firstCertificate.
const (
	id = iota
	host
	moment
	purpose
	flags
	policies
	revocation
	chainCount
	intermediateCount
	anchorCount
	crlCount
	firstCertificate
)

func parse(text string) (*x509.Certificate, error) {
	der, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(der)
}

// pool skips unparsable certificates, like a client that reads a server's certificates or a root file.
func pool(texts []string) *x509.CertPool {
	certificates := x509.NewCertPool()
	for _, text := range texts {
		if certificate, err := parse(text); err == nil {
			certificates.AddCert(certificate)
		}
	}
	return certificates
}

func answer(fields []string) (verdict, reason string) {
	// The verifier of this version doesn't support policies, so there is nothing to compare.
	if fields[flags] != "-" || fields[policies] != "-" {
		return "none", "policies"
	}
	// In a server that recovers, a crash of the library is a refusal.
	defer func() {
		if problem := recover(); problem != nil {
			verdict, reason = "refuse", fmt.Sprint("panic: ", problem)
		}
	}()
	numbers := make([]int, 4)
	for i := range numbers {
		numbers[i], _ = strconv.Atoi(fields[chainCount+i])
	}
	certificates := fields[firstCertificate:]
	anchors := numbers[0] + numbers[1]
	leaf, err := parse(certificates[0])
	if err != nil {
		return "refuse", "parse: " + err.Error()
	}
	seconds, _ := strconv.ParseInt(fields[moment], 10, 64)
	options := x509.VerifyOptions{
		Intermediates: pool(certificates[1:anchors]),
		Roots:         pool(certificates[anchors : anchors+numbers[2]]),
		CurrentTime:   time.Unix(seconds, 0).UTC(),
		KeyUsages: map[string][]x509.ExtKeyUsage{
			"serverAuth": {x509.ExtKeyUsageServerAuth},
			"clientAuth": {x509.ExtKeyUsageClientAuth},
			"any":        {x509.ExtKeyUsageAny},
		}[fields[purpose]],
	}
	if fields[host] != "-" {
		options.DNSName = fields[host]
	}
	if _, err := leaf.Verify(options); err != nil {
		return "refuse", err.Error()
	}
	return "accept", "-"
}

func main() {
	in, out := bufio.NewReaderSize(os.Stdin, 1<<20), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			return
		}
		fields := strings.Fields(line)
		if err != nil || len(fields) <= firstCertificate {
			out.Flush()
			os.Exit(2)
		}
		verdict, reason := answer(fields)
		// One line for each answer, whatever a certificate's text contains.
		fmt.Fprintf(out, "%s %s %s\n", fields[id], verdict, strings.Join(strings.Fields(reason), " "))
	}
}
