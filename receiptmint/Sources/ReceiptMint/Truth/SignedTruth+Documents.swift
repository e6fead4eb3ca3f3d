// What stands in the files of lines, of documents as they were signed.

extension SignedTruth {
    init(_ presented: SignedChunkTruth.PresentedDocument) {
        let document = presented.document
        self.init(
            receiptSha256: document.sha256, kind: document.kind, verdict: document.verdict.rawValue,
            environment: document.claims.environmentName, bundleId: document.claims.bundleID,
            receiptCreationDate: document.claims.signedAt.wholeSeconds, signerCommonName: document.signer.commonName,
            bytes: document.text.count, appItemId: document.claims.appleID,
            transactionIds: document.claims.transactionIDs,
            parts: document.parts.isEmpty
                ? nil : Dictionary(uniqueKeysWithValues: document.parts.map { ($0.name, $0.document.sha256) }),
            isSubmitted: presented.isSubmitted)
        guard let claims = document.claims as? AppClaims else { return }
        appVersion = claims.appVersion
        originalApplicationVersion = claims.originalVersion
        originalPurchaseDate = claims.originallyPurchasedAt.wholeSeconds
        versionExternalIdentifier = claims.versionExternalID
        originalPlatform = claims.originalPlatform
    }
}

extension RenewalTruth {
    init(_ claims: RenewalClaims, bundleID: String?, sha256: String) {
        let commitment = claims.plan?.commitment
        self.init(
            environment: claims.customer.environmentName, bundleId: bundleID,
            originalTransactionId: String(claims.originalID), productId: claims.product.id,
            autoRenewProductId: claims.nextProduct.id, autoRenewStatus: claims.willRenew ? 1 : 0,
            expirationIntent: claims.expirationIntent, isInBillingRetry: claims.isInBillingRetry ? 1 : nil,
            gracePeriodExpiresDate: claims.graceEndsAt?.wholeSeconds, renewalDate: claims.renewsAt.wholeSeconds,
            renewalPriceMilliunits: claims.price, currency: claims.currency, offerType: claims.offer?.type,
            offerId: claims.offer?.id, priceIncreaseStatus: claims.priceIncreaseStatus,
            recentSubscriptionStartDate: claims.startedAt.wholeSeconds, signedAt: claims.signedAt.wholeSeconds,
            receiptSha256: sha256, billingPlan: claims.plan?.plan.name,
            commitmentAutoRenewStatus: commitment.map { $0.willRenew ? 1 : 0 },
            commitmentRenewalDate: commitment?.renewsAt.wholeSeconds,
            commitmentRenewalPriceMilliunits: commitment?.price,
            renewalQuantity: claims.seatTiers?.reduce(0) { $0 + $1.quantity },
            renewalAmountMilliunits: claims.seatTiers?.reduce(0) { $0 + $1.price * $1.quantity })
    }
}

extension NotificationTruth {
    init(_ state: SignedChunkTruth.State<NotificationClaims>) {
        let claims = state.claims
        self.init(
            notificationUuid: claims.uuid, notificationType: claims.type, subtype: claims.subtype,
            signedAt: claims.signedAt.wholeSeconds, environment: claims.environmentName, bundleId: claims.app.bundleID,
            appAppleId: claims.appleID, status: claims.status,
            consumptionRequestReason: claims.consumptionRequestReason, receiptSha256: state.sha256)
        // The transaction stands before the renewal info.
        for (_, document) in claims.parts.reversed() where document.isTrusted {
            switch document.claims {
            case let claims as TransactionClaims:
                transactionId = String(claims.transaction.id)
                originalTransactionId = String(claims.transaction.originalID)
                productId = claims.transaction.product.id
            case let claims as RenewalClaims:
                originalTransactionId = String(claims.originalID)
                productId = claims.product.id
            default: break
            }
        }
    }
}

