internal import TestSupport

/// Payloads with every member of the models of Apple's server libraries (app-store-server-library-java 5.2.0, -swift,
/// -node and -python, of May and June 2026, App Store Server API 1.21), and with the members of API 1.22 and 1.23.
enum StoreModels {
    /// JWSTransactionDecodedPayload, with TransactionCommitmentInfo and AdvancedCommerceTransactionInfo.
    static let transaction = """
        {"transactionId":"23456","originalTransactionId":"12345","webOrderLineItemId":"34343","bundleId":"com.example",\
        "productId":"com.example.product","subscriptionGroupIdentifier":"55555","purchaseDate":1729990000000,\
        "originalPurchaseDate":1729980000000,"expiresDate":1732590000000,"quantity":8,\
        "type":"Auto-Renewable Subscription","appAccountToken":"7e3fb20b-4cdb-47cc-936d-99d65f608138",\
        "inAppOwnershipType":"PURCHASED","signedDate":\(SignedStringStore.signedAt),"revocationReason":1,\
        "revocationDate":1729995000000,"isUpgraded":true,"offerType":1,"offerIdentifier":"abc.123",\
        "environment":"Production","transactionReason":"PURCHASE","storefront":"USA","storefrontId":"143441",\
        "price":9240,"currency":"USD","offerDiscountType":"PAY_AS_YOU_GO","appTransactionId":"71134",\
        "offerPeriod":"P1Y","revocationType":"REFUND_PRORATED","revocationPercentage":50000,\
        "advancedCommerceInfo":{"descriptors":{"description":"Premium plan","displayName":"Premium"},\
        "estimatedTax":1500,"items":[{"SKU":"sku.premium","description":"Premium feature","displayName":"Feature",\
        "offer":{"period":"P3D","periodCount":1,"price":990,"reason":"WIN_BACK"},"price":9990,\
        "refunds":[{"refundAmount":5000,"refundDate":1729996000000,"refundReason":"FULFILLMENT_ISSUE",\
        "refundType":"PRORATED"}],"revocationDate":1729997000000}],"period":"P1M","requestReferenceId":"ref-12345",\
        "taxCode":"C003-00-2","taxExclusivePrice":8490,"taxRate":"0.15"},"billingPlanType":"MONTHLY",\
        "commitmentInfo":{"billingPeriodNumber":3,"commitmentExpiresDate":1760000000000,"commitmentPrice":119880,\
        "totalBillingPeriods":12},"multiSeatInfo":{"invitationManagement":"APPLE","priceTiers":\
        [{"price":9990,"quantity":5},{"price":7990,"quantity":3}],"revokedSeatQuantity":1},\
        "additionalTransactionReason":"SEAT_ADDITION","previousOriginalTransactionId":"12344",\
        "deviceVerification":"x","deviceVerificationNonce":"48c8b92d-ce0d-4229-bedf-e61b4f9cfc92"}
        """

