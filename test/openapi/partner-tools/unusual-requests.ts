import { randomUUID } from 'node:crypto';

/** What a service must accept, though a stricter document would forbid it. */
const QUERIES = [
  'limit=5000',
  'updated_since=2026-11-21T10%3A15%3A30%2B0530',
  'updated_since=2026-11-21T10:15:30+01:00',
  'updated_since=2026-11-21t10%3A15%3A30.123456-05',
];

const SUBMISSION = {
  jobId: 'job_harbor_driver',
  candidate: {
    firstName: '👩‍🍳',
    lastName: "O'Neill-Ñandú",
    email: ' "ada reyes"@köln.example ',
    phone: '\u202atel:+1 775 555 0123\u202c',
  },
  consentToContact: true,
  applicationFormAnswers: { license: true },
  resumeUrl: ' https://files.ats.example/ada reyes.pdf ',
};

/** Sends requests through the proxy. Returns those that the service refused, or that the proxy complained about. */
export async function sendUnusual(url: string, apiKey: string): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const sent = [
    ...QUERIES.map((query) => [query, fetch(`${url}/applications?${query}`, { headers })] as const),
    [
      'a submission',
      fetch(`${url}/applications`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': `"${randomUUID()}"` },
        body: JSON.stringify(SUBMISSION),
      }),
    ] as const,
  ];
  const answers = await Promise.all(
    sent.map(async ([what, answering]) => {
      const answer = await answering;
      return { what, status: answer.status, text: await answer.text() };
    }),
  );
  return answers
    .filter(({ status }) => status !== 200 && status !== 201)
    .map(({ what, status, text }) => `${what}: ${status} ${text}`);
}
