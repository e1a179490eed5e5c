/** Totals on the command line. */
import { expect, test } from 'vitest';
import { openServer } from './open-server.js';

test('totals prints the figures of a month by partner, and why a key misses jobs', async () => {
  const { partnerHiring, cli, json } = await openServer();
  const { partners, companies } = partnerHiring.operator;
  const { id: companyId } = await companies.create({ name: 'Bistro Nord', environment: 'production' });
  const create = async (name: string, companyIds: readonly (typeof companyId)[]) => {
    const { id, keys } = await partners.create({ name, keys: [{ environment: 'production', companyIds }] });
    return { id, keyId: keys[0]?.key.id ?? 'key_none' };
  };
  const acme = await create('Acme ATS', [companyId]);
  const beta = await create('Beta ATS', []);
  await json('jobs', 'publish', companyId, 'Line Cook', '--city', 'Reno', '--state', 'NV');
  await partnerHiring.worker.drain();

  const month = new Date().toISOString().slice(0, '2026-11'.length);
  const { stdout } = await cli('totals', 'list', '--from', month);
  const figures = 'all +1 +0 +0 +0 +- +0 +0 +20.*Z +20.*Z';
  expect(stdout).toMatch(new RegExp(`^${month} +Acme ATS \\(${acme.id}\\) +${figures}$`, 'm'));
  const { items } = (await json('totals', '--by', 'company')) as { readonly items: readonly unknown[] };
  expect(items).toMatchObject([{ companyId, companyName: 'Bistro Nord', shown: 1, refused: null }]);
  const { stdout: all } = await cli('totals', 'list', '--to', month);
  expect(all).toMatch(new RegExp(`^20\\d\\d-\\d\\d to ${month} +Acme ATS`, 'm'));
  expect((await cli('totals', 'list', '--to', '2026-13')).stderr).toContain('a month, such as 2026-11');

  const missing = (await cli('totals', 'missing', beta.keyId, acme.keyId)).stdout;
  expect(missing).toMatch(/Line Cook +Bistro Nord \(co_\w+\) +no access +-$/m);
  expect((await cli('totals', 'missing', acme.keyId, beta.keyId)).stdout).toContain(
    'The key sees each job that the other key sees.',
  );
});
