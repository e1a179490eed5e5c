-- The platform's tables. The partner API's tables are in another schema.

create table employer (
  id    text  primary key,
  name  text  not null
);

create table opening (
  id           text  primary key,
  employer_id  text  not null references employer,
  title        text  not null
);

create table candidate (
  application_id  text  primary key,  -- the partner API's id of the application
  opening_id      text  not null references opening,
  name            text  not null,
  state           text  not null check (state in ('new', 'screening', 'hired'))
);

create table hire (
  application_id  text         primary key references candidate,
  hired_by        text         not null,
  hired_at        timestamptz  not null default now()
);

create table tax_class (
  code  text  primary key
);

insert into tax_class values ('standard'), ('student');

create table payroll_entry (
  application_id  text     primary key references hire,
  hourly_cents    integer  not null check (hourly_cents > 0),
  tax_class       text     not null,
  -- Deferred, so that a hire can fail at the commit.
  constraint payroll_entry_tax_class foreign key (tax_class) references tax_class deferrable initially deferred
);
