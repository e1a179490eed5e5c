import type { KeyId } from '../domain/ids.js';
import { DAY_MS, type Instant, MINUTE_MS, SECOND_MS } from '../domain/time.js';
import { NetworkUnavailable } from '../errors.js';
import type { GuardedSecretBox, SecretBox } from '../ports/host-services.js';
import type { Clock } from '../ports/runtime.js';
import { DeadlinePassed, withDeadline } from './host-deadline.js';

/** How long a key service may take. A worker's lease is much longer. */
const CALL_MS = 10 * SECOND_MS;

/** Bounds the memory to a few megabytes. */
const MOST_KEYS = 10_000;
const UNUSED_MS = DAY_MS;

/** A worker tries a secret again after a minute, while events wait for it. */
const RECENT_MS = 5 * MINUTE_MS;

interface Opened {
  readonly usedAt: Instant;
  readonly secrets: Map<string, string | Promise<string>>;
}

interface Failure {
  readonly since: Instant;
  readonly at: Instant;
}

/**
 * Keeps what a key service has opened, so that each secret costs one call. Failures are not kept. Gives up calls after 10
 * seconds. While the service does not answer, only one call at a time waits for it, and all others fail at once.
 */
export function guardSecretBox(box: SecretBox, clock: Clock): GuardedSecretBox {
  const opened = new Map<KeyId, Opened>();
  const failures = new Map<KeyId, Failure>();
  let waiting = 0;
  let isHanging = false;

  async function answerOf(method: 'open' | 'seal', answer: unknown): Promise<string> {
    waiting += 1;
    try {
      const text = await withDeadline(clock, CALL_MS, Promise.resolve(answer));
      if (typeof text !== 'string' || text === '') throw new TypeError('It resolved to no text.');
      isHanging = false;
      return text;
    } catch (cause) {
      isHanging = cause instanceof DeadlinePassed;
      const problem = isHanging ? 'did not answer within 10 seconds' : 'rejected, or resolved to no text';
      throw new NetworkUnavailable(`The key service failed: \`secretBox.${method}\` ${problem}.`, { cause });
    } finally {
      waiting -= 1;
    }
  }

  function secretsOf(keyId: KeyId): Opened['secrets'] {
    const now = clock.now();
    const secrets = opened.get(keyId)?.secrets ?? new Map<string, string | Promise<string>>();
    // The longest unused key comes first.
    opened.delete(keyId);
    opened.set(keyId, { usedAt: now, secrets });
    for (const [unused, { usedAt }] of opened) {
      if (opened.size <= MOST_KEYS && now - usedAt < UNUSED_MS) break;
      opened.delete(unused);
    }
    return secrets;
  }

  function noteFailure(keyId: KeyId): void {
    const at = clock.now();
    const before = failures.get(keyId);
    failures.set(keyId, { since: isRecent(before, at) ? before.since : at, at });
  }

  function ask(sealed: string, context: Parameters<SecretBox['open']>[1]): string | Promise<string> {
    if (isHanging && waiting > 0) throw new NetworkUnavailable('The key service does not answer.');
    const answer = box.open(sealed, context);
    if (typeof answer === 'string') return answer;
    const { keyId } = context;
    const opening = answerOf('open', answer).then(
      (secret) => {
        failures.delete(keyId);
        if (opened.get(keyId)?.secrets.has(sealed)) secretsOf(keyId).set(sealed, secret);
        return secret;
      },
      (error: unknown) => {
        noteFailure(keyId);
        opened.get(keyId)?.secrets.delete(sealed);
        throw error;
      },
    );
    // Whoever asked gets the rejection, unless another secret of the endpoint failed before.
    opening.catch(() => {});
    secretsOf(keyId).set(sealed, opening);
    return opening;
  }

  return {
    get keyIds() {
      return box.keyIds;
    },
    keyIdOf: (sealed) => box.keyIdOf?.(sealed) ?? null,
    seal(secret, context) {
      const sealed = box.seal(secret, context);
      return typeof sealed === 'string' ? sealed : answerOf('seal', sealed);
    },
    open(sealed, context) {
      const { keyId } = context;
      if (opened.has(keyId)) {
        const known = secretsOf(keyId).get(sealed);
        if (known !== undefined) return known;
      }
      try {
        const secret = ask(sealed, context);
        if (typeof secret === 'string') failures.delete(keyId);
        return secret;
      } catch (error) {
        noteFailure(keyId);
        throw error;
      }
    },
    keepOnly(keyId, valid) {
      const secrets = opened.get(keyId)?.secrets;
      if (secrets === undefined) return;
      for (const sealed of secrets.keys()) if (!valid.includes(sealed)) secrets.delete(sealed);
    },
    failingSince() {
      const now = clock.now();
      const recent = [...failures.values()].filter((failure) => isRecent(failure, now));
      return recent.length === 0 ? null : Math.min(...recent.map(({ since }) => since));
    },
  };
}

function isRecent(failure: Failure | undefined, now: Instant): failure is Failure {
  return failure !== undefined && now - failure.at <= RECENT_MS;
}
