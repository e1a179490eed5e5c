import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Random tokens, each for one origin and a limited time. */
export interface Tokens {
  issue(origin: string): string;
  /** The origin of a valid token. Null for any other text. */
  originOf(token: string): string | null;
  /** Ends a token. */
  take(token: string): void;
}

interface IssuedToken {
  readonly hash: Buffer;
  readonly origin: string;
  readonly until: number;
}

const TOKEN_BYTES = 32;

/** Creates tokens in memory. Keeps only hashes, so that a dump of the memory shows no token. */
export function createTokens(lifetimeMs: number): Tokens {
  let issued: readonly IssuedToken[] = [];
  const isValid = ({ until }: IssuedToken) => until > Date.now();
  const isOf = (token: string) => {
    const hash = hashOf(token);
    return (one: IssuedToken) => timingSafeEqual(one.hash, hash);
  };
  return {
    issue: (origin) => {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      issued = [...issued.filter(isValid), { hash: hashOf(token), origin, until: Date.now() + lifetimeMs }];
      return token;
    },
    originOf: (token) => issued.filter(isValid).find(isOf(token))?.origin ?? null,
    take: (token) => {
      const isTaken = isOf(token);
      issued = issued.filter((one) => !isTaken(one));
    },
  };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