    /// JWSRenewalInfoDecodedPayload, with RenewalCommitmentInfo and AdvancedCommerceRenewalInfo.
    static let renewal = """
        {"expirationIntent":1,"originalTransactionId":"12345","autoRenewProductId":"com.example.product.2",\
        "productId":"com.example.product","autoRenewStatus":1,"isInBillingRetryPeriod":true,"priceIncreaseStatus":0,\
        "gracePeriodExpiresDate":1731000000000,"offerType":2,"offerIdentifier":"abc.123",\
        "signedDate":\(SignedStringStore.signedAt),"environment":"Production",\
        "recentSubscriptionStartDate":1729980000000,"renewalDate":1732590000000,"renewalPrice":9990,"currency":"USD",\
        "offerDiscountType":"PAY_UP_FRONT","eligibleWinBackOfferIds":["eligible1","eligible2"],\
        "appTransactionId":"71134","offerPeriod":"P1Y","appAccountToken":"7e3fb20b-4cdb-47cc-936d-99d65f608138",\
        "advancedCommerceInfo":{"consistencyToken":"token-abc","descriptors":{"description":"Premium plan",\
        "displayName":"Premium"},"items":[{"SKU":"sku.premium","description":"Premium feature",\
        "displayName":"Feature","offer":{"period":"P1W","periodCount":2,"price":990,"reason":"RETENTION"},\
        "price":9990,"priceIncreaseInfo":{"dependentSKUs":["sku.1","sku.2"],"price":12990,"status":"PENDING"}}],\
        "period":"P1M","requestReferenceId":"ref-12345","taxCode":"C003-00-2"},"commitmentInfo":\
        {"commitmentAutoRenewProductId":"com.example.commitment","commitmentAutoRenewStatus":1,\
        "commitmentRenewalBillingPlanType":"MONTHLY","commitmentRenewalDate":1760000000000,\
        "commitmentRenewalPrice":119880},"renewalBillingPlanType":"MONTHLY","renewalQuantity":10,\
        "multiSeatInfo":{"renewalPriceTiers":[{"price":9990,"quantity":5},{"price":7990,"quantity":5}]}}
        """

    /// AppTransaction.
    static let appTransaction = """
        {"receiptType":"Production","appAppleId":531412,"bundleId":"com.example","applicationVersion":"1.2.3",\
        "versionExternalIdentifier":512,"receiptCreationDate":\(SignedStringStore.signedAt),\
        "originalPurchaseDate":1729980000000,"originalApplicationVersion":"1.1.2","deviceVerification":"x",\
        "deviceVerificationNonce":"48c8b92d-ce0d-4229-bedf-e61b4f9cfc92","preorderDate":1729970000000,\
        "appTransactionId":"71134","originalPlatform":"visionOS","storeType":"CONSUMER"}
        """

    /// ResponseBodyV2DecodedPayload, with the object that a notification is about.
    private static func notification(_ type: String, _ subject: String) -> String {
        """
        {"notificationType":"\(type)","subtype":"INITIAL_BUY","notificationUUID":"002e14d5-51f5-4503-b5a8",\
        "version":"2.0","signedDate":\(SignedStringStore.signedAt),\(subject)}
        """
    }

    private static let app = #""environment":"Production","appAppleId":41234,"bundleId":"com.example""#

    /// Notifications: with Data, Summary, ExternalPurchaseToken, AppData, and the seats of API 1.23.
    static let notifications = [
        notification(
            "CONSUMPTION_REQUEST",
            #""data":{\#(app),"bundleVersion":"1.2.3","status":1,"consumptionRequestReason":"UNINTENDED_PURCHASE"}"#),
        notification(
            "RENEWAL_EXTENSION",
            """
            "summary":{\(app),"productId":"com.example.product","requestIdentifier":"efb27071-45a4-4aca-9854",\
            "storefrontCountryCodes":["CAN","USA"],"succeededCount":5,"failedCount":2}
            """),
        notification(
            "EXTERNAL_PURCHASE_TOKEN",
            """
            "externalPurchaseToken":{"externalPurchaseId":"b2158121-7af9","tokenCreationDate":1729980000000,\
            "appAppleId":55555,"bundleId":"com.example","tokenType":"SERVICES","tokenExpirationDate":1732590000000}
            """),
        notification("RESCIND_CONSENT", #""appData":{\#(app)}"#),
        notification("UNCLAIM_SEATS", #""unclaimInfo":{\#(app),"unclaimSeatIds":["3db5c98d-8acf"]}"#),
    ]

    /// DecodedRealtimeRequestBody.
    static let realtimeRequest = """
        {"originalTransactionId":"99371282","appAppleId":531412,"productId":"com.example.product",\
        "userLocale":"en-US","requestIdentifier":"3db5c98d-8acf-4e29-831e-8e1f82f9f6e9","environment":"Production",\
        "signedDate":\(SignedStringStore.signedAt)}
        """

    static let all = [transaction, renewal, appTransaction] + notifications + [realtimeRequest]
}
