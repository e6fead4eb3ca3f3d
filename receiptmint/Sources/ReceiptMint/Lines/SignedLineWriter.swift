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
        case .pair:
            json.add("signedTransactionInfo", json: texts[0])
            json.add("signedRenewalInfo", json: texts[1])
        case .history:
            json.add("revision", String(submission.at.milliseconds) + "_" + first.sha256.prefix(16))
            json.add("hasMore", random.chance(0.2))
            addApp(of: first.claims, to: &json)
            json.add("signedTransactions", json: JSONText.array(texts))
        case .statuses:
            addApp(of: first.claims, to: &json)
            json.add("data", json: JSONText.array([statuses(submission.documents, texts)]))
        case .notificationHistory:
            json.add("paginationToken", first.sha256)
            json.add("hasMore", false)
            json.add("notificationHistory", json: JSONText.array(zip(submission.documents, texts).map(sent)))
        }
        json.add("device_id", submission.deviceID)
        json.add(
            random.chance(0.3) ? "deviceVerificationID" : "device_verification_id", submission.deviceVerificationID)
        json.add("account_id", submission.accountID)
        json.add("submitted_at", submission.statedAt?.wholeSeconds)
        return json.encoded
    }

    private mutating func keys(_ claims: SignedString.Claims) -> [String] {
        let any = ["receipt", "jws", "jwsRepresentation"]
        switch claims {
        case .transaction: return any + ["signedTransaction", "signed_transaction", "signedTransactionInfo"]
        case .renewal: return any + ["signedRenewalInfo"]
        case .app: return any + ["appTransaction", "signedAppTransactionInfo"]
        // As the store's server posted it, mostly.
        case .notification: return random.chance(0.9) ? ["signedPayload"] : any
        case .realtime: return ["signedPayload"]
        }
    }

    private func addApp(of claims: SignedString.Claims, to json: inout JSONText) {
        guard case .transaction(let claims) = claims else { return }
        json.add("bundleId", claims.transaction.customer.app.bundleID)
        json.add("appAppleId", claims.transaction.customer.app.itemID)
        json.add("environment", claims.transaction.customer.environment)
    }

    /// Transactions and renewal infos by turns.
    private func statuses(_ documents: [SignedString], _ texts: [[UInt8]]) -> [UInt8] {
        var group = JSONText()
        let last = stride(from: 0, to: documents.count - 1, by: 2).map { index in
            var status = JSONText()
            if case .transaction(let claims) = documents[index].claims {
                if index == 0 { group.add("subscriptionGroupIdentifier", claims.subscriptionGroup) }
                status.add("originalTransactionId", String(claims.transaction.originalID))
            }
            status.add("status", 1)
            status.add("signedTransactionInfo", json: texts[index])
            status.add("signedRenewalInfo", json: texts[index + 1])
            return status.encoded
        }
        group.add("lastTransactions", json: JSONText.array(last))
        return group.encoded
    }

    private func sent(_ document: SignedString, _ text: [UInt8]) -> [UInt8] {
        var attempt = JSONText()
        attempt.add("attemptDate", document.claims.signedAt)
        attempt.add("sendAttemptResult", "SUCCESS")
        var item = JSONText()
        item.add("signedPayload", json: text)
        item.add("sendAttempts", json: JSONText.array([attempt.encoded]))
        return item.encoded
    }
}
