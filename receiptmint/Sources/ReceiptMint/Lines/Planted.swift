/// What verifying a document has to say. The names are the contract's.
enum PlantedVerdict: String, Sendable {
    case trusted
    case untrustedRoot = "untrusted_root"
    case brokenChain = "broken_chain"
    case wrongPurpose = "wrong_purpose"
    case notValidAtCreation = "not_valid_at_creation"
    case badSignature = "bad_signature"
    case unsupportedAlgorithm = "unsupported_algorithm"
}

/// Whether a document's hash fits the device that presents the document. The names are the contract's.
enum PlantedCheck: String, Sendable {
    case match, mismatch
    case serverIssued = "server_issued"
    case noDeviceID = "no_device_id"
    case invalidDeviceID = "invalid_device_id"
    /// Of signed strings that no device fetched.
    case noHash = "no_hash"
}

/// Whether who presents a document has a right to the document. The names are the contract's.
enum PlantedRole: String, Sendable {
    case holder, copier
}
