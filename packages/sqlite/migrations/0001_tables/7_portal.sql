-- The portal of partners.

-- Links that sign in, and the sessions that follow. A row is deleted when it ends. Holds no personal data.
create table ph_portal_pass (
  -- The SHA-256 of the token. The token itself is never stored.
  hash        text    not null primary key,
  kind        text    not null check (kind in ('link', 'session')),
  partner_id  text    not null,
  -- The origin of the link. The pass works only there.
  origin      text    not null,
  -- A JSON array of the rights.
  rights      text    not null,
  -- Who made the link: the id and the name of the actor.
  made_by     text    not null,
  created_at  integer not null,
  expires_at  integer not null
) strict, without rowid;

create index ph_portal_pass_partner on ph_portal_pass (partner_id);
create index ph_portal_pass_expires on ph_portal_pass (expires_at, hash);
