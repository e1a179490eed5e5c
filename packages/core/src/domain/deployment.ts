import type { Instant } from './time.js';

/** The deployment that a database belongs to. */
export interface NamedDeployment {
  /** Such as `production`. */
  readonly name: string;
  readonly namedAt: Instant;
  /**
   * Whether the database is still where it was named; false if it moved or was copied. A physical copy looks as if it
   * were.
   */
  readonly isInPlace: boolean;
}

/** How a process and its database belong together. */
export interface DeploymentStanding {
  /** The name of the process; null if it has none. */
  readonly process: string | null;
  /** The name of the database; null if it has none. */
  readonly database: string | null;
  /** Whether the process sends webhooks and messages, and downloads résumés. */
  readonly isSending: boolean;
  /** Why it sends nothing; null if it sends. */
  readonly reason: SilenceReason | null;
}

/**
 * Why a process sends nothing outside: `other_name`, its name and that of the database differ; `other_place`, the
 * database is not where it was named; `unnamed_process` or `unnamed_database`, only one of the two has a name.
 */
export type SilenceReason = 'other_name' | 'other_place' | 'unnamed_process' | 'unnamed_database';

/** Returns whether a process of this deployment sends, as the statements that lease work decide it. */
export function standingOf(process: string | null, named: NamedDeployment | null): DeploymentStanding {
  const reason = silenceOf(process, named);
  return { process, database: named?.name ?? null, isSending: reason === null, reason };
}

function silenceOf(process: string | null, named: NamedDeployment | null): SilenceReason | null {
  if (named === null) return process === null ? null : 'unnamed_database';
  if (process === null) return 'unnamed_process';
  if (process !== named.name) return 'other_name';
  return named.isInPlace ? null : 'other_place';
}

/** Says that a process sends nothing, why, and the two ways out. Null if it sends. */
export function silenceText({ process, database, reason }: DeploymentStanding): string | null {
  if (reason === null) return null;
  const name = process ?? 'staging';
  const from = database === null ? '' : ` --from ${database}`;
  const copy = reason === 'other_place' ? '<another name>' : name;
  const claim = `If this is a copy, run \`partner-hiring deployment claim ${copy}${from}\`, which disarms it`;
  const start = 'This process sends nothing outside: no webhooks, résumé downloads or messages.';
  switch (reason) {
    case 'other_name':
      return `${start} Its deployment is \`${process}\`, but the database belongs to \`${database}\`. ${claim}. If the whole deployment \`${database}\` is now called \`${process}\`, run \`partner-hiring deployment rename ${process}\`.`;
    case 'other_place':
      return `${start} The database belongs to \`${database}\`, but is at another place than when it was named. ${claim}, and give the process the same name. If \`${database}\` moved here, run \`partner-hiring deployment rename ${database}\`.`;
    case 'unnamed_process':
      return `${start} The database belongs to \`${database}\`, but the process has no deployment. ${claim}, and set PARTNER_HIRING_DEPLOYMENT=${name}. If the process is part of \`${database}\`, set PARTNER_HIRING_DEPLOYMENT=${database}, or the option \`deployment\`.`;
    case 'unnamed_database':
      return `${start} Its deployment is \`${process}\`, but the database has endpoints and no name. ${claim}. If it is the database of \`${process}\`, run \`partner-hiring deployment rename ${process}\` once.`;
  }
}

/** Shorter than API keys and sealing keys, so that none of them becomes a name that others read. */
const NAME = /^[A-Za-z0-9][\w.-]{0,31}$/;

/** What the name of a deployment must be. */
export const DEPLOYMENT_NAME_RULE =
  'must be 1 to 32 letters, digits, dots, hyphens or underscores, and begin with a letter or digit';

export function isDeploymentName(text: unknown): text is string {
  return typeof text === 'string' && NAME.test(text);
}
