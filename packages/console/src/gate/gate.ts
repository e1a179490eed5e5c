import {
  type ApplicationId,
  type ApplicationRecord,
  type CommandName,
  callCommand,
  type Endpoint,
  hideQuery,
  type InputOf,
  maskApplication,
  type Operator,
  type ResultOf,
} from '@partner-hiring/core';
import type { ConsoleActor } from '../actor.js';
import type { ConsoleRight } from '../rights.js';
import { isClaimOf } from './check-claim.js';
import { GATE } from './gate-table.js';
import { hidePartnerTexts } from './hide-partner-texts.js';
import type { SeeCompanies } from './narrow.js';
import { NothingHere, RightMissing } from './refusals.js';
import { findSeenCompanies } from './seen-companies.js';

/** More applications than a person has. */
const MOST_OF_A_PERSON = 1_000;

/** A command for all applications of a person. */
export type PersonCommand = 'candidates.list' | 'candidates.export' | 'candidates.erase';

/** A person, by one of their applications. */
export interface Person {
  readonly id: ApplicationId;
  readonly by: 'email' | 'phone';
}

/** The operator's commands, as far as the rights of an actor go. Screens call nothing else. */
export interface Gate {
  readonly actor: ConsoleActor;
  may(right: ConsoleRight): boolean;
  /** Checks a right before anything is read. @throws RightMissing */
  require(right: ConsoleRight): void;
  /**
   * Calls a command for everybody with the e-mail address or the phone number of an application. The caller does not
   * see the address or the number.
   * @throws NothingHere for an unknown application, for an erased one, and for an actor for some partners.
   */
  callForPerson<Name extends PersonCommand>(name: Name, person: Person): Promise<ResultOf<Name>>;
  /** Whether the rights include those that a command needs for an input. Says nothing about the objects. */
  mayCall<Name extends CommandName>(name: Name, input: InputOf<Name>): boolean;
  /** Whether the actor's rights cover all partners. */
  readonly isForAllPartners: boolean;
  /**
   * Calls a command as the actor. Candidates in the result are masked. Without the right `candidates:read`, answers of
   * receivers and the partners' own ids are hidden too. Without `endpoints:set-url`, the queries of endpoints' URLs are hidden.
   * @throws RightMissing, NothingHere for an object of another partner, or an error of the command.
   */
  call<Name extends CommandName>(name: Name, input: InputOf<Name>): Promise<ResultOf<Name>>;
}

/**
 * Opens the gate for an actor.
 * @param reason - why the actor acts, for the audit. Null for no reason.
 */
export function createGate(operator: Operator<unknown>, actor: ConsoleActor, reason: string | null): Gate {
  const { id, name, rights, partnerIds } = actor;
  const acting = operator.through('console').as({ id, name, reason: reason ?? undefined });
  const may = (right: ConsoleRight) => rights.includes(right);
  const require = (right: ConsoleRight) => {
    if (!may(right)) throw new RightMissing(right);
  };

  const gate: Gate = {
    actor,
    may,
    require,
    callForPerson: async (command, { id, by }) => {
      if (partnerIds !== 'all') throw new NothingHere();
      GATE.get(command)?.rights({}).forEach(require);
      const found = await operator.applications.find({ id });
      if (found === null || found.erasedAt !== null) throw new NothingHere();
      const { email, phone } = found.candidate;
      const target = by === 'email' ? { email } : { phone };
      const more = command === 'candidates.list' ? { limit: MOST_OF_A_PERSON } : {};
      return gate.call(command, { ...target, ...more } as InputOf<typeof command>);
    },
    mayCall: (command, input) => GATE.get(command)?.rights(input).every(may) ?? false,
    isForAllPartners: partnerIds === 'all',
    call: async <Name extends CommandName>(command: Name, input: InputOf<Name>) => {
      const rule = GATE.get(command);
      if (rule === undefined)
        throw new Error(`The console must not call ${command}: its definition has no right.`);
      rule.rights(input).forEach(require);
      if (partnerIds !== 'all') {
        for (const claim of rule.claims(input)) {
          if (!(await isClaimOf(operator, partnerIds, claim))) throw new NothingHere();
        }
      }
      const more = (await rule.moreRight?.(operator, input)) ?? null;
      if (more !== null) require(more);
      const isLimited = partnerIds !== 'all' && rule.limit !== undefined;
      const asked = isLimited ? (rule.limit(input) as InputOf<Name>) : input;
      const result = await callCommand(acting, command, asked);
      const asShown = may('endpoints:set-url') ? result : hideQueries(result);
      const masked = rule.showsCandidate === true ? asShown : maskCandidates(asShown);
      const shown = may('candidates:read') ? masked : hidePartnerTexts(rule.hide?.(masked) ?? masked);
      if (rule.narrow === undefined || partnerIds === 'all') return shown as ResultOf<Name>;
      const sees: SeeCompanies = (companyIds) => findSeenCompanies(operator, partnerIds, companyIds);
      return (await rule.narrow(shown, input, sees)) as ResultOf<Name>;
    },
  };
  return gate;
}

/**
 * Masks each candidate in a result: an application, a page of applications, the result of a change to an
 * application, or of a search.
 */
function maskCandidates(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(maskCandidates);
  if (typeof result !== 'object' || result === null) return result;
  if (isApplication(result)) return maskApplication(result);
  if ('items' in result) return { ...result, items: maskCandidates(result.items) };
  if ('application' in result) return { ...result, application: maskCandidates(result.application) };
  if ('people' in result && 'applications' in result) {
    const { people, applications } = result;
    return { ...result, people: maskCandidates(people), applications: maskCandidates(applications) };
  }
  return result;
}

function isApplication(value: object): value is ApplicationRecord {
  return 'candidate' in value && 'answers' in value && 'resume' in value;
}

/** Hides the query of the URL of each endpoint, wherever a result has one. */
function hideQueries(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideQueries);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, hideQueries(field)]));
  return 'replacedUrl' in value ? hideQuery(fields as Pick<Endpoint, 'url' | 'replacedUrl'>) : fields;
}