extension PurchaseTruth {
    init(_ latest: SignedChunkTruth.LatestPurchase) {
        let claims = latest.newest
        let transaction = claims.transaction
        let offer = transaction.offer
        let revocation = claims.revocation
        let isTrial = offer?.discount == .freeTrial
        let commitment = transaction.plan?.commitment
        self.init(
            environment: transaction.customer.environmentName, bundleId: transaction.customer.app.bundleID,
            transactionId: String(transaction.id), originalTransactionId: String(transaction.originalID),
            productId: transaction.product.id, quantity: transaction.quantity,
            productType: transaction.product.kind.rawValue, purchaseDate: transaction.purchasedAt.wholeSeconds,
            originalPurchaseDate: transaction.originallyPurchasedAt.wholeSeconds,
            expiresDate: transaction.expiresAt?.wholeSeconds, cancellationDate: revocation?.at.wholeSeconds,
            webOrderLineItemId: transaction.webOrderLineItemID, isTrialPeriod: isTrial ? 1 : 0,
            isInIntroOfferPeriod: offer?.type == 1 && !isTrial ? 1 : 0,
            promotionalOfferId: offer?.type == 2 ? offer?.id : nil, firstSeenAt: latest.seen.first.wholeSeconds,
            lastSeenAt: latest.seen.last.wholeSeconds, receiptSha256: latest.states[latest.states.count - 1].sha256,
            priceMilliunits: latest.stated(\.price), currency: latest.stated(\.currency),
            storefront: transaction.customer.storefront.country, ownership: claims.ownership,
            offerType: offer?.type, offerId: offer?.id, offerDiscountType: offer?.discount.rawValue,
            offerPeriod: latest.stated(\.offerPeriod), transactionReason: claims.reason,
            isUpgraded: claims.isUpgraded ? 1 : nil, revocationReason: revocation?.reason,
            revocationType: claims.revocationType,
            revokedShare: claims.revocationPercentage.map { Double($0) / 100_000 },
            subscriptionGroupId: claims.subscriptionGroup, appAccountToken: transaction.customer.appAccountToken,
            appTransactionId: latest.stated(\.appTransactionID), amountMilliunits: transaction.seats?.amount,
            billingPlan: transaction.plan?.name, commitmentPeriod: commitment?.period,
            commitmentPeriods: commitment.map { _ in BillingPlan.Commitment.periods },
            commitmentPriceMilliunits: commitment?.price, commitmentExpiresDate: commitment?.endsAt.wholeSeconds,
            seatInvitations: transaction.seats?.invitations.rawValue, seatsRevoked: claims.seatsRevoked,
            additionalReason: claims.additionalReason,
            previousOriginalTransactionId: transaction.previousOriginalID.map { String($0) })
    }
}

extension LineTruth {
    init(_ submission: SignedSubmission, archive: String, line: Int) {
        let form = submission.form.hasContext ? submission.layout.rawValue : submission.form.rawValue
        self.init(archive: archive, line: line, form: form, defect: submission.defect?.rawValue)
        feature = submission.feature?.rawValue
        rejection = submission.defect?.rejection
        guard rejection == nil else { return }
        let documents = submission.distinctDocuments.map {
            Document(
                receiptSha256: $0.sha256, kind: $0.kind, verdict: $0.verdict.rawValue,
                deviceCheck: submission.deviceCheck(of: $0).rawValue)
        }
        receiptSha256 = documents[0].receiptSha256
        kind = documents[0].kind
        verdict = documents[0].verdict
        deviceCheck = documents[0].deviceCheck
        role = submission.role?.rawValue
        if documents.count > 1 { self.documents = documents }
        let unreadable = submission.numberedDocuments.enumerated().compactMap { index, document in
            document.rejection.map { Unreadable(document: index + 1, reason: $0) }
        }
        if !unreadable.isEmpty { self.unreadable = unreadable }
        deviceId = submission.deviceID
        accountId = submission.accountID
        submittedAt = submission.statedAt?.wholeSeconds
    }
}
