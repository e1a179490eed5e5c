-- Since when a delivery is pending. An older release leaves it null.
-- oldest-compatible: 1

-- The last redelivery. Null if the delivery was never sent again: it is then pending since its event.
alter table ph_delivery add column pending_since integer;
