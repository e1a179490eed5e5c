import type { ApplicationId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import {
  type CandidateLookUp,
  type CandidateTarget,
  candidate,
  clearSourceApplicationId,
  exactlyOne,
  listOf,
  NOT_SEARCHED,
  readCandidateTarget,
} from '../../groups/applications/candidate-target.js';
import { narrowApplications } from '../../groups/applications/narrow-applications.js';
import { type Claims, onHost } from '../../operator/command/claims.js';
import type { CommandContext, Definitions } from '../../operator/command/definition.js';
import { id } from '../../operator/command/fields.js';
import { either, record } from '../../operator/command/input.js';
import { yieldToEventLoop } from '../../operator/event-loop.js';
import { applicationNotFound } from '../../operator/find-or-throw.js';
import { recordAct, type Scope } from '../../operator/scope.js';
import type { CandidateApplication } from './describe-application.js';
import {
  type ErasedApplication,
  type Erasure,
  type ErasureRules,
  eraseApplications,
  isNothing,
  objectsOfErasure,
  sumCounts,
} from './erase-applications.js';
import { type BulkErasure, type BulkErasureInput, bulkErasure, eraseMany } from './erase-many.js';
import {
  type CandidateExport,
  exportCandidate,
  type RevealTarget,
  revealCandidate,
} from './export-candidate.js';
import type { ErasureCounts } from './rules.js';

/** A candidate to erase. */
export type ErasureInput = CandidateTarget & {
  /** Whether to also clear `sourceApplicationId`, which partners see; default: false. */
  readonly clearSourceApplicationId?: boolean | undefined;
};

/**
 * Says what was erased. Keep it as evidence: it contains ids and counts, but no personal data. If an erasure is
 * repeated, the receipt has the instant and the counts of the first run.
 */
export interface ErasureReceipt {
  /** When the last of the applications was erased. */
  readonly erasedAt: Instant;
  /**
   * The erased applications; empty if none was found. An application that was erased before is found only by
   * `applicationId`.
   */
  readonly applications: readonly ErasedApplication[];
  /** The counts of everything that was erased of these applications, by this run and by earlier ones. */
  readonly counts: ErasureCounts;
  /** Says in English which other data of the person was not searched, such as other addresses. */
  readonly notSearched: string;
  /**
   * The steps that you must take yourself, because no inbox item tells your platform; null if nothing is left to do.
   */
  readonly notice: string | null;
}

/**
 * Shows, exports and erases the personal data of candidates. `applications.list` finds the applications of a person.
 * Erased data cannot be restored.
 */
export interface CandidateCommands {
  /**
   * Returns an application with its candidate and answers, and records the act in the audit, in the same commit. Use it
   * where a person of your staff reads personal data: `applications.find` and the lists return the same data without a
   * record. If `erasedAt` is not null, the candidate's texts are empty and nothing is recorded.
   * @throws OperatorError `APPLICATION_NOT_FOUND`.
   * @example
   * const { candidate, answers } = await operator.candidates.reveal({ applicationId });
   */
  reveal(target: RevealTarget): Promise<CandidateApplication>;
  /**
   * Returns everything that is stored about a candidate, as one JSON value; its list is empty if nobody is found. The
   * file of a résumé is in the sink, at the location that the value names. The audit does not record it.
   * @example
   * const everything = await operator.candidates.export({ phone: '+14155550123' });
   * const json = JSON.stringify(everything, null, 2);
   */
  export(candidate: CandidateTarget): Promise<CandidateExport>;
  /**
   * Erases the data of a candidate permanently; a second call by `applicationId` returns the instant and the counts of
   * the first one. An unknown address or number gives a receipt without applications. The applications stay in the
   * partner's lists, without any trace of the person. The worker removes the résumé through the sink. The same commit
   * records the inbox item `candidate.erased` for your platform. If the inbox is off, the receipt's `notice` says what
   * you must do instead. Outside your own transaction, the command commits after every 50 applications: call it again
   * if it throws `StorageUnavailable`.
   * @throws OperatorError `APPLICATION_NOT_FOUND` if `applicationId` is unknown.
   * @example
   * const receipt = await operator.candidates.erase({ email: 'ada@example.org' });
   * const ids = receipt.applications.map(({ id }) => id);
   */
  erase(candidate: ErasureInput): Promise<ErasureReceipt>;
  /**
   * Starts an operation that erases the candidates of a company, of old applications, or both, even without a decision.
   * The worker runs it in steps. With `dryRun`, no operation starts: the command only counts the applications.
   * @throws OperatorError `COMPANY_NOT_FOUND`.
   * @example
   * const { count } = await operator.candidates.eraseMany({ companyId, dryRun: true });
   * const { operation } = await operator.candidates.eraseMany({ companyId });
   */
  eraseMany(which: BulkErasureInput): Promise<BulkErasure>;
}

export const candidateDefinitions: Definitions<CandidateCommands> = {
  reveal: {
    summary: 'Shows an application with its candidate, and records who saw it',
    input: record({ applicationId: id('application') }),
    pastTense: 'looked at the candidate',
    right: 'candidates:read',
    claims: onCandidate,
    gate: {
      showsCandidate: true,
      narrow: async (application, _input, sees) => {
        const [narrowed = application] = await narrowApplications([application], sees);
        return narrowed;
      },
    },
    run: revealCandidate,
  },
  export: {
    summary: 'Prints everything that is stored about a person',
    input: either<CandidateTarget>()(candidate, exactlyOne),
    right: 'candidates:export',
    // Its parts name companies and acts of others.
    claims: onHost,
    gate: { showsCandidate: true },
    run: (context, input) => exportCandidate(context, readCandidateTarget(input, context.settings.phones)),
  },
  erase: {
    summary: 'Erases the data of a person permanently',
    input: either<ErasureInput>()({ ...candidate, clearSourceApplicationId }, exactlyOne),
    pastTense: 'erased the candidate',
    right: 'candidates:erase',
    claims: onCandidate,
    run: (context, input) => {
      const { clearSourceApplicationId = false } = input;
      const lookUp = readCandidateTarget(input, context.settings.phones);
      return eraseCandidate(context, lookUp, { clearSourceApplicationId });
    },
  },
  eraseMany: {
    summary: 'Erases the candidates of a company, of old applications, or both',
    input: bulkErasure,
    pastTense: 'erased candidates',
    right: 'candidates:erase',
    claims: onHost,
    run: eraseMany,
  },
};

/** A search by e-mail or phone finds the applications of all partners. */
function onCandidate({ applicationId: id }: { readonly applicationId?: ApplicationId | undefined }): Claims {
  return id === undefined ? onHost() : [{ on: 'application', id }];
}

/** Limits how long a commit holds its locks. */
const ERASED_PER_COMMIT = 50;

async function eraseCandidate(
  { commit }: CommandContext,
  lookUp: CandidateLookUp,
  rules: ErasureRules,
): Promise<ErasureReceipt> {
  let receipt: Erasure | null = null;
  let after: ApplicationId | null = null;
  for (;;) {
    const start: ApplicationId | null = after;
    const step = await commit(async (scope) => {
      const found = await listOf(scope.tx, lookUp, { after: start, limit: ERASED_PER_COMMIT });
      if (lookUp.by === 'id' && found.length === 0) throw applicationNotFound(lookUp.id);
      const erasure = await eraseApplications(
        scope,
        found.map(({ id }) => id),
        rules,
      );
      recordErasure(scope, lookUp, rules, erasure);
      const last = found.length < ERASED_PER_COMMIT ? null : (found.at(-1)?.id ?? null);
      return { erasure, last: lookUp.by === 'id' ? null : last };
    });
    receipt = receipt === null ? step.erasure : merge(receipt, step.erasure);
    after = step.last;
    if (after === null) return toReceipt(receipt, lookUp.by);
    await yieldToEventLoop();
  }
}

/** The audit entry says how the candidate was found, but does not contain the address or the number. */
function recordErasure(
  scope: Scope,
  { by }: CandidateLookUp,
  { clearSourceApplicationId }: ErasureRules,
  { applications, counts }: Erasure,
): void {
  const [first, ...others] = objectsOfErasure(applications);
  if (isNothing(counts) || first === undefined) return;
  const keyIds = new Set(applications.map(({ keyId }) => keyId));
  const [keyId = null] = keyIds.size === 1 ? keyIds : [];
  recordAct(scope, {
    objects: [first, ...others],
    keyId,
    count: counts.applications,
    filter: { by, clearSourceApplicationId },
  });
}

function merge(one: Erasure, other: Erasure): Erasure {
  return {
    at: one.at,
    applications: [...one.applications, ...other.applications],
    counts: sumCounts([one.counts, other.counts]),
    notice: one.notice ?? other.notice,
  };
}

function toReceipt({ at, applications, notice }: Erasure, by: CandidateLookUp['by']): ErasureReceipt {
  const instants = applications.map(({ erasedAt }) => erasedAt);
  return {
    erasedAt: instants.length === 0 ? at : Math.max(...instants),
    applications,
    counts: sumCounts(applications.flatMap(({ counts }) => counts ?? [])),
    notice,
    notSearched: NOT_SEARCHED[by],
  };
}
