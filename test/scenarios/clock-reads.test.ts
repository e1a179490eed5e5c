/** How often a replica asks its storage for the time. */
import { randomUUID } from 'node:crypto';
import type { Repositories, TimeRepository } from '@partner-hiring/core/ports';
import { settle } from '@partner-hiring/test-support/clock';
import { BASE_PATH, submission } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../packages/core/src/domain/time.js';
import { openSkewedReplicas } from './skewed-replicas.js';

const stage = perTest(openSkewedReplicas, ({ close }) => close());

describe('reading the storage’s time', () => {
  /** A replica a day ahead, and how often it has asked for the time and nothing else. */
  async function countingReplica() {
    const storage = await stage.database.open(stage.clock);
    let reads = 0;
    const counted = ({ time }: Repositories): TimeRepository => ({
      now: () => {
        reads += 1;
        return time.now();
      },
    });
    const { direct, transaction } = storage;
    const counting: typeof storage = {
      ...storage,
      direct: { ...direct, time: counted(direct) },
      transaction: (work) => transaction((tx) => work({ ...tx, time: counted(tx) })),
    };
    return { fixture: await stage.replica(DAY_MS, { storage: counting }), reads: () => reads };
  }

  it('takes requests no statement of its own: the time comes with the secret', async () => {
    const { fixture, reads } = await countingReplica();
    for (let round = 0; round < 3; round += 1) {
      await stage.clock.advance(HOUR_MS);
      expect((await stage.submit(fixture)).json.createdAt).toBe(new Date(stage.clock.now()).toISOString());
      expect((await stage.get(fixture, '/applications')).status).toBe(200);
    }
    expect(reads()).toBe(0);
  });

  it('takes commands one statement a second, however many there are', async () => {
    const { fixture, reads } = await countingReplica();
    const { companies, access, keys } = fixture.operator;
    const target = { keyId: stage.partner.keyId, companyId: stage.employer.companyId };
    for (let second = 1; second <= 3; second += 1) {
      await companies.create({ name: 'Globex', environment: 'production' });
      await access.raiseLimit(target);
      await keys.find({ id: stage.partner.keyId });
      await keys.list();
      expect(reads()).toBe(second);
      await stage.clock.advance(SECOND_MS);
    }
  });

  it('is done again for a body that comes long after its head', async () => {
    const { fixture, reads } = await countingReplica();
    let send: (bytes: Uint8Array) => void = () => {};
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        send = (bytes) => {
          controller.enqueue(bytes);
          controller.close();
        };
      },
    });
    const reply = fixture.partnerHiring.fetch(
      new Request(`http://api.test${BASE_PATH}/applications`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${stage.partner.secret}`,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        body,
        duplex: 'half',
      }),
    );
    await settle();
    await stage.clock.advance(20 * SECOND_MS);
    send(Buffer.from(JSON.stringify(submission(stage.employer.jobId))));
    expect((await reply).status).toBe(201);
    expect(reads()).toBe(1);
  });
});
