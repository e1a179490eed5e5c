import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPartnerDocs } from '@partner-hiring/partner-docs';
import { run } from './run.js';
import { type Packed, startScopeRegistry } from './scope-registry.js';

const PROGRAM = `
import { createPartnerClient } from '@partner-hiring/client';
import { certify } from '@partner-hiring/certify';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';

const { webhookEndpoint } = createPartnerClient({ baseUrl: 'http://localhost/v1', apiKey: 'pek_test_1' });
console.log([webhookEndpoint.get, certify, verifyWebhook].map((each) => typeof each).join());
`;

/** What a partner runs after the installation, and what it prints. */
const COMMANDS: readonly (readonly [command: readonly string[], prints: RegExp])[] = [
  [['node', 'program.mjs'], /^function,function,function$/m],
  [['npx', '--offline', '@partner-hiring/certify', '--help'], /certify/],
  [['npx', '--offline', 'partner-hiring-listen', '--help'], /--forward/],
];

/**
 * Runs the commands of the pages for partners, with the tarballs of a host, in an empty project. None of our packages comes
 * from a registry.
 * @throws Error with what a command printed if it fails
 */
export async function checkInstalledFromHost(scratch: string, packed: readonly Packed[]): Promise<void> {
  const host = await startScopeRegistry(packed);
  const folder = join(scratch, 'from-host');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  writeFileSync(join(folder, '.npmrc'), '@partner-hiring:registry=http://127.0.0.1:9\n');
  writeFileSync(join(folder, 'program.mjs'), PROGRAM);
  try {
    const { pages } = createPartnerDocs({ origin: host.url, sandbox: true, packagesUrl: host.url });
    const markdown = pages.filter(({ path }) => path.endsWith('.md')).map(({ text }) => text);
    const installs = [...markdown.join('\n').matchAll(/^npm install (.*\.tgz.*)$/gm)];
    if (installs.length === 0) throw new Error('No page installs packages from the host.');
    for (const [, packages = ''] of installs) {
      await run(
        folder,
        'npm',
        'install',
        '--prefer-offline',
        '--no-audit',
        '--no-fund',
        ...packages.split(' '),
      );
    }
    for (const [[command = '', ...args], prints] of COMMANDS) {
      const printed = await run(folder, command, ...args);
      if (!prints.test(printed)) throw new Error(`${command} ${args.join(' ')} printed:\n${printed}`);
    }
    console.log('ok  the pages for partners install the client, certify and the verifier from the host');
  } finally {
    host.close();
  }
}
