/**
 * Runs a script of migrations as psql does: the transaction, and then each statement on its own. A concurrent
 * step must not be in a transaction.
 */
export async function runScript(run: (sql: string) => Promise<unknown>, script: string): Promise<void> {
  const end = script.indexOf('commit;') + 'commit;'.length;
  await run(script.slice(0, end));
  for (const statement of script.slice(end).split('\n\n')) {
    if (statement.trim() !== '') await run(statement);
  }
}
