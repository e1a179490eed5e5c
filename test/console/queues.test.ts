/** What waits for somebody, over all partners. */
import { afterAll, describe, expect, it } from 'vitest';
import { ADMIN, openPlatform, PERSONAL, visit } from './platform.js';

const platform = await openPlatform();
afterAll(() => platform.close());

async function read(path: string, partnerIds: typeof ADMIN.partnerIds = 'all'): Promise<string> {
  const visitor = visit(platform.fixture);
  visitor.become({ ...ADMIN, partnerIds });
  return (await visitor.get(`/console${path}`)).text;
}

describe('the queues', () => {
  it('say how much waits, and link to lists whose filter is in the address', async () => {
    const text = await read('/queues');
    for (const href of ['unchanged?days=14', 'resumes', 'parked', 'failing', 'paused'])
      expect(text).toContain(`href="/console/queues/${href}"`);
    expect(text).toContain('href="/console/deliveries?state=dead"');
    expect(text).toMatch(/Applications unchanged for 14 days[\s\S]{0,200}>2</);
    expect(text).toMatch(/Paused endpoints[\s\S]{0,200}>1</);
  });

  it('list unchanged applications by status, with their age, masked', async () => {
    const { alan, linus } = platform;
    const all = await read('/queues/unchanged?days=1');
    expect(all.indexOf(alan)).toBeLessThan(all.indexOf(linus));
    expect(all).toMatch(/\d+ days/);
    const received = await read('/queues/unchanged?days=1&status=received');
    expect(received).toContain(alan);
    expect(received).not.toContain(linus);
    expect(await read('/queues/unchanged?days=3000')).toContain('for 3000 days without a change');
    for (const personal of PERSONAL) expect(all).not.toContain(personal);
  });

  it('tell an empty list from a filter that matches nothing', async () => {
    expect(await read('/operations')).toContain('There is no operation yet.');
    expect(await read('/operations?state=failed')).toContain('No operation is in this state.');
  });

  it('refuse days that are no number', async () => {
    const { status, text } = await visit(platform.fixture).get('/console/queues/unchanged?days=soon');
    expect(status).toBe(400);
    expect(text).toContain('Enter a number of days from 0 to 3650.');
  });

  it('list failed résumés with the reason, and failing and paused endpoints', async () => {
    const { alan, hooli, acme } = platform;
    const resumes = await read('/queues/resumes');
    expect(resumes).toContain(alan);
    expect(resumes).toContain('too large');
    for (const queue of ['failing', 'paused']) {
      const text = await read(`/queues/${queue}`);
      expect(text).toContain(`/console/endpoints/${hooli.keyId}`);
      expect(text).not.toContain(acme.keyId);
    }
    expect(await read('/queues/parked')).toContain('Nothing is parked');
  });

  it('show somebody for one partner only what belongs to it', async () => {
    const { globex, hooli, alan, linus } = platform;
    for (const list of ['unchanged?days=0', 'resumes', 'parked', 'failing', 'paused']) {
      const text = await read(`/queues/${list}`, [globex.partnerId]);
      for (const foreign of [alan, linus, hooli.keyId, 'Hooli']) expect(text).not.toContain(foreign);
    }
    const index = await read('/queues', [globex.partnerId]);
    expect(index).not.toContain('Applications unchanged');
    expect(index).toMatch(/Paused endpoints[\s\S]{0,200}>0</);
    expect(await read('/queues/paused', [hooli.partnerId])).toContain(hooli.keyId);
  });
});
