/** Warns through the process: a host without a logger must see it, and one that opens many storages must see it once. */
export function warnOnce(message: string): void {
  if (warned.has(message)) return;
  warned.add(message);
  process.emitWarning(message, { type: 'PartnerHiringWarning', code: 'MISCONFIGURED' });
}

const warned = new Set<string>();
