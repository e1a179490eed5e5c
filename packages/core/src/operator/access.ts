import { type Access, grantAccess, isAccessActive, revokeAccess, startBootstrap } from '../domain/access.js';
import type { KeyId } from '../domain/ids.js';
import type { Repositories } from '../ports/storage.js';
import {
  accessNotFound,
  accessRevoked,
  assertSameEnvironment,
  grantMany,
  MAX_COMPANIES,
  revokeMany,
} from './access-many.js';
import type {
  AccessGrant,
  AccessGrants,
  AccessOutcome,
  AccessTarget,
  AccessTargets,
} from './access-types.js';
import { announceAccess } from './announce.js';
import { onAccess, onKey, onKeyAndCompanies } from './command/claims.js';
import { type Definitions, inTransaction } from './command/definition.js';
import { flag, id, listField, optional, ownId, page } from './command/fields.js';
import { record } from './command/input.js';
import { findKey, lockCompany } from './find-or-throw.js';
import { type KeyNames, withCompanyNames, withKeyNames } from './names.js';
import { definePageCursors, type Page, type PageOptions, readPage } from './page-cursor.js';
import type { Change, Scope } from './scope.js';
import { recordAct } from './scope.js';

/** Selects the access records of a key. */
export interface AccessFilter extends PageOptions {
  readonly keyId: KeyId;
  /** Whether to leave out revoked access; default: false. */
  readonly onlyActive?: boolean | undefined;
}

/** The access of a key to a company, with the names that belong to the ids. */
export interface ListedAccess extends Access, KeyNames {
  readonly companyName: string;
}

/** Manages which keys see a company's jobs and submit to them. Contract: 4.4. */
export interface AccessCommands {
  /**
   * Grants a key access to a company. Each open job of the company becomes visible and causes a `job.opened`
   * event.
   * @throws OperatorError `COMPANY_NOT_FOUND`; `KEY_NOT_FOUND`; `WORLD_MISMATCH` if the key and the company belong to
   *   different environments; `ACCESS_REVOKED` with `renew: false` if access was revoked.
   * @example
   * const { changed } = await operator.access.grant({ keyId, companyId });
   */
  grant(grant: AccessGrant): Promise<AccessOutcome>;
  /**
   * Grants a key access to several companies, all or none. Returns outcomes in the order of the companies.
   * @throws OperatorError `COMPANY_NOT_FOUND`; `KEY_NOT_FOUND`; `WORLD_MISMATCH`; `ACCESS_REVOKED` with `renew: false`
   *   if one was revoked.
   * @example
   * const { items: companies } = await operator.companies.list();
   * const companyIds = companies.filter(({ environment }) => environment === 'production').map(({ id }) => id);
   * await operator.access.grantMany({ keyId, companyIds });
   */
  grantMany(grants: AccessGrants): Promise<readonly AccessOutcome[]>;
  /**
   * Revokes a key's access to a company. Each visible job causes a `job.closed` event with the reason
   * `access_revoked`. The key can still read its applications.
   * @throws OperatorError `COMPANY_NOT_FOUND`; `ACCESS_NOT_FOUND` if the key never had access.
   * @example
   * await operator.access.revoke({ keyId, companyId });
   */
  revoke(target: AccessTarget): Promise<AccessOutcome>;
  /**
   * Revokes a key's access to several companies, all or none. Returns outcomes in the order of the companies.
   * @throws OperatorError `COMPANY_NOT_FOUND`; `ACCESS_NOT_FOUND` if the key never had access to one.
   * @example
   * const { items: access } = await operator.access.list({ keyId, onlyActive: true });
   * await operator.access.revokeMany({ keyId, companyIds: access.map(({ companyId }) => companyId) });
   */
  revokeMany(targets: AccessTargets): Promise<readonly AccessOutcome[]>;
  /**
   * Multiplies the submission limit of the key for the company by five, for 24 hours from now; another call begins them
   * anew. Contract: 8.8.
   * @throws OperatorError `COMPANY_NOT_FOUND`; `ACCESS_NOT_FOUND` if the key has no access now.
   * @example
   * const { access } = await operator.access.enableBootstrap({ keyId, companyId });
   * const until = access.bootstrapUntil;
   */
  enableBootstrap(target: AccessTarget): Promise<AccessOutcome>;
  /**
   * Returns a page of the access records of one key in the order of company ids, 100 by default. Includes revoked
   * access unless `onlyActive` is true.
   * @example
   * const { items: access } = await operator.access.list({ keyId, onlyActive: true });
   * const names = access.map(({ companyName }) => companyName);
   */
  list(filter: AccessFilter): Promise<Page<ListedAccess>>;
  /**
   * Iterates over the rows of `list` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { companyName } of operator.access.each({ keyId })) console.log(companyName);
   */
  each(filter: AccessFilter): AsyncIterable<ListedAccess>;
}

const target = { keyId: id('key'), companyId: id('company') };

const companyIds = listField(ownId('company'), {
  min: 1,
  max: MAX_COMPANIES,
  rule: `must be a list of 1 to ${MAX_COMPANIES} ids of companies`,
});

const renew = optional(flag, 'Whether access that was revoked is granted again, default true');

