import type { PartnerId } from '../../domain/ids.js';
import { CONTACT_EMAIL_MAX, isContactEmail } from '../../domain/partner-contact.js';
import type { Partner } from '../../domain/partner-key.js';
import { onHost } from '../../operator/command/claims.js';
import { type CommandContext, type Definitions, inTransaction } from '../../operator/command/definition.js';
import {
  distinctBy,
  ENVIRONMENTS,
  environment,
  flag,
  id,
  listField,
  name,
  newId,
  optional,
  orNull,
  page,
  prefixedId,
  url,
  value,
} from '../../operator/command/fields.js';
import { filter, object, record } from '../../operator/command/input.js';
import { asList } from '../../operator/command/one-or-many.js';
import type { CommandRight } from '../../operator/command/rights.js';
import { defineAgeCursors, type Page, type PageOptions, readPage } from '../../operator/page-cursor.js';
import { MAX_COMPANIES } from './access-many.js';
import { type CreatedPartner, createPartner, type NewPartner, type NewPartnerKey } from './create-partner.js';
import {
  type PartnerOutcome,
  type PartnerRemoval,
  type PartnerTarget,
  type PartnerUpdate,
  removePartner,
  updatePartner,
} from './partner-changes.js';
import { findPartnerHealth, type PartnerHealth } from './partner-health.js';

/** Selects partners. */
export interface PartnerFilter extends PageOptions {
  /** Whether to list the removed partners instead of the others; default: false. */
  readonly onlyRemoved?: boolean | undefined;
}

/** A partner to find. */
export interface PartnerLookup extends PartnerTarget {
  /** Whether to also return how the partner does; default: false. */
  readonly health?: boolean | undefined;
}

/** A partner that was found. */
export interface PartnerDetails extends Partner {
  /** How the partner does; null unless `health` asks for it. */
  readonly health: PartnerHealth | null;
}

/** Manages partners: the applicant-tracking systems that may call the API. */
export interface PartnerCommands {
  /**
   * Creates a partner, with its keys, their access to companies and their webhook endpoints if `keys` asks for them, in
   * one transaction: all or nothing. The audit gets one entry. Save the secrets: they are not shown again. Without
   * `keys`, issue a key next.
   * @throws OperatorError `PARTNER_EXISTS` if the id is taken; `COMPANY_NOT_FOUND`; `ENVIRONMENT_MISMATCH` if a company
   *   is not of its key's environment; `NOT_READY` for a production key if `goLive.required` names items.
   * @example
   * const partner = await operator.partners.create({ name: 'Acme ATS' });
   * await operator.keys.issue({ partnerId: partner.id, environment: 'sandbox' });
   * const { keys } = await operator.partners.create({
   *   name: 'Globex ATS',
   *   keys: [
   *     { environment: 'production', companyIds: [companyId], endpointUrl: 'https://globex.example/webhooks' },
   *     { environment: 'sandbox' },
   *   ],
   * });
   * const secrets = keys.map(({ key, secret, endpoint }) => [key.environment, secret, endpoint?.signingSecret]);
   */
  create(partner: NewPartner): Promise<CreatedPartner>;
  /**
   * Renames a partner, sets its contact, or disables or enables it: at least one of these, and what is left out stays.
   * Its id, keys and secrets stay.
   *
   * The contact is the person who gets messages about the partner's access, such as that its endpoint fails. Your
   * `alerts` get these messages, ready to send. It is personal data: `remove` deletes it too, and the audit has only
   * whether there is one.
   *
   * From the next request on, the keys of a disabled partner get 401, and nothing is sent to its endpoints. Nothing is
   * lost: secrets, access and applications stay, and its events wait until it is enabled. Its links to the portal and
   * sessions there end. You may still decide about applications. An endpoint that was paused for another reason stays
   * paused after `disabled: false`.
   * @throws OperatorError `PARTNER_NOT_FOUND`; `PARTNER_REMOVED` for more than a new name.
   * @example
   * const contact = { name: 'Robin Field', email: 'robin@ats.example' };
   * await operator.partners.update({ id: partnerId, name: 'Acme Talent', contact });
   * const { changed } = await operator.partners.update({ id: partnerId, disabled: true });
   */
  update(partner: PartnerUpdate): Promise<PartnerOutcome>;
  /**
   * Removes a partner permanently: revokes all its secrets, stops its endpoints, and leaves it out of `list`. What it
   * has done stays: applications, events and the audit refer to it, so its rows are kept. Events that wait are never
   * sent, and no new ones are recorded. To erase candidates, use `candidates`.
   * @throws OperatorError `PARTNER_NOT_FOUND`.
   * @example
   * const { revokedSecrets } = await operator.partners.remove({ id: partnerId });
   */
  remove(partner: PartnerTarget): Promise<PartnerRemoval>;
  /**
   * Returns the partner, or null. Also finds removed partners. With `health`, also how it does in each environment:
   * requests, errors with the most frequent codes and fields, deliveries, latency and the last success, in 24 hours and
   * 7 days, beside all other partners in it. These come from counts of each hour: processes add to them every second,
   * workers every 30 seconds. Requests are counted only with the option `requestLog`.
   * @example
   * const partner = await operator.partners.find({ id: partnerId, health: true });
   * for (const { environment, day, others } of partner?.health?.keys ?? [])
   *   console.log(environment, day.errors, day.requests, others?.day.errors);
   */
  find(partner: PartnerLookup): Promise<PartnerDetails | null>;
  /**
   * Returns a page of partners, oldest first, 100 by default. Leaves out removed partners, or lists only them with
   * `onlyRemoved`.
   * @example
   * const { items: partners } = await operator.partners.list({ limit: 20 });
   * const names = partners.map(({ name }) => name);
   */
  list(filter?: PartnerFilter): Promise<Page<Partner>>;
  /**
   * Iterates over the rows of `list` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { name } of operator.partners.each()) console.log(name);
   */
  each(filter?: PartnerFilter): AsyncIterable<Partner>;
}

