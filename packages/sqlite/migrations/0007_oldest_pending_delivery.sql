-- Finds the delivery of a key that has been pending for the longest time.
-- oldest-compatible: 1

create index ph_delivery_oldest on ph_delivery (key_id, pending_since, event_at) where state = 'pending';
