import { OperatorError, type OperatorErrorCode } from '../../errors.js';
import type { Repositories } from '../../ports/storage.js';
import type { Claim } from '../command/claims.js';
import {
  type AnyDefinition,
  type AnyDefinitions,
  type CommandContext,
  isDefinition,
} from '../command/definition.js';
import { guardOf } from '../command/facts.js';
import type { AnyGateRule, SeeCompanies } from '../command/gate-rule.js';
import type { CommandRight } from '../command/rights.js';
import { describeMissing } from '../find-or-throw.js';
import type { Scope } from '../scope.js';
import { findForeign } from './check-claim.js';
import { hidePartnerTexts } from './hide-partner-texts.js';
import { assertRight, type OperatorLimits } from './limits.js';
import { hideQueries, maskCandidates } from './mask-results.js';
import { findSeenCompanies } from './seen-by-partners.js';

/** Returns the commands of a group, as far as somebody with these limits may call them. Without limits, returns all. */
export function limitCommands<Group extends object>(
  group: string,
  definitions: Group,
  limits: OperatorLimits | undefined,
): Group {
  if (limits === undefined) return definitions;
  const limited = Object.entries(definitions as AnyDefinitions).map(([verb, entry]) => {
    const name = `${group}.${verb}`;
    return [
      verb,
      isDefinition(entry) ? limitCommand(name, entry, limits) : limitCommands(name, entry, limits),
    ];
  });
  return Object.fromEntries(limited) as Group;
}

/**
 * Refuses by default: a command needs its rights, and must say what it reads or changes. Partners share jobs and
 * companies. A caller for some partners may read those to which one of these partners has active access, and may not
 * change them.
 */
function limitCommand(name: string, definition: AnyDefinition, limits: OperatorLimits): AnyDefinition {
  const { input, run, gate: rule = NO_RULE } = definition;
  const guard = guardOf(definition);
  if (guard === null) return { ...definition, input: { ...input, check: () => refuse(name) } };
  const { partnerIds, rights } = limits;
  const need = (right: CommandRight) => assertRight(rights, right);
  return {
    ...definition,
    input: {
      ...input,
      check: (given) => {
        guard.rights(given).forEach(need);
        return input.check(given);
      },
    },
    run: async (context, given) => {
      const claims = guard.claims(given);
      if (claims.some(({ on }) => on === 'request')) await context.flush();
      const findOthers = async (read: Repositories) =>
        partnerIds === 'all' ? null : findForeign(read, partnerIds, claims);
      const foreign = await findOthers(context.read);
      if (foreign !== null) {
        if (foreign.on === 'host' || rule.neverNull === true || !name.endsWith('.find'))
          throw notFound(foreign);
        return null;
      }
      const more = (await rule.moreRight?.(context.read, given as never)) ?? null;
      if (more !== null) need(more);
      const asked = partnerIds === 'all' ? given : limitInput(rule, given);
      const result = await run(checkedAtCommit(context, findOthers), asked as never);
      const shown = hideFrom(result, rule, rights);
      if (rule.narrow === undefined || partnerIds === 'all') return shown;
      const sees: SeeCompanies = (ids) => findSeenCompanies(context.read, partnerIds, ids);
      return rule.narrow(shown as never, given as never, sees, partnerIds);
    },
  };
}

const NO_RULE: AnyGateRule = {};

/** Asks for less, in each input of a list. */
function limitInput({ limit }: AnyGateRule, given: unknown): unknown {
  if (limit === undefined) return given;
  return Array.isArray(given) ? given.map((each) => limit(each as never)) : limit(given as never);
}

/** Checks the claims of an act in its transaction too: a partner may have lost its access to a company meanwhile. */
function checkedAtCommit(
  context: CommandContext,
  findOthers: (read: Repositories) => Promise<Claim | null>,
): CommandContext {
  const checked =
    <Result>(work: (scope: Scope) => Promise<Result>) =>
    async (scope: Scope) => {
      const foreign = await findOthers(scope.tx);
      if (foreign !== null) throw notFound(foreign);
      return work(scope);
    };
  return {
    ...context,
    run: (act, work) => context.run(act, checked(work)),
    commit: (work) => context.commit(checked(work)),
  };
}

/** Hides what the rights do not cover. */
function hideFrom(result: unknown, rule: AnyGateRule, rights: readonly CommandRight[]): unknown {
  const asShown = rights.includes('endpoints:set-url') ? result : hideQueries(result);
  const masked = rule.showsCandidate === true ? asShown : maskCandidates(asShown);
  return rights.includes('candidates:read')
    ? masked
    : hidePartnerTexts(rule.hide?.(masked as never) ?? masked);
}

const NOT_FOUND: { readonly [On in Claim['on']]?: OperatorErrorCode } = {
  partner: 'PARTNER_NOT_FOUND',
  key: 'KEY_NOT_FOUND',
  application: 'APPLICATION_NOT_FOUND',
  company: 'COMPANY_NOT_FOUND',
  job: 'JOB_NOT_FOUND',
  operation: 'OPERATION_NOT_FOUND',
};

/** The same error for an object that does not exist, and for an object of another partner. */
function notFound(claim: Claim): OperatorError {
  const code = NOT_FOUND[claim.on];
  if (code === undefined || claim.on === 'host' || claim.on === 'request') {
    return new OperatorError(
      'NEEDS_ALL_PARTNERS',
      'This needs the rights for all partners. Nothing was changed.',
    );
  }
  return new OperatorError(code, `${describeMissing(claim.on, claim.id)} Nothing was changed.`);
}

function refuse(name: string): never {
  throw new OperatorError('RIGHT_MISSING', `No right covers ${name}. Nothing was changed.`);
}
