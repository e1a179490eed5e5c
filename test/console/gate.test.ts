/** The console calls commands through a limited operator. `limited-to.test.ts` has the rules of each command. */
import { expect, it } from 'vitest';
import { createGate } from '../../packages/console/src/gate/gate.js';
import { ADMIN, openPlatform } from './platform.js';

it('acts as the actor, through the console, with the reason', async () => {
  const { fixture, acme } = await openPlatform();
  const gate = createGate(fixture.operator, { ...ADMIN, id: 'user_7', name: 'Kim' }, 'ticket 815');
  await gate.call('partners.update', { id: acme.partnerId, name: 'Renamed' });
  const { items: entries } = await fixture.operator.audit.list({ actorId: 'user_7', limit: 1 });
  const actor = { id: 'user_7', name: 'Kim', reason: 'ticket 815', door: 'console' };
  expect(entries).toMatchObject([{ act: 'partners.update', actor }]);
  await fixture.close();
});
