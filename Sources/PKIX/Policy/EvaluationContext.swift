/// What every check may ask for beside the certificate.
struct EvaluationContext: Sendable {
    let policy: ValidationPolicy
    let host: Hostname?
    let time: Time
}
