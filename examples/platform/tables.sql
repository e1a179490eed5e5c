-- The platform's own tables. Those of the partner API lie beside them, in a schema of their own.

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
  application_id  text  primary key,  -- by this name the partner API knows the application
  opening_id      text  not null references opening,
  name            text  not null,
  state           text  not null check (state in ('screening', 'hired'))
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
  -- Checked by the commit and no earlier, as in many a payroll: so a hire can fail at the very last moment.
  constraint payroll_entry_tax_class foreign key (tax_class) references tax_class deferrable initially deferred
);
