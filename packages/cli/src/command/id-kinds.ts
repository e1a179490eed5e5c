import {
  type IdKind,
  type OperatorCommands,
  OperatorError,
  type OperatorErrorCode,
} from '@partner-hiring/core';

/** The kinds of ids that commands take: all except ids of alerts, audit entries and workers. */
export type NamedKind = Exclude<IdKind, 'alert' | 'audit' | 'worker'>;

interface NamedObject {
  readonly prefix: string;
  /** The command that lists such ids. */
  readonly list: string;
  readonly code: OperatorErrorCode;
  /** Finds the object. Without it, the library reports an unknown id. */
  readonly find?: (operator: OperatorCommands, id: never) => Promise<unknown>;
}

/** The objects that have ids. */
export const ID_KINDS: Readonly<Record<NamedKind, NamedObject>> = {
  company: {
    prefix: 'co_',
    list: 'companies list',
    code: 'COMPANY_NOT_FOUND',
    find: ({ companies }, id) => companies.find({ id }),
  },
  job: {
    prefix: 'job_',
    list: 'jobs list',
    code: 'JOB_NOT_FOUND',
    find: ({ jobs }, id) => jobs.find({ id }),
  },
  application: { prefix: 'ej_app_', list: 'applications list', code: 'APPLICATION_NOT_FOUND' },
  event: { prefix: 'evt_', list: 'deliveries list', code: 'DELIVERY_NOT_FOUND' },
  partner: {
    prefix: 'ptn_',
    list: 'partners list',
    code: 'PARTNER_NOT_FOUND',
    find: ({ partners }, id) => partners.find({ id }),
  },
  key: {
    prefix: 'key_',
    list: 'keys list',
    code: 'KEY_NOT_FOUND',
    find: ({ keys }, keyId) => keys.find({ id: keyId }),
  },
  operation: { prefix: 'op_', list: 'operations list', code: 'OPERATION_NOT_FOUND' },
};

/** Returns whether commands take ids of this kind. */
export function isNamedKind(kind: IdKind | null): kind is NamedKind {
  return kind !== null && Object.hasOwn(ID_KINDS, kind);
}

/** The error about an unknown id. */
export function doesNotExist(kind: NamedKind, id: string): OperatorError {
  const { code, list } = ID_KINDS[kind];
  const noun = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  return new OperatorError(code, `${noun} ${id} does not exist. Run: ${list}`);
}

/**
 * Reports a mistyped id. Lists return nothing for an unknown id, which looks like success.
 *
 * @throws OperatorError with the code of the kind, such as `KEY_NOT_FOUND`.
 */
export async function assertExists(operator: OperatorCommands, kind: NamedKind, id: string): Promise<void> {
  const { find } = ID_KINDS[kind];
  if (find !== undefined && (await find(operator, id as never)) === null) throw doesNotExist(kind, id);
}
