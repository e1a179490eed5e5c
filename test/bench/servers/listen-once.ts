import type { Express } from 'express';
import { announcePort } from './announce-port.js';

/** How much a started process has used. */
export interface StartUse {
  readonly processorMs: number;
  readonly megabytes: number;
}

const MEGABYTE = 2 ** 20;

/** Listens, announces the port, and answers each message of the parent process with a {@link StartUse}. */
export function listenOnce(app: Express): void {
  const server = app.listen(0, '127.0.0.1', () => announcePort(server));
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    const use: StartUse = {
      processorMs: (user + system) / 1_000,
      megabytes: process.memoryUsage.rss() / MEGABYTE,
    };
    process.send?.(use);
  });
  process.on('disconnect', () => process.exit());
}
