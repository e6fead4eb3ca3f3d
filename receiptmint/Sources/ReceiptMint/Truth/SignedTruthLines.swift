// What stands in the files of truth of each document, renewal, notification and purchase. Names and values are those
// of the views; what is absent is null there.

extension SignedChunk.PresentedString {
    /// A line of `truth-signed.jsonl`: one for each distinct signed string that a line presents, itself or inside
    /// another.
    var truth: JSONText {
        let (claims, app) = (document.claims, document.claims as? AppClaims)
        var parts = JSONText()
        for (name, part) in document.parts { parts.add(name, part.sha256) }
        return [
            "receipt_sha256": document.sha256, "kind": document.kind, "verdict": document.verdict.rawValue,
            "environment": claims.environmentName, "bundle_id": claims.bundleID,
            "receipt_creation_date": claims.signedAt.wholeSeconds,
            "signer_common_name": document.signer.commonName, "bytes": document.text.count,
            "app_item_id": claims.appleID, "app_version": app?.appVersion,
            "original_application_version": app?.originalVersion,
            "original_purchase_date": app?.originallyPurchasedAt.wholeSeconds,
            "version_external_identifier": app?.versionExternalID, "original_platform": app?.originalPlatform,
            "transaction_ids": claims.transactionIDs,
            // What it holds: part → SHA-256.
            "parts": parts.members.isEmpty ? nil : parts.sorted,
            // Whether a line presents it itself.
            "is_submitted": isSubmitted,
        ]
    }
}

extension RenewalClaims {
    /// A line of `truth-renewals.jsonl`: one for each subscription with a trusted renewal info, in its latest state.
    ///
    /// - Parameter bundleID: of the trusted transaction or notification that states it; absent where none does.
    func truth(bundleID: String?, sha256: String) -> JSONText {
        let commitment = plan?.commitment
        return [
            "environment": environmentName, "bundle_id": bundleID, "original_transaction_id": String(originalID),
            "product_id": product.id, "auto_renew_product_id": nextProduct.id, "auto_renew_status": willRenew.number,
            "expiration_intent": expirationIntent, "is_in_billing_retry": isInBillingRetry.ifTrue?.number,
            "grace_period_expires_date": graceEndsAt?.wholeSeconds, "renewal_date": renewsAt.wholeSeconds,
            "renewal_price_milliunits": price, "currency": currency, "offer_type": offer?.type, "offer_id": offer?.id,
            "price_increase_status": priceIncreaseStatus, "recent_subscription_start_date": startedAt.wholeSeconds,
            "signed_at": signedAt.wholeSeconds, "receipt_sha256": sha256, "billing_plan": plan?.plan.name,
            "commitment_auto_renew_status": commitment?.willRenew.number,
            "commitment_renewal_date": commitment?.renewsAt.wholeSeconds,
            "commitment_renewal_price_milliunits": commitment?.price, "renewal_quantity": seatTiers?.quantity,
            // Of seats: their prices together.
            "renewal_amount_milliunits": seatTiers?.amount,
        ]
    }
}

extension SignedChunk.State<NotificationClaims> {
    /// A line of `truth-notifications.jsonl`: one for each distinct trusted notification, as it was signed first.
    var truth: JSONText {
        let trusted = claims.parts.filter(\.document.isTrusted).map(\.document.claims)
        let transaction = trusted.lazy.compactMap { $0 as? TransactionClaims }.first?.transaction
        let renewal = trusted.lazy.compactMap { $0 as? RenewalClaims }.first
        return [
            "notification_uuid": claims.uuid, "notification_type": claims.type, "subtype": claims.subtype,
            "signed_at": claims.signedAt.wholeSeconds, "environment": claims.environmentName,
            "bundle_id": claims.app.bundleID, "app_apple_id": claims.appleID,
            "transaction_id": transaction.map { String($0.id) },
            // Of the renewal info where the transaction isn't trusted.
            "original_transaction_id": (transaction?.originalID ?? renewal?.originalID).map { String($0) },
            "product_id": transaction?.product.id ?? renewal?.product.id,
            "status": claims.status, "consumption_request_reason": claims.consumptionRequestReason,
            "receipt_sha256": sha256,
        ]
    }
}

extension SignedChunk.LatestPurchase {
    /// A line of `truth-purchases.jsonl`, as of receipts. Prices and other terms are those of the newest string that
    /// states them.
    var truth: JSONText {
        let (claims, sold, customer) = (newest, newest.transaction, newest.transaction.customer)
        let (offer, revocation, commitment) = (sold.offer, newest.revocation, sold.plan?.commitment)
        let isTrial = offer?.discount == .freeTrial
        return [
            "environment": customer.environmentName, "bundle_id": customer.app.bundleID,
            "transaction_id": String(sold.id), "original_transaction_id": String(sold.originalID),
            "product_id": sold.product.id, "quantity": sold.quantity, "product_type": sold.product.kind.rawValue,
            "purchase_date": sold.purchasedAt.wholeSeconds,
            "original_purchase_date": sold.originallyPurchasedAt.wholeSeconds,
            "expires_date": sold.expiresAt?.wholeSeconds, "cancellation_date": revocation?.at.wholeSeconds,
            "web_order_line_item_id": sold.webOrderLineItemID, "is_trial_period": isTrial.number,
            "is_in_intro_offer_period": (offer?.type == 1 && !isTrial).number,
            "promotional_offer_id": offer?.type == 2 ? offer?.id : nil, "first_seen_at": seen.first.wholeSeconds,
            "last_seen_at": seen.last.wholeSeconds, "receipt_sha256": states[states.count - 1].sha256,
            "price_milliunits": stated(\.price), "currency": stated(\.currency),
            "storefront": customer.storefront.country, "ownership": claims.ownership, "offer_type": offer?.type,
            "offer_id": offer?.id, "offer_discount_type": offer?.discount.rawValue,
            "offer_period": stated(\.offerPeriod), "transaction_reason": claims.reason,
            "is_upgraded": claims.isUpgraded.ifTrue?.number, "revocation_reason": revocation?.reason,
            "revocation_type": claims.revocationType,
            // 0 to 1.
            "revoked_share": claims.revocationPercentage.map { Double($0) / 100_000 },
            "subscription_group_id": claims.subscriptionGroup, "app_account_token": customer.appAccountToken,
            "app_transaction_id": stated(\.appTransactionID),
            // What was charged for seats; the price is their average.
            "amount_milliunits": sold.seats?.amount, "billing_plan": sold.plan?.name,
            "commitment_period": commitment?.period,
            "commitment_periods": commitment.map { _ in BillingPlan.Commitment.periods },
            "commitment_price_milliunits": commitment?.price,
            "commitment_expires_date": commitment?.endsAt.wholeSeconds,
            "seat_invitations": sold.seats?.invitations.rawValue, "seats_revoked": claims.seatsRevoked,
            "additional_reason": claims.additionalReason,
            "previous_original_transaction_id": sold.previousOriginalID.map { String($0) },
        ]
    }
}
