-- All texts by which the database names devices.
SELECT device_id FROM submission WHERE device_id IS NOT NULL
UNION
SELECT subject FROM decision WHERE subject_kind = 'device'
UNION
SELECT subject FROM allowed_subject WHERE subject_kind = 'device'
