import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { BASE_PATH, createPartner, type Partner } from '@partner-hiring/test-support/partner';
import { countTurns } from '@partner-hiring/test-support/turns';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { partnerHiringFastify } from '../../../packages/fastify/src/index.js';
import { PICKER } from './stage.js';

/** Enough for many turns of the event loop, and still quick. */
const COMMANDS = 60;

describe('commands awaited in a loop', () => {
  let fixture: Fixture;
  let partner: Partner;
  let companyId: `co_${string}`;
  beforeAll(async () => {
    fixture = await createFixture();
    partner = await createPartner(fixture);
    ({ id: companyId } = await fixture.operator.companies.create({
      name: 'Warehouse Inc',
      environment: 'production',
    }));
    await fixture.operator.access.grant({ keyId: partner.keyId, companyId });
  });
  afterAll(() => fixture.close());

  async function repeat(command: () => Promise<unknown>): Promise<void> {
    for (let count = 0; count < COMMANDS; count += 1) await command();
  }

  it.each<[string, () => Promise<unknown>]>([
    ['write', () => fixture.operator.jobs.publish({ ...PICKER, companyId })],
    ['read', () => fixture.operator.companies.find({ id: companyId })],
    ['fail', () => fixture.operator.jobs.close({ id: 'job_none' }).catch(() => {})],
  ])('let the event loop turn when they %s, even on a synchronous database', async (_what, command) => {
    const turns = countTurns();
    await repeat(command);
    expect(turns.end()).toBeGreaterThanOrEqual(COMMANDS / 2 - 1);
  });

  it('let a request complete before the loop ends', async () => {
    const app = Fastify();
    await app.register(partnerHiringFastify(fixture.partnerHiring));
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const order: string[] = [];
    const request = fetch(`${address}${BASE_PATH}/jobs`, {
      headers: { authorization: `Bearer ${partner.secret}` },
    }).then((response) => order.push(`answered ${response.status}`));
    await repeat(() => fixture.operator.jobs.publish({ ...PICKER, companyId }));
    order.push('ended');
    await request;
    await app.close();
    expect(order).toEqual(['answered 200', 'ended']);
  });
});
