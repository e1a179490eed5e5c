import { Client } from 'undici';
import { describe, expect, it } from 'vitest';
import { assertUndici } from './connection.js';

describe('assertUndici', () => {
  it('accepts undici', () => {
    expect(() => assertUndici(Client)).not.toThrow();
  });

  it('rejects a replacement of undici and says where to run the worker', () => {
    class OfTheRuntime {}
    const message = expect.stringContaining('Run the worker in a Node.js process');
    expect(() => assertUndici(OfTheRuntime)).toThrow(
      expect.objectContaining({ code: 'MISCONFIGURED', message }),
    );
  });
});