const companyIds = listField(prefixedId('company'), {
  max: MAX_COMPANIES,
  rule: `must be a list of at most ${MAX_COMPANIES} ids of companies`,
});

const newKeys = listField(
  object({ environment, endpointUrl: optional(url), companyIds: optional(companyIds) }),
  {
    max: ENVIRONMENTS.length,
    rule: 'must be a list of at most one key of each environment',
    rules: (keys) =>
      distinctBy(keys, (key) => key.environment, 'must not contain two keys of one environment'),
  },
);

const CONTACT_NAME_MAX = 200;

const contactEmail = value<string>(
  (given) => typeof given === 'string' && isContactEmail(given),
  `must be an e-mail address of at most ${CONTACT_EMAIL_MAX} characters, such as robin@ats.example, without blanks or a name`,
  'text',
);

const CURSORS = defineAgeCursors<PartnerId>('partners');

/** The right that each field of an update needs. */
const UPDATE_RIGHTS = {
  name: 'partners:rename',
  contact: 'partners:contact',
  disabled: 'partners:disable',
} as const satisfies Partial<Record<keyof PartnerUpdate, CommandRight>>;

/** The right that each field of a new key needs. */
const KEY_RIGHTS = {
  environment: 'keys:issue',
  endpointUrl: 'endpoints:set-url',
  companyIds: 'access:grant',
} as const satisfies Record<keyof NewPartnerKey, CommandRight>;

/** The rights for the fields that are given. */
function rightsOf<Name extends string>(
  rights: Readonly<Record<Name, CommandRight>>,
  given: { readonly [Each in NoInfer<Name>]?: unknown },
): readonly CommandRight[] {
  const fields = Object.keys(rights) as Name[];
  return fields.flatMap((field) => (given[field] === undefined ? [] : [rights[field]]));
}

export const partnerDefinitions: Definitions<PartnerCommands> = {
  create: {
    summary: 'Creates a partner, with keys, access and endpoints if asked for',
    input: record({ id: newId('partner'), name: name(), keys: optional(newKeys) }),
    pastTense: 'added the partner',
    right: ({ keys = [] }) => [
      'partners:create',
      // A key may be anything: the check comes later.
      ...asList(keys).flatMap((key) => rightsOf(KEY_RIGHTS, Object(key))),
    ],
    claims: onHost,
    run: createPartner,
  },
  update: {
    summary: 'Renames a partner, sets its contact, or disables or enables it',
    input: record(
      {
        id: id('partner'),
        name: optional(name(), 'The new name'),
        contact: optional(orNull(object({ name: name(CONTACT_NAME_MAX), email: contactEmail }))),
        disabled: optional(flag, 'Its keys get 401 and its events wait, until it is enabled'),
      },
      (given) =>
        rightsOf(UPDATE_RIGHTS, given).length === 0
          ? [{ rule: 'must have a name, a contact or `disabled`' }]
          : [],
    ),
    pastTense: 'changed the partner',
    right: (given) => {
      const rights = rightsOf(UPDATE_RIGHTS, given);
      return rights.length === 0 ? Object.values(UPDATE_RIGHTS) : rights;
    },
    claims: onHost,
    run: inTransaction(updatePartner),
  },
  remove: {
    summary: 'Removes a partner for good: revokes its secrets and hides it',
    input: record({ id: id('partner') }),
    pastTense: 'removed the partner',
    right: 'partners:remove',
    claims: onHost,
    run: inTransaction(removePartner),
  },
  find: {
    summary: 'Shows a partner, and how it does: requests, errors, deliveries, latency',
    input: record({
      id: id('partner'),
      health: optional(flag, 'Also how the partner does'),
    }),
    right: ({ health }) => (health ? ['partners:read', 'requests:read'] : ['partners:read']),
    claims: (partner) => [{ on: 'partner', id: partner.id }],
    gate: {
      // With two partners, the figures of all others would be those of the other one.
      narrow: (partner) => partner && { ...partner, health: partner.health && withoutOthers(partner.health) },
    },
    run: findPartner,
  },
  list: {
    summary: 'Lists partners, oldest first',
    input: filter({ onlyRemoved: optional(flag, 'Only removed partners'), ...page }),
    right: 'partners:read',
    claims: onHost,
    run: ({ read }, { onlyRemoved: removed = false, ...asked }) =>
      readPage(CURSORS, [removed], asked, (start) => read.partners.list({ ...start, removed })),
  },
};

function withoutOthers(health: PartnerHealth): PartnerHealth {
  return { ...health, keys: health.keys.map((key) => ({ ...key, others: null })) };
}

async function findPartner(
  context: CommandContext,
  { id, health = false }: PartnerLookup,
): Promise<PartnerDetails | null> {
  const partner = await context.read.partners.find(id);
  if (partner === null) return null;
  return { ...partner, health: health ? await findPartnerHealth(context, id) : null };
}
