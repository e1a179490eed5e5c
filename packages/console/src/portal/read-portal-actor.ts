import {
  type Operator,
  OperatorError,
  type PartnerId,
  PORTAL_RIGHTS,
  type PortalRight,
  type PortalVisit,
} from '@partner-hiring/core';
import { ActorUnknown, within } from '../http/read-actor.js';
import type { LinkSignIn } from '../link-sign-in/link-sign-in.js';
import { isName, isPartnerId } from '../parse-actor.js';
import type { PortalActor } from './actor.js';
import type { CheckedPortalOptions } from './options.js';

/** An actor. The session of a link has a token and the maker of the link. */
export interface SignedInActor extends PortalActor {
  readonly session?: string;
  readonly madeBy?: string;
}

/**
 * Returns who sent a request: by the session of a link, or by the host's hook. Null for a stranger, and if the partner is
 * disabled or removed.
 * @throws ActorUnknown if the hook fails in any way.
 */
export async function readPortalActor(
  options: CheckedPortalOptions,
  links: LinkSignIn<PortalVisit>,
  request: Request,
  host: unknown,
): Promise<SignedInActor | null> {
  const { actor: hook, timeoutMs, operator } = options;
  const session = await links.readSession(request, host).catch((error: unknown) => {
    // The limit on failed sign-ins must not keep out a person who is signed in to the host.
    if (hook === null || !(error instanceof OperatorError && error.code === 'RATE_LIMITED')) throw error;
    return null;
  });
  if (session !== null) {
    const { partnerId, partnerName: name, rights, token, madeBy } = session;
    return { partnerId, name, rights, session: token, madeBy };
  }
  if (hook === null) return null;
  const answer: unknown = await within(timeoutMs, async () => hook(request, host));
  if (answer === null) return null;
  const actor = parsed(answer);
  return (await isEnabled(operator, actor.partnerId)) ? actor : null;
}

async function isEnabled({ partners }: Operator<unknown>, id: PartnerId): Promise<boolean> {
  const partner = await partners.find({ id });
  return partner !== null && partner.disabledAt === null;
}

const FIELDS: readonly string[] = ['partnerId', 'name', 'rights'];

/** Copies the actor and checks the copy, so that a later change cannot alter what was checked. */
function parsed(answer: unknown): PortalActor {
  const problem = (text: string) => new ActorUnknown(`The actor hook returned an actor ${text}`);
  if (typeof answer !== 'object' || answer === null) throw problem('that is neither an object nor null.');
  const { partnerId, name, rights, ...others }: Readonly<Record<string, unknown>> = { ...answer };
  const [unknown] = Reflect.ownKeys(others);
  if (unknown !== undefined) {
    throw problem(`with the unknown field ${String(unknown)}. The fields are ${FIELDS.join(', ')}.`);
  }
  if (!isPartnerId(partnerId)) throw problem('without a `partnerId`, such as ptn_…');
  if (!isName(name)) throw problem('without a `name` of 1 to 200 characters.');
  const known = Array.isArray(rights) ? rights.map(rightOf) : [null];
  if (!known.every((right) => right !== null)) {
    throw problem('whose `rights` are not a list of names of PortalRight.');
  }
  return { partnerId, name, rights: known };
}

function rightOf(given: unknown): PortalRight | null {
  return PORTAL_RIGHTS.find((right) => right === given) ?? null;
}
