/** A client that a public generator creates from the committed document compiles and completes a hire. */
import { execFileSync } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type ApplicationId, SELF_SERVICE_PRESET } from '@partner-hiring/core';
import { createOpenApiDocument } from '@partner-hiring/partner-docs';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import openapiTS, { astToString } from 'openapi-typescript';
import { expect, onTestFinished, test } from 'vitest';
import { startPartnerReceiver } from '../../../examples/server/demo/partner-receiver.js';
import { startPlatform } from '../../../examples/server/demo/platform.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { TSC } from '../../tools/compiler/compile-folder.js';
import { DOCUMENT_FILE } from '../document-file.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const WHOLE_STORY_MS = 120_000;

/** The exports of `client/partner.ts`, which is compiled separately. */
interface PartnerModule {
  playPartner(
    baseUrl: string,
    apiKey: string,
    platform: Readonly<Record<'evaluate' | 'hire' | 'heardOf', (id: ApplicationId) => Promise<unknown>>>,
  ): Promise<readonly string[]>;
}

/** A partner's project: generated types, program and libraries, which are those of this folder, then of the root. */
async function createProject(): Promise<string> {
  const outer = temporaryFolder();
  const folder = join(outer, 'client');
  await cp(fileURLToPath(new URL('client/', import.meta.url)), folder, { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(outer, 'node_modules'));
  await symlink(fileURLToPath(new URL('node_modules/', import.meta.url)), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const types = await openapiTS(pathToFileURL(DOCUMENT_FILE), { silent: true });
  await writeFile(join(folder, 'partner-api.ts'), astToString(types));
  const selfService = { ...SELF_SERVICE_PRESET, url: true, rotateSecret: true };
  const whole = await openapiTS(JSON.stringify(createOpenApiDocument({ selfService })), { silent: true });
  await writeFile(join(folder, 'whole-api.ts'), astToString(whole));
  return folder;
}

/** Returns the compiler's errors. */
function compile(folder: string): string {
  try {
    execFileSync(process.execPath, [TSC, '--project', folder], { encoding: 'utf8' });
    return '';
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}

async function startExample() {
  const receiver = await startPartnerReceiver();
  const server = startPlatform(temporaryFolder(), receiver.webhookUrl, RUN_BUNDLED);
  onTestFinished(async () => {
    await server.stop();
    await receiver.close();
  });
  const platform = await server.ready();
  receiver.setSecrets(platform.signingSecrets);
  return { receiver, platform };
}

test('compiles the generated client, which completes the story', { timeout: WHOLE_STORY_MS }, async () => {
  const folder = await createProject();
  expect(compile(folder)).toBe('');
  const partner: PartnerModule = await import(join(folder, 'dist/partner.js'));

  const { receiver, platform } = await startExample();
  const { applications } = platform.operator;
  const told = await partner.playPartner(platform.baseUrl, platform.apiKey, {
    evaluate: async (id) => {
      await applications.move({ id });
      await applications.move({ id, stage: 'under_review' });
    },
    hire: (id) => applications.decide({ id, decision: 'accepted' }),
    heardOf: async (id) =>
      JSON.stringify(
        await receiver.waitForEvent(
          ({ type, data }) => type === 'application.status_changed' && data.applicationId === id,
          `Waiting for application.status_changed of ${id}`,
        ),
      ),
  });
  expect(told).toEqual([
    'Delivery driver at Harbor Logistics, from 22, asks license',
    '422 candidate.email invalid_format',
    '201 received',
    'true true',
    '422 sameJson false',
    '409 DUPLICATE_SOURCE_APPLICATION_ID',
    'in_progress, Under Review',
    '404 APPLICATION_NOT_FOUND',
    'in_progress → accepted: Hired',
    'ats-1001 accepted',
  ]);
});

test('does not compile a client with misspelled names', { timeout: WHOLE_STORY_MS }, async () => {
  const folder = await createProject();
  const program = join(folder, 'partner.ts');
  const text = await readFile(program, 'utf8');
  await writeFile(
    program,
    text
      .replace("status: 'open' }", "status: 'closed' }")
      .replace('satisfies string', 'satisfies number')
      .replace('refusal.details.sameJson', 'refusal.retryAfter'),
  );
  expect(compile(folder).match(/error TS\d+/g)).toHaveLength(3);
});
