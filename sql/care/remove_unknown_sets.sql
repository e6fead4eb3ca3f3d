-- Deletes the sets of unknown members that no receipt states any more, because unknown values may be anything, such as
-- a person's name.

DELETE FROM unknown_set_member
WHERE unknown_set_id NOT IN (SELECT unknown_set_id FROM receipt WHERE unknown_set_id IS NOT NULL);
DELETE FROM unknown_set
WHERE unknown_set_id NOT IN (SELECT unknown_set_id FROM receipt WHERE unknown_set_id IS NOT NULL);
