import { type Access, isAccessActive, startBootstrap } from '../../domain/access.js';
import type { KeyId } from '../../domain/ids.js';
import { onAccess, onKey } from '../../operator/command/claims.js';
import { type Definitions, inTransaction } from '../../operator/command/definition.js';
import { flag, id, optional, page } from '../../operator/command/fields.js';
import { record } from '../../operator/command/input.js';
import { type ForEach, type OneOrMany, oneOrMany } from '../../operator/command/one-or-many.js';
import { lockCompany } from '../../operator/find-or-throw.js';
import { type KeyNames, withCompanyNames, withKeyNames } from '../../operator/names.js';
import { definePageCursors, type Page, type PageOptions, readPage } from '../../operator/page-cursor.js';
import { recordAct, type Scope } from '../../operator/scope.js';
import type { Repositories } from '../../ports/storage.js';
import {
  type AccessGrant,
  type AccessOutcome,
  type AccessTarget,
  accessNotFound,
  grantAccesses,
  MAX_COMPANIES,
  revokeAccesses,
} from './access-many.js';

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
   * Grants a key access to a company, or at most 1,000 accesses, all or none, and returns one outcome for each, in the
   * same order. Each open job of a company becomes visible and causes a `job.opened` event.
   * @throws OperatorError `COMPANY_NOT_FOUND`; `KEY_NOT_FOUND`; `ENVIRONMENT_MISMATCH` if a key and its company belong
   *   to different environments; `ACCESS_REVOKED` if access was revoked and the grant has `renew: false`.
   * @example
   * const { changed } = await operator.access.grant({ keyId, companyId });
   * const { items: companies } = await operator.companies.list({ environment: 'production' });
   * await operator.access.grant(companies.map(({ id }) => ({ keyId, companyId: id })));
   */
  grant<Given extends OneOrMany<AccessGrant>>(grant: Given): Promise<ForEach<Given, AccessOutcome>>;
  /**
   * Revokes a key's access to a company, or at most 1,000 accesses, all or none, and returns one outcome for each, in
   * the same order. Each visible job causes a `job.closed` event with the reason `access_revoked`. The keys can still
   * read their applications.
   * @throws OperatorError `COMPANY_NOT_FOUND`; `ACCESS_NOT_FOUND` if a key never had access.
   * @example
   * await operator.access.revoke({ keyId, companyId });
   * const { items: access } = await operator.access.list({ keyId, onlyActive: true });
   * await operator.access.revoke(access.map((each) => ({ keyId, companyId: each.companyId })));
   */
  revoke<Given extends OneOrMany<AccessTarget>>(target: Given): Promise<ForEach<Given, AccessOutcome>>;
  /**
   * Multiplies the submission limit of the key for the company by five, for 24 hours from now; another call begins them
   * anew. Contract: 8.8.
   * @throws OperatorError `COMPANY_NOT_FOUND`; `ACCESS_NOT_FOUND` if the key has no access now.
   * @example
   * const { access } = await operator.access.raiseLimit({ keyId, companyId });
   * const until = access.bootstrapUntil;
   */
  raiseLimit(target: AccessTarget): Promise<AccessOutcome>;
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

const renew = optional(flag, 'Whether access that was revoked is granted again, default true');

const ACCESSES = { name: 'accesses', rule: 'each with the ids of a key and a company', max: MAX_COMPANIES };

export const accessDefinitions: Definitions<AccessCommands> = {
  grant: {
    summary: "Grants a key access; sends job.opened for each of the company's open jobs",
    input: oneOrMany({ ...target, renew }, ACCESSES),
    pastTense: 'granted access to a company',
    pastTenseOfMany: 'granted access to companies',
    right: 'access:grant',
    claims: onAccess,
    gate: {
      // Only an actor for all partners undoes a revocation.
      limit: (grant) => ({ ...grant, renew: false }),
    },
    run: inTransaction(grantAccesses),
  },
  revoke: {
    summary: 'Revokes access; sends job.closed for each job that the key saw',
    input: oneOrMany(target, ACCESSES),
    pastTense: 'revoked access to a company',
    pastTenseOfMany: 'revoked access to companies',
    right: 'access:revoke',
    claims: onAccess,
    run: inTransaction(revokeAccesses),
  },
  raiseLimit: {
    summary: 'Multiplies the submission limit by five for 24 hours',
    input: record(target),
    pastTense: 'allowed more submissions for a day',
    right: 'access:bootstrap',
    claims: onAccess,
    run: inTransaction(raiseLimit),
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
    gate: { limit: (asked) => ({ ...asked, onlyActive: true }) },
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

async function raiseLimit(scope: Scope, target: AccessTarget): Promise<AccessOutcome> {
  await lockCompany(scope, target.companyId);
  const previous = await scope.tx.access.find(target.keyId, target.companyId);
  if (previous === null || !isAccessActive(previous)) throw accessNotFound(target);
  const access = startBootstrap(previous, await scope.now());
  const { bootstrapUntil } = access;
  if (bootstrapUntil === previous.bootstrapUntil) return { access, changed: false };
  await scope.tx.access.save(access);
  const before = { bootstrapUntil: previous.bootstrapUntil };
  const { keyId, companyId } = access;
  const objects = [
    { kind: 'company', id: companyId },
    { kind: 'key', id: keyId },
  ] as const;
  recordAct(scope, { objects, keyId, before, after: { bootstrapUntil } });
  return { access, changed: true };
}
