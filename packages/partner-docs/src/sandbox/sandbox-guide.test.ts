import { describe, expect, it } from 'vitest';
import { sandboxMarkdown, sandboxPage } from './sandbox-guide.js';

const BASE_URL = 'https://hiring.test/api/v1/external';
const KEY = `pek_test_${'aZ-_9'.repeat(8)}`;

/** The first commands of the guide. */
function commandsOf(markdown: string): string {
  return /```sh\n(.*?)```/s.exec(markdown)?.[1] ?? '';
}

describe('the commands', () => {
  it('begin with the address and the key', () => {
    const markdown = sandboxMarkdown({ baseUrl: `${BASE_URL}/`, apiKey: KEY });
    expect(commandsOf(markdown)).toMatch(`BASE=${BASE_URL}\nKEY=${KEY}\nAUTH=`);
    expect(markdown).toContain('\n\nHire a candidate:\n\n');
    expect(sandboxPage({ baseUrl: BASE_URL, apiKey: KEY })).toContain(`<code>BASE=${BASE_URL}\nKEY=${KEY}\n`);
  });

  it('are on a page that leads to the documentation and the support of the host', () => {
    const docsUrl = 'https://hiring.example.com/partner-docs';
    const page = sandboxPage({ docsUrl, support: { email: 'partners@example.com' } });
    expect(page).toContain(`<a href="${docsUrl}">All documentation</a>`);
    expect(page).toContain('<a href="mailto:partners@example.com">');
    expect(() => sandboxPage({ docsUrl: 'javascript:alert(1)' })).toThrow('`docsUrl` must be the URL');
  });

  it('show `GET /events` only if the service has it', () => {
    const markdown = sandboxMarkdown({ selfService: { events: true } });
    expect(markdown).toContain("curl -sw '\\n' \"$BASE/events?type=");
    expect(markdown).toContain('npx partner-hiring-listen --forward http://localhost:4000/webhooks\n');
    expect(sandboxMarkdown()).not.toContain('events?');
  });

  it.each([
    [{}, 'Set `BASE` to the address of the API and `KEY` to your sandbox key. Then hire a candidate:'],
    [{ baseUrl: BASE_URL }, 'Set `KEY` to your sandbox key. Then hire a candidate:'],
    [{ apiKey: KEY }, 'Set `BASE` to the address of the API. Then hire a candidate:'],
  ])('ask for what %j lacks', (options, text) => {
    expect(sandboxMarkdown(options)).toContain(`\n\n${text}\n\n`);
  });
});

describe('refuses', () => {
  it.each([
    { baseUrl: 'hiring.test' },
    { baseUrl: 'ftp://hiring.test' },
    { baseUrl: 'https://hiring.test/$(reboot)' },
    { baseUrl: 'https://hiring.test/;reboot' },
  ])('%j', (options) => {
    expect(() => sandboxPage(options)).toThrow('`baseUrl` must be the URL of the API with its base path');
  });

  it.each(['pek_live_abc', 'pek_test_', 'pek_test_a;reboot', 'pek_test_a\nreboot'])(
    'the key %j',
    (apiKey) => {
      expect(() => sandboxPage({ apiKey })).toThrow('`apiKey` must be a sandbox key');
    },
  );
});
