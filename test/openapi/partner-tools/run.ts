/**
 * Uses the OpenAPI document with the tools of partners: `npm run test:tools`. Fails for each complaint that `complaints.ts`
 * does not list with a reason.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOpenApiDocument } from '@partner-hiring/partner-docs';
import { startPartnerReceiver } from '../../../examples/server/demo/partner-receiver.js';
import { startPlatform } from '../../../examples/server/demo/platform.js';
import { playStory } from '../../../examples/server/demo/story.js';
import { createStoryteller } from '../../../examples/server/demo/storyteller.js';
import { installProject, TOOLS_PROJECT } from '../../tools/projects/projects.js';
import { unexplained } from './complaints.js';
import { checkGenerated } from './generated.js';
import { findUnnoticed } from './planted-faults.js';
import { startPrism } from './prism.js';
import { PROJECT, runTool } from './program.js';
import { callEveryRoute, SELF_SERVICE, sendRefused, startSelfServiceHost } from './self-service.js';
import { sendUnusual } from './unusual-requests.js';

installProject(TOOLS_PROJECT);
// In the project, so that generated files find its libraries. Node strips no types inside node_modules.
const folder = await mkdtemp(join(PROJECT, '.run-'));
const demo = await mkdtemp(join(tmpdir(), 'partner-hiring-tools-'));
const receiver = await startPartnerReceiver();
const server = startPlatform(demo, receiver.webhookUrl);
try {
  const support = { email: 'partners@hiring.example.com' };
  const document = join(folder, 'openapi.json');
  const whole = createOpenApiDocument({ support, selfService: SELF_SERVICE });
  writeFileSync(document, JSON.stringify(whole, null, 2));

  report('Spectral', await lint(document));
  report('Prism, with wrong answers', await findUnnoticed(document));
  report('hey-api and orval', await checkGenerated(document, folder));

  const platform = await server.ready();
  receiver.setSecrets(platform.signingSecrets);
  const prism = await startPrism(document, platform.baseUrl);
  try {
    await playStory({ platform: { ...platform, baseUrl: prism.url }, receiver, step: createStoryteller() });
    const refused = await sendUnusual(prism.url, platform.apiKey);
    report('Prism', [...refused, ...prism.violations()]);
  } finally {
    await prism.stop();
  }
  await useSelfService(document);
} finally {
  await server.stop();
  await receiver.close();
  for (const used of [folder, demo]) rmSync(used, { recursive: true, force: true });
}

/** Uses the routes that a host can turn on. */
async function useSelfService(document: string): Promise<void> {
  const host = await startSelfServiceHost(demo);
  try {
    const prism = await startPrism(document, host.baseUrl);
    try {
      const failed = await callEveryRoute(prism.url, host.apiKey);
      const violations = prism.violations();
      report('Prism, with self-service', [...failed, ...violations]);
      report('Prism, with refusals', await sendRefused(prism.url, host.apiKey));
    } finally {
      await prism.stop();
    }
  } finally {
    await host.close();
  }
}

/** Prints the outcome of a tool. */
function report(tool: string, complaints: readonly string[]): void {
  const left = unexplained(tool, complaints);
  for (const complaint of left) console.error(`${tool}: ${complaint}`);
  if (left.length > 0) process.exitCode = 1;
  else console.log(`ok  ${tool}: ${complaints.length} complaints, all explained`);
}

async function lint(document: string): Promise<readonly string[]> {
  const rules = join(folder, 'spectral.json');
  writeFileSync(rules, '{ "extends": ["spectral:oas"] }');
  const args = ['lint', '--ruleset', rules, '--format', 'json', '--quiet', document];
  const found = JSON.parse(await runTool('@stoplight/spectral-cli/dist/index.js', args, folder)) as readonly {
    readonly code: string;
    readonly path: readonly string[];
  }[];
  return found.map(({ code, path }) => `${code} at ${path.join('.')}`);
}
