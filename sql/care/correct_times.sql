-- Sets the times of the archive :archive, and of its kept rejected lines, to :now if they are more than :gap earlier. A
-- rejected line is kept when its archive is loaded, or later.

UPDATE archive
SET first_loaded_at = iif(first_loaded_at < :now - :gap, :now, first_loaded_at),
    completed_at = iif(completed_at < :now - :gap, :now, completed_at)
WHERE archive_id = :archive;
UPDATE dead_letter SET kept_at = :now
WHERE letter_id BETWEEN :archive << 32 AND :archive << 32 | 0xffffffff
    AND kept_at < :now - :gap;