export const accessDefinitions: Definitions<AccessCommands> = {
  grant: {
    summary: "Grants a key access; sends job.opened for each of the company's open jobs",
    input: record({
      ...target,
      renew,
    }),
    act: 'granted access to a company',
    right: 'access:grant',
    claims: onAccess,
    run: inTransaction(grantAsAsked),
  },
  grantMany: {
    summary: 'Grants a key access to several companies in one transaction',
    input: record({ keyId: id('key'), companyIds, renew }),
    act: 'granted access to companies',
    right: 'access:grant',
    claims: onKeyAndCompanies,
    run: inTransaction(grantMany),
  },
  revoke: {
    summary: 'Revokes access; sends job.closed for each job that the key saw',
    input: record(target),
    act: 'revoked access to a company',
    right: 'access:revoke',
    claims: onAccess,
    run: inTransaction(revoke),
  },
  revokeMany: {
    summary: "Revokes a key's access to several companies in one transaction",
    input: record({ keyId: id('key'), companyIds }),
    act: 'revoked access to companies',
    right: 'access:revoke',
    claims: onKeyAndCompanies,
    run: inTransaction(revokeMany),
  },
  enableBootstrap: {
    summary: 'Multiplies the submission limit by five for 24 hours',
    input: record(target),
    act: 'allowed more submissions for a day',
    right: 'access:bootstrap',
    claims: onAccess,
    run: inTransaction(enableBootstrap),
  },
  list: {
    summary: 'Lists current and revoked access of a key',
    input: record({
      keyId: id('key'),
      onlyActive: optional(flag, 'Only access that was not revoked'),
      ...page,
    }),
    right: 'access:read',
    claims: onKey,
    run: ({ read }, asked) => listAccess(read, asked),
  },
};

const CURSORS = definePageCursors<Pick<Access, 'companyId'>>('access', { companyId: 'id' });

async function listAccess(
  read: Repositories,
  { keyId, onlyActive = false, ...page }: AccessFilter,
): Promise<Page<ListedAccess>> {
  const { items: rows, nextCursor } = await readPage(CURSORS, [keyId, onlyActive], page, ({ after, limit }) =>
    read.access.listOfKey(keyId, { after: after?.companyId ?? null, limit, onlyActive }),
  );
  return { items: await withCompanyNames(read, await withKeyNames(read, rows)), nextCursor };
}

async function grantAsAsked(scope: Scope, { renew = true, ...target }: AccessGrant): Promise<AccessOutcome> {
  if (!renew) await assertNotRevoked(scope, target);
  return grant(scope, target);
}

async function assertNotRevoked(scope: Scope, target: AccessTarget): Promise<void> {
  const previous = await lockAccess(scope, target);
  if (previous !== null && !isAccessActive(previous)) throw accessRevoked(target);
}

export async function grant(scope: Scope, { keyId, companyId }: AccessTarget): Promise<AccessOutcome> {
  const company = await lockCompany(scope, companyId);
  assertSameEnvironment(await findKey(scope, keyId), company);
  const previous = await scope.tx.access.find(keyId, companyId);
  const access = grantAccess(previous, keyId, companyId, await scope.now());
  return save(scope, access, previous);
}

export async function revoke(scope: Scope, target: AccessTarget): Promise<AccessOutcome> {
  const previous = await lockAccess(scope, target);
  if (previous === null) throw accessNotFound(target);
  return save(scope, revokeAccess(previous, await scope.now()), previous);
}

async function enableBootstrap(scope: Scope, target: AccessTarget): Promise<AccessOutcome> {
  const previous = await lockAccess(scope, target);
  if (previous === null || !isAccessActive(previous)) throw accessNotFound(target);
  const access = startBootstrap(previous, await scope.now());
  const { bootstrapUntil } = access;
  if (bootstrapUntil === previous.bootstrapUntil) return { access, changed: false };
  await scope.tx.access.save(access);
  const before = { bootstrapUntil: previous.bootstrapUntil };
  recordAct(scope, { ...objectsOf(access), before, after: { bootstrapUntil } });
  return { access, changed: true };
}

async function lockAccess(scope: Scope, { keyId, companyId }: AccessTarget): Promise<Access | null> {
  await lockCompany(scope, companyId);
  return scope.tx.access.find(keyId, companyId);
}

async function save(scope: Scope, access: Access, previous: Access | null): Promise<AccessOutcome> {
  if (access === previous) return { access, changed: false };
  await scope.tx.access.save(access);
  await announceAccess(scope, access.keyId, [access]);
  const [before, after] = [{ access: describeAccess(previous) }, { access: describeAccess(access) }];
  recordAct(scope, { ...objectsOf(access), before, after });
  return { access, changed: true };
}

function objectsOf({ keyId, companyId }: Access): Pick<Change, 'objects' | 'keyId'> {
  return {
    objects: [
      { kind: 'company', id: companyId },
      { kind: 'key', id: keyId },
    ],
    keyId,
  };
}

function describeAccess(access: Access | null): 'none' | 'active' | 'revoked' {
  if (access === null) return 'none';
  return isAccessActive(access) ? 'active' : 'revoked';
}
