import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileSubmissionStore } from '@partner-hiring/client/file-store';

const folder = await mkdtemp(join(tmpdir(), 'partner-hiring-store-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** The partner's own store; here a correct one. */
export const openStore = () => createFileSubmissionStore(folder);
