-- Who presented which trusted document, and when: model_presented, with numbers of users instead of names.
--
-- Grain: one row per document and submission that presents it
-- Key: receipt_id, user_id, submission_id
-- Kept: no
--
-- Columns:
--   receipt_id     INTEGER  –       the document, by the loader's number
--   submission_id  ANY      –       the submission, by the loader's number
--   app_id         INTEGER  –       the document's app and environment, by the loader's number
--   user_id        INTEGER  –       number of the user who presented the document, as in model_user_numbers
--   is_device      INTEGER  0 or 1  1: the user is a device, because no account is named
--   is_proven      INTEGER  0 or 1  1: the document was presented on the device for which it was made
--   presented_ms   INTEGER  ms      when the document was submitted, else when it was created
--   listing_ms     INTEGER  ms      when the document was created, if it is an app receipt, which lists all purchases
--                                   of its owner; else null
SELECT
    presented.receipt_id, presented.submission_id, presented.app_id, numbered.user_id, presented.is_device,
    presented.is_proven, presented.presented_ms, presented.listing_ms
FROM model_presented AS presented
JOIN model_user_numbers AS numbered
    ON numbered.name = presented.name
    AND numbered.app_id = presented.app_id
    AND numbered.is_device = presented.is_device
