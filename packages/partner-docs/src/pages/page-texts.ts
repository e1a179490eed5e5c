import { readFileSync } from 'node:fs';

/** The pages for partners, in the order of `docs/README.md`. */
export const PAGE_NAMES = [
  'quick-start-partner',
  'partner-guide',
  'webhooks',
  'recipes',
  'events',
  'sync',
  'client-stores',
  'questions',
  'errors-and-limits',
  'versioning',
  'api-changelog',
] as const;

export type PageName = (typeof PAGE_NAMES)[number];

const ROOT = new URL('../../../../', import.meta.url);

/** Files that a partner downloads: the path in the repository, and that below `docsPath`. */
export const FILE_PATHS = {
  'packages/webhook-verifier/vectors.json': 'vectors.json',
  'examples/receivers/receiver.mjs': 'receivers/receiver.mjs',
  'examples/receivers/receiver.py': 'receivers/receiver.py',
  'examples/receivers/receiver.go': 'receivers/receiver.go',
  'examples/receivers/receiver.php': 'receivers/receiver.php',
  'examples/receivers/receiver.rb': 'receivers/receiver.rb',
  'examples/receivers/Receiver.java': 'receivers/Receiver.java',
  'examples/receivers/flask_app.py': 'receivers/flask_app.py',
  'examples/receivers/django_view.py': 'receivers/django_view.py',
  'examples/receivers/webhooks_controller.rb': 'receivers/webhooks_controller.rb',
  'examples/receivers/WebhooksController.java': 'receivers/WebhooksController.java',
} as const;

export type FilePath = keyof typeof FILE_PATHS;

/** The text of each file. */
export const FILE_TEXTS = Object.fromEntries(
  Object.keys(FILE_PATHS).map((path) => [path, readFileSync(new URL(path, ROOT), 'utf8')]),
) as Readonly<Record<FilePath, string>>;

/** The version of all packages, which is in the names of their tarballs. */
export const { version: VERSION } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
  readonly version: string;
};

/** The Markdown of each page. The build replaces this file by one that contains the texts: see `tsup.config.ts`. */
export const PAGE_TEXTS = Object.fromEntries(
  PAGE_NAMES.map((name) => [name, readFileSync(new URL(`docs/${name}.md`, ROOT), 'utf8')]),
) as Readonly<Record<PageName, string>>;
