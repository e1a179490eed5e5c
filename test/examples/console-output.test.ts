import { readdirSync, readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import {
  consoleAlerts,
  consoleLogger,
  harmlessLines,
  print,
  printError,
  printLine,
} from '../../examples/server/console-output.js';
import { laterWelcome } from '../../examples/server/welcome.js';

test('the lines of the library steer no terminal', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  const text = '\u001b[2J\u009b2J\u202e';
  consoleLogger.warn({ text }, 'A warning.');
  consoleLogger.error({ err: { name: 'Error', message: text } }, 'An error.');
  await consoleAlerts.alert({
    id: 'alr_1',
    kind: 'endpoint_paused',
    origin: 'https://ats.example',
    partnerId: 'ptn_1',
    partnerName: 'Acme ATS',
    environment: 'production',
    keyId: `key_${text}`,
    reason: 'gone',
    at: 0,
    message: {
      to: { name: `Robin ${text}`, address: 'robin@ats.example' },
      subject: 'We have stopped sending',
      text: `Hello,\n\nAt 09:00, we stopped.${text}\n`,
      link: null,
    },
  });
  expect(said).toHaveBeenCalledTimes(6);
  const lines = said.mock.calls.map(([line]) => String(line));
  expect(lines[2]).not.toContain('robin@ats.example');
  expect(lines[3]).toMatch(/mail +to Robin .* <robin@ats\.example>: We have stopped sending/);
  expect(lines[5]).toContain('At 09:00, we stopped.');
  for (const [line] of said.mock.calls) expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
});

const POISON = '\u001b[2J\u001b]0;owned\u0007\u009b2J\r\nFORGED\u202e\u2066\u007f';
const HARMFUL = /(?!\n)[\p{Cc}\p{Bidi_Control}]/u;

test('no line that the examples print steers the terminal', () => {
  const said = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')].map((spy) =>
    spy.mockImplementation(() => {}),
  );
  print(`Two\nlines ${POISON}`);
  printError(`A line ${POISON}`);
  printError(new Error(POISON));
  printLine('api', `GET /${POISON}`);
  const texts = said.flatMap(({ mock }) => mock.calls.map(([text]) => String(text)));
  expect(texts).toHaveLength(4);
  for (const text of texts) expect(text).not.toMatch(HARMFUL);
  expect(texts[0]).toContain('Two\nlines');
  expect(texts.find((text) => text.includes('GET'))).not.toContain('\n');
});

test('the welcome shows a stored URL on one line', () => {
  const endpoint = { keyId: 'key_1', url: `https://ats.example/${POISON}`, state: { kind: 'active' } };
  const key = { key: { id: 'key_1', environment: 'production' } };
  const addresses = {
    baseUrl: 'http://127.0.0.1:3000/api',
    referenceUrl: 'http://127.0.0.1:3000/reference',
    consoleUrl: null,
    portalUrl: 'http://127.0.0.1:3000/portal/x',
  };
  const text = laterWelcome(addresses, [key] as never, [endpoint] as never, null);
  expect(harmlessLines(text)).toMatch(/^ {2}production +key_1 {2}webhooks to .*FORGED/m);
});

test('colors stay on a terminal, and other escape sequences do not', async () => {
  const { isTTY } = process.stdout;
  process.stdout.isTTY = true;
  vi.stubEnv('NO_COLOR', '');
  vi.resetModules();
  try {
    const { coloured, harmlessLines: clean } = await import('../../examples/server/console-output.js');
    expect(clean(coloured('red', `a${POISON}`))).toBe(coloured('red', `a${harmlessLines(POISON)}`));
  } finally {
    process.stdout.isTTY = isTTY;
    vi.unstubAllEnvs();
  }
});

/** Whole programs of their own, which print no text of others, and the file with the functions. */
const WITHOUT = /^examples\/(?:next|existing-platform|minimal\.ts|server\/console-output\.ts)/;

test('the examples print only with these functions', () => {
  const files = readdirSync('examples', { recursive: true, encoding: 'utf8' })
    .map((file) => `examples/${file}`)
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules') && !WITHOUT.test(file));
  expect(files.length).toBeGreaterThan(50);
  const direct = files.filter((file) =>
    /\bconsole\.\w+\(|std(?:out|err)\.write\(/.test(readFileSync(file, 'utf8')),
  );
  expect(direct).toEqual([]);
});
