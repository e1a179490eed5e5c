-- Pages of partners and companies, oldest first. Both tables are small, so each index is built within a moment.
-- oldest-compatible: 3

create index ph_partner_oldest on ph_partner (created_at, id);
create index ph_company_oldest on ph_company (created_at, id);
