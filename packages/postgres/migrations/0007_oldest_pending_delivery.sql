-- Finds the delivery of a key that has been pending for the longest time.
-- oldest-compatible: 1
-- online: concurrently

create index concurrently ph_delivery_oldest on ph_delivery (key_id, pending_since, event_at) where state = 'pending';
