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
        let content: JSONText
        switch submission.layout {
        case .member: content = [random.pick(keys(first.claims)): first]
        case .pair: content = ["signedTransactionInfo": first, "signedRenewalInfo": documents[1]]
        case .history:
            let revision = String(submission.at.milliseconds) + "_" + first.sha256.prefix(16)
            let page: JSONText = ["revision": revision, "hasMore": random.chance(0.2)]
            content = JSONText(joining: page, heading(first.claims), ["signedTransactions": documents])
        case .statuses: content = JSONText(joining: heading(first.claims), ["data": [statuses(documents)]])
        case .notificationHistory:
            content = ["paginationToken": first.sha256, "hasMore": false, "notificationHistory": documents.map(sent)]
        }
        let verificationKey = random.chance(0.3) ? "deviceVerificationID" : "device_verification_id"
        let shown = submission.shown
        let context: JSONText = [
            "device_id": shown.deviceID, verificationKey: shown.deviceVerificationID,
            "account_id": shown.accountID, "submitted_at": submission.statedAt?.wholeSeconds,
        ]
        return JSONText(joining: content, context).json
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
