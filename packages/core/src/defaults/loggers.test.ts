import { afterEach, describe, expect, it, vi } from 'vitest';
import { createConsoleLogger } from './loggers.js';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('createConsoleLogger', () => {
  it('prints one line of JSON for each entry from its level on', () => {
    const printed: [string, unknown][] = [];
    for (const name of ['debug', 'info', 'warn', 'error'] as const) {
      vi.spyOn(console, name).mockImplementation((line) => void printed.push([name, line]));
    }
    const logger = createConsoleLogger();
    logger.debug({}, 'Not printed.');
    logger.info({ keyId: 'key_1', size: 12n }, 'Two\nlines');
    logger.error({ text: '\u202e\u009b31m\u001b[31m' }, 'Harmful');
    expect(printed.map(([name]) => name)).toEqual(['info', 'error']);
    const lines = printed.map(([, line]) => String(line));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        level: 'info',
        message: 'Two\nlines',
        keyId: 'key_1',
        size: '12',
      },
      { time: expect.any(String), level: 'error', message: 'Harmful', text: '\u202e\u009b31m\u001b[31m' },
    ]);
    expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });

  it.each(['debug', 'warn', 'error'] as const)('prints from the level %s on', (level) => {
    const all = ['debug', 'info', 'warn', 'error'] as const;
    const printed: string[] = [];
    for (const name of all) vi.spyOn(console, name).mockImplementation(() => void printed.push(name));
    const logger = createConsoleLogger({ level });
    for (const name of all) logger[name]({}, 'Text.');
    expect(printed).toEqual(all.slice(all.indexOf(level)));
  });

  it('refuses a level that does not exist', () => {
    expect(() => createConsoleLogger({ level: 'trace' as never })).toThrow(
      /`level` must be one of: debug, info/,
    );
  });
});
