import { describe, expect, test } from 'vitest';
import { STAGE_LABELS } from '../../domain/application.js';
import { readSandboxAddress, SANDBOX_ADDRESSES, type SandboxScript } from './address-rules.js';

const scripts = Object.entries<SandboxScript>(SANDBOX_ADDRESSES);

test('each stage has an address that gets stuck in it, named by its label', () => {
  const labels = Object.entries(STAGE_LABELS).filter(([stage]) => stage !== 'hired' && stage !== 'closed');
  for (const [stage, label] of labels) {
    const name = `stuck-in-${label.toLowerCase().replaceAll(' ', '-')}`;
    const script = readSandboxAddress(`${name}@sandbox.example`);
    const moves = script !== null && script !== 'unknown' && script.kind === 'moves' ? script.moves : null;
    expect(moves?.at(-1), name).toEqual(
      stage === 'initial_outreach' ? undefined : { to: 'in_progress', stage },
    );
  }
});

describe('an address', () => {
  test.each(scripts)('%s works with or without a tag, in any letter case', (name, script) => {
    expect(readSandboxAddress(`${name}@sandbox.example`)).toEqual(script);
    expect(readSandboxAddress(`${name}+ada.reyes+2@sandbox.example`)).toEqual(script);
    expect(readSandboxAddress(`${name}@SANDBOX.example`.toUpperCase())).toEqual(script);
  });

  test.each(['ada', 'acepted', 'constructor', '__proto__', '', '+accepted'])('%s is unknown', (name) => {
    expect(readSandboxAddress(`${name}@sandbox.example`)).toBe('unknown');
  });

  test.each([
    'accepted@example.com',
    'accepted@sandbox.example.com',
    'accepted@my-sandbox.example',
    'accepted@sandboxXexample',
    'sandbox.example',
    '',
  ])('%s is not magic', (email) => {
    expect(readSandboxAddress(email)).toBeNull();
  });
});
