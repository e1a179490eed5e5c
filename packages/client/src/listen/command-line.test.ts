import { expect, test } from 'vitest';
import { hintAboutTypes, LISTEN_HELP, readListenLine } from './command-line.js';
import { runListen } from './run-listen.js';

const TO = ['--forward', 'http://localhost:3000/hooks'];
const ENV = {
  PARTNER_API_URL: 'https://api.example.com/v1',
  PARTNER_API_KEY: 'pek_test_k',
  WEBHOOK_SECRET: '',
};

/** Runs a line that cannot start. */
async function refused(args: readonly string[], env: Readonly<Record<string, string>> = ENV) {
  const printed: string[] = [];
  const print = (line: string) => void printed.push(line);
  const stopped = AbortSignal.abort();
  const code = await runListen({ args, env, print, printError: print, signal: stopped });
  return { code, printed: printed.join('\n') };
}

test('reads the key and the secrets from the environment', () => {
  const env = { ...ENV, WEBHOOK_SECRET: 'whsec_a, whsec_b' };
  expect(readListenLine([...TO, '--cursor', 'here.json'], env)).toEqual({
    kind: 'listen',
    settings: {
      baseUrl: ENV.PARTNER_API_URL,
      apiKey: 'pek_test_k',
      url: new URL('http://localhost:3000/hooks'),
      allowRemote: false,
      cursorPath: 'here.json',
      isRotated: false,
      isFromNow: false,
      types: [],
      skipAfter: null,
      secrets: ['whsec_a', 'whsec_b'],
    },
  });
  expect(readListenLine(TO, ENV)).toMatchObject({ settings: { secrets: [] } });
});

test('reads which events to forward', () => {
  const choices = ['--from-now', '--rotated', '--type', 'job.closed', '--type', 'x', '--skip-after', '10'];
  expect(readListenLine([...TO, ...choices], ENV)).toMatchObject({
    settings: { isRotated: true, isFromNow: true, types: ['job.closed', 'x'], skipAfter: 10 },
  });
});

test('mentions types that it does not know', () => {
  expect(hintAboutTypes(['job.opened', 'job.closed'])).toBeNull();
  expect(hintAboutTypes(['job.opened', 'job.close', 'toString'])).toBe(
    'This version does not know --type job.close, toString. It knows application.status_changed, job.opened, job.closed.',
  );
});

test.each([['--help'], ['-h'], [...TO, '--help']])('prints the help for %j', async (...args) => {
  expect(await refused(args, {})).toEqual({ code: 0, printed: LISTEN_HELP });
});

test.each([
  [[...TO, '--api-key', 'pek_test_wrongplace'], 'Do not pass the API key as an argument'],
  [[...TO, '--key=wrongplace'], 'Set PARTNER_API_KEY in the environment'],
  [[...TO, 'pek_live_wrongplace'], 'Set PARTNER_API_KEY in the environment'],
  [['--forward', 'http://localhost/?key=pek_live_wrongplace'], 'Set PARTNER_API_KEY'],
  [[...TO, '--secret', 'wrongplace'], 'Set WEBHOOK_SECRET in the environment'],
  [[...TO, 'whsec_wrongplace'], 'Set WEBHOOK_SECRET in the environment'],
])('refuses a key or secret as an argument, and does not repeat it: %j', async (args, says) => {
  const { code, printed } = await refused(args);
  expect([code, printed]).toEqual([2, expect.stringContaining(says)]);
  expect(printed).not.toContain('wrongplace');
});

test.each([
  [[], {}, '--forward is missing'],
  [TO, { PARTNER_API_URL: '' }, 'PARTNER_API_URL is missing'],
  [TO, { PARTNER_API_KEY: ' ' }, 'PARTNER_API_KEY is missing'],
  [TO, { PARTNER_API_KEY: 'pek_dev_wrongplace' }, 'PARTNER_API_KEY must be the complete key'],
  [TO, { PARTNER_API_URL: 'http://api.example.com' }, 'PARTNER_API_URL is plain http'],
  [TO, { WEBHOOK_SECRET: '"wrongplace"' }, 'without spaces and quotes'],
  [TO, { WEBHOOK_SECRET: 'whsec_a,,whsec_b' }, 'without spaces and quotes'],
  [TO, { WEBHOOK_SECRET: 'whsec_a,' }, 'without spaces and quotes'],
  [['--forward', 'http://example.com/'], {}, 'not on this machine'],
  [[...TO, '--cursor', ''], {}, '--cursor must name a file'],
  [[...TO, '--type', 'job.opened,job.closed'], {}, '--type must be one type'],
  [[...TO, '--type', ''], {}, '--type must be one type'],
  [[...TO, '--skip-after', '0'], {}, '--skip-after must be a whole number from 1'],
  [[...TO, '--skip-after=-1'], {}, '--skip-after must be a whole number from 1'],
  [[...TO, '--skip-after', '2.5'], {}, '--skip-after must be a whole number from 1'],
  [[...TO, '--skip-after'], {}, "Option '--skip-after <value>' argument missing."],
  [[...TO, '--fast'], {}, "Unknown option '--fast'. See partner-hiring-listen --help"],
  [['http://localhost/'], {}, "Unexpected argument 'http://localhost/'."],
])('refuses %j with %j: %s', async (args, env, says) => {
  const { code, printed } = await refused(args, { ...ENV, ...env });
  expect([code, printed]).toEqual([2, expect.stringContaining(says)]);
  expect(printed).not.toContain('wrongplace');
  expect(printed.split('\n')).toHaveLength(1);
});
