import { type FileHandle, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ServingCommand } from '../command/command.js';
import type { DatabaseTarget } from '../connection/database-target.js';
import { loadPostgres, loadSqlite } from '../connection/load-storage.js';
import { resolveAddress } from '../doctor/database/address.js';
import { counted } from '../report/ask-first.js';
import { openNewFile } from '../report/new-file.js';
import { sentence } from '../report/report.js';
import { terminalText } from '../report/terminal-text.js';

/** A page waits for the disk, and so do statements behind it. */
const STATEMENT_MS = 60_000;

type Write = (rows: readonly { readonly kind: string; readonly value: object }[]) => Promise<void>;

/** The command `export-all`. */
export const exportAll: ServingCommand = {
  summary: 'Writes everything that is stored into a new file, as JSON lines, without secrets',
  arguments: ['file'],
  serve: async (operator, input, context) => {
    const path = resolve(input.argument('file'));
    const file = await openNewFile(path, 'Nothing was exported.');
    try {
      await operator.audit.recordExport({ list: 'everything' });
      const counts = await writeLines(file, (write) => readAll(context.database(), write));
      const lines = Object.values(counts).reduce((sum, count) => sum + count, 0);
      const text = `${counted(lines, 'row')} in ${terminalText(path)}. It has personal data of candidates: keep it safe.`;
      return sentence(text, { file: path, counts });
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  },
};

/** Writes a line for each row. The last line has the counts, so that a reader knows that none is missing. */
async function writeLines(
  file: FileHandle,
  read: (write: Write) => Promise<void>,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  await file.write(`${JSON.stringify({ kind: 'export', value: { format: 1 } })}\n`);
  await read(async (rows) => {
    for (const { kind } of rows) counts[kind] = (counts[kind] ?? 0) + 1;
    await file.write(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  });
  await file.write(`${JSON.stringify({ kind: 'end', value: { counts } })}\n`);
  await file.sync();
  return counts;
}

async function readAll(target: DatabaseTarget, write: Write): Promise<void> {
  if (target.kind === 'sqlite') {
    const { openSqliteReader } = await loadSqlite();
    const reader = openSqliteReader({ file: target.file });
    try {
      await reader.exportAll(write);
    } finally {
      reader.close();
    }
    return;
  }
  const { connectionString } = target;
  const { openPostgresReader } = await loadPostgres();
  const reader = openPostgresReader({ connectionString, timeoutMs: STATEMENT_MS });
  try {
    const address = resolveAddress({ ...target });
    await reader.exportAll(address.kind === 'postgres' ? address.schemas : [], write);
  } finally {
    await reader.close();
  }
}
