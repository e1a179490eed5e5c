/** A test may wait for a fresh rate window, and a database may be slow to open: longer than Vitest would wait. */
export const PATIENCE_MS = 60_000;
