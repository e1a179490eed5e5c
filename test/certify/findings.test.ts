import { readFileSync } from 'node:fs';
import { FINDINGS } from '@partner-hiring/core/probes';
import { expect, test } from 'vitest';

const GUIDE = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
const README = readFileSync(new URL('../../packages/certify/README.md', import.meta.url), 'utf8');
const HEADINGS = [...GUIDE.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);

test.each(Object.entries(FINDINGS))(
  '%s leads to a section of the guide and stands in the README',
  (code, { guide }) => {
    expect(HEADINGS).toContain(guide);
    expect(README).toContain(`\`${code}\``);
  },
);
