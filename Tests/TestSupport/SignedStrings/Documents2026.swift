/// Signed documents with the fields of 2026, whose texts are written by hand after Apple's descriptions: monthly plans
/// with a commitment, seats, sales by the Advanced Commerce API, tokens, and requests for a retention message.
public enum Documents2026 {
    private static let signed = SignedStringStore.signedAt

    /// The third of twelve instalments.
    public static let instalment = """
        {"transactionId":"3003","originalTransactionId":"3001","bundleId":"com.example.app","productId":"gold.year",\
        "purchaseDate":1729999000000,"expiresDate":1732591000000,"quantity":1,"type":"Auto-Renewable Subscription",\
        "inAppOwnershipType":"PURCHASED","environment":"Production","signedDate":\(signed),"price":9990,\
        "currency":"USD","storefront":"CAN","storefrontId":"143455","billingPlanType":"MONTHLY",\
        "commitmentInfo":{"billingPeriodNumber":3,"totalBillingPeriods":12,"commitmentPrice":119880,\
        "commitmentExpiresDate":1756000000000},"previousOriginalTransactionId":"2999"}
        """
    /// Its subscription will end with the commitment.
    public static let leaving = """
        {"originalTransactionId":"3001","productId":"gold.year","autoRenewProductId":"gold.year","autoRenewStatus":1,\
        "environment":"Production","signedDate":\(signed),"renewalDate":1732591000000,"renewalPrice":9990,\
        "currency":"USD","renewalBillingPlanType":"MONTHLY","offerDiscountType":"PAY_AS_YOU_GO","offerPeriod":"P1M",\
        "eligibleWinBackOfferIds":["back1","back2"],"commitmentInfo":{"commitmentAutoRenewStatus":0,\
        "commitmentAutoRenewProductId":"silver.year","commitmentRenewalDate":1756000000000,\
        "commitmentRenewalPrice":119880,"commitmentRenewalBillingPlanType":"BILLED_UPFRONT"}}
        """
    /// Eight seats: five at 9.99 and three at 7.99, of which one was refunded.
    public static let seats = """
        {"transactionId":"4001","originalTransactionId":"4001","bundleId":"com.example.app","productId":"team.month",\
        "purchaseDate":1729999000000,"expiresDate":1732591000000,"quantity":8,"type":"Auto-Renewable Subscription",\
        "inAppOwnershipType":"ASSIGNED","environment":"Production","signedDate":\(signed),"price":9240,\
        "currency":"USD","additionalTransactionReason":"SEAT_ADDITION","multiSeatInfo":{\
        "invitationManagement":"DEVELOPER","priceTiers":[{"price":9990,"quantity":5},{"quantity":3,"price":7990}],\
        "revokedSeatQuantity":1}}
        """
    /// Five seats from the next period on.
    public static let fewerSeats = """
        {"originalTransactionId":"4001","productId":"team.month","autoRenewStatus":1,"environment":"Production",\
        "signedDate":\(signed),"renewalDate":1732591000000,"renewalPrice":9990,"currency":"USD","renewalQuantity":5,\
        "multiSeatInfo":{"renewalPriceTiers":[{"price":9990,"quantity":5}]}}
        """
    /// Three items at 10.00, 5.00 and 3.00, of which the second was refunded in part and revoked.
    public static let commerce = """
        {"transactionId":"5001","originalTransactionId":"5000","bundleId":"com.example.app","productId":"bundle",\
        "purchaseDate":1729999000000,"expiresDate":1732591000000,"quantity":1,"type":"Auto-Renewable Subscription",\
        "inAppOwnershipType":"PURCHASED","environment":"Production","signedDate":\(signed),"price":18000,\
        "currency":"USD","advancedCommerceInfo":{"descriptors":{"displayName":"All","description":"All of it"},\
        "period":"P1M","requestReferenceId":"r-1","taxCode":"T1","taxRate":"0.20","taxExclusivePrice":15000,\
        "estimatedTax":3000,"items":[{"SKU":"one","displayName":"One","description":"The first","price":10000,\
        "offer":{"period":"P1W","periodCount":2,"price":500,"reason":"WIN_BACK"}},{"SKU":"two","price":5000,\
        "revocationDate":1730500000000,"refunds":[{"refundAmount":2000,"refundDate":1730400000000,\
        "refundType":"PRORATED","refundReason":"LEGAL"},{"refundAmount":500,"refundDate":1730500000000,\
        "refundType":"CUSTOM","refundReason":"OTHER"}]},{"SKU":"three","price":3000}]}}
        """
    /// The first item will cost 12.00.
    public static let dearer = """
        {"originalTransactionId":"5000","productId":"bundle","autoRenewStatus":1,"environment":"Production",\
        "signedDate":\(signed),"advancedCommerceInfo":{"consistencyToken":"c-1","items":[{"SKU":"one","price":10000,\
        "priceIncreaseInfo":{"price":12000,"status":"PENDING","dependentSKUs":["three"]}}]}}
        """
    public static let appTransaction = """
        {"receiptType":"Production","appAppleId":777,"bundleId":"com.example.app","applicationVersion":"3",\
        "originalApplicationVersion":"1","receiptCreationDate":\(signed),"originalPurchaseDate":1600000000000,\
        "originalPlatform":"visionOS","storeType":"CONSUMER","preorderDate":1590000000000,\
        "revocationDate":1730000000000}
        """
    public static let summary = """
        {"notificationType":"RENEWAL_EXTENSION","subtype":"SUMMARY","notificationUUID":"n-1","version":"2.0",\
        "signedDate":\(signed),"summary":{"environment":"Sandbox","appAppleId":777,"bundleId":"com.example.app",\
        "productId":"gold.year","requestIdentifier":"q-1","storefrontCountryCodes":["CAN","USA"],\
        "succeededCount":5,"failedCount":2}}
        """
    public static let token = """
        {"notificationType":"EXTERNAL_PURCHASE_TOKEN","subtype":"UNREPORTED","notificationUUID":"n-2",\
        "version":"2.0","signedDate":\(signed),"externalPurchaseToken":{"externalPurchaseId":"SANDBOX_x1",\
        "tokenCreationDate":1729000000000,"appAppleId":777,"bundleId":"com.example.app","tokenType":"SERVICES",\
        "tokenExpirationDate":1760000000000}}
        """
    public static let unclaim = """
        {"notificationType":"UNCLAIM_SEATS","notificationUUID":"n-3","version":"2.0","signedDate":\(signed),\
        "unclaimInfo":{"environment":"Production","appAppleId":777,"bundleId":"com.example.app",\
        "unclaimSeatIds":["s1","s2"]}}
        """
    public static let realtimeRequest = """
        {"originalTransactionId":"3001","appAppleId":777,"productId":"gold.year","userLocale":"fr-CA",\
        "requestIdentifier":"q-2","environment":"Production","signedDate":\(signed)}
        """
    /// Members, values and types that nobody knows yet.
    public static let tomorrow = """
        {"transactionId":"6001","originalTransactionId":"6001","bundleId":"com.example.app","productId":"gems",\
        "purchaseDate":1729999000000,"quantity":1,"type":"Rental","inAppOwnershipType":"LEASED","offerType":9,\
        "environment":"Production","signedDate":\(signed),"price":"1990","loyalty":{"points":3},\
        "commitmentInfo":{"billingPeriodNumber":1,"pause":true},"renewalDate":1732591000000}
        """

    public static let all = [
        instalment, leaving, seats, fewerSeats, commerce, dearer, appTransaction, summary, token, unclaim,
        realtimeRequest, tomorrow,
    ]
}
