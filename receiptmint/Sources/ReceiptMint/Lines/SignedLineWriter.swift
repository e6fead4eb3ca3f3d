/// Writes a submission of signed strings as a line of an archive, without its newline.
struct SignedLineWriter {
    var random: SeededRandom

    mutating func line(_ submission: SignedSubmission) -> [UInt8] {
        let (documents, first) = (submission.documents, submission.documents[0])
        switch submission.form {
        case .bare: return first.text
        case .jsonString: return first.json
        default: break
        }
        var json = JSONText()
        switch submission.layout {
        case .member: json.add(random.pick(keys(first.claims)), first)
        case .pair: json = ["signedTransactionInfo": first, "signedRenewalInfo": documents[1]]
        case .history:
            json.add("revision", String(submission.at.milliseconds) + "_" + first.sha256.prefix(16))
            json.add("hasMore", random.chance(0.2))
            json.members += heading(first.claims).members
            json.add("signedTransactions", documents)
        case .statuses:
            json = heading(first.claims)
            json.add("data", [statuses(documents)])
        case .notificationHistory:
            json = ["paginationToken": first.sha256, "hasMore": false, "notificationHistory": documents.map(sent)]
        }
        json.add("device_id", submission.deviceID)
        json.add(
            random.chance(0.3) ? "deviceVerificationID" : "device_verification_id", submission.deviceVerificationID)
        json.add("account_id", submission.accountID)
        json.add("submitted_at", submission.statedAt?.wholeSeconds)
        return json.json
    }

    private mutating func keys(_ claims: any SignedClaims) -> [String] {
        let any = ["receipt", "jws", "jwsRepresentation"]
        switch claims {
        case is TransactionClaims: return any + ["signedTransaction", "signed_transaction", "signedTransactionInfo"]
        case is RenewalClaims: return any + ["signedRenewalInfo"]
        case is AppClaims: return any + ["appTransaction", "signedAppTransactionInfo"]
        // As the store's server posted it, mostly.
        case is NotificationClaims: return random.chance(0.9) ? ["signedPayload"] : any
        default: return ["signedPayload"]
        }
    }

    private func heading(_ claims: any SignedClaims) -> JSONText {
        guard let customer = (claims as? TransactionClaims)?.transaction.customer else { return [:] }
        return [
            "bundleId": customer.app.bundleID, "appAppleId": customer.app.itemID, "environment": customer.environment,
        ]
    }

    /// Transactions and renewal infos by turns.
    private func statuses(_ documents: [SignedString]) -> JSONText {
        let last: [JSONText] = stride(from: 0, to: documents.count - 1, by: 2).map { index in
            let transaction = (documents[index].claims as? TransactionClaims)?.transaction
            return [
                "originalTransactionId": transaction.map { String($0.originalID) }, "status": Int64(1),
                "signedTransactionInfo": documents[index], "signedRenewalInfo": documents[index + 1],
            ]
        }
        let group = (documents[0].claims as? TransactionClaims)?.subscriptionGroup
        return ["subscriptionGroupIdentifier": group, "lastTransactions": last]
    }

    private func sent(_ document: SignedString) -> JSONText {
        let attempt: JSONText = ["attemptDate": document.claims.signedAt, "sendAttemptResult": "SUCCESS"]
        return ["signedPayload": document, "sendAttempts": [attempt]]
    }
}
