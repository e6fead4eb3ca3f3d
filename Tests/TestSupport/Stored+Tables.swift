import GRDB

extension Stored {
    public func tables() throws -> [String] { try open { try $0.tables() } }
}

extension Stored.Open {
    /// Every row of the loader's tables but `run`, sorted, with texts and digests in the place
    /// of the numbers that each database gives out for itself.
    public func tables() throws -> [String] {
        try Self.tables.flatMap { table, select in
            try lines(select).sorted().map { "\(table): \($0)" }
        }
            + Self.merged.flatMap { table in
                let columns = try lines("SELECT name FROM pragma_table_info('\(table)')")
                let shown = columns.filter { !["purchase_id", "terms_id"].contains($0) }.map(Self.shown)
                return try lines("SELECT \(shown.joined(separator: ", ")) FROM \(table) AS stated").sorted().map {
                    "\(table): \($0)"
                }
            }
    }

    private static let merged = ["purchase", "claimed_purchase", "purchase_terms", "renewal"]

    /// What stands for a number.
    private static func shown(_ column: String) -> String {
        if column == "app_id" {
            "(SELECT bundle_id || ' ' || environment FROM app WHERE app.app_id = stated.app_id)"
        } else if column.hasSuffix("product_number") {
            "(SELECT product_id FROM product WHERE product.product_number = stated.\(column))"
        } else if column.hasSuffix("receipt_id") {
            "(SELECT hex(sha256) FROM receipt WHERE receipt.receipt_id = stated.\(column))"
        } else {
            "stated.\(column)"
        }
    }

    private static let tables: KeyValuePairs = [
        "archive": "SELECT name, hex(sha256), bytes, lines, loaded_lines, complete FROM archive",
        "rejection": """
        SELECT hex(sha256), line, document, reason, detail, status FROM rejection JOIN archive USING (archive_id)
        """,
        "submission": """
        SELECT hex(archive.sha256), line, document, hex(receipt.sha256), device_id, account_id, submitted_at,
            device_check
        FROM submission JOIN archive USING (archive_id) JOIN receipt USING (receipt_id)
        """,
        "receipt": """
        SELECT hex(sha256), kind, verdict, verdict_detail, bundle_id, environment, own.version, own.version_key,
            former.version, original_purchase_date, receipt_creation_date, expiration_date, app_item_id,
            version_external_identifier, download_id, digest_algorithm, subject, hex(opaque_value),
            hex(device_hash), purchase_count, bytes, app_set.types, purchase_set.types
        FROM receipt
        JOIN app USING (app_id)
        LEFT JOIN version AS own ON own.version_id = app_version_id
        LEFT JOIN version AS former ON former.version_id = original_application_version_id
        LEFT JOIN signer USING (signer_id)
        LEFT JOIN attribute_set AS app_set ON app_set.attribute_set_id = receipt.attribute_set_id
        LEFT JOIN attribute_set AS purchase_set ON purchase_set.attribute_set_id = purchase_attribute_set_id
        """,
        "receipt_digest": """
        SELECT hex(receipt_digest.sha256), hex(receipt.sha256) FROM receipt_digest JOIN receipt USING (receipt_id)
        """,
        "receipt_lineage": "SELECT hex(hash_prefix), hex(sha256) FROM receipt_lineage JOIN receipt USING (receipt_id)",
        "receipt_purchase": """
        SELECT hex(sha256), transaction_id, typeof(transaction_id)
        FROM receipt_purchase JOIN receipt USING (receipt_id)
        """,
        "receipt_part": """
        SELECT hex(holder.sha256), part, hex(held.sha256)
        FROM receipt_part
        JOIN receipt AS holder ON holder.receipt_id = receipt_part.receipt_id
        JOIN receipt AS held ON held.receipt_id = part_receipt_id
        """,
        "revocation": """
        SELECT hex(sha256), revocation_date, revocation_reason, revocation_type, revoked_share
        FROM revocation JOIN receipt USING (receipt_id)
        """,
        "notification": """
        SELECT hex(sha256), environment, notification_uuid, notification_type, subtype, status,
            consumption_request_reason
        FROM notification JOIN receipt USING (receipt_id)
        """,
        "app_transaction": """
        SELECT hex(sha256), original_platform, app_transaction_id
        FROM app_transaction JOIN receipt USING (receipt_id)
        """,
        "raw_receipt": "SELECT hex(sha256), hex(deflated) FROM raw_receipt JOIN receipt USING (receipt_id)",
        "reviewable_receipt": "SELECT hex(sha256), hex(octets) FROM reviewable_receipt JOIN receipt USING (receipt_id)",
        "issuer_certificate": "SELECT hex(sha256), hex(der) FROM issuer_certificate",
        "pseudonym_key": "SELECT hex(fingerprint) FROM pseudonym_key",
        "dead_letter": """
        SELECT hex(sha256), line, dead_letter.bytes, hex(deflated)
        FROM dead_letter JOIN archive USING (archive_id)
        """,
    ]
}
