import { describe, expect, onTestFinished, test } from 'vitest';
import { openPartnerHiring } from '../../examples/server/open-partner-hiring.js';
import { ALL_COMMANDS } from '../../examples/server/operator/all-commands.js';
import type { Report } from '../../examples/server/operator/command.js';
import { parseCommand } from '../../examples/server/operator/parse-command.js';
import { readSettings } from '../../examples/server/settings.js';
import { seededDatabase } from './seeded-database.js';

/** The example with its seed, and the operator command on it, in this process. */
async function openExample() {
  const { env, seeded } = await seededDatabase();
  const { operator, close } = await openPartnerHiring(readSettings(env));
  onTestFinished(close);
  const run = async (commandLine: string): Promise<Report> => {
    const parsed = parseCommand(ALL_COMMANDS, commandLine.split(' '));
    if (parsed.kind === 'help') throw new Error(`${commandLine} asks for help.`);
    return parsed.command.run(operator, parsed.input);
  };
  return { run, operator, keyId: seeded.production.key.id };
}

describe('the operator command', () => {
  test("tells an id that is nobody's from one that has nothing", async () => {
    const { run } = await openExample();
    for (const [commandLine, code] of [
      ['keys list --partner ptn_none', 'PARTNER_NOT_FOUND'],
      ['access list --key key_none', 'KEY_NOT_FOUND'],
      ['jobs list --company co_none', 'COMPANY_NOT_FOUND'],
      ['applications list --company co_none', 'COMPANY_NOT_FOUND'],
      ['applications list --job job_none', 'JOB_NOT_FOUND'],
      ['endpoints health key_none', 'KEY_NOT_FOUND'],
      ['deliveries list --key key_none', 'KEY_NOT_FOUND'],
      ['deliveries dead --key key_none', 'KEY_NOT_FOUND'],
      ['deliveries attempts key_none', 'KEY_NOT_FOUND'],
      ['deliveries show key_none evt_none', 'KEY_NOT_FOUND'],
    ] as const) {
      await expect(run(commandLine), commandLine).rejects.toMatchObject({ code });
    }
  });

  test('says no more than is known of what has nothing', async () => {
    const { run, operator, keyId } = await openExample();
    const attempts = 'No attempt is told of: none was made, or the first of each event went well.';
    expect((await run(`deliveries attempts ${keyId}`)).text).toBe(attempts);
    const { id } = await operator.partners.add({ name: 'Globex' });
    expect((await run(`keys list --partner ${id}`)).text).toContain(`${id} has no keys. Issue one`);
    const { key } = await operator.keys.issue({ partnerId: id, world: 'production' });
    expect((await run(`access list --key ${key.id}`)).text).toContain('No company ever let it in.');
  });
});
