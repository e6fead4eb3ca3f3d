/// The keys of what signed data states beside what receipts do: the columns of the
/// database's tables.
extension DecodedKeys {
    /// Of a signed transaction.
    enum Terms: KeyName, DecodedKey {
        case price = "price_milliunits"
        case currency, storefront, ownership
        case offerType = "offer_type"
        case offerID = "offer_id"
        case offerDiscountType = "offer_discount_type"
        case offerPeriod = "offer_period"
        case transactionReason = "transaction_reason"
        case subscriptionGroupID = "subscription_group_id"
        case appAccountToken = "app_account_token"
        case appTransactionID = "app_transaction_id"
        case isUpgraded = "is_upgraded"
        case revocationDate = "revocation_date_ms"
        case revocationReason = "revocation_reason"
        case revocationType = "revocation_type"
        case revokedShare = "revoked_share"
    }

    enum Renewal: KeyName, DecodedKey {
        case originalTransactionID = "original_transaction_id"
        case productID = "product_id"
        case autoRenewProductID = "auto_renew_product_id"
        case autoRenewStatus = "auto_renew_status"
        case expirationIntent = "expiration_intent"
        case isInBillingRetry = "is_in_billing_retry"
        case gracePeriodExpiresDate = "grace_period_expires_date_ms"
        case renewalDate = "renewal_date_ms"
        case price = "renewal_price_milliunits"
        case currency
        case offerType = "offer_type"
        case offerID = "offer_id"
        case priceIncreaseStatus = "price_increase_status"
        case recentSubscriptionStartDate = "recent_subscription_start_date_ms"
        case appAccountToken = "app_account_token"
        case appTransactionID = "app_transaction_id"
    }

    enum AppTransaction: KeyName, DecodedKey {
        case originalPlatform = "original_platform"
        case appTransactionID = "app_transaction_id"
    }

    enum Notification: KeyName, DecodedKey {
        case uuid = "notification_uuid"
        case type = "notification_type"
        case subtype, status
        case consumptionRequestReason = "consumption_request_reason"
    }
}
