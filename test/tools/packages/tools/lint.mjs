/** Lints a package with publint, and its tarball with arethetypeswrong: `node lint.mjs <folder> <tarball>`. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const [folder, tarball] = process.argv.slice(2);

const { messages, pkg } = await publint({ pkgDir: folder, strict: true });
for (const message of messages) console.error(formatMessage(message, pkg));

const files = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' });
const profile = files.some((file) => file.endsWith('.cjs')) ? [] : ['--profile', 'esm-only'];
const attw = fileURLToPath(new URL('node_modules/.bin/attw', import.meta.url));
const { status } = spawnSync(attw, [tarball, '--quiet', ...profile], { stdio: 'inherit' });

if (messages.length > 0 || status !== 0) process.exitCode = 1;
