/**
 * Somebody with rights on one partner tries ids of others: nothing is read, nothing is written. Somebody who may not see
 * candidates searches for them: every result is masked.
 */
import type { ApplicationId, EventId, KeyId, PartnerId } from '@partner-hiring/core';
import { afterAll, expect, it } from 'vitest';
import { SEARCHED_KINDS } from '../../packages/console/src/features/search/found-groups.js';
import { createGate, type Gate } from '../../packages/console/src/gate/gate.js';
import { mustFind, NothingHere } from '../../packages/console/src/gate/refusals.js';
import { isAsUnknown } from '../scenarios/operator/for-all-partners.js';
import { ADMIN, openPlatform, PERSONAL } from './platform.js';

/** On PostgreSQL, where a try takes ten times as long, all of them run with `FULL=1`. */
const TRIES = process.env.STORAGE === 'postgres' && process.env.FULL !== '1' ? 1_000 : 10_000;
/** With `FULL=1`, 10,000. */
const SEARCHES = process.env.FULL === '1' ? 10_000 : 1_000;
const AT_ONCE = 100;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const PREFIX = /^(?:ej_app_|key_|evt_|ptn_)/;

const platform = await openPlatform();
afterAll(() => platform.close());

/** Returns the id itself every fifth time, otherwise with one character changed. */
function changed<Id extends string>(id: Id, index: number): Id {
  if (index % 5 === 0) return id;
  const start = PREFIX.exec(id)?.[0].length ?? 0;
  const at = start + (index % (id.length - start));
  return `${id.slice(0, at)}${LETTERS[index % LETTERS.length] ?? 'x'}${id.slice(at + 1)}` as Id;
}

type Try = (
  gate: Gate,
  ids: {
    readonly id: ApplicationId;
    readonly keyId: KeyId;
    readonly eventId: EventId;
    readonly partnerId: PartnerId;
  },
) => Promise<unknown>;

const ALL: readonly Try[] = [
  (gate, { id }) => mustFind(gate.call('applications.find', { id })),
  (gate, { id }) => gate.call('timelines.find', { applicationId: id }),
  (gate, { id }) => gate.call('candidates.reveal', { applicationId: id }),
  (gate, { id }) => gate.call('candidates.erase', { applicationId: id }),
  (gate, { id }) => gate.call('applications.move', { id, stage: 'final_review' }),
  (gate, { keyId, eventId }) => gate.call('deliveries.resend', { keyId, eventIds: [eventId] }),
  (gate, { keyId }) => gate.call('endpoints.resume', { keyId, retryNow: true }),
  (gate, { keyId }) => gate.call('keys.rotate', { id: keyId }),
  (gate, { id }) => gate.call('audit.list', { object: { kind: 'application', id } }),
  (gate, { id }) => gate.call('system.search', { text: id }),
  ...(['id', 'keyId', 'eventId'] as const).map(
    (name): Try =>
      (gate, ids) =>
        findNothing(gate, ids[name]),
  ),
  ...['Grace Hopper', 'hopper', 'GRACE@example.org', '+14155550124', 'Hooli', 'Turing, Alan'].map(
    (text): Try =>
      (gate) =>
        findNothing(gate, text),
  ),
  (gate, { partnerId }) => mustFind(gate.call('partners.find', { id: partnerId, health: true })),
  (gate, { partnerId }) => gate.call('audit.recordExport', { list: 'jobs', partnerIds: [partnerId] }),
  (gate) => gate.call('applications.list', { unchangedSince: Date.now() }),
  (gate) => gate.call('applications.list', { onlyFailedResumes: true }),
  (gate) => gate.call('endpoints.list', { onlyPaused: true }),
];

/** Searches among the partners of the actor. An empty result counts as a refusal. */
async function findNothing(gate: Gate, text: string): Promise<unknown> {
  const { partnerIds } = gate.actor;
  const found = await gate.call('system.search', {
    text,
    partnerIds: partnerIds === 'all' ? undefined : partnerIds,
  });
  if (Object.values(found).every((rows) => rows.length === 0)) throw new NothingHere();
  return found;
}

it('finds nothing and writes nothing with 10,000 changed ids and searches', {
  timeout: 300_000,
}, async () => {
  const { fixture, globex, hooli, grace } = platform;
  const {
    items: [event],
  } = await fixture.operator.deliveries.list({ applicationId: grace });
  if (event === undefined) throw new Error('The decision has no event.');
  const gate = createGate(fixture.operator, { ...ADMIN, partnerIds: [globex.partnerId] }, null);
  const known = (await fixture.operator.audit.list({ limit: 1_000 })).items.length;
  let refused = 0;
  for (let from = 0; from < TRIES; from += AT_ONCE) {
    const tries = Array.from({ length: AT_ONCE }, async (_, offset) => {
      const index = from + offset;
      const ids = {
        id: changed(grace, index),
        keyId: changed(hooli.keyId, index),
        eventId: changed(event.eventId, index),
        partnerId: changed(hooli.partnerId, index),
      };
      const attempt = ALL[index % ALL.length];
      await expect(attempt?.(gate, ids)).rejects.toSatisfy(
        (error) => error instanceof NothingHere || isAsUnknown(error),
      );
      refused += 1;
    });
    await Promise.all(tries);
  }
  expect(refused).toBe(TRIES);
  expect((await fixture.operator.audit.list({ limit: 1_000 })).items.length).toBe(known);
});

/** Searches that find something, and their beginnings. Each is changed by case, order and blanks. */
const SEARCHED = ['Lovelace', 'Grace Hopper', 'Alan Turing', ...PERSONAL] as const;

function variantOf(index: number): string {
  const text = SEARCHED[index % SEARCHED.length] ?? '';
  const end = index % 3 === 0 ? text.length : 2 + (index % text.length);
  const cut = text.slice(0, end);
  const turned = index % 5 === 0 ? cut.split(' ').toReversed().join(' ') : cut;
  return index % 2 === 0 ? turned.toUpperCase() : ` ${turned} `;
}

it('masks every result of a search, for all partners, for one, and without the right to see candidates', {
  timeout: 300_000,
}, async () => {
  const { fixture, hooli } = platform;
  const rights = ADMIN.rights.filter((right) => right !== 'candidates:read');
  const actors = [ADMIN, { ...ADMIN, partnerIds: [hooli.partnerId] }, { ...ADMIN, rights }];
  const searchers = actors.map((actor) => {
    const gate = createGate(fixture.operator, actor, null);
    const partnerIds = actor.partnerIds === 'all' ? undefined : actor.partnerIds;
    return (text: string) => {
      const kinds = SEARCHED_KINDS.filter((kind) => gate.mayCall('system.search', { text, kinds: [kind] }));
      return gate.call('system.search', { text, kinds, partnerIds });
    };
  });
  /** The searches whose result has personal data. */
  const leaks: string[] = [];
  let found = 0;
  for (let from = 0; from < SEARCHES; from += AT_ONCE) {
    const tries = Array.from({ length: AT_ONCE }, async (_, offset) => {
      const text = variantOf(from + offset);
      const result = await searchers[(from + offset) % searchers.length]?.(text);
      const shown = JSON.stringify(result);
      if (PERSONAL.some((personal) => shown.includes(personal))) leaks.push(text);
      if ((result?.applications.length ?? 0) + (result?.people.length ?? 0) > 0) found += 1;
    });
    await Promise.all(tries);
  }
  expect(leaks).toEqual([]);
  expect(found).toBeGreaterThan(SEARCHES / 20);
});
