import { Client } from 'undici';
import { describe, expect, it } from 'vitest';
import { assertUndici } from './connection.js';

describe('what sends requests', () => {
  it('is undici', () => {
    expect(() => assertUndici(Client)).not.toThrow();
  });

  it('is nothing that a runtime has in the place of undici: the message says where the worker runs', () => {
    class OfTheRuntime {}
    const message = expect.stringContaining('Start the worker in a process of Node');
    expect(() => assertUndici(OfTheRuntime)).toThrow(
      expect.objectContaining({ code: 'MISCONFIGURED', message }),
    );
  });
});
