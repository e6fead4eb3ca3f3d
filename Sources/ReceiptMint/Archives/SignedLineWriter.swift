/// Writes a submission of signed strings as a line of an archive, without its newline.
struct SignedLineWriter {
    var random: SeededRandom

    mutating func line(_ submission: SignedSubmission) -> [UInt8] {
        let first = submission.documents[0]
        switch submission.form {
        case .bare: return first.text
        case .jsonString: return JSONText.string(first.text)
        default: break
        }
        var json = JSONText()
        let texts = submission.documents.map { JSONText.string($0.text) }
        switch submission.layout {
        case .member: json.add(random.pick(keys(first.claims)), json: texts[0])
        default: break
        }
        json.add("device_id", submission.deviceID)
        json.add("device_verification_id", submission.deviceVerificationID)
        json.add("account_id", submission.accountID)
        json.add("submitted_at", submission.statedAt?.wholeSeconds)
        return json.encoded
    }

    private func keys(_ claims: SignedString.Claims) -> [String] {
        switch claims {
        case .transaction:
            [
                "receipt", "jws", "jwsRepresentation", "signedTransaction", "signed_transaction",
                "signedTransactionInfo",
            ]
        }
    }
}
