import { hostname } from 'node:os';
import type { WorkerProcess } from '../domain/worker-instance.js';
import { VERSION } from './open-telemetry.js';

const NAME_MAX_LENGTH = 200;

/** Describes this process, for the list of workers. */
export function describeProcess(): WorkerProcess {
  return { name: hostname().slice(0, NAME_MAX_LENGTH), pid: process.pid, release: VERSION };
}
