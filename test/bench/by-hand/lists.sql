-- The tables of a server written by hand, filled with the library's rows: on SQLite beside its tables, on PostgreSQL in
-- a schema of their own. Each list is one range of one index.
create table hand_key (
  secret_hash text primary key, key_id text not null, expires_at bigint, revoked_at bigint
);
insert into hand_key select hash, key_id, expires_at, revoked_at from ph_key_secret;

create table hand_feed (key_id text primary key, at bigint not null);
insert into hand_feed select key_id, at from ph_feed_head;

create table hand_rate_window (
  bucket text not null, window_start bigint not null, count bigint not null, primary key (bucket, window_start)
);

create table hand_company (id text primary key, name text not null);
insert into hand_company select id, name from ph_company;

create table hand_job (
  id text primary key, company_id text not null, title text not null, city text not null, region text not null,
  country text not null, pay_type text not null, pay_min double precision, pay_max double precision,
  pay_currency text not null, schedule text, headcount_total integer, headcount_filled integer not null,
  application_form text, created_at bigint not null
);
insert into hand_job
select id, company_id, title, city, region, country, pay_type, pay_min, pay_max, pay_currency, schedule,
       headcount_total, headcount_filled, application_form, created_at
from ph_job;

create table hand_key_job (
  key_id text not null, job_id text not null, company_id text not null, visible integer not null,
  changed_at bigint not null, primary key (key_id, job_id)
);
insert into hand_key_job select key_id, job_id, company_id, visible, changed_at from ph_key_job;
create index hand_key_job_feed on hand_key_job (key_id, visible, changed_at);

create table hand_application (
  id text primary key, key_id text not null, job_id text not null, company_id text not null,
  source_application_id text, status text not null, stage text not null, submitted_at bigint not null,
  last_status_change_at bigint not null, changed_at bigint not null
);
insert into hand_application
select id, key_id, job_id, company_id, source_application_id, status, stage, submitted_at, last_status_change_at,
       changed_at
from ph_application;
create index hand_application_feed on hand_application (key_id, changed_at);
