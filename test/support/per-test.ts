import { afterEach, beforeEach } from 'vitest';

/**
 * Opens something before each test and closes it afterwards. The returned object always has the fields of the
 * current test's object, so read it inside tests only.
 */
export function perTest<Opened extends object>(
  open: () => Promise<Opened>,
  close: (opened: Opened) => Promise<void>,
): Opened {
  const current = {} as Opened;
  beforeEach(async () => {
    Object.defineProperties(current, Object.getOwnPropertyDescriptors(await open()));
  });
  afterEach(() => close(current));
  return current;
}
