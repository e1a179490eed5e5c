import { expect, it } from 'vitest';
import { createPartnerDocs } from './create-partner-docs.js';

const ORIGIN = 'https://jobs.example.org';

const answerOf = (webhookSenders?: readonly string[]) => {
  const page = createPartnerDocs({ origin: ORIGIN, webhookSenders }).pages.find(
    ({ path }) => path === 'questions.md',
  );
  const [, answer] =
    /### Which addresses does the service send from\?\n\n(.*?)\n\n###/s.exec(page?.text ?? '') ?? [];
  return { answer, html: page?.html?.text ?? '' };
};

it('prints the addresses for the firewalls of partners', () => {
  const { answer, html } = answerOf(['203.0.113.7', '198.51.100.0/24', '2001:db8::/64', '::1']);
  expect(answer).toMatch(
    /^Our webhooks come from these addresses:\n\n- `203\.0\.113\.7`\n- `198\.51\.100\.0\/24`\n- `2001:db8::\/64`\n- `::1`\n\nWebhooks have/,
  );
  for (const sender of ['203.0.113.7', '2001:db8::/64'])
    expect(html).toContain(`<li><code>${sender}</code></li>`);
});

it.each([undefined, []])('says that the operator knows them if the host has not set them: %j', (senders) => {
  const { answer } = answerOf(senders);
  expect(answer).toMatch(/^The operator knows them\. Webhooks have/);
  expect(answer).not.toContain('come from');
});

it.each([
  '',
  'hooks.example.org',
  '203.0.113',
  '203.0.113.256',
  '203.0.113.0/33',
  '203.0.113.0/',
  '203.0.113.0/024',
  '203.0.113.0/-1',
  '203.0.113.1-203.0.113.9',
  '2001:db8::/129',
  '2001:db8::%eth0',
  '[2001:db8::1]',
  ' 203.0.113.7',
  '203.0.113.7\n- `evil`',
  7,
  null,
])('refuses %j, with the fix', (sender) => {
  expect(() => answerOf(['203.0.113.7', sender as string])).toThrow(
    'createPartnerDocs: `webhookSenders` must be a list of IP addresses and networks, such as ["203.0.113.7", "2001:db8::/64"], ' +
      `but has ${JSON.stringify(sender)}.`,
  );
});

it('refuses a text instead of a list', () => {
  expect(() => answerOf('203.0.113.7' as unknown as string[])).toThrow('must be a list of IP addresses');
});
