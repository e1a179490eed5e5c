import { originOf } from '../../domain/failing-endpoint.js';
import type { CompanyId, PartnerId } from '../../domain/ids.js';
import type { Partner } from '../../domain/partner-key.js';
import { OperatorError } from '../../errors.js';
import type { CommandContext } from '../../operator/command/definition.js';
import { assertAllowedUrl } from '../../operator/command/fields.js';
import { lockCompanies } from '../../operator/find-or-throw.js';
import { recordAct, type Scope, withinAct } from '../../operator/scope.js';
import { type AccessOutcome, grantAccesses, mismatchOf } from './access-many.js';
import {
  type IssuedKey,
  issueKey,
  type NewKey,
  type NewSigningSecret,
  secretForNewKey,
} from './issue-key.js';

/** A key to issue with its partner. */
export interface NewPartnerKey extends Pick<NewKey, 'environment' | 'endpointUrl'> {
  /** The companies of its environment whose jobs it sees, at most 1,000; default: none. */
  readonly companyIds?: readonly CompanyId[] | undefined;
}

/** A partner to create, with or without its keys. */
export interface NewPartner {
  /** 1 to 500 characters. */
  readonly name: string;
  /**
   * Your own id: `ptn_`, then 1 to 120 characters of `A-Z a-z 0-9 _ -`; default: generated. Pass one for a form that may
   * be sent twice: the second call throws `PARTNER_EXISTS`.
   */
  readonly id?: PartnerId | undefined;
  /** At most one key of each environment; default: none. */
  readonly keys?: readonly NewPartnerKey[] | undefined;
}

/** A key of a new partner. Both secrets are shown only here. */
export interface IssuedPartnerKey extends IssuedKey {
  /** Its access, in the order of the companies. */
  readonly access: readonly AccessOutcome[];
}

/** A partner that was created. */
export interface CreatedPartner extends Partner {
  /** Its keys with their secrets in clear, only here, the production key first; empty if none was asked for. */
  readonly keys: readonly IssuedPartnerKey[];
}

interface PreparedKey extends NewPartnerKey {
  readonly made: NewSigningSecret | null;
}

/** Creates a partner with everything that was asked for, or nothing. */
export async function createPartner(
  { commit, settings }: CommandContext,
  { keys = [], ...partner }: NewPartner,
): Promise<CreatedPartner> {
  const prepared: PreparedKey[] = [];
  for (const key of keys) prepared.push({ ...key, made: await secretForNewKey(settings, key.endpointUrl) });
  // The sandbox comes last: its jobs lock the feed of its key until the commit.
  prepared.sort((one) => (one.environment === 'sandbox' ? 1 : -1));
  return commit((scope) => create(scope, partner, prepared));
}

async function create(
  scope: Scope,
  given: Omit<NewPartner, 'keys'>,
  prepared: readonly PreparedKey[],
): Promise<CreatedPartner> {
  await assertPossible(scope, prepared);
  const partner = await addPartner(scope, given);
  const keys: IssuedPartnerKey[] = [];
  for (const key of prepared) keys.push(await addKey(withinAct(scope), partner.id, key));
  const access = keys.flatMap((key) => key.access);
  recordAct(scope, {
    objects: [
      { kind: 'partner', id: partner.id },
      ...keys.map(({ key }) => ({ kind: 'key', id: key.id }) as const),
      ...access.map(({ access: { companyId } }) => ({ kind: 'company', id: companyId }) as const),
    ],
    after: keys.length === 0 ? { name: partner.name } : auditFieldsOf(partner, keys),
  });
  return { ...partner, keys };
}

function auditFieldsOf({ name }: Partner, keys: readonly IssuedPartnerKey[]) {
  return {
    name,
    environments: keys.map(({ key }) => key.environment),
    companies: keys.flatMap(({ access }) => access).length,
    endpoints: keys.flatMap(({ endpoint }) => (endpoint === null ? [] : [originOf(endpoint.url)])),
  };
}

/** Checks everything that a later step would refuse, before the first write. */
async function assertPossible(scope: Scope, keys: readonly PreparedKey[]): Promise<void> {
  for (const { environment, endpointUrl } of keys) {
    if (endpointUrl !== undefined)
      assertAllowedUrl(endpointUrl, `endpointUrl of the ${environment} key`, scope.urlPolicy);
    if (environment === 'production' && scope.goLive.required.length > 0)
      throw new OperatorError(
        'NOT_READY',
        'A new partner has proved nothing yet, but `goLive.required` names items. Create it without a production key, ' +
          'then issue that key with keys.issue. Nothing was changed.',
      );
  }
  const ids = new Set(keys.flatMap(({ companyIds = [] }) => companyIds));
  // Locks the companies of both keys at once, in the order in which other commands lock them.
  const companies = await lockCompanies(scope, [...ids]);
  for (const { environment, companyIds = [] } of keys) {
    const other = companies.find((each) => companyIds.includes(each.id) && each.environment !== environment);
    if (other !== undefined) throw mismatchOf(`The ${environment} key`, environment, other);
  }
}

async function addPartner(
  { tx, runtime, now }: Scope,
  { id, name }: Omit<NewPartner, 'keys'>,
): Promise<Partner> {
  const partner = {
    id: id ?? runtime.ids.next('partner'),
    name,
    contact: null,
    createdAt: await now(),
    disabledAt: null,
    removedAt: null,
  };
  if ((await tx.partners.add(partner)) === 'added') return partner;
  const message = `Partner ${partner.id} already exists. Choose another id, or omit it.`;
  throw new OperatorError('PARTNER_EXISTS', message);
}

async function addKey(
  scope: Scope,
  partnerId: PartnerId,
  { environment, endpointUrl, companyIds = [], made }: PreparedKey,
): Promise<IssuedPartnerKey> {
  const issued = await issueKey(scope, { partnerId, environment, endpointUrl }, made);
  const grants = companyIds.map((companyId) => ({ keyId: issued.key.id, companyId }));
  return { ...issued, access: grants.length === 0 ? [] : await grantAccesses(scope, grants) };
}
