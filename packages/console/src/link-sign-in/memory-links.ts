import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { LinkPass, LinkStore, LinkVisit } from './link-sign-in.js';

/** Links and sessions in the memory of this process. */
export interface MemoryLinks extends LinkStore<LinkVisit> {
  /** Returns the token of a new link. */
  createLink(origin: string): string;
}

type Kind = 'link' | 'session';

interface Kept extends LinkVisit {
  readonly kind: Kind;
  readonly hash: Buffer;
  readonly until: number;
}

const TOKEN_BYTES = 32;

/** Keeps only hashes of tokens, so that a dump of the memory shows no token. */
export function createMemoryLinks(lifetimesMs: Readonly<Record<Kind, number>>): MemoryLinks {
  let kept: readonly Kept[] = [];
  const add = (kind: Kind, origin: string) => {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const added = { kind, hash: hashOf(token), origin, until: Date.now() + lifetimesMs[kind] };
    kept = [...kept.filter(({ until }) => until > Date.now()), added];
    return token;
  };
  const find = (kind: Kind, { token, host }: LinkPass) => {
    const hash = hashOf(token);
    const works = (one: Kept) => one.kind === kind && one.until > Date.now();
    const isHere = ({ origin }: Kept) => new URL(origin).host === host;
    return kept.find((one) => timingSafeEqual(one.hash, hash) && works(one) && isHere(one)) ?? null;
  };
  const remove = (ended: Kept | null) => {
    kept = kept.filter((one) => one !== ended);
  };
  return {
    createLink: (origin) => add('link', origin),
    find: async ({ kind, ...pass }) => find(kind, pass),
    signIn: async (pass) => {
      // Nothing is awaited here, so of two POSTs at once only one signs in.
      const link = find('link', pass);
      remove(link);
      if (link === null) return { session: null };
      const { origin } = link;
      return { session: { origin, token: add('session', origin), expiresInMs: lifetimesMs.session } };
    },
    revoke: async (pass) => remove(find('session', pass)),
  };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
